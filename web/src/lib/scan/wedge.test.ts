import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWedge, letterOf, stallMsMax } from './wedge.ts';
import { keysFor, typeAsReader } from './wedge.fixture.ts';
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
		expect(typeAsReader(wedge, 'WORDS OF A PERSON AT THE KEYS', 200)).toBeNull();
		expect(typeAsReader(wedge, 'SHORT')).toBeNull();
		expect(wedge.press({ code: 'KeyA', shiftKey: false, at: 1e6, isCommand: true }).isBurst).toBe(false);
	});

	it('does not mind a caps lock, and keeps the place of a key that no code has', () => {
		expect(letterOf({ code: 'KeyQ', shiftKey: false })).toBe('Q');
		expect(letterOf({ code: 'Digit4', shiftKey: true })).toBe('$');
		expect(letterOf({ code: 'BracketLeft', shiftKey: false })).toBeNull();
	});

	describe('on a device that is busy', () => {
		const type = (wedge: ReturnType<typeof createWedge>, text: string, at: number, isEnded = true) => {
			const keys = isEnded ? keysFor(text) : keysFor(text).slice(0, -1);
			return keys.map((key, n) => wedge.press({ ...key, at: at + n * 4, isCommand: false })).at(-1)!;
		};
		const text = goldenText();

		it('is waited for, wherever its letters stop for a moment', () => {
			fc.assert(
				fc.property(
					fc.integer({ min: 1, max: text.length }),
					fc.integer({ min: 121, max: stallMsMax - 10 }),
					(at, pauseMs) => {
						const wedge = createWedge();
						type(wedge, text.slice(0, at), 0, false);
						expect(type(wedge, text.slice(at), at * 4 + pauseMs)).toEqual({ text, isBurst: true });
					}
				)
			);
		});

		it('that breaks off is said to be broken, and what comes of it later is no other code', () => {
			const wedge = createWedge();
			type(wedge, text.slice(0, 40), 0, false);
			expect(wedge.silence()).toBe(true);
			expect(wedge.silence()).toBe(false);
			expect(type(wedge, text.slice(40), 9_000)).toEqual({ text: null, isBurst: true, isBroken: true });
			expect(type(wedge, text, 20_000).text).toBe(text);
			expect(type(wedge, 'SOME OTHER BARCODE', 30_000).text).toBe('SOME OTHER BARCODE');
		});

		it('that is read a second time is heard from its new beginning', () => {
			const wedge = createWedge();
			type(wedge, text.slice(0, 40), 0, false);
			expect(type(wedge, text, 900).text).toBe(text);
			type(wedge, text.slice(0, 40), 10_000, false);
			expect(type(wedge, text, 19_000).text).toBe(text);
		});
	});
});
