import { describe, expect, it } from 'vitest';
import { allTexts } from './all.ts';
import { languageNames, languages, type CountForms } from './texts.ts';

/** Every text with the path to it. */
function flat(value: unknown, path = ''): [string, string][] {
	if (typeof value === 'string') return [[path, value]];
	return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
}
const isForm = (path: string) => /\.(zero|one|two|few|many)$/.test(path);
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const english = new Map(flat(allTexts.en).filter(([path]) => !isForm(path)));

/** All forms of counted nouns in a text tree. */
function forms(value: unknown): CountForms[] {
	if (typeof value !== 'object' || value === null) return [];
	return 'other' in value && !('level' in value)
		? [value as CountForms]
		: Object.values(value).flatMap((inner) => forms(inner));
}

describe.each(languages)('the texts in %s', (language) => {
	const texts = allTexts[language];
	const own = new Map(flat(texts).filter(([path]) => !isForm(path)));

	it('say everything that the others say, with the same blanks to fill', () => {
		expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
		for (const [path, text] of own)
			expect(placeholders(text), path).toEqual(placeholders(english.get(path)!));
	});

	it('have a form for every plural class that the language has and counts with', () => {
		const { pluralCategories } = new Intl.PluralRules(texts.live.locale).resolvedOptions();
		for (const counted of forms(texts.live)) {
			const given = Object.keys(counted);
			expect(pluralCategories, JSON.stringify(counted)).toEqual(expect.arrayContaining(given));
			if (language === 'ar')
				expect(given).toEqual(expect.arrayContaining(['one', 'two', 'few', 'many', 'other']));
		}
	});

	it('leave nothing empty and nothing in another language by mistake', () => {
		const allowed = /\.(locale|placeNames|language)$/;
		for (const [path, text] of own) {
			expect(text.trim(), path).not.toBe('');
			if (language !== 'en' && !allowed.test(path) && /[a-z]{4}.{8}/i.test(english.get(path)!))
				expect(text, path).not.toBe(english.get(path));
		}
	});

	it('are written in the script and the digits of the language', () => {
		const script = { ar: /\p{Script=Arabic}/u, ur: /\p{Script=Arabic}/u, bn: /\p{Script=Bengali}/u };
		const wanted = script[language as keyof typeof script] ?? /\p{Script=Latin}/u;
		for (const [path, text] of own) {
			if (/\.(locale|placeNames|language|between|hoursFromTo)$/.test(path)) continue;
			expect(text, path).toMatch(wanted);
			expect(text, path).not.toMatch(/[٠-٩۰-۹]|\d\s*[-–]\s*\d/);
			if (language === 'bn') expect(text.replaceAll(/\{\w+\}/g, ''), path).not.toMatch(/[0-9]/);
			// Letters of Urdu have no place in Arabic.
			if (language === 'ar') expect(text, path).not.toMatch(/[ٹڈڑںےہگچپکی]/);
		}
	});
});

it('every language calls itself by its own name', () => {
	expect(Object.keys(languageNames)).toEqual([...languages]);
	expect(new Set(Object.values(languageNames)).size).toBe(languages.length);
});
