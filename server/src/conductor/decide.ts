import type { RateLimiter } from '../../contract/index.ts';

/** One cap on the admission rate, people a second, and who sets it. `narrowest-part` is multiplied by 0.8. */
export interface RateLimit {
	source: 'manager' | 'level' | 'narrowest-part';
	perSecond: number;
}

/**
 * One health signal: at `good` all is well (1), at `limit` nothing may be admitted (0). A `value` of null with a
 * fresh `at` means that there was nothing to judge by (no traffic); `at` is when its source last spoke at all
 * (epoch ms), null when it never did.
 */
export interface HealthSignal {
	name: string;
	value: number | null;
	good: number;
	limit: number;
	at: number | null;
}

/** What the conductor decided in one second, and why. */
export interface Decision {
	at: number;
	/** Admissions a second now in force. */
	ratePerSecond: number;
	/** Rate before health and the slow rise. */
	basePerSecond: number;
	managerPerSecond: number;
	levelCapPerSecond: number | null;
	narrowestPerSecond: number | null;
	/** 0 to 1, the worst signal. */
	health: number;
	worstSignal: string | null;
	/** Value of the worst signal (ms, or a share); null while all is well. */
	worstValue: number | null;
	blind: boolean;
	/** When the signal unheard for longest was last heard (epoch ms); null while seeing. */
	blindSince: number | null;
	/** Signals unheard for too long, by name. */
	missing: readonly string[];
	/** Rate that was in force when sight was lost; null while seeing. */
	heldPerSecond: number | null;
	/** Highest rate that was in force while all was well: a person may return to it at once. */
	provenPerSecond: number;
	/** A rate has been asked for: from now on it climbs. */
	started: boolean;
	/** When the first decision was made: a source that never spoke is missing since then. */
	since: number;
	limitedBy: RateLimiter;
}

/** Share of the measured narrowest part that may be used. */
export const narrowestShare = 0.8;
/** A signal older than this is missing: the rate holds; older than `blindHalveMs` it halves, once. */
export const blindHoldMs = 30_000;
export const blindHalveMs = 60_000;
/** Rises by at most max(10 %, 5/s) per 10 s. */
const riseShare = 0.1;
const risePerSecondMin = 5;
const riseSpanMs = 10_000;
/** One span above the rate at which 10 % is 5/s: what climbs by 5/s from under it never gains more than that. */
const linearBelow = risePerSecondMin / riseShare + risePerSecondMin;

interface Input {
	at: number;
	limits: readonly RateLimit[];
	health: readonly HealthSignal[];
	previous: Decision | null;
}

/**
 * target = min(duty manager's rate, 0.8 × narrowest part) × health, and never above the level's cap. The cap is no
 * factor: where health has lowered the rate under it already, a level changes nothing more. It falls at once and rises
 * by at most max(10 %, 5/s) per 10 s. Two rises need no climb: the very first rate (nothing is known to be wrong), and
 * the way back to a rate that was in force while all was well, when a person and not health had lowered it. A
 * signal missing for 30 s holds the rate, for 60 s halves it: missing is never healthy.
 */
export function decide(input: Input): Decision {
	const { at, previous } = input;
	const manager = lowest(input.limits, 'manager') ?? 0;
	const level = lowest(input.limits, 'level');
	const narrowest = lowest(input.limits, 'narrowest-part');
	const uncapped = Math.max(0, Math.min(manager, narrowest === null ? Infinity : narrowest * narrowestShare));
	const base = Math.min(uncapped, Math.max(0, level ?? Infinity));
	const since = previous?.since ?? at;
	const { health, worst, worstValue, oldestAgeMs, missing } = judge(input.health, at, since);
	const blind = oldestAgeMs > blindHoldMs;
	const heldPerSecond = blind ? (previous?.heldPerSecond ?? previous?.ratePerSecond ?? 0) : null;
	const shared = {
		at,
		since,
		started: (previous?.started ?? false) || manager > 0,
		basePerSecond: base,
		managerPerSecond: manager,
		levelCapPerSecond: level,
		narrowestPerSecond: narrowest,
		health,
		...{ worstSignal: worst, worstValue, blind, missing },
		blindSince: blind ? (previous?.blindSince ?? at - oldestAgeMs) : null,
		heldPerSecond
	};
	const target = Math.min(uncapped * health, level ?? Infinity);
	if (heldPerSecond !== null) {
		const ceiling = oldestAgeMs > blindHalveMs ? heldPerSecond / 2 : heldPerSecond;
		// Whatever else changes meanwhile: nothing rises that nobody sees.
		const ratePerSecond = Math.min(target, ceiling, previous?.ratePerSecond ?? 0);
		return { ...shared, ratePerSecond, provenPerSecond: ratePerSecond, limitedBy: 'blind' };
	}
	const ratePerSecond = Math.min(target, reachable(previous, at));
	const proven = Math.max(ratePerSecond, previous?.provenPerSecond ?? 0);
	return {
		...shared,
		ratePerSecond,
		// What health took away is not proven any more.
		provenPerSecond: health < 1 ? ratePerSecond : proven,
		limitedBy: ratePerSecond < target ? 'rising' : limiter(shared, uncapped * health)
	};
}

/** The highest rate that may be in force now, coming from the previous decision. */
function reachable(previous: Decision | null, at: number): number {
	if (!previous?.started) return Infinity;
	const spans = Math.min(1, Math.max(0, at - previous.at) / riseSpanMs);
	const from = previous.ratePerSecond;
	// Second by second: people are added below, the tenth root of 10 % above, so that 10 s never give more.
	const risen = from < linearBelow ? from + risePerSecondMin * spans : from * (1 + riseShare) ** spans;
	return Math.max(risen, previous.blind ? 0 : previous.provenPerSecond);
}

function lowest(limits: readonly RateLimit[], source: RateLimit['source']): number | null {
	const values = limits.filter((limit) => limit.source === source).map((limit) => limit.perSecond);
	return values.length === 0 ? null : Math.min(...values);
}

/** Health is the worst signal; the age is that of the signal unheard for longest. */
function judge(signals: readonly HealthSignal[], at: number, since: number) {
	let health = 1;
	let worst: string | null = null;
	let worstValue: number | null = null;
	let oldestAgeMs = 0;
	const missing: string[] = [];
	for (const signal of signals) {
		const ageMs = at - (signal.at ?? since);
		oldestAgeMs = Math.max(oldestAgeMs, ageMs);
		if (ageMs > blindHoldMs) missing.push(signal.name);
		if (signal.value === null) continue;
		const share = Math.min(1, Math.max(0, (signal.limit - signal.value) / (signal.limit - signal.good)));
		if (share < health) {
			health = share;
			worst = signal.name;
			worstValue = signal.value;
		}
	}
	return { health, worst, worstValue, oldestAgeMs, missing };
}

function limiter(
	d: Pick<Decision, 'health' | 'levelCapPerSecond' | 'managerPerSecond' | 'basePerSecond'>,
	/** People a second without the level. */
	healthy: number
): RateLimiter {
	if (d.levelCapPerSecond !== null && d.levelCapPerSecond < healthy) return 'level';
	if (d.health < 1) return 'health';
	return d.basePerSecond >= d.managerPerSecond ? 'manager' : 'narrowest-part';
}
