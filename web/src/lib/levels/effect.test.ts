import type { LevelEntry } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { compareLevels, effectOf } from './effect.ts';

const text = { ar: 'أ', en: 'a' };
const entry = (level: number, off: string[], rateCap?: number): LevelEntry => ({
	level,
	name: text,
	owner: text,
	notice: text,
	off,
	twoPeople: level >= 3,
	...(rateCap === undefined ? {} : { rateCap })
});
const levels = [
	entry(0, []),
	entry(1, ['images']),
	entry(2, ['history'], 150),
	entry(3, ['joins'], 200),
	entry(4, ['booking'], 0)
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
		capAfter: 150,
		needsSecondPerson: true
	});
	const down = compareLevels(levels, 4, 1);
	expect(down.backOn).toEqual(['history', 'joins', 'booking']);
	expect(down.needsSecondPerson).toBe(false);
	expect(compareLevels(levels, 4, 3).needsSecondPerson).toBe(false);
});
