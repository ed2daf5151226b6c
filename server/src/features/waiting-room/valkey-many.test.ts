import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createTestValkey, hasTestValkey, type TestValkey } from '../../../test/kit/test-valkey.ts';
import { createRules, holders, passMaxMs, passMs } from './queue-suite.ts';
import type { PlacedTicket, Queue } from './queue.ts';
import { isLiving } from './round.ts';
import { createValkeyStand } from './valkey-stand.fixture.ts';
import { readStored, type LedgerTicket } from './valkey-tickets.ts';

describe.skipIf(!hasTestValkey())('several instances on one Valkey', () => {
	let test: TestDatabase;
	let server: TestValkey;
	let stands = 0;
	beforeAll(async () => {
		[test, server] = await Promise.all([createTestDatabase(), createTestValkey()]);
	});
	afterAll(async () => {
		await server.close();
		await test.close();
	});

	const createWorld = async (instances: number) => {
		const stand = createValkeyStand(test, server, `many ${stands++}`);
		const rules = createRules(stand.clock);
		const queues: Queue[] = [];
		const add = async () => {
			const queue = stand.open(rules);
			queues.push(queue);
			await queue.start();
			return queue;
		};
		for (let i = 0; i < instances; i++) await add();
		const during = async <T>(work: Promise<T>): Promise<T> => {
			let settled = false;
			const noted = work.finally(() => (settled = true));
			noted.catch(() => undefined);
			while (!settled) await stand.pass(50);
			return noted;
		};
		/** Everything as Valkey has it in one moment. */
		const everything = async (): Promise<LedgerTicket[]> => {
			const stored = await server.admin.hgetall(`marsad:{demo:${encodeURIComponent(stand.room)}}:tickets`);
			return Object.entries(stored).map(([number, text]) => readStored(number, text));
		};
		const passes = async () => {
			const answer = await sql<{ number: number; at: number }>`select number,
				round(extract(epoch from claimed_at) * 1000)::float8 as at from passes
				where room = ${stand.room} order by claimed_at`.execute(test.database.db);
			return answer.rows;
		};
		return { stand, rules, queues, add, during, everything, passes };
	};
	/** The most passes in any 60 s. */
	const busiestMinute = (times: readonly number[]) =>
		Math.max(
			0,
			...times.map((from, index) => times.filter((at, i) => i >= index && at < from + 60_000).length)
		);

	it('give 600 people at once one order, one number each and no pass above the rate (W-11, W-13)', async () => {
		const world = await createWorld(3);
		const { stand, rules, queues, during } = world;
		rules.rate = 5;
		rules.placesMax = 40;
		await stand.pass(300);
		const tickets: PlacedTicket[] = [];
		for (let second = 0; second < 10; second++) {
			const names = holders(60, second * 60);
			const joined = await during(
				Promise.all(names.map((holder, i) => queues[(i + second) % 3]!.join(holder, 1)))
			);
			tickets.push(...joined);
			await stand.pass(900);
			// From two devices through two instances: one place.
			const again = await during(
				Promise.all(names.slice(0, 5).map((holder, i) => queues[(i + second + 1) % 3]!.join(holder, 1)))
			);
			expect(again.map((ticket) => ticket.number)).toEqual(joined.slice(0, 5).map((t) => t.number));
		}
		const numbers = tickets.map((ticket) => ticket.number).sort((a, b) => a - b);
		expect(numbers).toEqual(Array.from({ length: 600 }, (_, i) => i + 1));
		for (let second = 0; second < 24; second++) {
			const all = await world.everything();
			const inside = all.filter((t) => t.state === 'called' || t.state === 'admitted');
			expect(inside.length).toBeLessThanOrEqual(rules.placesMax);
			const called = inside.filter((t) => t.state === 'called');
			await during(Promise.all(called.map(({ number }, i) => queues[(number + i) % 3]!.claim(number))));
			const booked = inside.filter((t) => t.state === 'admitted');
			await during(Promise.all(booked.map(async ({ holder }, i) => queues[i % 3]!.done(holder))));
			await stand.pass(900);
		}
		const issued = await world.passes();
		expect(new Set(issued.map((pass) => pass.number)).size).toBe(issued.length);
		expect(issued.length).toBeGreaterThan(150);
		expect(busiestMinute(issued.map((pass) => pass.at))).toBeLessThanOrEqual(5 * 60 + 5);
		await stand.close();
	}, 120_000);

	it('hand one place to one account, whichever instance each of seven devices asks (W-19)', async () => {
		const world = await createWorld(3);
		world.rules.rate = 0;
		await world.stand.pass(300);
		const joined = await world.during(
			Promise.all(Array.from({ length: 7 }, (_, i) => world.queues[i % 3]!.join('amal', 2)))
		);
		expect(new Set(joined.map((ticket) => ticket.number)).size).toBe(1);
		world.rules.rate = 10;
		const stateOf = async () => (await world.queues[0]!.find('amal'))!.state;
		while ((await stateOf()) !== 'called') await world.stand.pass(50);
		const outcomes = await world.during(
			Promise.all(Array.from({ length: 50 }, (_, i) => world.queues[i % 3]!.claim(joined[0]!.number)))
		);
		expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
		expect(await world.passes()).toHaveLength(1);
		await world.stand.close();
	});

	it('keep every promise, whatever people, crashes and losses do', async () => {
		const people = holders(14);
		const step = fc.oneof(
			{
				weight: 6,
				arbitrary: fc.record({ join: fc.subarray(people, { minLength: 1, maxLength: 6 }), at: fc.nat(2) })
			},
			{ weight: 5, arbitrary: fc.record({ claim: fc.subarray(people, { minLength: 1 }), at: fc.nat(2) }) },
			{ weight: 2, arbitrary: fc.record({ done: fc.constantFrom(...people), at: fc.nat(2) }) },
			{ weight: 1, arbitrary: fc.record({ leave: fc.constantFrom(...people), at: fc.nat(2) }) },
			{
				weight: 2,
				arbitrary: fc.record({
					bind: fc.constantFrom(...people),
					to: fc.constantFrom(...people),
					at: fc.nat(2)
				})
			},
			{ weight: 1, arbitrary: fc.record({ extend: fc.constantFrom(...people), at: fc.nat(2) }) },
			{ weight: 4, arbitrary: fc.record({ wait: fc.constantFrom(100, 700, 3_000, 40_000, 125_000) }) },
			{ weight: 1, arbitrary: fc.record({ cap: fc.constantFrom(1, 3, 8) }) },
			{ weight: 1, arbitrary: fc.record({ freeze: fc.boolean(), at: fc.nat(2) }) },
			{ weight: 1, arbitrary: fc.record({ lead: fc.nat(2), told: fc.boolean() }) },
			{ weight: 1, arbitrary: fc.record({ crash: fc.nat(2) }) },
			{ weight: 2, arbitrary: fc.record({ lose: fc.constantFrom('all' as const, 'server' as const) }) },
			{ weight: 1, arbitrary: fc.record({ cut: fc.constant(true) }) }
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
				const world = await createWorld(3);
				const { stand, rules, queues, during } = world;
				const rate = 20;
				rules.rate = rate;
				rules.placesMax = 8;
				const started = stand.clock.now();
				/** The newest signed ticket of each person, and every pass that anybody heard of. */
				const signed = new Map<string, PlacedTicket>();
				const heard = new Map<number, number>();
				const given = new Map<number, string>();
				let firstIndex = 0;
				const at = (index: number) => queues[firstIndex + (index % 3)]!;
				const settle = async () => {
					for (let i = 0; i < 200; i++) {
						if ([0, 1, 2].every((index) => at(index).figures().ready)) return;
						await stand.pass(50);
					}
					throw new Error('the room did not come back');
				};
				const current = async (holder: string, index: number) => {
					const ticket = signed.get(holder);
					return ticket ? at(index).get(ticket.number, { ...ticket, holder }) : null;
				};
				const run = async (entry: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
					if ('join' in entry) {
						const found = await during(
							Promise.all(entry.join.map((holder, i) => at(entry.at + i).join(holder, 1)))
						);
						entry.join.forEach((holder, i) => {
							const { number } = found[i]!;
							// A number is never given to a second person.
							expect(given.get(number) ?? holder).toBe(holder);
							given.set(number, holder);
							signed.set(holder, found[i]!);
						});
					} else if ('claim' in entry) {
						const claims = entry.claim.map(async (holder, i) => {
							const ticket = await current(holder, entry.at + i);
							if (!ticket || !isLiving(ticket.state)) return;
							const outcome = await at(entry.at + i).claim(ticket.number);
							if (outcome.kind !== 'pass') return;
							const { number, claimedAt } = outcome.ticket;
							expect(heard.get(number) ?? claimedAt).toBe(claimedAt);
							heard.set(number, claimedAt);
						});
						await during(Promise.all(claims));
					} else if ('done' in entry) await during(Promise.resolve(at(entry.at).done(entry.done)));
					else if ('leave' in entry) {
						const ticket = await current(entry.leave, entry.at);
						if (ticket) await during(at(entry.at).leave(ticket.number));
					} else if ('bind' in entry) {
						const ticket = await during(at(entry.at).bind(entry.bind, entry.to)).catch(() => null);
						if (ticket) {
							given.set(ticket.number, entry.to);
							signed.set(entry.to, ticket);
							if (signed.get(entry.bind)?.number === ticket.number && entry.bind !== entry.to)
								signed.delete(entry.bind);
						}
					} else if ('extend' in entry) {
						const ticket = await current(entry.extend, entry.at);
						if (ticket?.state === 'admitted')
							await during(at(entry.at).extend(ticket.number)).catch(() => undefined);
					} else if ('wait' in entry) await stand.pass(entry.wait);
					else if ('cap' in entry) {
						rules.placesMax = entry.cap;
						// In force with the next round.
						await stand.pass(300);
					} else if ('freeze' in entry) await during(at(entry.at).setFrozen(entry.freeze));
					else if ('lead' in entry) stand.lead(firstIndex + entry.lead, entry.told);
					else if ('crash' in entry) {
						stand.crash(at(entry.crash));
						const [gone] = queues.splice(firstIndex + entry.crash, 1);
						queues.unshift(gone!);
						firstIndex++;
						await world.add();
					} else if ('lose' in entry) {
						const living = new Map<string, LedgerTicket>();
						for (const ticket of await world.everything())
							if (isLiving(ticket.state)) living.set(ticket.holder, ticket);
						if (entry.lose === 'all') await server.admin.flushall();
						else {
							await server.kill();
							await server.start();
						}
						for (let i = 0; i < 40 && at(0).figures().ready; i++) await stand.pass(50);
						await settle();
						// Nobody loses a place, or a pass that was heard of.
						for (const [holder, before] of living) {
							if (signed.get(holder)?.number !== before.number) continue;
							const back = (await current(holder, 0))!;
							expect(back.number).toBe(before.number);
							if (heard.has(before.number)) expect(back.claimedAt).toBe(before.claimedAt);
						}
					} else {
						await server.setReachable(false);
						await stand.pass(1_000);
						await server.setReachable(true);
						await settle();
					}
				};
				try {
					for (const entry of steps) {
						await settle();
						const before = await world.everything();
						const insideBefore = before.filter((t) => t.state === 'called' || t.state === 'admitted').length;
						const capBefore = rules.placesMax;
						await run(entry);
						await settle();
						const after = new Map((await world.everything()).map((t) => [t.number, t]));
						const all = [...after.values()];
						// One living ticket a holder.
						const living = all.filter((t) => isLiving(t.state));
						expect(new Set(living.map((t) => t.holder)).size).toBe(living.length);
						// Called and inside within the cap; a lowered cap ejects nobody.
						const inside = living.filter((t) => t.state !== 'waiting').length;
						expect(inside).toBeLessThanOrEqual(Math.max(rules.placesMax, capBefore, insideBefore));
						// No inversion among those who waited before and have not left since.
						const waited = before.filter((t) => t.state === 'waiting' && after.get(t.number));
						const still = waited.filter((t) => after.get(t.number)!.state === 'waiting' && !t.late);
						const passed = waited.filter((t) => {
							const now = after.get(t.number)!;
							return !t.late && (now.state === 'called' || now.state === 'admitted');
						});
						if (still.length > 0 && passed.length > 0)
							expect(Math.max(...passed.map((t) => t.number))).toBeLessThan(
								Math.min(...still.map((t) => t.number))
							);
					}
					const issued = await world.passes();
					expect(new Set(issued.map((pass) => pass.number)).size).toBe(issued.length);
					for (const [number, claimedAt] of heard)
						expect(issued.find((pass) => pass.number === number)?.at).toBe(claimedAt);
					expect(busiestMinute(issued.map((pass) => pass.at))).toBeLessThanOrEqual(rate * 60 + rate);
					expect(issued.every((pass) => pass.at >= started - 1_000)).toBe(true);
				} finally {
					await stand.close();
				}
			}),
			{ numRuns: 12, endOnFailure: true }
		);
	}, 400_000);

	it('renew a pass through any of them, within its maximum', async () => {
		const world = await createWorld(2);
		world.rules.rate = 1_000;
		await world.stand.pass(300);
		const [ticket] = await world.during(Promise.all([world.queues[0]!.join('amal', 1)]));
		await world.during(world.queues[1]!.claim(1));
		// Four halves: the fifth would end at the maximum itself, and what the calls take comes on top.
		for (let i = 0; i < 4; i++) {
			world.stand.clock.advance(passMs / 2);
			await world.during(world.queues[i % 2]!.extend(1));
		}
		const last = await world.queues[0]!.get(1);
		expect(last!.dueAt).toBe(ticket!.claimedAt + passMaxMs);
		await world.stand.close();
	});
});
