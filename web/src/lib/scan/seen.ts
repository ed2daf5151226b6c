/** A code in front of the camera is one scan until it was out of sight for so long. */
export const outOfSightMs = 2_000;
/** A reader's trigger that is held sends the same text again at once. */
export const sameTriggerMs = 1_500;

/** Keeps one presentation of a code from being several scans. Times are of any steady clock, ms. */
export function createSeen() {
	const lastSeen = new Map<string, number>();
	return {
		/** @returns whether this is a new presentation */
		show(text: string, at: number, withinMs = outOfSightMs): boolean {
			const before = lastSeen.get(text);
			for (const [other, seenAt] of lastSeen) if (at - seenAt > outOfSightMs * 2) lastSeen.delete(other);
			lastSeen.set(text, at);
			return before === undefined || at - before > withinMs;
		}
	};
}
