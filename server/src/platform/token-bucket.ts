/** So many at once after a calm, then so many a second, all together. */
export interface TokenBucket {
	/** False: none left just now. */
	take(): boolean;
}

export function createTokenBucket(
	{ burst, perSecond }: { burst: number; perSecond: number },
	elapsedMs: () => number
): TokenBucket {
	let level = burst;
	let filledMs = elapsedMs();
	return {
		take() {
			const nowMs = elapsedMs();
			level = Math.min(burst, level + ((nowMs - filledMs) / 1_000) * perSecond);
			filledMs = nowMs;
			if (level < 1) return false;
			level -= 1;
			return true;
		}
	};
}
