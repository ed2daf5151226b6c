/** At most one ordinary announcement in so long; a new moment (a turn, a permit) is said at once. */
export const announceEveryMs = 60_000;

/** Decides what a screen reader hears, so that it is neither flooded nor left without the one thing that matters. */
export interface Announcer {
	/** The text to put into the polite live region now, or null to leave it. */
	next(moment: string, text: string, now: number): string | null;
}

export function createAnnouncer(): Announcer {
	let moment = '';
	let said = '';
	let saidAt = -Infinity;
	/** When each moment was last said: one that comes and goes is not said each time. */
	const momentsAt = new Map<string, number>();
	return {
		next(nextMoment, text, now) {
			const changed =
				nextMoment !== moment && now - (momentsAt.get(nextMoment) ?? -Infinity) >= announceEveryMs;
			moment = nextMoment;
			if (text === said && !changed) return null;
			if (!changed && now - saidAt < announceEveryMs) return null;
			said = text;
			saidAt = now;
			momentsAt.set(moment, now);
			return text;
		}
	};
}
