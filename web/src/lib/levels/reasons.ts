import { levelReasons, type LevelReason } from '@marsad/server/contract';
import type { Locale } from '#lib/format.ts';

export const reasonChips = Object.keys(levelReasons) as LevelReason[];
/** The server takes so many. */
export const chipsMax = 4;

/** Words of three characters, or a chip without any. */
export function isReasonGiven(words: string, chips: readonly string[]): boolean {
	const length = words.trim().length;
	return length >= 3 || (length === 0 && chips.length > 0);
}

/** Chips and words as one line in the language of the screen; null when nothing was said. */
export function reasonLine(
	reason: string | null,
	chips: readonly string[],
	locale: Locale,
	comma: string
): string | null {
	const words = chips.map((chip) => levelReasons[chip as LevelReason]?.[locale] ?? chip);
	const all = [...words, reason ?? ''].filter((each) => each.trim() !== '');
	return all.length === 0 ? null : all.join(comma);
}
