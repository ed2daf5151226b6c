// Payloads and patches are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	createTestApp,
	createTestDatabase,
	type TestApp,
	type TestDatabase
} from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';

const patience = { timeout: 45_000 };
let folder: string;
let siteFile: string;
let database: TestDatabase;
let app: TestApp;
let cookies: Record<string, string>;

const start = async () => {
	app = await createTestApp({ env: { SITE_FILE: siteFile }, database });
	cookies = {};
	for (const who of ['crowd', 'duty', 'steward']) cookies[who] = await app.signIn(who);
};

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'marsad-gates-'));
	siteFile = path.join(folder, 'site.geojson');
	const site = smallSite();
	const gate = site.features.find(({ properties }) => properties.kind === 'gate')!;
	Object.assign(gate.properties, { outside: 'court' });
	site.features.push({ ...gate, properties: { ...gate.properties, id: 'way-out', direction: 'out' } } as any);
	await writeFile(siteFile, JSON.stringify(site));
	database = await createTestDatabase();
	await start();
});
afterAll(async () => {
	await app.close();
	await database.close();
	await rm(folder, { recursive: true, force: true });
});

const post = (who: string, target: string, body: object, key?: string) =>
	app.call('POST', `/api/v1/${target}`, { cookie: cookies[who]!, body, ...(key ? { key } : {}) });
const get = async (target: string) =>
	(await app.call('GET', `/api/v1/${target}`, { cookie: cookies.crowd! })).body;
const gate = (id: string) => get(`gates/${id}`);

describe('gates on a real broker and database', () => {
	it('are commanded by the controller, confirmed by the steward, and the steward may do no more', async () => {
		expect((await post('steward', 'gates/gate-1/state', { state: 'closed', reason: 'full' })).status).toBe(
			403
		);
		const { status, body } = await post('crowd', 'gates/gate-1/state', {
			state: 'metered',
			reason: 'fills',
			ratePerMinute: 12
		});
		expect([status, body.commanded.state, body.commanded.ratePerMinute]).toEqual([200, 'metered', 12]);
		expect(body.difference).not.toBeNull();
		const said = await post('steward', 'gates/gate-1/confirm', { state: 'metered' });
		expect([said.status, said.body.confirmed.state, said.body.difference]).toEqual([200, 'metered', null]);
	});

	it('of two commands at once one wins', async () => {
		const { version } = await gate('gate-1');
		const answers = await Promise.all(
			['crowd', 'duty'].map((who) =>
				post(who, 'gates/gate-1/state', { state: 'held', reason: 'a test', expectedVersion: version })
			)
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
	});

	it('never close an exit, whoever asks', async () => {
		for (const state of ['closed', 'held', 'metered']) {
			const command = await post('duty', 'gates/way-out/state', { state, reason: 'a test' });
			expect([command.status, command.body.code]).toEqual([409, 'exit_cannot_close']);
			const said = await post('steward', 'gates/way-out/confirm', { state });
			expect([said.status, said.body.code]).toEqual([409, 'exit_cannot_close']);
		}
		const direct = database.database.db
			.updateTable('gates')
			.set({ state: 'closed' })
			.where('gate', '=', 'way-out');
		await expect(direct.execute()).rejects.toThrow(/an_exit_is_open/);
	});

	it('re-open in steps, each confirmed or advanced with a reason', async () => {
		const { body: first } = await post('crowd', 'gates/gate-1/state', {
			state: 'open',
			reason: 'the crowd has gone'
		});
		expect([first.commanded.state, first.reopening.step]).toEqual(['metered', 1]);
		const early = await post('crowd', 'gates/gate-1/advance', { expectedVersion: first.version });
		expect(early.body.code).toBe('reason_needed');
		await post('steward', 'gates/gate-1/confirm', { state: 'metered' });
		const { body: second } = await post('crowd', 'gates/gate-1/advance', { expectedVersion: first.version });
		expect(second.commanded.ratePerMinute).toBeGreaterThan(first.commanded.ratePerMinute);
		const jump = await post('crowd', 'gates/gate-1/state', { state: 'open', reason: 'at once' });
		expect(jump.body.code).toBe('reopens_in_steps');
		const more = (from: any) =>
			post('crowd', 'gates/gate-1/advance', { expectedVersion: from.version, reason: 'by radio' });
		const { body: third } = await more(second);
		expect((await more(third)).body.commanded.state).toBe('open');
	});

	it('evacuate: entries close, exits open, it survives a restart and ends by its holder alone', async () => {
		const answers = await Promise.all(
			['crowd', 'duty'].map((who) => post(who, 'evacuation', { scope: 'site', reason: 'smoke' }))
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		const holder = answers[0]!.status === 200 ? 'crowd' : 'duty';
		const other = holder === 'crowd' ? 'duty' : 'crowd';
		const open = await post(other, 'gates/gate-1/state', { state: 'open', reason: 'a mistake' });
		expect(open.body.code).toBe('evacuation_running');
		await app.close();
		await start();
		const { gates, evacuation } = await get('gates');
		expect(gates.map((g: any) => [g.commanded.state, g.shows])).toEqual([
			['closed', 'exit'],
			['open', 'exit']
		]);
		const version = { reason: 'all clear', expectedVersion: evacuation.version };
		expect((await post(other, 'evacuation/stand-down', version)).body.code).toBe('claim_held');
		const { body } = await post(holder, 'evacuation/stand-down', version);
		expect([body.active, body.last.reason]).toEqual([null, 'all clear']);
		expect((await gate('gate-1')).commanded.state).toBe('closed');
	});

	it('keep a hold and its clock over a restart, and tell the signs', async () => {
		const { body } = await post('crowd', 'gates/gate-1/state', {
			state: 'held',
			reason: 'the hall is full',
			holdSeconds: 300
		});
		expect(body.crowdOutside).toMatchObject({ people: null, quality: 'unknown' });
		await app.close();
		await start();
		expect((await gate('gate-1')).hold).toEqual(body.hold);
		const { body: session } = await app.call('POST', '/api/v1/simulators/session', { body: {} });
		const sign = await mqtt.connectAsync(session.mqttUrl, {
			username: session.username,
			password: session.password,
			reconnectPeriod: 0
		});
		const shown: Record<string, any> = {};
		sign.on('message', (topic, payload) => (shown[topic] = JSON.parse(payload.toString())));
		await sign.subscribeAsync(['marsad/test/gate/+/state', 'marsad/test/evacuation'], { qos: 1 });
		await expect.poll(() => shown['marsad/test/gate/gate-1/state']?.state, patience).toBe('held');
		expect(shown['marsad/test/gate/gate-1/state'].holdUntil).toBe(body.hold.until);
		await expect.poll(() => shown['marsad/test/evacuation']?.active, patience).toBe(false);
		await sign.endAsync(true);
	});

	it('stop booking of slots that start soon at their place, and list who is on the way', async () => {
		await post('crowd', 'gates/gate-1/state', { state: 'metered', reason: 'a trickle' });
		await post('crowd', 'gates/gate-1/state', { state: 'open', reason: 'all is calm' });
		const startsAt = Date.now() + 1_800_000;
		const slot = { place: 'whole', startsAt, endsAt: startsAt + 3_600_000, capacity: 50, reason: 'a test' };
		const planned = await app.call('PUT', '/api/v1/booking/slots', { cookie: cookies.duty!, body: slot });
		expect(planned.status).toBe(200);
		// On a busy machine a turn is not there at once: whoever comes again keeps the place, and hears of it.
		const turnOf = async (user: string) => {
			let pass: string | undefined;
			const ask = async () => {
				const { ticket, token } = (await app.call('POST', '/queue/join', { body: { user } })).body;
				const claim = token ? null : await app.call('POST', '/queue/claim', { body: { user, ticket } });
				pass = token ?? claim?.body.token;
				return typeof pass;
			};
			await expect.poll(ask, patience).toBe('string');
			return pass!;
		};
		const token = await turnOf('first');
		const book = (user: string, pass: string) =>
			app.call('POST', '/book', { body: { slot: planned.body.id, user }, headers: { 'x-token': pass } });
		await expect.poll(async () => (await book('first', token)).status, patience).toBe(200);
		expect((await get('gates/slots')).slots).toEqual([]);
		await post('crowd', 'gates/gate-1/state', { state: 'held', reason: 'the hall is full' });
		const affected = await get('gates/slots');
		const own = affected.slots.find((other: any) => other.slot === planned.body.id);
		expect([affected.people, own.people, own.pace, own.gates]).toEqual([1, 1, 0, ['gate-1']]);
		// The fill is read once a second: whoever books before that is still taken, and the next one is not.
		let next = 0;
		const code = async () => {
			const user = `later-${next++}`;
			return (await book(user, await turnOf(user))).body.code;
		};
		await expect.poll(code, patience).toBe('place_filling');
	});

	it('show the crowd outside by its zone', async () => {
		const { body: session } = await app.call('POST', '/api/v1/simulators/session', { body: {} });
		const credentials = { username: session.username, password: session.password, reconnectPeriod: 0 };
		const device = await mqtt.connectAsync(session.mqttUrl, credentials);
		const say = (counts: object) =>
			device.publishAsync(
				'marsad/test/door-2/reading',
				JSON.stringify({ ts: Date.now(), boot: 'a', seq: 1, sim: true, ...counts }),
				{ qos: 1 }
			);
		await say({ in: 37, out: 0 });
		await expect.poll(async () => (await gate('gate-1')).crowdOutside.people, patience).toBe(37);
		expect((await gate('gate-1')).crowdOutside).toMatchObject({
			quality: 'live',
			zone: 'court',
			mark: 'simulated'
		});
		await device.endAsync(true);
	});
});
