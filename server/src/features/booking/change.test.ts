import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../test/kit/index.ts';
import { buildHttp } from '../../platform/http/build.ts';
import { createBench, from, identity, input, keys, type BookingBench } from './booking.fixture.ts';

describe('a change of slot', () => {
	let bench: BookingBench;
	const apps = [0, 1].map(() => buildHttp(createLog('silent')));
	const urls: string[] = [];
	beforeAll(async () => {
		bench = await createBench({ instances: 2, lab: { checkMs: 0 } });
		for (const [index, app] of apps.entries()) {
			bench.instances[index]!.permits.hotRoutes?.(app);
			bench.instances[index]!.booking.hotRoutes?.(app);
			urls.push(await app.listen({ port: 0, host: '127.0.0.1' }));
		}
	});
	afterAll(async () => {
		for (const app of apps) await app.close();
		await bench.close();
	});
	const pick = (index: number) => bench.instances[index % 2]!;
	const book = (user: string, slot: number, party = 1, country: string | null = null) =>
		pick(0).booking.book(identity.holderOf(user), input(slot, { party }), from(country));
	const permitOf = async (user: string) => (await pick(0).permits.findOf(identity.holderOf(user)))?.id ?? '';
	const change = async (user: string, permit: string, slot: unknown, instance = 0, key?: string) => {
		const response = await fetch(`${urls[instance % 2]}/permits/${permit}/change?user=${user}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
			body: JSON.stringify({ slot })
		});
		return {
			status: response.status,
			cache: response.headers.get('cache-control'),
			body: (await response.json()) as Record<string, unknown>
		};
	};
	const reconciled = async () => expect(await pick(1).booking.reconcile()).toEqual([]);

	it('answers a repeat under its key, and refuses the key for another wish', async () => {
		const [one = 0, two = 0, three = 0] = await bench.addSlots([3, 3, 3]);
		await book('badr', one);
		const old = await permitOf('badr');
		const first = await change('badr', old, two, 0, 'key-1');
		expect(first.status).toBe(200);
		expect(await change('badr', old, two, 1, 'key-1')).toEqual(first);
		expect(await change('badr', old, three, 1, 'key-1')).toMatchObject({
			status: 422,
			body: { code: 'key_reused' }
		});
		const now = await permitOf('badr');
		expect(now).toBe(first.body['permit']);
		expect((await change('badr', now, three, 0, 'key-2')).status).toBe(200);
		await reconciled();
	});

	it('cancels the permit that holds, and says which that is when another is named', async () => {
		const [one = 0, two = 0] = await bench.addSlots([3, 3]);
		await book('dana', one);
		const old = await permitOf('dana');
		await change('dana', old, two);
		const cancel = async (permit: string) => {
			const response = await fetch(`${urls[0]}/permits/${permit}/cancel?user=dana`, { method: 'POST' });
			return { status: response.status, body: (await response.json()) as Record<string, unknown> };
		};
		const now = await permitOf('dana');
		expect(await cancel(old)).toMatchObject({ status: 409, body: { code: 'permit_replaced', permit: now } });
		expect((await cancel(now)).status).toBe(200);
		expect((await cancel(old)).status).toBe(200);
		await reconciled();
	});

	it('gives the old place back and takes the new one; repeats hear the same, also on another instance', async () => {
		const [one = 0, two = 0, three = 0] = await bench.addSlots([3, 3, 3]);
		await book('amal', one, 3);
		const old = await permitOf('amal');
		const news: string[] = [];
		bench.instances.forEach(({ booking }) => booking.changed.on(({ to }) => news.push(to.id)));
		const answers = await Promise.all([0, 1, 0, 1, 0].map((instance) => change('amal', old, two, instance)));
		const now = await permitOf('amal');
		expect(now).not.toBe(old);
		for (const { status, body, cache } of answers) {
			expect([status, body, cache]).toEqual([
				200,
				{ ok: true, slot: two, permit: now, party: 3, replaced: old },
				'no-store'
			]);
		}
		expect(news).toEqual([now]);
		expect(await book('basma', one, 3)).toMatchObject({ outcome: 'booked' });
		// A late repeat of the first change does not undo the second.
		expect((await change('amal', now, three)).status).toBe(200);
		const last = await permitOf('amal');
		expect((await change('amal', old, two)).body).toMatchObject({ code: 'already_booked', permit: last });
		expect((await change('amal', last, three)).body).toMatchObject({ ok: true, permit: last, slot: three });
		await reconciled();
	});

	it('fails whole where the new slot is full: the old permit stays', async () => {
		const [one = 0, full = 0, other = 0] = await bench.addSlots([4, 2, 9]);
		await book('dana', one, 2);
		await book('ezra', full, 1);
		const permit = await permitOf('dana');
		const answer = await change('dana', permit, full);
		expect([answer.status, answer.body['error']]).toEqual([409, 'slot full']);
		// Others are named from a copy that is a second or two old.
		const offered = async () =>
			((await change('dana', permit, full)).body['alternatives'] as { id: number }[]).map(({ id }) => id);
		await expect.poll(offered, { timeout: 20_000 }).toContain(other);
		expect(await permitOf('dana')).toBe(permit);
		await reconciled();
	});

	it('is refused for other people, ended permits, slots that are none, and once the slot has begun', async () => {
		const [one = 0, two = 0] = await bench.addSlots([5, 5]);
		await book('fahd', one);
		const permit = await permitOf('fahd');
		expect((await change('thief', permit, two)).body['code']).toBe('not_yours');
		expect((await change('fahd', 'AAAA-AAAA-AAAA-AAAA', two)).body['code']).toBe('not_yours');
		expect((await change('fahd', permit, 'two')).body).toMatchObject({ code: 'bad_input', field: 'slot' });
		expect((await change('fahd', permit, 99_999)).body['code']).toBe('no_such_slot');
		const { db } = pick(0).database;
		await sql`update permits set starts_at = now() - interval '1 minute' where id = ${permit}`.execute(db);
		expect((await change('fahd', permit, two)).body['code']).toBe('too_late_to_change');
		await pick(0).permits.cancel(identity.holderOf('fahd'), permit);
		expect((await change('fahd', permit, two)).body['code']).toBe('not_valid');
		await reconciled();
	});

	it('waits while a level has switched it off; a cancel never does', async () => {
		const [one = 0, two = 0] = await bench.addSlots([5, 5]);
		await book('ghada', one);
		const permit = await permitOf('ghada');
		pick(0).flags.setOverride(new Set(['change-slot']));
		const answer = await change('ghada', permit, two);
		expect([answer.status, answer.body['code']]).toEqual([503, 'feature_off']);
		pick(0).flags.setOverride(new Set(['change-slot', 'booking']));
		expect(await pick(0).permits.cancel(identity.holderOf('ghada'), permit)).toMatchObject({
			state: 'cancelled'
		});
		pick(0).flags.setOverride(new Set([]));
		await reconciled();
	});

	it('holds who is in a full share of the season, and asks the quotas of the new slot', async () => {
		const [one = 0, two = 0, three = 0] = await bench.addSlots([20, 20, 20]);
		await bench.putQuota({ dimension: 'country', shares: { SA: 3 }, other: 'free' });
		await bench.putQuota({ slot: three, dimension: 'country', shares: { SA: 1 }, other: 'free' });
		await book('hala', one, 2, 'SA');
		await book('iman', one, 1, 'SA');
		expect(await book('jana', one, 1, 'SA')).toMatchObject({ outcome: 'quotaFull' });
		expect((await change('hala', await permitOf('hala'), two)).status).toBe(200);
		const refused = await change('hala', await permitOf('hala'), three);
		expect(refused.body).toMatchObject({
			error: 'quota full',
			blocking: { level: 'country', scope: 'slot', why: 'full' }
		});
		expect((await change('iman', await permitOf('iman'), three)).status).toBe(200);
		await reconciled();
		const { db } = pick(0).database;
		await sql`delete from quota_takes t using quotas q where q.id = t.quota and q.slot is null`.execute(db);
		await sql`delete from quotas where slot is null`.execute(db);
	});

	it('holds in any mixture of bookings, changes and cancels on two instances, without a deadlock', async () => {
		const { db } = pick(0).database;
		const deadlocks = () =>
			sql`select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
		const before = await deadlocks();
		const person = fc.integer({ min: 0, max: 14 });
		const slot = fc.integer({ min: 0, max: 3 });
		const step = fc.oneof(
			fc.record({ kind: fc.constant('book'), person, slot }),
			fc.record({ kind: fc.constant('change'), person, slot }),
			fc.record({ kind: fc.constant('cancel'), person, slot })
		);
		let run = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 70 }), async (steps) => {
				run += 1;
				const slots = await bench.addSlots([8, 8, 1_000, 8]);
				await bench.putQuota({
					slot: slots[1] ?? 0,
					dimension: 'country',
					shares: { A: 5, B: 3 },
					other: 'refuse'
				});
				await bench.putQuota({
					slot: slots[3] ?? 0,
					dimension: 'country',
					shares: { A: 1_000 },
					other: 'free'
				});
				await Promise.all(
					steps.map(async ({ kind, person: who, slot: to }, turn) => {
						const holder = identity.holderOf(`any-${run}-${who}`);
						const { booking, permits } = pick(turn);
						if (kind === 'book') {
							const wish = input(slots[to] ?? 0, { party: 1 + (who % 3) });
							return booking.book(holder, wish, from(who % 2 ? 'A' : 'B'));
						}
						const permit = await permits.findOf(holder);
						if (!permit) return null;
						if (kind === 'cancel') return permits.cancel(holder, permit.id);
						return change(`any-${run}-${who}`, permit.id, slots[to], turn);
					})
				);
				await reconciled();
				const doubled = await sql`
					select holder from permits where state = 'valid' and season = ${keys.season} group by holder having count(*) > 1`.execute(
					db
				);
				expect(doubled.rows).toEqual([]);
			}),
			{ numRuns: 12 }
		);
		expect(await deadlocks()).toEqual(before);
	}, 240_000);
});
