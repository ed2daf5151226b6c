import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestDatabase, onServer, type TestDatabase } from './kit/index.ts';
import { createPeopleClient } from './kit/people-client.ts';
import { startServerProcess, type ServerProcess } from './kit/server-process.ts';

const password = 'watch-tower-test';
const people = 100;
const keep = 10;
const affected = people - keep;

/** Each change of an affected permit takes its time, so that a kill falls into the middle of many. */
const slowDown = `
	create function take_time() returns trigger language plpgsql as
		'begin perform pg_sleep(0.02); return new; end';
	create trigger take_time before update on reduction_permits for each row execute function take_time()`;

interface Row {
	permit: string;
	state: string;
	successor: string | null;
}

let database: TestDatabase | null = null;
let dataDir = '';
let server: ServerProcess | null = null;
afterEach(async () => {
	await server?.kill('SIGTERM');
	server = null;
	await database?.close();
	database = null;
	await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const sql = <T extends object>(text: string) => onServer<T>(database!.url, text);
const rows = () => sql<Row>('select permit, state, successor from reduction_permits order by position');
const inState = async (state: string) => (await rows()).filter((row) => row.state === state);
/** What a killed server had begun is over, one way or the other. */
const settledDown = () =>
	until('the end of its connections', async () => {
		const [left] = await sql<{ count: number }>(
			'select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
		);
		return left?.count === 0;
	});
const held = () => sql<{ id: string }>(`select id from permits where state = 'held'`);

async function until<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
	const endsAt = Date.now() + 60_000;
	while (Date.now() < endsAt) {
		const got = await ask();
		if (got) return got;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	throw new Error(
		`${what} never came: ${JSON.stringify(await rows().catch(() => null))} ${server?.output()}`
	);
}

async function start(): Promise<ServerProcess> {
	const env = { LAB: '1', LAB_CHECK_MS: '1', DEMO_PASSWORD: password, DATA_DIR: dataDir };
	return (server = await startServerProcess({ ...env, DATABASE_URL: database!.url }));
}

/** Calls of the duty manager, who signs in anew at each process. */
async function dutyAt({ url }: ServerProcess) {
	const call = async (method: string, target: string, body?: object, cookie = '') => {
		const response = await fetch(`${url}/api/v1/${target}`, {
			method,
			headers: {
				...{ 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
				...(cookie ? { cookie } : {})
			},
			...(body ? { body: JSON.stringify(body) } : {})
		});
		return { response, body: (await response.json()) as ReturnType<JSON['parse']> };
	};
	const { response } = await call('POST', 'session', { email: 'duty@example.org', password });
	const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
	return async (method: string, target: string, body?: object) => {
		const answer = await call(method, target, body, cookie);
		if (!answer.response.ok) throw new Error(`${target}: ${JSON.stringify(answer.body)}`);
		return answer.body;
	};
}

it('kill -9 in the middle of offers, and of moves: each is offered once, moved once, and nobody has two places', async () => {
	database = await createTestDatabase();
	dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-reduction-kill-'));
	let duty = await dutyAt(await start());
	await sql(slowDown);
	const { slots } = await duty('GET', 'booking/slots');
	const slot = (slots as { id: number; startsAt: number; booked: number }[])
		.filter(({ booked }) => booked === 0)
		.toSorted((a, b) => a.startsAt - b.startsAt)[0]!.id;
	const client = createPeopleClient(server!.url, 20);
	const booked = await Promise.all(
		Array.from({ length: people }, (_, n) => client.post('/book', { user: `p${n}`, slot }))
	);
	client.close();
	expect(new Set(booked.map(({ status }) => status))).toEqual(new Set([200]));
	const reduction = await duty('POST', 'reductions', {
		...{ target: { kind: 'slot', slot, capacity: keep }, withinHours: 336, otherPlaces: true },
		...{ reason: 'a lane is out of order', expectedPeople: affected }
	});
	expect(reduction.state).toBe('running');

	// The first batch of offers is there, the second one half written.
	await until('a first batch of offers', async () => (await inState('offered')).length > 0);
	await server!.kill('SIGKILL');
	await settledDown();
	const first = await inState('offered');
	expect(first.length).toBeLessThan(affected);
	expect((await held()).length, 'places are held for whom they were offered to').toBe(first.length);
	duty = await dutyAt(await start());
	const offered = await until('all offers', async () => {
		const now = await inState('offered');
		return now.length === affected && now;
	});
	expect(offered.filter(({ permit }) => first.some((row) => row.permit === permit))).toEqual(first);
	expect(new Set(offered.map(({ successor }) => successor)).size).toBe(affected);
	expect((await held()).map(({ id }) => id).sort()).toEqual(offered.map((row) => row.successor).sort());

	// Nobody answers: at the end of the time the places become theirs, and the next kill falls into that.
	await sql(
		`update reduction_permits set answer_until = now() - interval '1 second' where state = 'offered'`
	);
	await until('a first batch of moves', async () => (await inState('moved')).length > 0);
	await server!.kill('SIGKILL');
	await settledDown();
	const moved = await inState('moved');
	expect(moved.length).toBeLessThan(affected);
	duty = await dutyAt(await start());
	await until('the end of the reduction', async () => {
		const { reductions } = await duty('GET', 'reductions');
		return reductions[0].state === 'done';
	});
	const done = await rows();
	expect(done.map(({ permit, successor }) => [permit, successor])).toEqual(
		offered.map(({ permit, successor }) => [permit, successor])
	);
	expect(new Set(done.map(({ state }) => state))).toEqual(new Set(['moved']));
	expect(await held()).toEqual([]);
	const permits = await sql<{ holder: string; valid: number; permits: number }>(
		`select holder, count(*) filter (where state = 'valid')::int as valid, count(*)::int as permits
			from permits group by holder`
	);
	expect(permits.length).toBe(people);
	expect(permits.filter(({ valid }) => valid !== 1)).toEqual([]);
	expect(permits.filter((one) => one.permits === 2).length).toBe(affected);
	const ends = await sql(`select 1 from record where action = 'reduction.done'`);
	expect(ends.length).toBe(1);
	const counted = await until('a look at the counts', async () => {
		const { state } = await duty('GET', 'booking/reconciliation');
		return state !== 'unknown' && state;
	});
	expect(counted).toBe('equal');
	const { slots: after } = await duty('GET', 'booking/slots');
	expect(after.find(({ id }: { id: number }) => id === slot)).toMatchObject({ booked: keep, capacity: keep });
}, 240_000);
