/** How much may happen in one round of the queue. Whole people; Infinity where nothing limits. */
export interface Budget {
	/** Passes that may be issued. */
	passes: number;
	/** Waiting people who may be called. */
	turns: number;
	/** People called or inside at the same time. */
	placesMax: number;
}

/** Tokens gather at the target rate; the store is a quarter of a second's worth, at least one person. */
export const burstSeconds = 0.25;
/** The no-show share is remembered over about so long. */
const noShowMemoryMs = 150_000;
export const noShowMax = 0.5;
/** Claims believed before any were seen, so that the first absentees do not halve the estimate. */
const noShowPrior = 20;

/** The same as rates, for a queue that keeps the stores itself. Infinity where nothing limits. */
export interface Rates {
	passesPerSecond: number;
	turnsPerSecond: number;
	placesMax: number;
}

interface Bucket {
	tokens: number;
}

/**
 * Turns a rate into whole people without a burst: passes in any span ≤ rate × span + a quarter of a tick. Two
 * stores: turns are called at target ÷ (1 − no-show), passes are issued at the target and never faster.
 */
export interface Pace {
	/** Brings the stores up to `now` at the rate in force since the last call, then sets the new one. */
	advance(now: number, targetPerSecond: number): void;
	passes(): number;
	turns(): number;
	spend(spent: { passes: number; turns: number }): void;
	/** At which turns are called: the target, made up for those who do not come. */
	turnsPerSecond(): number;
	/** Milliseconds until one more pass may be issued; null while the rate is 0. */
	nextPassInMs(): number | null;
	/** A called person claimed, or let the turn pass. */
	resolve(outcome: { claimed: number; missed: number }): void;
	/** Share of called people who do not come, 0 to 0.5. */
	noShow(): number;
}

export function createPace(now: number): Pace {
	let at = now;
	let rate = 0;
	let claimed = 0;
	let missed = 0;
	let fresh = true;
	const passBucket: Bucket = { tokens: 0 };
	const turnBucket: Bucket = { tokens: 0 };

	const noShow = () => Math.min(noShowMax, missed / (claimed + missed + noShowPrior));
	const turnRate = () => rate / (1 - noShow());
	const fill = (bucket: Bucket, perSecond: number, seconds: number) => {
		const store = perSecond > 0 ? Math.max(1, perSecond * burstSeconds) : 0;
		bucket.tokens = Math.min(store, bucket.tokens + perSecond * seconds);
	};

	return {
		advance(next, targetPerSecond) {
			const seconds = Math.max(0, next - at) / 1_000;
			at = Math.max(at, next);
			fill(passBucket, rate, seconds);
			fill(turnBucket, turnRate(), seconds);
			const decay = Math.exp((-seconds * 1_000) / noShowMemoryMs);
			claimed *= decay;
			missed *= decay;
			rate = Math.max(0, targetPerSecond);
			if (fresh && rate > 0) {
				fresh = false;
				passBucket.tokens = turnBucket.tokens = Infinity;
			}
			// A rate that falls takes the stores down with it at once.
			fill(passBucket, rate, 0);
			fill(turnBucket, turnRate(), 0);
		},
		passes: () => Math.floor(passBucket.tokens + 1e-9),
		turns: () => Math.floor(turnBucket.tokens + 1e-9),
		spend(spent) {
			passBucket.tokens = Math.max(0, passBucket.tokens - spent.passes);
			turnBucket.tokens = Math.max(0, turnBucket.tokens - spent.turns);
		},
		turnsPerSecond: turnRate,
		nextPassInMs: () => (rate > 0 ? Math.max(0, ((1 - passBucket.tokens) / rate) * 1_000) : null),
		resolve(outcome) {
			claimed += outcome.claimed;
			missed += outcome.missed;
		},
		noShow
	};
}

/** Counts by the second over a sliding window. */
export interface RateWindow {
	add(now: number, count: number): void;
	/** Sum over the window that ends now. */
	sum(now: number): number;
}

export function createRateWindow(seconds = 60): RateWindow {
	const counts = new Float64Array(seconds);
	let newest = -Infinity;
	const roll = (now: number) => {
		const second = Math.floor(now / 1_000);
		if (second <= newest) return;
		if (second - newest >= seconds) counts.fill(0);
		else for (let s = newest + 1; s <= second; s++) counts[s % seconds] = 0;
		newest = second;
	};
	return {
		add(now, count) {
			roll(now);
			counts[newest % seconds]! += count;
		},
		sum(now) {
			roll(now);
			return counts.reduce((a, b) => a + b, 0);
		}
	};
}
