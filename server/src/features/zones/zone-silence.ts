import type { FlowRate } from './flow-window.ts';
import { worstCase } from './worst-case.ts';
import type { Hearing, ZoneSources } from './zone-sources.ts';

interface Flow {
	in: number;
	out: number;
}

/** The last value of a zone while it was known, with the cumulative flow over its boundary at that moment. */
export interface Silence extends Flow {
	present: number;
	at: number;
}

/** Remembers what a zone held when it was last heard, for as long as it is not. */
export function createSilence(sources: ZoneSources, retiredNetFlow: () => number) {
	let silence: Silence | null = null;
	return {
		/** Null while the zone is heard. A recount of a zone that is seen from inside takes the last value's place. */
		note(
			hearing: Hearing,
			now: {
				last: number | null;
				anchor: { at: number; present: number; netFlow: number } | null;
				flow: Flow;
			}
		): Silence | null {
			const { last, anchor, flow } = now;
			if (hearing.quality === 'live' || hearing.quality === 'partial') return (silence = null);
			// It may have spoken between two looks and be silent at both: then the silence begins anew.
			const hasSpoken = silence !== null && (hearing.newestAt ?? 0) > silence.at;
			if ((!silence || hasSpoken) && last !== null && hearing.newestAt !== null)
				silence = { present: last, at: hearing.newestAt, ...flow };
			if (sources.mode === 'present' && anchor && (!silence || anchor.at > silence.at)) {
				const movedSince = flow.in - flow.out + retiredNetFlow() - anchor.netFlow;
				silence = { present: anchor.present + movedSince, at: anchor.at, ...flow };
			}
			return silence;
		},
		forget: () => void (silence = null)
	};
}

/** The fewest and the most people that a zone can hold which is not wholly heard; null while it is. */
export function boundsOf(zone: {
	sources: ZoneSources;
	hearing: Hearing;
	silence: Silence | null;
	present: number | null;
	flow: Flow;
	rate: FlowRate | null;
	capacity: number;
	now: number;
}): { low: number; high: number } | null {
	const { sources, hearing, silence, present, flow, now } = zone;
	if (hearing.quality === 'live') return null;
	const base = sources.mode === 'crossing' ? (present ?? silence?.present) : (silence?.present ?? present);
	if (base === null || base === undefined) return null;
	// A zone that is counted at its boundary has its movement in the count already.
	const since = sources.mode === 'present' ? silence : null;
	return worstCase(
		{
			present: Math.max(0, base),
			movedIn: since ? flow.in - since.in : 0,
			movedOut: since ? flow.out - since.out : 0,
			silentShare: hearing.silentShare,
			silentSeconds: hearing.silentSince === null ? 0 : (now - hearing.silentSince) / 1_000,
			rate: zone.rate,
			capacity: zone.capacity
		},
		hearing.quality === 'unknown'
	);
}
