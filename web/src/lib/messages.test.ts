import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Message = string | { match: Record<string, string> }[];
const read = (name: string): Record<string, Message> => {
	const all = JSON.parse(
		readFileSync(new URL(`../../messages/${name}.json`, import.meta.url), 'utf8')
	) as Record<string, Message>;
	return Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('$')));
};
const messages = { ar: read('ar'), en: read('en') };
const texts = (message: Message): string[] =>
	typeof message === 'string' ? [message] : message.flatMap((each) => Object.values(each.match));
const holes = (message: Message) =>
	[
		...new Set(texts(message).flatMap((text) => [...text.matchAll(/\{([a-z]+)\}/gi)].map(([, name]) => name)))
	].sort();

describe('messages', () => {
	test('both languages say the same things, and there are some', () => {
		expect(Object.keys(messages.ar).sort()).toEqual(Object.keys(messages.en).sort());
		// Without its plugin the compiler builds zero messages and only warns: a count notices that.
		expect(Object.keys(messages.ar).length).toBeGreaterThan(250);
	});

	test('no key stands twice in a file: the later one would speak for both', () => {
		for (const name of ['ar', 'en']) {
			const text = readFileSync(new URL(`../../messages/${name}.json`, import.meta.url), 'utf8');
			const keys = [...text.matchAll(/^ {2}"([^"]+)":/gm)].map(([, key]) => key!);
			expect(keys.filter((key, n) => keys.indexOf(key) !== n)).toEqual([]);
			expect(keys.length).toBeGreaterThan(250);
		}
	});

	test('every text has the same places for values in both languages, and none is empty', () => {
		for (const key of Object.keys(messages.en)) {
			expect(holes(messages.ar[key]!), key).toEqual(holes(messages.en[key]!));
			for (const text of [...texts(messages.ar[key]!), ...texts(messages.en[key]!)])
				expect(text.trim(), key).not.toBe('');
		}
	});

	test('counted nouns have all six Arabic classes', () => {
		for (const [key, message] of Object.entries(messages.ar)) {
			if (typeof message === 'string') continue;
			const classes = Object.keys(message[0]!.match).map((each) => each.split('=')[1]);
			expect(classes, key).toEqual(['zero', 'one', 'two', 'few', 'many', 'other']);
		}
	});

	test('no dash stands between numbers, no Arabic-Indic digit, and Arabic texts are Arabic', () => {
		for (const message of Object.values(messages.ar)) {
			for (const text of texts(message)) {
				expect(text).not.toMatch(/[\d}]\s?[–-]\s?[\d{]/);
				expect(text).not.toMatch(/[\u0660-\u0669]/);
			}
		}
		const latinOnly = Object.entries(messages.ar).filter(([, message]) =>
			texts(message).every((text) => !/[\u0600-\u06ff]/.test(text))
		);
		expect(latinOnly.map(([key]) => key).sort()).toEqual(['name_unleash']);
	});
});
