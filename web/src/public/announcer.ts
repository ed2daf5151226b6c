/** At most one ordinary announcement in so long; a new section (a turn, a permit) is said at once. */
export const announceEveryMs = 60_000;

/** Decides what a screen reader hears, so that it is neither flooded nor left without the one thing that matters. */
export interface Announcer {
	/** The text to put into the polite live region now, or null to leave it. */
	next(section: string, text: string, now: number): string | null;
}

export function createAnnouncer(): Announcer {
	let section = '';
	let said = '';
	let saidAt = -Infinity;
	return {
		next(nextSection, text, now) {
			const changed = nextSection !== section;
			section = nextSection;
			if (text === said && !changed) return null;
			if (!changed && now - saidAt < announceEveryMs) return null;
			said = text;
			saidAt = now;
			return text;
		}
	};
}
