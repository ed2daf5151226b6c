import type { Abnormal } from './abnormal.ts';

/** Something abnormal as a list shows it; `endedAt` once it is over, epoch ms. */
export type Shown = Abnormal & { endedAt: number | null };

/** Who looks up twice within so long sees the same line twice, the second time perhaps as over. */
export const shownLeastMs = 20_000;

/**
 * Keeps a line that is over on the list until it has been there for its least time, marked as over: what comes and
 * goes between two looks was there. @returns a function that takes each newest list
 */
export function createSteadyList(
	leastMs = shownLeastMs
): (found: readonly Abnormal[], now: number) => Shown[] {
	let lines = new Map<string, { item: Abnormal; cameAt: number; endedAt: number | null }>();
	return (found, now) => {
		const next: typeof lines = new Map();
		for (const item of found) {
			const before = lines.get(item.key);
			next.set(item.key, { item, cameAt: before?.cameAt ?? now, endedAt: null });
		}
		for (const [key, line] of lines) {
			if (next.has(key)) continue;
			const endedAt = line.endedAt ?? now;
			// The clock may have been set back meanwhile: then nothing is held.
			const isHeld = now >= line.cameAt && now < line.cameAt + leastMs;
			if (isHeld) next.set(key, { ...line, endedAt });
		}
		lines = next;
		// What is over stands behind everything that is not.
		const shown = [...next.values()].map(({ item, endedAt }): Shown => ({ ...item, endedAt }));
		return [
			...shown.filter(({ endedAt }) => endedAt === null),
			...shown.filter(({ endedAt }) => endedAt !== null)
		];
	};
}
