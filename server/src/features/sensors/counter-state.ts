/** What the counting of one counter remembers; kept in the store, in the same commit as the messages' keys. */
export interface CounterState {
	/** People counted in and out since the counter was first heard. */
	totalIn: number;
	totalOut: number;
	/** Running totals of the device that were last believed. */
	base: { in: number | null; out: number | null } | null;
	/** A level that is not believed yet, and how many readings confirm it. */
	held: { in: number | null; out: number | null; confirmations: number } | null;
	/** When a running total last came, epoch ms by our clock. */
	totalAt: number | null;
	present: number | null;
	density: number | null;
	presence: boolean | null;
	wbgtCelsius: number | null;
	/** When `present` last changed, epoch ms by our clock: a number that never does is suspect. */
	changedAt: number | null;
	/** When `present` or `density` was last reported, epoch ms by our clock. */
	valueAt: number | null;
	/** When the counter was last believed, epoch ms by our clock. */
	heardAt: number | null;
	/** Newest place in the device's own order. */
	boot: string | null;
	seq: number | null;
	deviceAt: number | null;
	recordedAt: number | null;
	/** What the device's totals run from, as it names it. */
	epoch: string | null;
	/** When a level was taken as base without counting it, epoch ms. */
	rebasedAt: number | null;
	/** Since when a level is held, epoch ms. */
	heldAt: number | null;
	/** Parts of people that the calibration left over. */
	rest: { in: number; out: number };
	/** Earlier boots: what still comes from them is late. */
	pastBoots: string[];
}

/** Of a counter that was never heard. */
export function newCounterState(): CounterState {
	return {
		totalIn: 0,
		totalOut: 0,
		base: null,
		held: null,
		totalAt: null,
		present: null,
		density: null,
		presence: null,
		wbgtCelsius: null,
		changedAt: null,
		valueAt: null,
		heardAt: null,
		boot: null,
		seq: null,
		deviceAt: null,
		recordedAt: null,
		epoch: null,
		rebasedAt: null,
		heldAt: null,
		rest: { in: 0, out: 0 },
		pastBoots: []
	};
}
