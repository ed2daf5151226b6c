import { describe, expect, it } from 'vitest';
import type { StoredPermit } from './permits-store.ts';
import { permitPage } from './permit-page.ts';
import { choosePermitLanguage, describePermit, permitLanguages, wordsOf } from './permit-words.ts';

const site = {
	timeZone: 'Asia/Riyadh',
	places: [
		{
			...{ id: 'north', name: { ar: 'المدخل <الشمالي>', en: 'North <entrance>' }, lanes: 2 },
			gates: [{ id: 'gate-1', name: { ar: 'البوابة 1', en: 'Gate 1' } }],
			location: { latitude: 21.4225, longitude: 39.8262 }
		}
	]
};
const permit: StoredPermit = {
	...{
		id: '7Q4M-KX2D-9RHT-WC3E',
		holder: 'h',
		room: 'main',
		slot: 1,
		place: 'north',
		party: 4,
		ticket: null
	},
	startsAt: Date.parse('2027-03-05T21:00+03:00'),
	endsAt: Date.parse('2027-03-05T22:00+03:00'),
	...{ state: 'valid', issuedAt: 0, attributes: { country: null, provider: null, category: null } },
	...{ replacedBy: null, serial: 1, keyId: null }
};

describe('the words of a permit', () => {
	it('name the civil day beside the religious night', () => {
		const { en, ar } = describePermit(permit, site);
		expect(en).toMatch(/Day: Friday,? 5 March 2027/);
		expect(en).toMatch(/night of 27 Ramadan 1448, the evening of Friday,? 5 March 2027/);
		expect(ar).toContain('ليلة 27 رمضان 1448');
		expect(ar).toContain('مساء الجمعة، 5 مارس 2027');
		expect(ar).toContain('21:00 إلى 22:00');
		expect(en).toContain('21:00 to 22:00');
	});

	it.each(permitLanguages)('are whole in %s, in Latin digits', (language) => {
		const words = wordsOf(permit, site, language);
		expect(words.lines.map(({ key }) => key)).toEqual([
			'place',
			'entrances',
			'day',
			'night',
			'hours',
			'party',
			'number'
		]);
		for (const { value } of words.lines) {
			expect(value).not.toMatch(/[{}]/);
			expect(value).not.toMatch(/[٠-٩۰-۹০-৯]/);
		}
		expect(words.direction).toBe(['ar', 'ur'].includes(language) ? 'rtl' : 'ltr');
	});

	it('leave the night out where it is day', () => {
		const day = {
			...permit,
			startsAt: permit.startsAt - 10 * 3_600_000,
			endsAt: permit.endsAt - 10 * 3_600_000
		};
		expect(wordsOf(day, site, 'en').lines.some(({ key }) => key === 'night')).toBe(false);
	});

	it('come in the language that is asked for', () => {
		expect(choosePermitLanguage('ur', 'en')).toBe('ur');
		expect(choosePermitLanguage(undefined, 'de, fr-CA;q=0.8')).toBe('fr');
		expect(choosePermitLanguage(['ar'], undefined)).toBe('ar');
		expect(choosePermitLanguage('<script>', 'zz')).toBe('ar');
	});
});

describe('the page to print', () => {
	it('is Arabic first, holds one picture, runs nothing and escapes what it is given', async () => {
		const html = await permitPage(permit, 'P1:BB8', site, 'en', 'none');
		expect(html).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/);
		expect(html.indexOf('lang="ar" dir="rtl"><h1>')).toBeLessThan(html.indexOf('lang="en" dir="ltr"><h1>'));
		expect(html.match(/<svg/g)).toHaveLength(1);
		expect(html).not.toMatch(/<script|onload|https?:\/\/(?!www\.w3\.org)/);
		expect(html).toContain('North &lt;entrance&gt;');
		expect(html).not.toContain('<entrance>');
		expect(html).not.toContain('class="mark"');
	});

	it.each(permitLanguages)('says in %s that it is simulated, where it is', async (language) => {
		const html = await permitPage(permit, 'P1:BB8', site, language, 'simulated');
		const [arabic, other] = [...html.matchAll(/<p class="mark">([^<]+)</g)].map(([, said]) => said);
		expect(arabic).toContain('محاكاة');
		expect(other).toBe(wordsOf(permit, site, language === 'ar' ? 'en' : language).simulated);
	});
});
