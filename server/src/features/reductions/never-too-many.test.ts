import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity, keys } from '../booking/booking.fixture.ts';
import { startReductions, type ReductionBench } from './reductions.fixture.ts';

/** What somebody who is affected does meanwhile. */
type Deed = 'accept' | 'decline' | 'cancel' | 'accept-twice' | 'wait';
const deeds: Deed[] = ['accept', 'decline', 'cancel', 'accept-twice', 'wait'];

describe('reductions under everything at once', () => {
	let bench: ReductionBench;
	beforeAll(async () => {
		bench = await startReductions();
	});
	afterAll(() => bench.close());

	let run = 0;
	const quietly = (work: Promise<unknown>) => work.catch(() => undefined);
	const check = async (
		slots: { shut: number; capacity: number; others: readonly number[] },
		users: string[]
	) => {
		expect(await bench.first.booking.reconcile()).toEqual([]);
		const fills = new Map((await bench.fills()).map((fill) => [fill.id, fill]));
		for (const id of slots.others) expect(fills.get(id)!.booked).toBeLessThanOrEqual(fills.get(id)!.capacity);
		const open = await bench.first.db
			.selectFrom('reduction_permits')
			.select('party')
			.where('slot', '=', slots.shut)
			.where('state', 'in', ['new', 'offered', 'waiting'])
			.execute();
		const openPeople = open.reduce((sum, { party }) => sum + party, 0);
		expect(fills.get(slots.shut)!.booked).toBeLessThanOrEqual(slots.capacity + openPeople);
		const valid = await bench.first.db
			.selectFrom('permits')
			.select(['holder', 'party'])
			.where('season', '=', keys.season)
			.where('state', '=', 'valid')
			.where('holder', 'in', users.map(identity.holderOf))
			.execute();
		expect(new Set(valid.map(({ holder }) => holder)).size, 'one permit a person').toBe(valid.length);
		return valid;
	};

	it('books and holds never one place too many, gives nobody two permits, and parts no party', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					parties: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...deeds)), {
						minLength: 3,
						maxLength: 14
					}),
					keep: fc.integer({ min: 0, max: 12 }),
					room: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
					quota: fc.option(fc.integer({ min: 0, max: 6 }), { nil: null }),
					kill: fc.integer({ min: 0, max: 6 })
				}),
				async ({ parties, keep, room, quota, kill }) => {
					run += 1;
					const total = parties.reduce((sum, [party]) => sum + party, 0);
					const [shut = 0, ...others] = await bench.bench.addSlots([total, ...room]);
					const [first = 0] = others;
					if (quota !== null)
						await bench.bench.putQuota({
							slot: first,
							dimension: 'country',
							shares: { SA: quota },
							other: 'free'
						});
					const users = parties.map((_, at) => `p${run}-${at}`);
					for (const [at, [party]] of parties.entries())
						await bench.book(users[at]!, shut, party, at % 2 === 0 ? 'SA' : null);
					const slots = { shut, capacity: Math.min(keep, total - 1), others };
					const partyOf = new Map(users.map((user, at) => [identity.holderOf(user), parties[at]![0]]));
					const { id } = await bench.reduce({
						...{ target: { kind: 'slot', slot: shut, capacity: slots.capacity }, reason: 'a test' },
						...{ expectedPeople: total, withoutRoom: 'revoke' }
					});
					bench.kill.after = kill;
					await quietly(bench.first.worker.round());
					await check(slots, users);
					bench.kill.after = Infinity;
					const acts = parties.map(async ([, deed], at) => {
						const permit = await bench.permitOf(users[at]!);
						if (!permit || deed === 'wait') return;
						if (deed === 'cancel') {
							await quietly(bench.first.permits.cancel(permit.holder, permit.id));
							return;
						}
						const said = deed === 'decline' ? 'decline' : 'accept';
						const times = deed === 'accept-twice' ? [0, 1] : [at % 2];
						await Promise.all(
							times.map((instance) => quietly(bench.answer(users[at]!, permit.id, said, instance)))
						);
					});
					const rivals = others.map((slot, at) => quietly(bench.book(`rival-${run}-${at}`, slot, 1)));
					await Promise.all([...acts, ...rivals, quietly(bench.first.worker.round())]);
					await check(slots, users);
					// Who waited may have got a place in the last moment, and then has time of their own to answer.
					for (let times = 0; times < 8 && (await bench.show(id)).state !== 'done'; times++) {
						bench.wait(3 * bench.hourMs);
						await bench.first.worker.round();
					}
					const valid = await check(slots, users);
					for (const { holder, party } of valid) expect(party).toBe(partyOf.get(holder));
					expect((await bench.show(id)).state).toBe('done');
					const [fill] = (await bench.fills()).filter((one) => one.id === shut);
					expect(fill!.booked).toBeLessThanOrEqual(slots.capacity);
				}
			),
			{ numRuns: 20 }
		);
	}, 240_000);
});
