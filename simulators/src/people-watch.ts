/** What must never happen, whoever comes and whatever they do. */
export const faultKinds = [
	'bookedTwice',
	'permitOfTwo',
	'sharedPassWorked',
	'sharedPlaceShown',
	'passesOfOne',
	'placesOfOne',
	'placeLost',
	'inversions',
	'repeatDiffers',
	'deadPassRefused'
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** How the time told at joining compares with the wait that came of it; the server's seconds. */
export interface ToldTime {
	/** Distance from the time told to the stretch between two looks in which the turn came. */
	errorSeconds: number;
	/** That stretch meets the range that belongs to the time told. */
	inRange: boolean;
}

/** Looks over everybody's shoulder and keeps what a single person cannot know. */
export interface Watch {
	/** A number that one of our people got. */
	gotNumber(number: number): void;
	/** A room that was started anew counts from the beginning. */
	seeEpoch(epoch: number): void;
	/** The turn of a place in the main lane came. */
	called(number: number): void;
	/** The highest number whose turn had come when it was asked. */
	calledUpTo(): number;
	/** A person got the pass so long after arriving (the server's ms). */
	passed(waitMs: number): void;
	told(time: ToldTime): void;
	/** A booking answered `permit`. @returns false when the person has another one */
	booked(user: string, permit: string): boolean;
	/** The person's permit is another one now. */
	changed(user: string, permit: string): void;
	fault(kind: FaultKind): void;
	/** Things that people tried, for the report. */
	tried(what: string): void;
	figures(): WatchFigures;
}

export interface WatchFigures {
	faults: Record<FaultKind, number>;
	tried: Record<string, number>;
	numbers: number;
	people: number;
	waitsMs: readonly number[];
	told: readonly ToldTime[];
}

export function createWatch(): Watch {
	const faults = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
	const tried = new Map<string, number>();
	const numbers = new Set<string>();
	const permits = new Map<string, string>();
	const holders = new Map<string, string>();
	const waitsMs: number[] = [];
	const told: ToldTime[] = [];
	let epoch = 0;
	let calledUpTo = 0;
	return {
		gotNumber: (number) => void numbers.add(`${epoch}:${number}`),
		seeEpoch(seen) {
			if (seen <= epoch) return;
			epoch = seen;
			calledUpTo = 0;
		},
		called: (number) => void (calledUpTo = Math.max(calledUpTo, number)),
		calledUpTo: () => calledUpTo,
		passed: (waitMs) => void waitsMs.push(waitMs),
		told: (time) => void told.push(time),
		booked(user, permit) {
			const first = permits.get(user);
			const holder = holders.get(permit);
			if (first !== undefined && first !== permit) faults.bookedTwice += 1;
			if (holder !== undefined && holder !== user) faults.permitOfTwo += 1;
			if (first === undefined) permits.set(user, permit);
			if (holder === undefined) holders.set(permit, user);
			return first === undefined || first === permit;
		},
		changed(user, permit) {
			permits.set(user, permit);
			holders.set(permit, user);
		},
		fault: (kind) => void (faults[kind] += 1),
		tried: (what) => void tried.set(what, (tried.get(what) ?? 0) + 1),
		figures: () => ({
			faults: { ...faults },
			tried: Object.fromEntries(tried),
			numbers: numbers.size,
			people: permits.size,
			waitsMs,
			told
		})
	};
}

/** For whoever plays without end: keeps nothing. */
export const noWatch: Watch = {
	gotNumber: () => undefined,
	seeEpoch: () => undefined,
	called: () => undefined,
	calledUpTo: () => 0,
	passed: () => undefined,
	told: () => undefined,
	booked: () => true,
	changed: () => undefined,
	fault: () => undefined,
	tried: () => undefined,
	figures: () => createWatch().figures()
};
