import type { EntryPolicy } from '@marsad/server/contract';

/** People who passed here by one permit. */
export interface Pass {
	/** The number of its entry. */
	seq: number;
	/** Epoch ms by the time that was known. */
	at: number;
	direction: 'in' | 'out';
	people: number;
}

/** What this scanner remembers of one permit. */
export interface UsedPermit {
	/** The id inside the signature; an unproven one has its key before it, so that it says nothing of a true one. */
	id: string;
	/** End of its window, epoch seconds: some time after that it is forgotten. */
	untilSeconds: number;
	/** Oldest first, bounded: older ones are summed up in the first. */
	passes: Pass[];
}

/** Whoever comes again within so long under re-entry is still the same coming in. */
export const sameComingMs = 300_000;
const passesMax = 60;

/** People of a party who may still enter, as this scanner knows; 0: everybody is in. */
export function mayEnter(
	used: UsedPermit | undefined,
	policy: EntryPolicy,
	party: number,
	now: number
): { entered: number; most: number } {
	const passes = used?.passes ?? [];
	const into = passes.filter(({ direction }) => direction === 'in');
	if (policy === 're-entry') {
		const recent = sum(into.filter(({ at }) => Math.abs(now - at) < sameComingMs));
		return recent < party ? { entered: recent, most: party - recent } : { entered: 0, most: party };
	}
	const entered = policy === 'single' ? sum(into) : inside(passes);
	return { entered: Math.min(entered, party), most: Math.max(0, party - entered) };
}

/** People of a party who may be counted out: those who are in, all of it when nobody here saw them enter. */
export function mayLeave(used: UsedPermit | undefined, party: number): number {
	const known = inside(used?.passes ?? []);
	return known > 0 ? Math.min(known, party) : party;
}

/** The same permit with one pass more, or with another number of people in a pass that is there. */
export function withPass(
	used: UsedPermit | undefined,
	permit: { id: string; untilSeconds: number },
	pass: Pass
): UsedPermit {
	const others = (used?.passes ?? []).filter(({ seq }) => seq !== pass.seq);
	const passes = pass.people > 0 ? [...others, pass] : others;
	const [first, ...rest] = passes;
	if (!first || passes.length <= passesMax) return { ...permit, passes };
	const second = rest[0]!;
	const people = inside([first, second]);
	return { ...permit, passes: [{ ...second, direction: 'in', people }, ...rest.slice(1)] };
}

/** When somebody last entered by it here. */
export function lastEntered(used: UsedPermit | undefined): number | null {
	return used?.passes.findLast(({ direction }) => direction === 'in')?.at ?? null;
}

function sum(passes: readonly Pass[]): number {
	return passes.reduce((all, { people }) => all + people, 0);
}

function inside(passes: readonly Pass[]): number {
	return passes.reduce(
		(now, { direction, people }) => Math.max(0, now + (direction === 'in' ? people : -people)),
		0
	);
}
