import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupMarks } from './marks.ts';

const chart = {
	x: (at: number) => at,
	width: 600,
	gap: 6,
	widthOf: (marks: readonly unknown[]) => 60 + marks.length * 12
};
const ats = (groups: { marks: { at: number }[] }[]) => groups.map(({ marks }) => marks.map(({ at }) => at));

test('marks far apart have each its name, those close together share one', () => {
	const marks = [10, 200, 230, 260, 500].map((at) => ({ at }));
	expect(ats(groupMarks(marks, chart))).toEqual([[10], [200, 230, 260], [500]]);
});

test('a name at the right edge stays inside, and takes in what it would cover', () => {
	const [only] = groupMarks([{ at: 590 }], chart);
	expect(only!.left + only!.width).toBeLessThanOrEqual(600);
	expect(ats(groupMarks([{ at: 500 }, { at: 590 }], chart))).toEqual([[500, 590]]);
});

test('every mark is named once, and no two names touch', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 40 }), (times) => {
			const groups = groupMarks(
				times.map((at) => ({ at })),
				chart
			);
			expect(ats(groups).flat()).toEqual([...times].sort((a, b) => a - b));
			groups
				.slice(1)
				.forEach((group, i) => expect(groups[i]!.left + groups[i]!.width).toBeLessThan(group.left));
		})
	);
});
