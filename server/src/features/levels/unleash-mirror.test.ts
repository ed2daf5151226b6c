import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { onServer, withDatabase } from '../../../test/kit/index.ts';
import { flagNames } from '../../../contract/index.ts';
import { createLog } from '../../platform/log.ts';
import { createFlags } from '../../platform/flags/flags.ts';
import { createUnleashAdmin } from '../../platform/flags/unleash-admin.ts';
import {
	startGate,
	startUnleash,
	type UnleashGate,
	type UnleashStand
} from '../../platform/flags/unleash-stand.fixture.ts';
import { createUnleashSource, type UnleashSource } from '../../platform/flags/unleash.ts';
import { createBench, patience, to, type LevelsBench } from './levels.fixture.ts';

const name = `marsad_m_${randomUUID().replaceAll('-', '')}`;
const log = createLog('silent');
const environment = 'development';
/** Thirteen flags are made there, by some fifty calls. */
const slowly = { timeout: 120_000, interval: 50 };
/** Unleash looks once a second whether anything changed, and answers from its cache until then. */
const settleMs = 3_000;

describe('the levels and their mirror in a real Unleash', () => {
	let bench: LevelsBench;
	let unleash: UnleashStand;
	let gate: UnleashGate;
	const sources: UnleashSource[] = [];

	/** An instance that follows Unleash through the gate; of several, the first one writes. */
	const start = async (instance: string, { leads = true, admin = true } = {}) => {
		const source = createUnleashSource({
			...{ url: gate.url, token: unleash.clientToken, environment, instance, clock: bench.clock, log },
			...{ refreshMs: 200, retryRefusedMs: 200 }
		});
		sources.push(source);
		const flags = createFlags(source);
		source.start();
		const adminOptions = { url: gate.url, adminToken: unleash.adminToken, environment, timeoutMs: 2_000 };
		const { levels, ...rest } = await bench.startInstance(instance, {
			flags,
			unleashAdmin: admin ? createUnleashAdmin(adminOptions) : null,
			conductor: { register: () => undefined, leads: () => leads },
			settleMs
		});
		return { ...rest, levels, flags, unleash: async () => (await rest.get()).unleash };
	};
	const inStep = async (one: Awaited<ReturnType<typeof start>>) =>
		vi.waitFor(
			async () => expect(await one.unleash()).toMatchObject({ state: 'in-step', drift: [], pending: 0 }),
			slowly
		);

	beforeAll(async () => {
		await onServer(inject('databaseUrl'), `create database ${name}`);
		[bench, unleash] = await Promise.all([
			createBench(),
			startUnleash(withDatabase(inject('databaseUrl'), name))
		]);
		gate = await startGate(() => unleash.url);
	}, 300_000);
	beforeEach(async () => {
		await bench.clear();
		for (const flag of flagNames) if ((await unleash.read(flag)) === false) await unleash.setFlag(flag, 'on');
	}, 60_000);
	afterEach(async () => {
		gate.status = 200;
		gate.delayMs = 0;
		for (const source of sources.splice(0)) source.stop();
	});
	afterAll(async () => {
		gate?.stop();
		await bench?.close();
		await unleash?.stop();
		await onServer(inject('databaseUrl'), `drop database if exists ${name} with (force)`);
	});

	it('makes its flags there, writes each level, and goes back to normal without a trace', async () => {
		const one = await start('one');
		const two = await start('two', { leads: false });
		await inStep(one);
		expect(await unleash.read('images')).toBe(true);
		await one.post('duty', to(1, 0));
		expect(one.flags.isOn('images')).toBe(false);
		await vi.waitFor(async () => expect(await unleash.read('images')).toBe(false), patience);
		await inStep(two);
		const back = await one.post('duty', to(0, 1));
		expect(back.status).toBe(200);
		// On again at once, though Unleash itself still says off.
		expect(one.flags.isOn('images')).toBe(true);
		await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(true), patience);
		await vi.waitFor(async () => expect(await unleash.read('images')).toBe(true), patience);
		await Promise.all([inStep(one), inStep(two)]);
		expect(one.flags.isOn('images')).toBe(true);
	}, 300_000);

	it('a flag flipped there shows as drift on every instance; restore writes it back, as one line in the record', async () => {
		const one = await start('one');
		const two = await start('two', { leads: false });
		await inStep(one);
		await unleash.setFlag('images', 'off');
		await unleash.setFlag('booking', 'off');
		const drifted = {
			drift: [
				{ flag: 'images', here: true, there: false, acts: true },
				{ flag: 'booking', acts: false }
			]
		};
		for (const each of [one, two])
			await vi.waitFor(async () => expect(await each.unleash()).toMatchObject(drifted), patience);
		// What one hand may switch off is off; what needs two people here is not.
		await vi.waitFor(
			() => expect([two.flags.isOn('images'), two.flags.isOn('booking')]).toEqual([false, true]),
			patience
		);
		// Screens have it with the next look.
		await vi.waitFor(() => expect(two.shown()?.unleash.drift).toHaveLength(2), patience);
		const answer = await two.restore('duty', 'flipped by mistake');
		expect(answer.status).toBe(200);
		await Promise.all([inStep(one), inStep(two)]);
		expect([await unleash.read('images'), await unleash.read('booking')]).toEqual([true, true]);
		expect(two.flags.isOn('images')).toBe(true);
		await one.restore('duty', 'pressed once more');
		const lines = await bench.test.database.db
			.selectFrom('record')
			.selectAll()
			.where('action', '=', 'flags.restore')
			.execute();
		expect(lines).toMatchObject([
			{
				actor: 'duty@example.org',
				reason: 'flipped by mistake',
				before: { images: false, booking: false },
				after: { images: true, booking: true }
			}
		]);
	}, 300_000);

	it('a level wins over a flag switched on there, and hostile flags touch nothing that no level may touch', async () => {
		const one = await start('one');
		await inStep(one);
		await one.post('duty', to(1, 0));
		await inStep(one);
		await unleash.setFlag('images', 'on');
		for (const hostile of ['permit-display', 'cancel', 'gate-verification', 'safety-messages']) {
			await unleash.post('', { name: hostile, type: 'kill-switch' });
			await unleash.setFlag(hostile, 'off');
		}
		await vi.waitFor(
			async () =>
				expect(await one.unleash()).toMatchObject({
					drift: [{ flag: 'images', here: false, there: true, acts: false }]
				}),
			patience
		);
		expect(one.flags.isOn('images')).toBe(false);
		const state = await one.get();
		for (const kept of state.protectedFeatures) expect(state.flags).not.toHaveProperty(kept);
		await one.restore('duty', 'a level is a level');
		await vi.waitFor(async () => expect(await unleash.read('images')).toBe(false), patience);
	}, 300_000);

	it('a level that ends while it is still being written there leaves nothing off here meanwhile', async () => {
		const one = await start('one');
		await inStep(one);
		gate.delayMs = 1_000;
		await one.post('duty', to(1, 0));
		// The first of several is written, and was heard of again; the others are on their way.
		await vi.waitFor(() => expect(one.flags.fromSource('images')).toBe(false), slowly);
		await one.post('duty', to(0, 1));
		await vi.waitFor(() => {
			expect.soft(one.flags.isOn('images')).toBe(true);
			expect(one.flags.fromSource('images')).toBe(true);
		}, slowly);
		gate.delayMs = 0;
		await inStep(one);
	}, 300_000);

	it.each([
		['slow', () => void (gate.delayMs = 4_000), () => void (gate.delayMs = 0), 'unreachable'],
		['hanging', () => unleash.setFrozen(true), () => unleash.setFrozen(false), 'unreachable'],
		['answering 401', () => void (gate.status = 401), () => void (gate.status = 200), 'refused']
	])(
		'%s: the switch is in force at once, what waits is said, and written when it is back',
		async (_how, begin, end, said) => {
			const one = await start('one');
			await inStep(one);
			begin();
			const answer = await one.post('duty', to(2, 0));
			expect(answer.status).toBe(200);
			expect(one.flags.isOn('change-slot')).toBe(false);
			await vi.waitFor(async () => expect(await one.unleash()).toMatchObject({ writing: said }), patience);
			expect((await one.unleash()).pending).toBeGreaterThan(0);
			expect((await one.restore('duty', 'cannot be now')).status).toBe(503);
			end();
			await vi.waitFor(async () => expect(await unleash.read('change-slot')).toBe(false), {
				...patience,
				timeout: 60_000
			});
			await inStep(one);
		},
		180_000
	);

	it('without a token to write there, what differs is shown and nothing is written', async () => {
		const one = await start('one', { admin: false });
		await vi.waitFor(async () => expect(await one.unleash()).toMatchObject({ state: 'in-step' }), patience);
		const before = await unleash.read('history');
		await one.post('duty', to(before ? 2 : 1, 0));
		await vi.waitFor(async () => {
			const { drift, writing, pending } = await one.unleash();
			expect([writing, pending]).toEqual(['off', 0]);
			expect(drift!.length).toBeGreaterThan(0);
		}, patience);
		expect((await one.restore('duty', 'nobody may')).status).toBe(503);
		expect(await unleash.read('history')).toBe(before);
	}, 300_000);
});
