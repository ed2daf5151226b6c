import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holders, type Bench } from './queue-suite.ts';

/** People of a draw get their numbers in the drawn order, each once. */
export function describePlacing(bench: Bench): void {
	const { joinMany, during, until, restart, numberOf } = bench;
	const list = (names: readonly string[]) => names.map((holder) => ({ holder, party: 1 }));
	const place = (names: readonly string[], origin: string) => during(bench.queue.place(list(names), origin));

	it('places people in the drawn order after the last number, and the same list once', async () => {
		await bench.setRules({ rate: 0 });
		await joinMany(['early', 'drawn too']);
		const drawn = ['bilal', 'amal', 'drawn too', 'carim', 'amal'];
		await place(drawn, 'draw 1');
		const numbers = async () => Promise.all(['bilal', 'amal', 'drawn too', 'carim'].map(numberOf));
		expect(await numbers()).toEqual([3, 4, 2, 5]);
		expect(await bench.queue.get(3)).toMatchObject({ state: 'waiting', party: 1 });
		await place(drawn, 'draw 1');
		// Who left after the draw does not come back by a repeat.
		await during(bench.queue.leave(3));
		await bench.queue.stop();
		bench.queue = await restart();
		await place(drawn, 'draw 1');
		expect(await numbers()).toEqual([3, 4, 2, 5]);
		expect((await bench.queue.get(3))!.state).toBe('left');
		await place(['bilal', 'dalia'], 'draw 2');
		expect([await numberOf('bilal'), await numberOf('dalia')]).toEqual([6, 7]);
		await until(() => bench.queue.figures().issued === 7 && bench.queue.figures().counts.waiting === 6);
	});

	it('keeps late joiners behind a long list, and goes on where a crash stopped it', async () => {
		await bench.setRules({ rate: 0 });
		const drawn = holders(5_600);
		const first = bench.queue.place(list(drawn), 'draw');
		const joined = bench.queue.join('latecomer', 1);
		await bench.stand.pass(5);
		const stopped = bench.queue.stop();
		const [, , place1] = await during(Promise.allSettled([stopped, joined, first]));
		bench.queue = await restart();
		if (place1!.status === 'rejected') expect(place1.reason).toMatchObject({ code: 'not_ready' });
		await place(drawn, 'draw');
		await joinMany(['latecomer']);
		const sample = [0, 1, 2_500, 4_999, 5_000, 5_599];
		const numbers = await Promise.all(sample.map((index) => numberOf(`holder ${index}`)));
		const offset = numbers[0]! - 1;
		expect(offset).toBeLessThanOrEqual(1);
		const late = (await numberOf('latecomer'))!;
		for (const [at, index] of sample.entries()) {
			const skipped = late < numbers[at]! && offset === 0 ? 1 : 0;
			expect(numbers[at]).toBe(index + 1 + offset + skipped);
		}
		await until(() => bench.queue.figures().counts.waiting === 5_601);
	}, 120_000);

	it('gives each of any lists one number, in order, with restarts in between', async () => {
		await bench.setRules({ rate: 0 });
		const lists = fc.array(
			fc.record({
				names: fc.array(
					fc.integer({ min: 0, max: 30 }).map((n) => `person ${n}`),
					{ maxLength: 20 }
				),
				again: fc.boolean(),
				restart: fc.boolean()
			}),
			{ maxLength: 5 }
		);
		let origin = 0;
		await fc.assert(
			fc.asyncProperty(lists, async (steps) => {
				const known = new Map<string, number>();
				for (let n = 0; n <= 30; n++) {
					const number = await numberOf(`person ${n}`);
					if (number !== undefined) known.set(`person ${n}`, number);
				}
				for (const { names, again, restart: restarted } of steps) {
					origin++;
					let last = Math.max(0, ...known.values());
					await place(names, `list ${origin}`);
					if (restarted) {
						await bench.queue.stop();
						bench.queue = await restart();
					}
					if (again) await place(names, `list ${origin}`);
					for (const name of new Set(names)) {
						const number = (await numberOf(name))!;
						if (known.has(name)) expect(number).toBe(known.get(name));
						else expect(number).toBeGreaterThan(last);
						if (!known.has(name)) last = number;
						known.set(name, number);
					}
				}
				expect(new Set(known.values()).size).toBe(known.size);
			}),
			{ numRuns: 10, endOnFailure: true }
		);
	}, 120_000);
}
