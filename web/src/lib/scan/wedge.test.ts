import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWedge, letterOf } from './wedge.ts';
import { typeAsReader } from './wedge.fixture.ts';
import { goldenText, vectors } from './scan.fixture.ts';

describe('a hand reader', () => {
	it('types every permit, spaces and all, by where the keys lie', () => {
		for (const { text } of vectors.golden) expect(typeAsReader(createWedge(), text)).toBe(text);
		expect(goldenText()).toContain(' ');
	});

	it('carries every letter of the alphabet', () => {
		const letters = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:');
		fc.assert(
			fc.property(fc.string({ unit: letters, minLength: 12, maxLength: 300 }), (text) => {
				expect(typeAsReader(createWedge(), text)).toBe(text);
			})
		);
	});

	it('is understood when it says the letter alone', () => {
		const wedge = createWedge();
		let at = 0;
		const press = (key: string) =>
			wedge.press({ code: '', key, shiftKey: false, at: (at += 4), isCommand: false });
		for (const letter of goldenText()) press(letter);
		expect(press('Enter').text).toBe(goldenText());
	});

	it('is told from a person, and a command is no letter', () => {
		const wedge = createWedge();
		expect(typeAsReader(wedge, goldenText(), 200)).toBeNull();
		expect(typeAsReader(wedge, 'SHORT')).toBeNull();
		expect(wedge.press({ code: 'KeyA', shiftKey: false, at: 1e6, isCommand: true }).isBurst).toBe(false);
	});

	it('does not mind a caps lock, and keeps the place of a key that no code has', () => {
		expect(letterOf({ code: 'KeyQ', shiftKey: false })).toBe('Q');
		expect(letterOf({ code: 'Digit4', shiftKey: true })).toBe('$');
		expect(letterOf({ code: 'BracketLeft', shiftKey: false })).toBeNull();
	});
});
