import type { RateLimiter } from '../../contract/index.ts';

/** One cap on the admission rate, people a second, and who sets it. `narrowest-part` is multiplied by 0.8. */
export interface RateLimit {
	source: 'manager' | 'level' | 'narrowest-part';
	perSecond: number;
}

/** One health signal: at `good` all is well (1), at `limit` nothing may be admitted (0). `at` epoch ms, null: never heard. */
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
	blind: boolean;
	limitedBy: RateLimiter;
}

/** Share of the measured narrowest part that may be used. */
export const narrowestShare = 0.8;
/** A signal older than this is missing: the rate holds; older than `blindHalveMs` it halves. */
export const blindHoldMs = 30_000;
export const blindHalveMs = 60_000;
/** Rises by at most max(10 %, 5/s) per 10 s. */
const riseShare = 0.1;
const risePerSecondMin = 5;
const riseSpanMs = 10_000;

/**
 * target = min(duty manager's rate, level's cap, 0.8 × narrowest part) × health. It falls at once and rises
 * slowly. A health signal missing for 30 s holds the rate, for 60 s halves it: missing is never healthy.
 */
export function decide(input: {
	at: number;
	limits: readonly RateLimit[];
	health: readonly HealthSignal[];
	previous: Decision | null;
}): Decision {
	const { at, previous } = input;
	const manager = lowest(input.limits, 'manager') ?? 0;
	const level = lowest(input.limits, 'level');
	const narrowest = lowest(input.limits, 'narrowest-part');
	const base = Math.min(manager, level ?? Infinity, narrowest === null ? Infinity : narrowest * narrowestShare);
	const { health, worst, oldestAgeMs } = judge(input.health, at);
	const shared = {
		at,
		basePerSecond: base,
		managerPerSecond: manager,
		levelCapPerSecond: level,
		narrowestPerSecond: narrowest,
		health,
		worstSignal: worst,
		blind: oldestAgeMs > blindHoldMs
	};
	const target = Math.max(0, base * health);
	if (shared.blind && previous) {
		// Blind: never above what was in force, never above what is asked for now.
		const ceiling = oldestAgeMs > blindHalveMs ? Math.min(base, previous.basePerSecond) / 2 : previous.ratePerSecond;
		return { ...shared, ratePerSecond: Math.min(target, ceiling), limitedBy: 'blind' };
	}
	if (previous && previous.managerPerSecond > 0 && target > previous.ratePerSecond) {
		const spanShare = Math.min(1, Math.max(0, at - previous.at) / riseSpanMs);
		const rise = Math.max(previous.ratePerSecond * riseShare, risePerSecondMin) * spanShare;
		const risen = Math.min(target, previous.ratePerSecond + rise);
		if (risen < target) return { ...shared, ratePerSecond: risen, limitedBy: 'rising' };
	}
	return { ...shared, ratePerSecond: target, limitedBy: limiter(shared) };
}

function lowest(limits: readonly RateLimit[], source: RateLimit['source']): number | null {
	const values = limits.filter((limit) => limit.source === source).map((limit) => limit.perSecond);
	return values.length === 0 ? null : Math.min(...values);
}

/** Health is the worst signal; the age is that of the signal unheard for longest. */
function judge(signals: readonly HealthSignal[], at: number) {
	let health = 1;
	let worst: string | null = null;
	let oldestAgeMs = 0;
	for (const signal of signals) {
		oldestAgeMs = Math.max(oldestAgeMs, signal.at === null ? Infinity : at - signal.at);
		if (signal.value === null) continue;
		const share = Math.min(1, Math.max(0, (signal.limit - signal.value) / (signal.limit - signal.good)));
		if (share < health) {
			health = share;
			worst = signal.name;
		}
	}
	return { health, worst, oldestAgeMs };
}

function limiter(d: Pick<Decision, 'health' | 'levelCapPerSecond' | 'narrowestPerSecond' | 'managerPerSecond' | 'basePerSecond'>): RateLimiter {
	if (d.health < 1) return 'health';
	if (d.levelCapPerSecond !== null && d.basePerSecond === d.levelCapPerSecond && d.levelCapPerSecond < d.managerPerSecond) return 'level';
	if (d.narrowestPerSecond !== null && d.basePerSecond < d.managerPerSecond) return 'narrowest-part';
	return 'manager';
}
