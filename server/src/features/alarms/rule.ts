/** When a condition becomes an alarm, and when it is gone. All times by the clock that is given in. */
export interface Rule {
	/** Seconds for which a level must hold without a break before it rings; one for all levels, or one each. */
	onDelaySeconds: number | readonly number[];
	/** Seconds for which it must be gone without a break before it is over. */
	offDelaySeconds: number;
}

/** What a rule remembers of one subject. `held` is the level in force: 0 none, 1 the first of its limits. */
export interface RuleMemory {
	held: number;
	/** For each level, since when it has been reached, or missed, without a break. */
	aboveSince: (number | null)[];
	belowSince: (number | null)[];
}

/** A restart goes on with the level that the store holds: it clears by evidence alone. */
export function newRuleMemory(levels: number, held = 0): RuleMemory {
	const none = () => Array.from({ length: levels }, () => null);
	return { held: Math.min(held, levels), aboveSince: none(), belowSince: none() };
}

/**
 * Takes one look at a condition. `level` null is no data: nothing that is held is let go, and everything pending
 * begins anew. A pending rise or fall ends at once when a single look contradicts it.
 */
export function advanceRule(memory: RuleMemory, rule: Rule, level: number | null, now: number): RuleMemory {
	const { aboveSince: above, belowSince: below } = memory;
	if (level === null) return { ...memory, ...newRuleMemory(above.length, 0), held: memory.held };
	const aboveSince = above.map((since, index) => (level > index ? (since ?? now) : null));
	const belowSince = below.map((since, index) => (level > index ? null : (since ?? now)));
	let { held } = memory;
	for (const [index, since] of aboveSince.entries())
		if (since !== null && now - since >= onDelayMs(rule, index) && index + 1 > held) held = index + 1;
	const isGone = (index: number) => {
		const since = belowSince[index];
		return since != null && now - since >= rule.offDelaySeconds * 1_000;
	};
	while (held > 0 && isGone(held - 1)) held -= 1;
	return { held, aboveSince, belowSince };
}

function onDelayMs({ onDelaySeconds }: Rule, index: number): number {
	const seconds = typeof onDelaySeconds === 'number' ? onDelaySeconds : (onDelaySeconds[index] ?? 0);
	return seconds * 1_000;
}

/**
 * The level that a value reaches among limits, mildest first (`low`: the value is bad when it is small). Limits up to
 * the one in force are left by a deadband alone.
 */
export function levelOf(
	value: number,
	limits: readonly number[],
	options: { deadband: number; held: number; low?: boolean }
): number {
	const isReached = (limit: number, deadband: number) =>
		options.low ? value < limit + deadband : value >= limit - deadband;
	return (
		limits.findLastIndex((limit, index) => isReached(limit, index < options.held ? options.deadband : 0)) + 1
	);
}
