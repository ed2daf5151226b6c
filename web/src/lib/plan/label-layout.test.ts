import fc from 'fast-check';
import type { Zone } from '@marsad/server/contract';
import { describe, expect, test } from 'vitest';
import { doOverlap, isInside, placeLabel, type Box, type Point } from './label-layout.ts';
import { createFormat } from '#lib/format.ts';
import { labelForms } from './label-text.ts';
import type { ZoneView } from './zone-view.ts';

const square: Point[] = [
	[0, 0],
	[100, 0],
	[100, 100],
	[0, 100]
];
const size = (width: number, height: number) => ({ width, height });

describe('a label', () => {
	test('stands at its anchor in its fullest form where that fits', () => {
		expect(
			placeLabel({ rings: [square], anchor: [50, 50], forms: [[size(80, 40)], [size(20, 10)]] })
		).toEqual({
			index: 0,
			x: 50,
			y: 50,
			fits: true
		});
	});

	test('moves inwards before it is shortened, and is shortened before it sticks out', () => {
		const moved = placeLabel({ rings: [square], anchor: [90, 50], forms: [[size(60, 20)], [size(10, 10)]] });
		expect(moved).toMatchObject({ index: 0, y: 50, fits: true });
		expect(moved.x).toBeLessThan(70);
		const short = placeLabel({
			rings: [square],
			anchor: [50, 50],
			forms: [[size(140, 20)], [size(96, 20)], [size(90, 20)]]
		});
		expect(short).toMatchObject({ index: 2, fits: true });
	});

	test('puts a short line where a zone is narrow', () => {
		const funnel: Point[] = [
			[0, 0],
			[100, 0],
			[60, 60],
			[40, 60]
		];
		const lines = [size(50, 20), size(20, 20)];
		expect(placeLabel({ rings: [funnel], anchor: [50, 26], forms: [lines] }).fits).toBe(true);
		expect(placeLabel({ rings: [funnel], anchor: [50, 26], forms: [[size(50, 40)]] }).fits).toBe(false);
	});

	test('leaves the sign of a gate alone', () => {
		const gate: Box = { x: 50, y: 50, width: 20, height: 20 };
		const { x, y, fits } = placeLabel({
			rings: [square],
			anchor: [50, 50],
			forms: [[size(60, 20)]],
			obstacles: [gate]
		});
		expect(fits).toBe(true);
		expect(doOverlap({ x, y, width: 60, height: 20 }, gate)).toBe(false);
	});

	test('keeps out of a hole, and of the bay of a hooked zone', () => {
		const hole: Point[] = [
			[30, 30],
			[70, 30],
			[70, 70],
			[30, 70]
		];
		const { x, y } = placeLabel({ rings: [square, hole], anchor: [50, 50], forms: [[size(20, 16)]] });
		expect(isInside({ x, y, width: 20, height: 16 }, [square, hole])).toBe(true);
		expect(isInside({ x: 50, y: 50, width: 20, height: 16 }, [square, hole])).toBe(false);
		// A box around the whole hole has its middle outside, one across its border is cut.
		expect(isInside({ x: 30, y: 50, width: 20, height: 16 }, [square, hole])).toBe(false);
	});

	test('says so when nothing fits, and shows the shortest form inside', () => {
		expect(
			placeLabel({ rings: [square], anchor: [500, 50], forms: [[size(300, 20)], [size(200, 20)]] })
		).toMatchObject({ index: 1, fits: false });
	});

	test('never lies on a neighbour, whatever both have to say', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 30, max: 170 }),
				fc.integer({ min: -60, max: 60 }),
				fc.array(
					fc.record({ width: fc.integer({ min: 4, max: 220 }), height: fc.integer({ min: 4, max: 90 }) }),
					{
						minLength: 1,
						maxLength: 5
					}
				),
				(middle, slope, sizes) => {
					const [top, bottom] = [middle, Math.min(195, Math.max(5, middle + slope))];
					const left: Point[] = [
						[0, 0],
						[top, 0],
						[bottom, 100],
						[0, 100]
					];
					const right: Point[] = [
						[top, 0],
						[200, 0],
						[200, 100],
						[bottom, 100]
					];
					const put = (ring: Point[], anchor: Point) => {
						const placed = placeLabel({ rings: [ring], anchor, forms: sizes.map((each) => [each]) });
						return placed.fits ? { x: placed.x, y: placed.y, ...sizes[placed.index]! } : null;
					};
					const [a, b] = [put(left, [middle / 2, 50]), put(right, [(middle + 200) / 2, 50])];
					if (a) expect(isInside(a, [left])).toBe(true);
					if (a && b) expect(doOverlap(a, b)).toBe(false);
				}
			)
		);
	});
});

describe('what a narrow zone keeps', () => {
	test('its number under the shape of its priority, before the shape alone', () => {
		const format = createFormat('en', 'Asia/Riyadh');
		const zone = { sources: { heard: 1, expected: 1 }, lastKnown: null } as unknown as Zone;
		const seen: ZoneView = {
			...{ quality: 'live', priority: 'medium', fill: 0.55, at: 1 },
			fullness: { kind: 'share', share: 0.55 }
		};
		const forms = labelForms('Ramp 4', zone, seen, { format, now: 1, isLinkLive: true });
		const [shape, number] = forms.at(-2)!;
		expect(shape).toMatchObject({ shape: 'medium', parts: [{ text: '' }] });
		expect(number).toMatchObject({ shape: null, parts: [{ text: '55%' }] });
		const normal = labelForms(
			'Ramp 4',
			zone,
			{ ...seen, priority: null },
			{ format, now: 1, isLinkLive: true }
		);
		expect(normal).toHaveLength(forms.length - 1);
	});
});
