import type { Booking } from './features/booking/index.ts';
import type { Probe } from './features/spike/index.ts';
import type { Flags } from './platform/flags/flags.ts';
import type { Platform } from './platform/platform.ts';

/** What the parts outside say of themselves, for the spike page and for health. */
export function probesOf(parts: Platform, booking: Booking, flags: Flags): Probe[] {
	return [
		{ name: 'database', look: async () => ({ state: (await parts.database.isUp(1_000)) ? 'up' : 'down' }) },
		{ name: 'broker', look: () => ({ state: parts.broker.state().connected ? 'up' : 'down' }) },
		{
			name: 'eligibility',
			look() {
				const { kind, breaker, trouble } = booking.figures().eligibility;
				if (kind === 'none') return { state: 'up', detail: 'nobody checks' };
				if (kind === 'not-configured') return { state: 'down', detail: 'not configured' };
				return { state: breaker === 'open' ? 'down' : trouble ? 'slow' : 'up', breaker, detail: trouble };
			}
		},
		...probesOfValkey(parts),
		...(flags.source().state === 'not-configured'
			? []
			: [
					{
						name: 'unleash',
						look() {
							const { state } = flags.source();
							if (state === 'in-step') return { state: 'up' as const };
							return {
								state: 'down' as const,
								...(state === 'refused' && { detail: 'the token is refused' })
							};
						}
					}
				])
	];
}

/** The queue lives there, when several instances share it: without it nobody is let in. */
function probesOfValkey({ valkey }: Platform): Probe[] {
	if (!valkey) return [];
	return [{ name: 'valkey', look: async () => ({ state: (await valkey.isUp(1_000)) ? 'up' : 'down' }) }];
}
