import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLiving } from './round.ts';
import type { Bench } from './queue-suite.ts';

/** An anonymous place joins an account: one account ends with one place, the better one. */
export function describeBinding(bench: Bench): void {
	const { joinMany, during, until, restart, stateOf, numberOf } = bench;
	const bind = (from: string, account: string) => during(bench.queue.bind(from, account));

	it('hands an anonymous place to an account, once and for good', async () => {
		await bench.setRules({ rate: 0 });
		await joinMany(['amal', 'key', 'carim']);
		expect(await bind('key', 'bilal')).toMatchObject({ number: 2, state: 'waiting', position: 2 });
		expect(await bind('key', 'bilal')).toMatchObject({ number: 2 });
		expect(await numberOf('bilal')).toBe(2);
		expect((await joinMany(['bilal']))[0]!.number).toBe(2);
		const proof = { party: 1, late: false, joinedAt: bench.stand.clock.now() };
		expect(await bench.queue.get(2, { ...proof, holder: 'bilal' })).toMatchObject({ number: 2 });
		expect(await bench.queue.get(2, { ...proof, holder: 'key' })).toBeNull();
		// The next person at the same browser is somebody new.
		expect((await joinMany(['key']))[0]!.number).toBe(4);
		await bench.queue.stop();
		bench.queue = await restart();
		expect((await joinMany(['bilal', 'key'])).map((ticket) => ticket.number)).toEqual([2, 4]);
	});

	it('keeps the smaller number of two, and the further one of two states', async () => {
		await bench.setRules({ rate: 0 });
		await joinMany(['key one', 'amal', 'bilal', 'key two']);
		expect(await bind('key one', 'amal')).toMatchObject({ number: 1 });
		expect((await bench.queue.get(2))!.state).toBe('left');
		expect(await bind('key two', 'bilal')).toMatchObject({ number: 3 });
		expect((await bench.queue.get(4))!.state).toBe('left');
		await joinMany(['carim']);
		await bench.setRules({ rate: 10 });
		await until(async () => (await stateOf('carim')) === 'called');
		await bench.setRules({ rate: 0 });
		await bench.stand.pass(300);
		await joinMany(['key three']);
		expect(await bind('key three', 'carim')).toMatchObject({ number: 5, state: 'called' });
		expect((await bench.queue.get(6))!.state).toBe('left');
		await joinMany(['dalia']);
		expect(await bind('carim', 'dalia')).toMatchObject({ number: 5, state: 'called' });
		expect((await bench.queue.get(7))!.state).toBe('left');
		await until(() => bench.queue.figures().counts.left === 4);
	});

	it('says so when there is no living place to bind', async () => {
		await bench.setRules({ rate: 0 });
		await expect(bind('key', 'amal')).rejects.toMatchObject({ code: 'old_epoch' });
		await joinMany(['key']);
		await during(bench.queue.leave(1));
		await expect(bind('key', 'amal')).rejects.toMatchObject({ code: 'turn_expired' });
		await joinMany(['amal']);
		expect(await bind('key', 'amal')).toMatchObject({ number: 2 });
	});

	it('leaves one living place a holder and the best of each pair, whatever happens at once', async () => {
		await bench.setRules({ rate: 0 });
		const keys = ['key 0', 'key 1', 'key 2', 'key 3'];
		const accounts = ['account 0', 'account 1'];
		const names = [...keys, ...accounts];
		const step = fc.oneof(
			{ weight: 3, arbitrary: fc.record({ join: fc.constantFrom(...names) }) },
			{
				weight: 3,
				arbitrary: fc.record({ bind: fc.constantFrom(...keys), to: fc.constantFrom(...accounts) })
			},
			{ weight: 1, arbitrary: fc.record({ leave: fc.constantFrom(...names) }) }
		);
		const given = new Set<number>();
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 6 }), async (bursts) => {
				const { queue } = bench;
				for (const burst of bursts) {
					const before = new Map<string, number>();
					for (const name of names) {
						const ticket = await queue.find(name);
						if (ticket && isLiving(ticket.state)) before.set(name, ticket.number);
					}
					const only = burst.length === 1 ? burst[0]! : null;
					const results = await during(
						Promise.allSettled(
							burst.map(async (entry) => {
								if ('join' in entry) return queue.join(entry.join, 1);
								if ('bind' in entry) return queue.bind(entry.bind, entry.to);
								const number = before.get(entry.leave);
								if (number !== undefined) await queue.leave(number);
								return null;
							})
						)
					);
					if (only && 'bind' in only) {
						const both = [before.get(only.bind), before.get(only.to)].filter((n) => n !== undefined);
						const result = results[0]!;
						if (both.length === 0) expect(result.status).toBe('rejected');
						else expect(result).toMatchObject({ value: { number: Math.min(...both) } });
					}
					const living: number[] = [];
					for (const name of names) {
						const ticket = await queue.find(name);
						if (!ticket || !isLiving(ticket.state)) continue;
						living.push(ticket.number);
						given.add(ticket.number);
					}
					expect(new Set(living).size).toBe(living.length);
					await until(() => queue.figures().counts.waiting === living.length);
				}
			}),
			{ numRuns: 12, endOnFailure: true }
		);
		// Figures are looked at once a second: one that left and one that came may look like nothing new.
		await until(() => bench.queue.figures().issued >= Math.max(0, ...given));
	}, 120_000);
}
