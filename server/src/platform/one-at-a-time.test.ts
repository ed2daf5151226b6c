import { describe, expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

describe('work that runs once at a time', () => {
	const createWork = () => {
		const ends: (() => void)[] = [];
		let isOver = false;
		const ask = oneAtATime(
			() => new Promise<void>((resolve) => void ends.push(resolve)),
			() => isOver
		);
		const settle = () => new Promise((resolve) => setTimeout(resolve, 1));
		return {
			ask,
			begun: () => ends.length,
			endLast: async () => (ends.at(-1)!(), settle()),
			end: () => (isOver = true)
		};
	};

	it('is done once more for all who asked while it ran', async () => {
		const { ask, begun, endLast } = createWork();
		const all = [ask(), ask(), ask()];
		expect(begun()).toBe(1);
		await endLast();
		expect(begun()).toBe(2);
		await endLast();
		await Promise.all(all);
		expect(begun()).toBe(2);
		void ask();
		expect(begun()).toBe(3);
	});

	it('begins nothing after its end', async () => {
		const { ask, begun, endLast, end } = createWork();
		const all = [ask(), ask()];
		end();
		await endLast();
		await Promise.all(all);
		await ask();
		expect(begun()).toBe(1);
	});

	it('hands a failure on, and begins anew', async () => {
		let fails = true;
		const ask = oneAtATime(
			async () => {
				if (fails) throw new Error('away');
			},
			() => false
		);
		await expect(ask()).rejects.toThrow('away');
		fails = false;
		await ask();
	});
});
