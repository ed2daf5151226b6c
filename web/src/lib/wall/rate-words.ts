import type { SpikeNow } from '@marsad/server/contract';
import { m } from '#lib/paraglide/messages.js';
import { isolate, type Format } from '#lib/format.ts';

/** What holds the admission rate where it is, in words. */
export function sayLimit(spike: SpikeNow, format: Format): string {
	const { rate } = spike;
	switch (rate.limitedBy) {
		case 'manager':
			return rate.byHand ? m.rate_manager() : m.rate_start();
		case 'level':
			return m.rate_level({ level: format.count(spike.level) });
		case 'narrowest-part':
			return m.rate_narrowest({
				limit: isolate(rate.narrowestPerSecond === null ? '–' : format.rate(rate.narrowestPerSecond))
			});
		case 'health':
			return m.rate_health({ limit: isolate(format.rate(rate.managerPerSecond)) });
		case 'rising':
			return m.rate_rising({ limit: isolate(format.rate(rate.managerPerSecond)) });
		case 'leases':
			return m.rate_leases();
		case 'mode':
			return m.rate_mode();
		case 'blind':
			return rate.blindSince === null
				? m.rate_blind()
				: m.dec_why_blind({ time: isolate(format.clock(rate.blindSince)) });
		case 'none':
			return m.rate_none();
	}
}
