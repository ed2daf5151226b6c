import { io, type Socket } from 'socket.io-client';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { LevelsState, Patch, Progress, Snapshot } from '../contract/index.ts';
import { onServer } from './kit/index.ts';
import { createInstances, type Instance, type Instances } from './kit/instances.ts';

const patience = { timeout: 60_000, interval: 50 };

/** Three real processes over one PostgreSQL and one Redis-protocol server. */
describe('a level on three instances', () => {
	let stand: Instances;
	let duty = '';
	let second = '';
	const sockets: Socket[] = [];

	beforeAll(async () => {
		stand = await createInstances(3);
		duty = await stand.all[0]!.signIn('duty');
		second = await stand.all[0]!.signIn('second');
	}, 300_000);
	afterAll(async () => {
		for (const socket of sockets) socket.close();
		await stand?.close();
	});

	const state = async (instance: Instance) =>
		(await instance.staff('GET', '/api/v1/levels', duty)).body as LevelsState;
	const press = async (instance: Instance, level: number) => {
		const { version } = (await state(instance)).current;
		const body = { level, reason: 'a test on three instances', expectedVersion: version };
		const answer = await instance.staff('POST', '/api/v1/levels/current', duty, body);
		if (answer.status !== 202) return expect(answer.status).toBe(200);
		const confirm = (answer.body as LevelsState).proposal!.id;
		const agreed = await instance.staff('POST', '/api/v1/levels/current', second, { confirm });
		expect(agreed.status).toBe(200);
	};
	const progress = async (instance: Instance) =>
		(await instance.people.send('GET', '/queue/progress')).body as Progress;
	const effective = (instances: readonly Instance[], level: number) =>
		vi.waitFor(async () => {
			const seen = await Promise.all(instances.map(progress));
			expect(seen.map((each) => each.level)).toEqual(instances.map(() => level));
		}, patience);
	const join = async (instance: Instance, user: string) =>
		(await instance.people.send('POST', `/queue/join?user=${user}`)).body as { code?: string };
	/** What a screen on this instance is shown of the levels. */
	const openScreen = async (instance: Instance) => {
		const socket = io(`${instance.url}/live`, {
			transports: ['websocket'],
			reconnection: false,
			forceNew: true,
			extraHeaders: { cookie: duty }
		});
		sockets.push(socket);
		const screen: { state: LevelsState | null } = { state: null };
		socket.on('snapshot', (message: Snapshot) => (screen.state = message.state['state'] as LevelsState));
		socket.on('patch', (message: Patch) => {
			screen.state = (message.changes['state'] as LevelsState | undefined) ?? screen.state;
		});
		await socket.timeout(30_000).emitWithAck('subscribe', 'levels');
		return screen;
	};

	/** Nobody gets in, and whoever is in is thrown out; or everybody may come again. */
	const setDatabaseAway = async (away: boolean) => {
		const server = inject('databaseUrl');
		const name = new URL(stand.database.url).pathname.slice(1);
		await onServer(server, `alter database ${name} with allow_connections ${!away}`);
		if (!away) return;
		await onServer(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
			name
		]);
	};

	it('pressed on one, it is in force on all, and each is seen to have it', async () => {
		const [one, two, three] = stand.all as [Instance, Instance, Instance];
		await press(two, 3);
		await effective(stand.all, 3);
		for (const [index, instance] of stand.all.entries())
			expect(await join(instance, `late-${index}`)).toMatchObject({ code: 'joins_closed' });
		await vi.waitFor(async () => {
			const { instances } = await state(three);
			expect(instances.map(({ level }) => level)).toEqual([3, 3, 3]);
		}, patience);
		await press(one, 0);
		await effective(stand.all, 0);
		expect(await join(three, 'again')).not.toHaveProperty('code');
	}, 300_000);

	it('a frozen one is seen to be behind, then left out; woken, it follows', async () => {
		const [one, two, three] = stand.all as [Instance, Instance, Instance];
		three.setFrozen(true);
		await press(one, 1);
		await effective([one, two], 1);
		await vi.waitFor(async () => {
			const levels = (await state(one)).instances.map(({ level }) => level).sort();
			expect(levels).toEqual([0, 1, 1]);
		}, patience);
		await vi.waitFor(async () => expect((await state(one)).instances).toHaveLength(2), patience);
		three.setFrozen(false);
		await effective(stand.all, 1);
		await vi.waitFor(async () => {
			const { instances } = await state(two);
			expect(instances.map(({ level }) => level)).toEqual([1, 1, 1]);
		}, patience);
		await press(two, 0);
		await effective(stand.all, 0);
	}, 300_000);

	it('with the connections for notices cut, a switch still comes through', async () => {
		const [one] = stand.all as [Instance];
		await sql`select pg_terminate_backend(pid) from pg_stat_activity
			where application_name = 'marsad levels' and datname = current_database()`.execute(
			stand.database.database.db
		);
		await press(one, 1);
		await effective(stand.all, 1);
		await vi.waitFor(async () => {
			for (const instance of stand.all) expect((await state(instance)).follows?.by).toBe('notice');
		}, patience);
		await press(one, 0);
		await effective(stand.all, 0);
	}, 300_000);

	it('without PostgreSQL the last known level holds on all, and screens say so until it is back', async () => {
		const [one, two] = stand.all as [Instance, Instance];
		await press(one, 3);
		await effective(stand.all, 3);
		const screens = await Promise.all(stand.all.map(openScreen));
		await setDatabaseAway(true);
		await vi.waitFor(
			() => expect(screens.map((screen) => screen.state?.follows?.by)).toEqual(Array(3).fill('nothing')),
			patience
		);
		await effective(stand.all, 3);
		expect(await join(two, 'while-away')).toMatchObject({ code: 'joins_closed' });
		await setDatabaseAway(false);
		await vi.waitFor(
			() => expect(screens.map((screen) => screen.state?.follows?.by)).toEqual(Array(3).fill('notice')),
			patience
		);
	}, 300_000);

	it('one that starts while a level is in force knows it before it serves', async () => {
		const late = await stand.start();
		// A busy machine may refuse the first questions; what is answered must be true.
		const first = await vi.waitFor(async () => {
			const answer = await late.people.send('GET', '/queue/progress');
			expect(answer.status).toBe(200);
			return answer.body as Progress;
		}, patience);
		expect(first).toMatchObject({ level: 3, joinsOpen: false });
		expect(await join(late, 'first-of-all')).toMatchObject({ code: 'joins_closed' });
		await press(late, 0);
		await effective(stand.all, 0);
	}, 300_000);
});
