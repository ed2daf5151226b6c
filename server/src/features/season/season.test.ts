import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import type { SeasonPlan } from '../../../contract/index.ts';

let test: TestApp;
let duty = '';
let second = '';
let viewer = '';
beforeAll(async () => {
	test = await createTestApp();
	duty = await test.signIn('duty');
	second = await test.signIn('second');
	viewer = await test.signIn('viewer');
});
afterAll(() => test?.close());

const reason = 'as the season was planned';
const post = (path: string, body: object, cookie = duty, headers = {}) =>
	test.call('POST', `/api/v1/season/${path}`, { cookie, body, headers });
const put = (path: string, body: object, cookie = duty) =>
	test.call('PUT', `/api/v1/season/${path}`, { cookie, body });
const plan = async (): Promise<SeasonPlan> =>
	(await test.call('GET', '/api/v1/season', { cookie: viewer })).body;
const spikeOf = async (id: string) => (await plan()).spikes.find((spike) => spike.id === id);
const recordOf = async (action: string) =>
	(await test.call('GET', '/api/v1/record', { cookie: duty })).body.entries.filter(
		(entry: { action: string }) => entry.action === action
	);
const riyadh = (text: string) => Date.parse(`${text}+03:00`);
const night = (day: number, over: object = {}) => ({
	names: { ar: `ليلة ${day}`, en: `Night ${day}` },
	...{ kind: 'night', day: { calendar: 'hijri', year: 1448, month: 9, day }, night: true },
	...{ from: '21:00', minutes: 300, expectedPeople: 96_000, place: null, reason },
	...over
});

describe('a known spike', () => {
	it('is planned, changed on the version that was seen, and taken out; each on record', async () => {
		const made = await post('spikes', night(27));
		expect(made.status).toBe(201);
		const { id } = made.body;
		expect(await spikeOf(id)).toMatchObject({
			startsAt: riyadh('2027-03-05T21:00'),
			version: 1,
			by: 'Duty manager'
		});
		expect((await put(`spikes/${id}`, night(27))).body.code).toBe('version_missing');
		const changed = await put(`spikes/${id}`, night(27, { from: '22:00', expectedVersion: 1 }));
		expect(changed.body.plan.spikes.find((spike: { id: string }) => spike.id === id).startsAt).toBe(
			riyadh('2027-03-05T22:00')
		);
		const late = await put(`spikes/${id}`, night(27, { from: '23:00', expectedVersion: 1 }), second);
		expect([late.status, late.body.code]).toEqual([412, 'version_changed']);
		expect((await put(`spikes/${id}`, night(27, { retired: true, expectedVersion: 2 }))).status).toBe(200);
		expect(await spikeOf(id)).toBeUndefined();
		const lines = await recordOf('season.spike.change');
		expect(lines).toEqual([
			expect.objectContaining({
				...{ actor: 'duty@example.org', subject: `spike:${id}`, reason },
				before: expect.objectContaining({ from: '21:00' }),
				after: expect.objectContaining({ from: '22:00' })
			})
		]);
		expect(await recordOf('season.spike.retire')).toHaveLength(1);
	});

	it.each([
		['no_such_day', night(30, { day: { calendar: 'hijri', year: 1448, month: 9, day: 30 } })],
		['no_such_day', night(27, { night: false, day: { calendar: 'gregorian', date: '2027-02-29' } })],
		['no_such_day', night(27, { night: false, day: { calendar: 'gregorian', date: '1999-01-01' } })],
		['night_needs_hijri', night(27, { day: { calendar: 'gregorian', date: '2027-03-05' } })],
		['night_needs_hijri', night(27, { from: null })],
		['night_needs_hijri', night(27, { from: null, minutes: null, night: false })],
		['no_such_place', night(27, { place: 'nowhere' })],
		['bad_request', night(27, { reason: ' ' })],
		['bad_request', night(27, { day: { calendar: 'hijri', year: 2030, month: 9, day: 1 } })]
	])('is refused with %s', async (code, body) => {
		expect((await post('spikes', body)).body.code).toBe(code);
	});

	it('is planned by the duty manager alone', async () => {
		expect((await post('spikes', night(27), viewer)).status).toBe(403);
	});
});

describe('what hangs on a spike', () => {
	it('lies around it, and keeps it from being taken out', async () => {
		const { id } = (await post('spikes', night(25))).body;
		const span = { spike: id, beforeMinutes: 60, afterMinutes: 30 };
		const freeze = (await post('freezes', { names: night(25).names, covers: ['plans'], span, reason })).body;
		expect(freeze.plan.freezes.find((each: { id: string }) => each.id === freeze.id).window).toEqual({
			...{ from: riyadh('2027-03-03T20:00'), until: riyadh('2027-03-04T02:30') }
		});
		const gone = await put(`spikes/${id}`, night(25, { retired: true, expectedVersion: 1 }));
		expect([gone.status, gone.body.code]).toEqual([409, 'spike_in_use']);
	});

	it('is refused where its span or its person is wrong', async () => {
		const names = night(1).names;
		const spans = [
			[{ from: '2027-03-05T10:00', until: '2027-03-05T10:00' }, 'bad_span'],
			[{ from: '2027-02-30T10:00', until: '2027-03-05T10:00' }, 'no_such_day'],
			[{ spike: 'nothing', beforeMinutes: 0, afterMinutes: 0 }, 'no_such_spike']
		] as const;
		for (const [span, code] of spans)
			expect((await post('freezes', { names, covers: ['plans'], span, reason })).body.code).toBe(code);
		const { people } = (await test.call('GET', '/api/v1/season/people', { cookie: duty })).body;
		const crowd = people.find(({ email }: { email: string }) => email.startsWith('crowd'));
		const span = { from: '2027-03-05T10:00', until: '2027-03-05T18:00' };
		const seat = { account: crowd.id, span, reason };
		expect((await post('roster', { ...seat, seat: 'second-person' })).body.code).toBe('not_of_seat');
		const sits = await post('roster', { ...seat, seat: 'crowd-controller' });
		expect(sits.body.plan.roster.find((each: { id: string }) => each.id === sits.body.id).name).toBe(
			'Crowd controller'
		);
	});

	it('says who signed a capacity order, where it is and where it stands', async () => {
		const order = {
			...{ names: { ar: 'مسارات', en: 'Lanes' }, place: null, reason, signedBy: 'Head of site' },
			...{
				signedOn: '2027-01-10',
				state: 'ordered',
				span: { from: '2027-03-01T00:00', until: '2027-03-10T00:00' }
			}
		};
		const { id, plan: made } = (await post('orders', order)).body;
		expect(made.orders.find((each: { id: string }) => each.id === id)).toMatchObject({ state: 'ordered' });
		const changed = await put(`orders/${id}`, { ...order, state: 'in-place', expectedVersion: 1 });
		expect(changed.status).toBe(200);
		expect((await post('orders', { ...order, signedOn: '2027-02-30' })).body.code).toBe('no_such_day');
	});
});

describe('a sighting', () => {
	const early = {
		year: 1448,
		month: 9,
		firstDay: '2027-02-07',
		source: 'Supreme Court',
		reason: 'seen in Sudair'
	};

	it('moves nothing until another person confirms it; then its month and what hangs on it, on record', async () => {
		const { id: spike } = (await post('spikes', night(27))).body;
		const { id } = (await post('sightings', early)).body;
		expect(await spikeOf(spike)).toMatchObject({
			startsAt: riyadh('2027-03-05T21:00'),
			tentative: { startsAt: riyadh('2027-03-04T21:00') }
		});
		const alone = await post(`sightings/${id}/confirm`, { reason });
		expect([alone.status, alone.body.code]).toEqual([403, 'second_person_needed']);
		const confirmed = await post(`sightings/${id}/confirm`, { reason: 'heard it, too' }, second);
		expect(confirmed.status).toBe(200);
		expect(await spikeOf(spike)).toMatchObject({
			...{ startsAt: riyadh('2027-03-04T21:00'), tentative: null },
			calculated: { startsAt: riyadh('2027-03-05T21:00') }
		});
		const [line] = await recordOf('season.sighting.confirm');
		expect(line).toMatchObject({
			...{ actor: 'second@example.org', reason: 'heard it, too' },
			before: { firstDay: '2027-02-08', announcedBy: 'Duty manager' }
		});
		expect(line.after.moved).toContainEqual({
			...{ spike, from: '2027-03-05T18:00:00.000Z', to: '2027-03-04T18:00:00.000Z' }
		});
		const { days } = (
			await test.call('GET', '/api/v1/season/days?from=2027-02-07&count=1', { cookie: viewer })
		).body;
		expect(days[0]).toMatchObject({ hijri: { month: 9, day: 1 }, calculated: { month: 8, day: 30 } });
		// Isha of Ramadan comes with the announced month.
		expect(Math.round((days[0].prayers.isha - days[0].prayers.maghrib) / 60_000)).toBe(120);
		const again = await post(`sightings/${id}/confirm`, { reason }, second);
		expect(again.body.code).toBe('sighting_gone');
	});

	it('as calculated takes the announcement back, again by two', async () => {
		const { id } = (await post('sightings', { ...early, firstDay: '2027-02-08' }, second)).body;
		expect((await post(`sightings/${id}/confirm`, { reason }, duty)).status).toBe(200);
		const { sightings, spikes } = await plan();
		expect(spikes.every(({ calculated }) => calculated === null)).toBe(true);
		expect(sightings.filter(({ state }) => state === 'confirmed').map(({ firstDay }) => firstDay)).toEqual([
			'2027-02-08'
		]);
		expect(sightings.some(({ state }) => state === 'replaced')).toBe(true);
	});

	it('that cannot be is refused, and a tentative one can be withdrawn', async () => {
		const wrong = await post('sightings', { ...early, firstDay: '2027-02-09' });
		expect([wrong.status, wrong.body.code, wrong.body.fault]).toEqual([422, 'sighting_impossible', 'length']);
		const { id } = (await post('sightings', early)).body;
		expect((await post(`sightings/${id}/withdraw`, { reason })).status).toBe(200);
		expect((await post(`sightings/${id}/confirm`, { reason }, second)).body.code).toBe('sighting_gone');
	});
});

describe('a freeze in force', () => {
	const local = (at: number) => new Date(at + 3 * 3_600_000).toISOString().slice(0, 16);
	it('refuses a change of plans, lets one through with a reason on record, and nothing else', async () => {
		const now = Date.now();
		const span = { from: local(now - 3_600_000), until: local(now + 3_600_000) };
		const names = { ar: 'تجميد', en: 'Freeze' };
		const { id } = (await post('freezes', { names, covers: ['plans'], span, reason })).body;
		const quota = (headers: Record<string, string> = {}) =>
			test.call('PUT', '/api/v1/booking/quotas', {
				...{ cookie: duty, headers },
				body: {
					slot: null,
					dimension: 'country',
					shares: [{ value: 'SA', places: 10 }],
					other: 'free',
					returnsAt: null,
					reason
				}
			});
		await expect.poll(async () => (await quota()).body.code, { timeout: 20_000 }).toBe('frozen');
		const refused = await quota();
		expect([refused.status, refused.body.freeze]).toEqual([409, names]);
		const through = await quota({ 'x-through-freeze': encodeURIComponent('حصة خاطئة') });
		expect(through.status, JSON.stringify(through.body)).toBe(200);
		expect(await recordOf('season.freeze.through')).toEqual([
			expect.objectContaining({
				subject: `freeze:${id}`,
				reason: 'حصة خاطئة',
				after: { call: 'PUT /api/v1/booking/quotas' }
			})
		]);
		const rate = await test.call('PUT', '/api/v1/queue/rate', {
			cookie: duty,
			body: { perSecond: 40, reason }
		});
		expect(rate.status).toBe(200);
	});
});

it('tells both calendars and prayer times of the site for any day', async () => {
	const { days } = (await test.call('GET', '/api/v1/season/days?from=2026-02-18&count=2', { cookie: viewer }))
		.body;
	expect(days.map(({ date, hijri }: { date: string; hijri: object }) => [date, hijri])).toEqual([
		['2026-02-18', { year: 1447, month: 9, day: 1 }],
		['2026-02-19', { year: 1447, month: 9, day: 2 }]
	]);
	const { fajr, isha } = days[0].prayers;
	expect(new Date(fajr + 3 * 3_600_000).toISOString().slice(0, 10)).toBe('2026-02-18');
	expect(isha).toBeGreaterThan(fajr);
	expect(
		(await test.call('GET', '/api/v1/season/days?from=2026-02-30&count=2', { cookie: viewer })).body.code
	).toBe('no_such_day');
	expect(
		(await test.call('GET', '/api/v1/season/days?from=2026-02-18&count=63', { cookie: viewer })).status
	).toBe(400);
});
