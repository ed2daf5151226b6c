/** Where somebody loses the network: the call is sent, its answer never arrives. */
export type Stage = 'joining' | 'waiting' | 'called' | 'booking';

/** What one person does that others do not; times in the server's milliseconds. */
export interface Traits {
	/** Comes back when told (`pollAfterMs`, `Retry-After`); the others ask again after a moment, whatever they are told. */
	obeys: boolean;
	/** Gives up a wait that lasts longer; null: waits as long as it takes. */
	patienceMs: number | null;
	/** Whoever gives up says so, or closes the page without a word. */
	leavesPolitely: boolean;
	/** Comes back so long after giving up or missing the turn; null: never. */
	returnsAfterMs: number | null;
	/** Tabs and phones in which the same person stands. */
	tabs: number;
	losesNetworkAt: Stage | null;
	/** Shares the links of place and pass: somebody else tries them. */
	shares: boolean;
	claimDelayMs: number;
	/** Sends the booking again with the same Idempotency-Key. */
	repeatsBooking: boolean;
	/** Books again, with the pass that died with the booking. */
	retriesDeadPass: boolean;
	/** Takes the place without an account, bound to the browser's key, and shows the account at the claim. */
	anonymous: boolean;
	/** Wants another slot after booking. */
	changes: boolean;
}

/** How one simulated person behaves. */
export interface Temper {
	party: number;
	/** Thinks for 2 to 40 s before choosing; the others for half a second to three. */
	slow: boolean;
	/** Called, but never comes. */
	absent: boolean;
	/** Nothing special without them. */
	traits?: Traits;
}

/** How people are made up: shares from 0 to 1, times in the server's seconds. */
export interface Mix {
	slow: number;
	absent: number;
	/** Share that asks as fast as it likes. */
	ignores: number;
	/** Share that gives up, somewhere between these seconds. */
	impatient: number;
	patienceSeconds: readonly [number, number];
	/** Share of those who give up or miss the turn that comes back. */
	returns: number;
	manyTabs: number;
	losesNetwork: number;
	shares: number;
	slowToClaim: number;
	repeatsBooking: number;
	retriesDeadPass: number;
	anonymous: number;
	changes: number;
}

/** How long a lost network stays away (W-14). */
export const networkLostMs = 120_000;
const tabsOfMany = 5;
const returnSeconds = [10, 90] as const;
const claimDelaySeconds = [5, 60] as const;
const stages: readonly Stage[] = ['joining', 'waiting', 'called', 'booking'];
/** Parties: most come alone, some as a family. */
const partySizes = [1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5];

const obedient: Mix = {
	slow: 0.1,
	absent: 0,
	ignores: 0,
	impatient: 0,
	patienceSeconds: [60, 600],
	returns: 0,
	manyTabs: 0,
	losesNetwork: 0,
	shares: 0,
	slowToClaim: 0,
	repeatsBooking: 0,
	retriesDeadPass: 0,
	anonymous: 0,
	changes: 0
};

/** Mixes by name. */
export const mixes = {
	obedient,
	mixed: {
		...obedient,
		absent: 0.03,
		ignores: 0.1,
		impatient: 0.1,
		returns: 0.5,
		manyTabs: 0.1,
		losesNetwork: 0.05,
		shares: 0.05,
		slowToClaim: 0.1,
		repeatsBooking: 0.1,
		retriesDeadPass: 0.1,
		anonymous: 0.2,
		changes: 0.05
	},
	rude: {
		...obedient,
		absent: 0.1,
		ignores: 0.6,
		impatient: 0.3,
		patienceSeconds: [20, 180],
		returns: 0.8,
		manyTabs: 0.4,
		losesNetwork: 0.1,
		shares: 0.2,
		slowToClaim: 0.2,
		repeatsBooking: 0.3,
		retriesDeadPass: 0.3,
		anonymous: 0.4,
		changes: 0.1
	}
} as const satisfies Record<string, Mix>;
export type MixName = keyof typeof mixes;

export function drawParty(random: () => number): number {
	return partySizes[Math.floor(random() * partySizes.length)] ?? 1;
}

/** One person out of the mix. Always draws as many numbers, so that one share changed leaves the others as they were. */
export function drawTemper(mix: Mix, random: () => number): Temper {
	const draws = Array.from({ length: 18 }, () => random());
	const is = (index: number, share: number) => draws[index]! < share;
	const within = (index: number, [from, to]: readonly [number, number]) =>
		(from + draws[index]! * (to - from)) * 1_000;
	return {
		party: drawParty(random),
		slow: is(0, mix.slow),
		absent: is(1, mix.absent),
		traits: {
			obeys: !is(2, mix.ignores),
			patienceMs: is(3, mix.impatient) ? within(4, mix.patienceSeconds) : null,
			leavesPolitely: is(5, 0.3),
			returnsAfterMs: is(6, mix.returns) ? within(7, returnSeconds) : null,
			tabs: is(8, mix.manyTabs) ? tabsOfMany : 1,
			losesNetworkAt: is(9, mix.losesNetwork) ? stages[Math.floor(draws[10]! * stages.length)]! : null,
			shares: is(11, mix.shares),
			claimDelayMs: is(12, mix.slowToClaim) ? within(13, claimDelaySeconds) : 0,
			repeatsBooking: is(14, mix.repeatsBooking),
			retriesDeadPass: is(15, mix.retriesDeadPass),
			anonymous: is(16, mix.anonymous),
			changes: is(17, mix.changes)
		}
	};
}
