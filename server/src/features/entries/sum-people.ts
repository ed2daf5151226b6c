import type { Entry, EntryFinding } from '../../../contract/index.ts';
import type { GateTotals, MinutePeople } from './entry-store.ts';

/** People of new entries by the minute in which they passed, and in all; `late` ones passed longer ago than `lateMs`. */
export function sumPeople(
	gate: string,
	entries: readonly { entry: Entry; at: number; findings: readonly EntryFinding[] }[],
	receivedAt: number,
	lateMs: number
): { minutes: MinutePeople[]; totals: GateTotals } {
	const minutes = new Map<number, MinutePeople>();
	const totals: GateTotals = { peopleIn: 0, peopleOut: 0, lateIn: 0, lateOut: 0 };
	for (const { entry, at, findings } of entries) {
		const { kind, direction, people } = entry;
		if (people === 0) continue;
		const minute = Math.floor(at / 60_000) * 60_000;
		const known = minutes.get(minute) ?? {
			...{ gate, minute, scannedIn: 0, scannedOut: 0, countedIn: 0, countedOut: 0, unprovenIn: 0 }
		};
		minutes.set(minute, known);
		const isLate = receivedAt - at > lateMs;
		if (direction === 'in') {
			known[kind === 'permit' ? 'scannedIn' : 'countedIn'] += people;
			if (findings.includes('unproven')) known.unprovenIn += people;
			totals.peopleIn += people;
			if (isLate) totals.lateIn += people;
		} else {
			known[kind === 'permit' ? 'scannedOut' : 'countedOut'] += people;
			totals.peopleOut += people;
			if (isLate) totals.lateOut += people;
		}
	}
	return { minutes: [...minutes.values()], totals };
}
