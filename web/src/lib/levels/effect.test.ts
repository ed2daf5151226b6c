import type { LevelEntry } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { compareLevels, effectOf, mayPress, needsSecondPerson, realLevel } from './effect.ts';

const text = { ar: 'أ', en: 'a' };
const entry = (level: number, off: string[], more: Partial<LevelEntry> = {}): LevelEntry => ({
	...{ level, name: text, owner: text, notice: text, off, twoPeople: level >= 3 },
	...more
});
const levels = [
	entry(0, []),
	entry(1, ['images'], { mayPress: ['duty-manager', 'on-call-engineer'] }),
	entry(2, ['history'], { rateCap: 150 }),
	entry(3, ['joins'], { rateCap: 200 }),
	entry(4, ['booking'], { rateCap: 0 })
];

test('levels add up, and the lowest cap holds', () => {
	expect([...effectOf(levels, 2).off]).toEqual(['images', 'history']);
	expect([0, 1, 2, 3, 4].map((level) => effectOf(levels, level).cap)).toEqual([null, null, 150, 150, 0]);
});

test('a switch says what goes, what is gone already and what comes back', () => {
	expect(compareLevels(levels, 1, 3)).toEqual({
		off: ['history', 'joins'],
		offAlready: ['images'],
		backOn: [],
		capBefore: null,
		capAfter: 150
	});
	expect(compareLevels(levels, 4, 1).backOn).toEqual(['history', 'joins', 'booking']);
});

test('two people are needed on the way up only, and from the real level, not from an exercise', () => {
	expect(needsSecondPerson(levels, 1, 3)).toBe(true);
	expect(needsSecondPerson(levels, 4, 3)).toBe(false);
	expect(needsSecondPerson(levels, 1, 9)).toBe(true);
	expect(realLevel({ level: 3, exercise: true, from: 1 })).toBe(1);
	expect(realLevel({ level: 3, exercise: false, from: 1 })).toBe(3);
});

test('the higher of the two levels says who may press', () => {
	expect(mayPress(levels, 'on-call-engineer', 0, 1)).toBe(true);
	expect(mayPress(levels, 'on-call-engineer', 2, 1)).toBe(false);
	expect(mayPress(levels, 'duty-manager', 2, 1)).toBe(true);
	expect(mayPress(levels, 'viewer', 0, 1)).toBe(false);
});
