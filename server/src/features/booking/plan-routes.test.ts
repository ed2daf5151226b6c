import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';

const hourMs = 3_600_000;

describe('planning by staff', () => {
	let test: TestApp;
	let duty = '';
	beforeAll(async () => {
		test = await createTestApp();
		duty = await test.signIn('duty');
	});
	afterAll(() => test?.close());
	const get = (path: string) => test.call('GET', `/api/v1/booking/${path}`, { cookie: duty });
	const put = (path: string, body: unknown, options: { cookie?: string; key?: string } = {}) =>
		test.call('PUT', `/api/v1/booking/${path}`, { cookie: duty, ...options, body });
	const lastLine = async (action: string) => {
		const { body } = await test.call('GET', '/api/v1/record', { cookie: duty });
		return (body.entries as { action: string }[]).filter((line) => line.action === action).at(-1);
	};
	const firstSlot = async () => {
		const { body } = await get('slots');
		return (
			body.slots as {
				id: number;
				place: string;
				capacity: number;
				capacityMax: number;
				startsAt: number;
				endsAt: number;
			}[]
		)[0]!;
	};

	it('shows slots with the most their lanes can scan, and plans one with a reason, on record', async () => {
		const slot = await firstSlot();
		expect(slot.capacityMax).toBeGreaterThanOrEqual(slot.capacity);
		const startsAt = slot.startsAt + 400 * hourMs;
		const plan = {
			place: slot.place,
			startsAt,
			endsAt: startsAt + hourMs,
			capacity: 120,
			reason: 'a fifth night'
		};
		const planned = await put('slots', plan);
		expect(planned.body).toMatchObject({ place: slot.place, capacity: 120, booked: 0, overbooked: 0 });
		expect(await lastLine('booking.slot')).toMatchObject({
			actor: 'duty@example.org',
			reason: 'a fifth night',
			before: null,
			after: { capacity: 120, overbooked: 0 }
		});
		expect((await put('slots', { ...plan, capacity: 60 })).body).toMatchObject({
			id: planned.body.id,
			capacity: 60
		});
		expect(await lastLine('booking.slot')).toMatchObject({
			before: { capacity: 120 },
			after: { capacity: 60 }
		});
	});

	it('refuses what the lanes cannot scan, a place that is none, and a window turned around', async () => {
		const { id: _id, capacityMax, ...slot } = await firstSlot();
		const plan = { place: slot.place, startsAt: slot.startsAt, endsAt: slot.endsAt, reason: 'more people' };
		expect((await put('slots', { ...plan, capacity: capacityMax + 1 })).body).toMatchObject({
			...{ status: 422, code: 'plan_refused', fault: 'above-lanes' },
			capacityMax
		});
		expect((await put('slots', { ...plan, capacity: 5, place: 'nowhere' })).body).toMatchObject({
			fault: 'place'
		});
		expect((await put('slots', { ...plan, capacity: 5, endsAt: slot.startsAt })).body).toMatchObject({
			fault: 'window'
		});
		expect((await put('slots', { ...plan, capacity: 5, endsAt: slot.endsAt + hourMs })).body).toMatchObject({
			fault: 'window'
		});
		expect((await firstSlot()).capacity).toBe(slot.capacity);
	});

	it('lowers a slot below what is booked: allowed, flagged, and nothing is sold until it has come down', async () => {
		const { place, startsAt, endsAt } = await firstSlot();
		const plan = {
			place,
			startsAt: startsAt + 800 * hourMs,
			endsAt: endsAt + 800 * hourMs,
			reason: 'the stage moved'
		};
		const { id } = (await put('slots', { ...plan, capacity: 20 })).body;
		const bookAs = (user: string, party: number) =>
			test.call('POST', '/book', { body: { user, slot: id, party } });
		const joinAndBook = async (user: string, party: number) => {
			const { body } = await test.call('POST', '/queue/join', { body: { user, party } });
			return test.call('POST', '/book', { body: { user, slot: id }, headers: { 'x-token': body.token } });
		};
		expect((await bookAs('nobody', 1)).status).toBe(403);
		expect((await joinAndBook('one', 6)).status).toBe(200);
		expect((await joinAndBook('two', 4)).status).toBe(200);
		expect((await put('slots', { ...plan, capacity: 8 })).body).toMatchObject({
			...{ capacity: 8, booked: 10, overbooked: 2 }
		});
		expect((await joinAndBook('three', 1)).body.error).toBe('slot full');
		const mine = await test.call('GET', '/permits/mine?user=two');
		await test.call('POST', `/permits/${mine.body.id}/cancel?user=two`);
		expect((await joinAndBook('four', 2)).status).toBe(200);
		expect((await get('reconciliation')).body.state).toBe('equal');
		// Raised until it is large enough to be sharded, and lowered again: nobody is lost on the way.
		for (const capacity of [1_500, 9]) {
			const raised = await put('slots', { ...plan, capacity });
			expect(raised.body).toMatchObject({ capacity, booked: 8, overbooked: 0 });
		}
		expect((await joinAndBook('five', 1)).status).toBe(200);
		expect((await joinAndBook('six', 1)).body.error).toBe('slot full');
	});

	it('puts and lists quotas; a repeat changes nothing more; what makes no sense is refused', async () => {
		const slot = await firstSlot();
		const quota = {
			...{
				slot: slot.id,
				dimension: 'country',
				other: { places: 10 },
				returnsAt: null,
				reason: 'agreed shares'
			},
			shares: [
				{ value: 'SA', places: 40 },
				{ value: 'ID', places: 30 }
			]
		};
		const first = await put('quotas', quota, { key: 'one' });
		expect(first.body).toMatchObject({ slot: slot.id, dimension: 'country', other: 'share' });
		expect(first.body.shares).toMatchObject([
			{ value: null, planned: 10, places: 10 },
			{ value: 'ID', planned: 30 },
			{ value: 'SA', planned: 40, booked: 0, overbooked: 0, shards: 1 }
		]);
		expect((await put('quotas', quota, { key: 'one' })).body).toEqual(first.body);
		expect((await get('quotas')).body.quotas).toEqual([first.body]);
		expect(await lastLine('booking.quota')).toMatchObject({
			...{ actor: 'duty@example.org', reason: 'agreed shares', before: null },
			subject: `country of slot ${slot.id}`
		});
		const refused = async (change: object) => (await put('quotas', { ...quota, ...change })).body;
		expect(await refused({ shares: [quota.shares[0], quota.shares[0]] })).toMatchObject({ fault: 'twice' });
		expect(await refused({ shares: [{ value: 'SA', places: slot.capacity + 1 }] })).toMatchObject({
			...{ code: 'plan_refused', fault: 'above-slot', capacity: slot.capacity }
		});
		expect(await refused({ slot: 999_999 })).toMatchObject({ code: 'no_such_slot' });
		expect(await refused({ shares: [{ value: "'; drop table slots; --", places: 1 }] })).toMatchObject({
			code: 'bad_request'
		});
		expect(await refused({ reason: '' })).toMatchObject({ code: 'bad_request' });
		expect((await get('quotas')).body.quotas).toEqual([first.body]);
	});

	it('is the duty manager’s: others look', async () => {
		const viewer = await test.signIn('viewer');
		const slot = await firstSlot();
		const quota = {
			slot: slot.id,
			dimension: 'country',
			other: 'free',
			returnsAt: null,
			shares: [],
			reason: 'mine now'
		};
		expect((await put('quotas', quota, { cookie: viewer })).status).toBe(403);
		expect((await test.call('GET', '/api/v1/booking/quotas', { cookie: viewer })).status).toBe(200);
		expect((await test.call('GET', '/api/v1/booking/quotas')).status).toBe(401);
	});
});
