import { expect, test } from 'vitest';
import { isReasonGiven, reasonLine } from './reasons.ts';
import { nextTimeOfDay, untilOf } from './until.ts';

test('a reason is three characters, or a chip alone', () => {
	expect(isReasonGiven(' ab ', [])).toBe(false);
	expect(isReasonGiven('abc', [])).toBe(true);
	expect(isReasonGiven('  ', ['errors'])).toBe(true);
	// The server refuses a crumb of words even beside a chip.
	expect(isReasonGiven('a', ['errors'])).toBe(false);
});

test('chips stand in the language of the screen, before the words', () => {
	expect(reasonLine('pool full', ['database'], 'en', ', ')).toBe('The database is overloaded, pool full');
	expect(reasonLine('', ['errors'], 'ar', '، ')).toBe('أخطاء');
	expect(reasonLine('', ['of-a-newer-server'], 'en', ', ')).toBe('of-a-newer-server');
	expect(reasonLine(null, [], 'en', ', ')).toBeNull();
});

// 18:31:20 in UTC, 21:31:20 in Riyadh.
const now = Date.UTC(2026, 1, 16, 18, 31, 20);

test('a time of day is the next one at the site, in either digits', () => {
	const at = (text: string) => nextTimeOfDay(text, now, 'Asia/Riyadh');
	expect(at('22:00')).toBe(Date.UTC(2026, 1, 16, 19, 0));
	expect(at('٢٢:٠٠')).toBe(Date.UTC(2026, 1, 16, 19, 0));
	expect(at('2200')).toBe(Date.UTC(2026, 1, 16, 19, 0));
	expect(at('03:15')).toBe(Date.UTC(2026, 1, 17, 0, 15));
	expect(at('21:31')).toBe(Date.UTC(2026, 1, 17, 18, 31));
	for (const text of ['', '24:00', '12:60', 'noon', '9']) expect(at(text)).toBeNull();
});

test('an end is none, minutes ahead, or a time of day', () => {
	expect(untilOf('none', '', now, 'UTC')).toBeNull();
	expect(untilOf(30, '', now, 'UTC')).toBe(now + 1_800_000);
	expect(untilOf('at', '19:00', now, 'UTC')).toBe(Date.UTC(2026, 1, 16, 19, 0));
	expect(untilOf('at', 'soon', now, 'UTC')).toBe('bad');
});
