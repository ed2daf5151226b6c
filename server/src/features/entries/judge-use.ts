import type { EntryConflict, EntryPolicy } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

/** One use of a permit that let people through. `at` is the corrected time, epoch ms. */
export interface Use {
	scanner: string;
	seq: number;
	gate: string;
	direction: 'in' | 'out';
	people: number;
	at: number;
	offline: boolean;
}

export type FoundConflict = Pick<
	EntryConflict,
	'kind' | 'gates' | 'people' | 'party' | 'firstAt' | 'lastAt' | 'offline'
>;

/**
 * Whether a permit let more people in than the policy of its place allows. The order in which uses became known does not
 * matter: they are looked at in order of their time. Pure.
 */
export function judgeUse(uses: readonly Use[], policy: EntryPolicy, party: number): FoundConflict | null {
	const ordered = [...uses].sort(
		(a, b) => a.at - b.at || (a.scanner < b.scanner ? -1 : a.scanner > b.scanner ? 1 : a.seq - b.seq)
	);
	const entries = ordered.filter(({ direction }) => direction === 'in');
	const people = entries.reduce((sum, use) => sum + use.people, 0);
	if (people <= party) return null;
	const isOver =
		policy === 'single' ||
		(policy === 'in-and-out' ? exceedsInside(ordered, party) : passesTwoGates(entries, party));
	const [first] = entries;
	const last = entries.at(-1);
	if (!isOver || !first || !last) return null;
	const gates = [...new Set(entries.map(({ gate }) => gate))].sort();
	return {
		kind: gates.length > 1 ? 'two-gates' : 'second-use',
		...{ gates, people, party, firstAt: first.at, lastAt: last.at },
		offline: entries.every((use) => use.offline)
	};
}

/** What let people in at the gates and is no permit of ours, as one finding; null for none. Pure. */
export function sumForged(
	forged: readonly { entry: Pick<Use, 'gate' | 'people' | 'offline'>; at: number }[]
): FoundConflict | null {
	if (forged.length === 0) return null;
	const times = forged.map(({ at }) => at);
	return {
		...{ kind: 'not-genuine', gates: [...new Set(forged.map(({ entry }) => entry.gate))].sort() },
		...{ people: forged.reduce((sum, { entry }) => sum + entry.people, 0), party: 0 },
		...{ firstAt: Math.min(...times), lastAt: Math.max(...times) },
		offline: forged.every(({ entry }) => entry.offline)
	};
}

/** More people inside at some moment than it is for. */
function exceedsInside(ordered: readonly Use[], party: number): boolean {
	let inside = 0;
	for (const { direction, people } of ordered) {
		inside = Math.max(0, inside + (direction === 'in' ? people : -people));
		if (inside > party) return true;
	}
	return false;
}

/** Whoever comes back does so in time; at another gate within minutes it is somebody else. */
function passesTwoGates(entries: readonly Use[], party: number): boolean {
	return entries.some((use, at) => {
		const near = entries.slice(0, at + 1).filter((other) => use.at - other.at <= limits.entries.twoGatesMs);
		const people = near.reduce((sum, other) => sum + other.people, 0);
		return people > party && new Set(near.map(({ gate }) => gate)).size > 1;
	});
}
