import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains, createProjection, labelPoint, ringArea, type Point } from './geometry.ts';

describe('site geometry', () => {
	it('projects to metres, x east and y south, from the north-west corner', () => {
		const { project, width, height } = createProjection([
			[46.3, 24.9],
			[46.304, 24.897]
		]);
		expect(project([46.3, 24.9])).toEqual([0, 0]);
		expect(project([46.304, 24.897])).toEqual([width, height]);
		// One degree of latitude is about 111.2 km; of longitude cos(24.9°) of it.
		expect(height).toBeCloseTo(333.6, 0);
		expect(width).toBeCloseTo(403.4, 0);
	});

	it('measures areas whichever way round a ring runs', () => {
		const square: Point[] = [
			[0, 0],
			[10, 0],
			[10, 10],
			[0, 10],
			[0, 0]
		];
		expect(ringArea(square)).toBe(100);
		expect(ringArea([...square].reverse())).toBe(100);
	});

	it('puts the label of a bent zone inside it, not at its centroid', () => {
		const bent: Point[] = [
			[0, 0],
			[100, 0],
			[100, 100],
			[80, 100],
			[80, 20],
			[0, 20],
			[0, 0]
		];
		expect(contains(bent, labelPoint(bent))).toBe(true);
	});

	it('puts every label inside its star-shaped ring', () => {
		const star = fc
			.array(fc.double({ min: 5, max: 100, noNaN: true }), { minLength: 5, maxLength: 12 })
			.map((radii) => {
				const ring = radii.map((radius, index): Point => {
					const angle = (index / radii.length) * 2 * Math.PI;
					return [200 + radius * Math.cos(angle), 200 + radius * Math.sin(angle)];
				});
				return [...ring, ring[0] as Point];
			});
		fc.assert(
			fc.property(star, (ring) => contains(ring, labelPoint(ring))),
			{ numRuns: 300 }
		);
	});
});
