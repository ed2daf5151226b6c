import {
	worseQuality,
	type EntryGap,
	type Mark,
	type Quality,
	type Scanner
} from '../../../contract/index.ts';

/** What is known of one gate when counted is held against scanned. Times are epoch ms. */
export interface GapFacts {
	gate: string;
	authority: EntryGap['authority'];
	scanners: readonly Scanner[];
	/** People in over the window; undefined: none. */
	scans: { scannedIn: number; countedIn: number; unprovenIn: number } | undefined;
	/** Door counters of the gate: people in, whether each is heard, when last. Empty: it has none. */
	doors: readonly { in: number; isHeard: boolean; heardAt: number | null }[];
	windowSeconds: number;
	mark: Mark;
}

/** Counted − scanned at one gate. What was never heard is unknown, not 0. Pure. */
export function gapOf({ gate, authority, scans, doors, windowSeconds, mark, ...facts }: GapFacts): EntryGap {
	const scanners = facts.scanners.filter(({ state }) => state !== 'revoked');
	const spoke = scanners.filter(({ seenAt }) => seenAt !== null);
	const scanned = spoke.length === 0 ? null : (scans?.scannedIn ?? 0) + (scans?.countedIn ?? 0);
	const heardDoors = doors.filter(({ heardAt }) => heardAt !== null);
	const counted = heardDoors.length === 0 ? null : heardDoors.reduce((sum, door) => sum + door.in, 0);
	const scanQuality = qualityOf(
		spoke.length > 0,
		scanners.map(({ state }) => state === 'online')
	);
	const doorQuality = qualityOf(
		heardDoors.length > 0,
		doors.map(({ isHeard }) => isHeard)
	);
	const newest = (times: readonly (number | null)[]) => Math.max(...times.map((time) => time ?? 0));
	return {
		...{ gate, authority, scanned, counted },
		gap: scanned === null || counted === null ? null : counted - scanned,
		countOnly: scans?.countedIn ?? 0,
		unproven: scans?.unprovenIn ?? 0,
		windowSeconds,
		at:
			scanned === null || counted === null
				? null
				: Math.min(newest(spoke.map(({ seenAt }) => seenAt)), newest(doors.map(({ heardAt }) => heardAt))),
		quality: worseQuality(scanQuality, doorQuality),
		mark
	};
}

function qualityOf(ever: boolean, heard: readonly boolean[]): Quality {
	if (!ever) return 'unknown';
	if (heard.every(Boolean)) return 'live';
	return heard.some(Boolean) ? 'partial' : 'stale';
}
