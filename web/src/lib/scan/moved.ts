import type { MovedPermit } from '@marsad/server/contract';
import type { Pass, UsedPermit } from './uses.ts';

/** Permits that came of each other because a slot shrank or closed: for the gate they are one. */
export interface MovedLine {
	/** This permit was moved; null: it stands for itself, or is the one that is valid now. */
	own: MovedPermit | null;
	/** What is valid instead of it: after several moves the last one. */
	next: MovedPermit | null;
	/** The moves that this permit came of. */
	came: MovedPermit[];
	/** Ids of all the others. */
	others: string[];
}

/** The line of a permit, as far as this scanner was told. */
export function lineOf(id: string, moved: readonly MovedPermit[] = []): MovedLine {
	const own = moved.find(({ permit }) => permit === id) ?? null;
	const known = new Set([id]);
	let next = own;
	for (let step = own; step && !known.has(step.successor);) {
		known.add((next = step).successor);
		const { successor } = step;
		step = moved.find(({ permit }) => permit === successor) ?? null;
	}
	const earlier = withEarlier(new Set([id]), moved);
	const came = moved.filter(({ permit, successor }) => permit !== id && earlier.has(successor));
	withEarlier(known, moved).delete(id);
	return { own, next, came, others: [...known] };
}

/** Backwards from every one that is known, until none is added. */
function withEarlier(known: Set<string>, moved: readonly MovedPermit[]): Set<string> {
	for (let before = 0; before < known.size;) {
		before = known.size;
		for (const { permit, successor } of moved) if (known.has(successor)) known.add(permit);
	}
	return known;
}

/** What a whole line was used, as if it were one permit. */
export function joinUses(own: UsedPermit | undefined, others: readonly UsedPermit[]): UsedPermit | undefined {
	const [first] = own ? [own] : others;
	if (!first || others.length === 0) return own;
	const passes: Pass[] = [own?.passes ?? [], ...others.map((one) => one.passes)].flat();
	return { ...first, passes: passes.sort((a, b) => a.at - b.at || a.seq - b.seq) };
}
