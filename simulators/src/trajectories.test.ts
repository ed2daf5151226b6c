import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countCrossings, countInside, readTrajectories } from './trajectories.ts';

const data = (name: string) => new URL(`../../../shared/samples/data/${name}`, import.meta.url);
const juelich = data('juelich-bottleneck-trajectories.txt');
const eth = data('eth-biwi-trajectories.txt');
const most = (counts: readonly { present: number }[]) => Math.max(...counts.map(({ present }) => present));

describe('trajectories', () => {
	it('become crossings and people present', () => {
		const steps = readTrajectories('# remark\n1 0 -1 0\n1 1 1 0\n2 1 0.5 0\n2 2 -0.5 0\n', 'person-first');
		expect(countCrossings(steps, { axis: 'x', at: 0 })).toEqual({ up: 1, down: 1 });
		expect(countInside(steps, { x: [0, 2], y: [-1, 1] }).map(({ present }) => present)).toEqual([0, 2, 0]);
		expect(() => readTrajectories('1 2 x', 'person-first')).toThrow('line 1');
	});

	it.runIf(existsSync(juelich))(
		'of a bottleneck: all 75 go through, and 18 stand on its two square metres',
		() => {
			const steps = readTrajectories(readFileSync(juelich, 'utf8'), 'person-first');
			expect(steps).toHaveLength(5_296);
			expect(countCrossings(steps, { axis: 'y', at: 0 })).toEqual({ up: 0, down: 75 });
			expect(most(countInside(steps, { x: [-1, 1], y: [0.5, 1.5] }))).toBe(18);
		}
	);

	it.runIf(existsSync(eth))(
		'of a street: 186 to the right, 128 to the left, at most 12 in the middle',
		() => {
			const steps = readTrajectories(readFileSync(eth, 'utf8'), 'frame-first');
			expect(steps).toHaveLength(5_492);
			expect(countCrossings(steps, { axis: 'x', at: 5 })).toEqual({ up: 186, down: 128 });
			const inside = countInside(steps, { x: [3, 8], y: [2, 8] });
			expect(most(inside)).toBe(12);
			expect(inside.find(({ present }) => present === 12)?.frame).toBe(10_360);
		}
	);
});
