/** How long a level is meant to stand: no end, so many minutes, or a time of day. */
export type UntilChoice = 'none' | 'at' | number;
export const untilMinutesOffered = [30, 60, 120] as const;

const arabicDigits = /[\u0660-\u0669]/g;

/** The next time it is that o'clock at the site, epoch ms; null for a text that is no time of day. */
export function nextTimeOfDay(text: string, now: number, timeZone: string): number | null {
	const latin = text.trim().replace(arabicDigits, (digit) => String(digit.charCodeAt(0) - 0x660));
	const match = /^(\d{1,2})[:.]?(\d{2})$/.exec(latin);
	if (!match) return null;
	const [hour, minute] = [Number(match[1]), Number(match[2])];
	if (hour > 23 || minute > 59) return null;
	const shown = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23'
	}).format(now);
	const [hourNow, minuteNow] = shown.split(':').map(Number) as [number, number];
	const ahead = (hour - hourNow) * 60 + minute - minuteNow;
	// The minute that runs now is tomorrow's: an end must lie ahead.
	const minutes = ahead > 0 ? ahead : ahead + 24 * 60;
	return Math.floor(now / 60_000) * 60_000 + minutes * 60_000;
}

/** The planned end that a choice means now; `bad` for a time of day that is none. */
export function untilOf(
	choice: UntilChoice,
	text: string,
	now: number,
	timeZone: string
): number | null | 'bad' {
	if (choice === 'none') return null;
	if (choice === 'at') return nextTimeOfDay(text, now, timeZone) ?? 'bad';
	return Math.round(now + choice * 60_000);
}
