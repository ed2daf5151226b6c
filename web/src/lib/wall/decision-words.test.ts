import { beforeAll, describe, expect, test } from 'vitest';
import { createFormat } from '#lib/format.ts';
import { overwriteGetLocale } from '#lib/paraglide/runtime.js';
import { figureStaleAfterMs, shownQualityEachSecond } from '#lib/quality.ts';
import { newsOf, sayChange, sayMissing, sayWhy } from './decision-words.ts';
import { sampleDecision } from '../../../dev/samples.ts';

/** Without the marks that keep numbers apart from the text around them. */
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '');

describe.each(['en', 'ar'] as const)('a decision in words, %s', (locale) => {
	beforeAll(() => {
		overwriteGetLocale(() => locale);
	});
	const format = createFormat(locale, 'Asia/Riyadh');

	test('says from what to what, and why, with the value that decided', () => {
		const decision = sampleDecision();
		expect(plain(sayChange(decision, format))).toMatch(locale === 'en' ? /^250 to 180$/ : /^من 250 إلى 180$/);
		expect(plain(sayWhy(decision, format))).toContain('2.10');
		expect(plain(sayChange(sampleDecision({ before: null }), format))).toContain('180');
		expect(plain(sayChange(sampleDecision({ before: 180 }), format))).toContain('180');
	});

	test('has a reason for every limiter and words for every signal', () => {
		const limiters = [
			...(['manager', 'level', 'narrowest-part', 'health', 'rising'] as const),
			...(['leases', 'mode', 'blind', 'none'] as const)
		];
		for (const limitedBy of limiters)
			expect(plain(sayWhy(sampleDecision({ limitedBy, blindSince: 1_000_000 }), format))).not.toBe('');
		for (const worstSignal of [
			'booking p95',
			'booking in hand',
			'faults',
			'eligibility',
			'pool wait',
			'database',
			'valkey'
		]) {
			const said = plain(sayWhy(sampleDecision({ worstSignal, worstValue: 0.5 }), format));
			// In words of the screen's language, never the server's own name for it.
			if (locale === 'ar') expect(said).not.toContain(worstSignal);
			expect(said.length).toBeGreaterThan(8);
		}
		expect(plain(sayMissing(['booking p95', 'pool wait'], format))).toContain('–');
	});
});

describe('the news on the wall', () => {
	test('is the newest change for ten minutes; a rise and the first decision are none', () => {
		const at = 5_000_000;
		const change = sampleDecision({ at });
		expect(newsOf([change], at + 1_000)).toBe(change);
		expect(newsOf([change], at + 600_000)).toBeNull();
		expect(newsOf([sampleDecision({ at, limitedBy: 'rising' }), change], at + 1_000)).toBeNull();
		expect(newsOf([sampleDecision({ at, before: null })], at + 1_000)).toBeNull();
		expect(newsOf([sampleDecision({ at, before: 0.98, perSecond: 1 })], at + 1_000)).toBeNull();
		expect(newsOf([sampleDecision({ at, before: 252, perSecond: 249 })], at + 1_000)).toBeNull();
		expect(newsOf(null, at)).toBeNull();
	});
});

describe('the age of a figure (W-36)', () => {
	test('of once a second: older than 10 s it is shown as old, whatever the server said last', () => {
		const link = { isLive: true, heardAt: 100_000 };
		expect(figureStaleAfterMs).toBe(10_000);
		expect(shownQualityEachSecond('live', 100_000, link, 109_999)).toBe('live');
		expect(shownQualityEachSecond('live', 100_000, link, 110_000)).toBe('stale');
		expect(shownQualityEachSecond('unknown', 100_000, link, 110_000)).toBe('unknown');
	});
});
