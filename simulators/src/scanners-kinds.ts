/** What is wrong with a scanner. Moments are shares of the run, 0 to 1. */
export interface ScannerKind {
	text: string;
	/** Its clock, against the true one, from the start. */
	offByMs?: number;
	/** Somebody sets its clock. */
	clockSet?: { at: number; offByMs: number };
	/** No network in between. */
	offline?: { from: number; to: number };
	/** Each batch goes out so many times at once. */
	copies?: number;
	/** So many of the answers do not arrive. */
	loseAnswers?: number;
	/** The page starts anew at these moments. */
	restarts?: readonly number[];
	/** So many things in each batch that are no entries. */
	garbage?: number;
	/** In somebody else's hands: it also posts for a gate that is not its own. */
	isStolen?: boolean;
	/** It has its lists from the start, and never looks again. */
	keepsOldLists?: boolean;
}

const hourMs = 3_600_000;

/** `mixed` is one of each. */
export const scannerKinds = {
	good: { text: 'as it should be' },
	offline: { text: 'without a network for most of the run', offline: { from: 0.1, to: 0.9 } },
	'wrong-clock': { text: 'its clock three hours ahead', offByMs: 3 * hourMs },
	'clock-set': {
		text: 'offline, and somebody sets its clock back in between',
		offline: { from: 0.1, to: 0.8 },
		clockSet: { at: 0.4, offByMs: -2 * hourMs }
	},
	repeats: { text: 'each batch three times at once', copies: 3 },
	'lost-answers': { text: 'every second answer is lost', loseAnswers: 0.5 },
	restarts: {
		text: 'started anew in the middle, twice, offline',
		offline: { from: 0.2, to: 0.7 },
		restarts: [0.35, 0.55]
	},
	stolen: { text: 'posts for another gate, too', isStolen: true },
	garbage: { text: 'things in its batches that are no entries', garbage: 3 },
	'old-lists': { text: 'never looks for newer keys and revocations', keepsOldLists: true }
} as const satisfies Record<string, ScannerKind>;
export type ScannerKindName = keyof typeof scannerKinds;

export const scannerKindNames = Object.keys(scannerKinds) as ScannerKindName[];

/** What a batch may hold that no store should take; the last is text that PostgreSQL cannot keep. */
export const garbageOf = (random: () => number): unknown =>
	[
		null,
		'P1:NOT AN ENTRY',
		{ kind: 'permit', seq: -1 },
		{ kind: 'count', seq: 'one', people: 1e9 },
		{ kind: 'permit', permit: '\u0000', people: random() }
	][Math.floor(random() * 5)];
