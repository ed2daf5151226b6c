import { sql } from 'kysely';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot, SpikeNow } from '../contract/index.ts';
import { createInstances, type Instance, type Instances } from '../test/kit/instances.ts';
import { createPeopleClient } from '../test/kit/people-client.ts';
import { hasProxy, startProxy } from '../test/kit/proxy.ts';
import { hasTestValkey } from '../test/kit/test-valkey.ts';

const soon = { timeout: 60_000, interval: 200 };
const ratePerSecond = 40;
const valkeyPart = (ready: boolean) => expect.objectContaining({ name: 'valkey', ready });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Place {
	user: string;
	ticket: string;
	number: number;
	pass?: string;
	/** The how manyeth pass that was claimed. */
	passedAt?: number;
}

describe.skipIf(!hasTestValkey())('three instances are one', () => {
	let stand: Instances;
	/** Those that still live, in turn: as a proxy would hand people out. */
	let turn = 0;
	const living = new Set<Instance>();
	const next = (): Instance => [...living][turn++ % living.size]!;
	const places: Place[] = [];
	const cookies = new Map<Instance, string>();
	let epoch = 0;
	let passed = 0;

	beforeAll(async () => {
		stand = await createInstances(3, { ADMIT_PER_SECOND: String(ratePerSecond) });
		for (const instance of stand.all) {
			living.add(instance);
			cookies.set(instance, await instance.signIn('duty'));
		}
	}, 180_000);
	afterAll(() => stand?.close());

	const leaders = () => {
		const newest = Math.max(...[...living].map((instance) => instance.led()));
		return newest === 0 ? [] : [...living].filter((instance) => instance.led() === newest);
	};
	const spikeOf = async (instance: Instance): Promise<SpikeNow> => {
		const { status, body } = await instance.staff('GET', '/api/v1/spike/now', cookies.get(instance)!);
		if (status !== 200) throw new Error(`the figures answered ${status}`);
		return body as SpikeNow;
	};
	/** Tries until there is a place: the same person has the same one, however often it is asked. */
	const join = async (user: string) => {
		for (let tries = 0; tries < 60; tries++) {
			const { status, body } = await next()
				.people.post(`/queue/join?user=${user}`)
				.catch(() => ({ status: 503, body: null }));
			if (status === 200) {
				const { ticket, number, token } = body;
				const place: Place = { user, ticket, number, ...(token ? { pass: token } : {}) };
				places.push(place);
				return place;
			}
			if (status !== 503 && status !== 429) throw new Error(`join answered ${status}`);
			await sleep(500);
		}
		throw new Error(`${user} could not join`);
	};
	const claim = async (place: Place) => {
		const { user, ticket } = place;
		const { status, body } = await next().people.post(`/queue/claim?user=${user}`, { ticket });
		if (status === 200) Object.assign(place, { pass: body.token, passedAt: passed++ });
		// The turn is over: this person is not asked again.
		if (status === 410) place.pass = '';
		return status;
	};
	const released = async () => {
		const { body } = await next().people.get('/queue/progress');
		epoch = body.epoch;
		return body.released as number;
	};
	/** Everybody whose turn has come claims, until it is enough. */
	const claimUntil = async (enough: () => boolean) => {
		for (const end = Date.now() + 90_000; !enough() && Date.now() < end; await sleep(100)) {
			const upTo = await released();
			await Promise.all(
				places
					.filter(({ number, pass }) => number <= upTo && pass === undefined)
					.slice(0, 60)
					.map((place) => claim(place).catch(() => 0))
			);
		}
		expect(enough()).toBe(true);
	};
	const passesIssued = async () => {
		const { rows } = await sql<{ number: number; at: number }>`select number,
			(extract(epoch from claimed_at) * 1000)::float8 as at from passes order by claimed_at`.execute(
			stand.database.database.db
		);
		return rows;
	};

	it('lets 0 to 5,000 people join in ten seconds, and passes keep the rate', async () => {
		await expect.poll(leaders, soon).toHaveLength(1);
		for (let second = 0; second < 10; second++) {
			const until = sleep(1_000);
			await Promise.all(Array.from({ length: 500 }, (_, i) => join(`p${second}-${i}`)));
			await until;
		}
		expect(new Set(places.map(({ number }) => number)).size).toBe(5_000);
		await claimUntil(() => passed >= 5 * ratePerSecond);
		const passes = await passesIssued();
		expect(new Set(passes.map(({ number }) => number)).size).toBe(passes.length);
		// In any span of up to a minute: the target and one tick, whichever instances issued them.
		for (let first = 0; first < passes.length; first += 7) {
			for (let last = first; last < passes.length; last += 13) {
				const seconds = (passes[last]!.at - passes[first]!.at) / 1_000;
				expect(last - first + 1).toBeLessThanOrEqual(Math.ceil(ratePerSecond * (seconds + 1)) + 1);
			}
		}
	}, 240_000);

	it('shows the same on the screens of every instance, and on each says which instances there are', async () => {
		await expect
			.poll(async () => (await spikeOf(next())).instances?.map(({ quality }) => quality), soon)
			.toEqual(['live', 'live', 'live']);
		const states = stand.all.map(() => new Map<number, string>());
		const sockets = stand.all.map((instance, index) => {
			const socket = io(`${instance.url}/live`, {
				...{ transports: ['websocket'], reconnection: false, forceNew: true },
				extraHeaders: { cookie: cookies.get(instance)! }
			});
			let seq = -1;
			const note = (message: { seq: number }, state: { now?: SpikeNow }) => {
				expect(seq === -1 || message.seq === seq + 1).toBe(true);
				seq = message.seq;
				if (state.now) states[index]!.set(state.now.at, JSON.stringify(state.now));
			};
			socket.on('snapshot', (message: Snapshot) => note(message, message.state));
			socket.on('patch', (message) => note(message, message.changes));
			socket.on('connect', () => socket.emit('subscribe', 'spike', () => undefined));
			return socket;
		});
		const common = () => [...states[0]!].filter(([at]) => states.every((known) => known.has(at)));
		await expect.poll(() => common().length, soon).toBeGreaterThan(2);
		for (const [at, text] of common()) for (const known of states) expect(known.get(at)).toBe(text);
		for (const socket of sockets) socket.close();
		const { instances } = await spikeOf(next());
		expect(instances!.filter(({ leads }) => leads)).toHaveLength(1);
		const shares = instances!.reduce((sum, { share }) => sum + (share ?? 0), 0);
		expect(shares === 0 || Math.abs(shares - 1) < 0.05).toBe(true);
	}, 120_000);

	it("takes the duty manager's hand, a recount and a signing-out on any instance, for all", async () => {
		const [leader] = leaders();
		const follower = [...living].find((instance) => instance !== leader)!;
		const cookie = cookies.get(follower)!;
		const { status } = await follower.staff('PUT', '/api/v1/queue/rate', cookie, {
			perSecond: ratePerSecond / 2,
			reason: 'a test of the hand'
		});
		expect(status).toBe(200);
		const rateOf = async (instance: Instance) => (await spikeOf(instance)).rate.managerPerSecond;
		for (const instance of living) await expect.poll(() => rateOf(instance), soon).toBe(ratePerSecond / 2);

		const zones = async (instance: Instance) =>
			(await instance.staff('GET', '/api/v1/zones', cookies.get(instance)!)).body.zones as {
				id: string;
				present: number | null;
				capacity: number;
			}[];
		const [zone] = await zones(follower);
		for (const [index, instance] of [...living].entries()) {
			const present = Math.round(zone!.capacity / 10) + index;
			const counted = await instance.staff(
				'POST',
				`/api/v1/zones/${zone!.id}/recount`,
				await instance.signIn('crowd'),
				{ present, reason: 'counted by hand' }
			);
			expect(counted.status).toBe(200);
			const { rows } = await sql<{ present: number }>`select present::int from zone_anchors
				where zone = ${zone!.id} order by id desc limit 1`.execute(stand.database.database.db);
			expect(rows[0]!.present).toBe(present);
		}

		const viewer = await follower.signIn('viewer');
		const socket = io(`${leader!.url}/live`, {
			...{ transports: ['websocket'], reconnection: false, forceNew: true },
			extraHeaders: { cookie: viewer }
		});
		await new Promise((resolve) => socket.on('connect', () => resolve(null)));
		const ended = new Promise((resolve) => socket.on('disconnect', resolve));
		await follower.staff('DELETE', '/api/v1/session', viewer);
		await ended;
	}, 120_000);

	it('counts the eight inside of an instance that was killed, and lets them book through another', async () => {
		const victim = [...living].find((instance) => instance !== leaders()[0])!;
		const already = passed;
		await claimUntil(() => passed >= already + 8);
		const inside = places.filter(({ passedAt = -1 }) => passedAt >= already).slice(0, 8);
		expect(inside).toHaveLength(8);
		// Their passes were handed out once more by the one that dies: it held them as any other does.
		for (const { user, ticket } of inside)
			expect((await victim.people.post(`/queue/claim?user=${user}`, { ticket })).status).toBe(200);
		living.delete(victim);
		await victim.kill('SIGKILL');
		await sleep(1_000);
		const { body: after } = await next().people.get('/stats');
		expect(after.active).toBeGreaterThanOrEqual(8);
		const { body: slots } = await next().people.get('/slots');
		const [slot] = (slots.slots ?? slots) as { id?: string; slot?: string }[];
		for (const { user, pass } of inside) {
			const booked = await next().people.post(
				`/book?user=${user}`,
				{ slot: slot!.id ?? slot!.slot },
				{ 'x-token': pass! }
			);
			expect(booked.status, JSON.stringify(booked.body)).toBe(200);
		}
		await expect
			.poll(async () => (await next().people.get('/stats')).body.active, soon)
			.toBeLessThanOrEqual(after.active - 8 + ratePerSecond);
		await expect
			.poll(
				async () => (await spikeOf(next())).instances?.filter(({ quality }) => quality === 'stale').length,
				soon
			)
			.toBe(1);
	}, 120_000);

	it('follows when the one that decides freezes, and nothing changes when that one wakes', async () => {
		const [leader] = leaders();
		const others = [...living].filter((instance) => instance !== leader);
		const term = leader!.led();
		leader!.setFrozen(true);
		living.delete(leader!);
		await expect
			.poll(() => Math.max(...others.map((instance) => instance.led())), soon)
			.toBeGreaterThan(term);
		const [heir] = others.filter((instance) => instance.led() > term);
		await heir!.staff('PUT', '/api/v1/queue/rate', cookies.get(heir!)!, {
			perSecond: 7,
			reason: 'while it sleeps'
		});
		const issued = (await next().people.get('/queue/progress')).body.issued as number;
		leader!.setFrozen(false);
		living.add(leader!);
		await expect
			.poll(async () => (await spikeOf(leader!).catch(() => null))?.rate.managerPerSecond, soon)
			.toBe(7);
		await sleep(3_000);
		expect(leader!.led()).toBe(term);
		for (const instance of living) {
			expect((await spikeOf(instance)).rate.managerPerSecond).toBe(7);
			const { body } = await instance.people.get('/queue/progress');
			expect([body.issued, body.epoch]).toEqual([issued, epoch]);
		}
		const { rows } = await sql<{
			term: number;
		}>`select term from leaders where name like 'conductor %'`.execute(stand.database.database.db);
		expect(Number(rows[0]!.term)).toBe(heir!.led());
	}, 120_000);

	it('says that Valkey is gone, and when it comes back empty nobody has lost a place or won a second pass', async () => {
		const waiting = places.filter(({ pass }) => pass === undefined);
		waiting.sort((a, b) => a.number - b.number).splice(0, waiting.length - 40);
		const held = places.filter(({ passedAt = -1 }) => passedAt >= passed - 5);
		const issuedBefore = await passesIssued();
		await stand.valkey.setReachable(false);
		for (const instance of living) {
			// Whoever has been admitted can still book here: the instance stays in service, and says what is missing.
			await expect
				.poll(async () => (await instance.people.get('/readyz')).body, soon)
				.toMatchObject({ ready: true, parts: expect.arrayContaining([valkeyPart(false)]) });
			await expect
				.poll(async () => (await spikeOf(instance)).dependencies.find(({ name }) => name === 'valkey'), soon)
				.toMatchObject({ state: 'down', since: expect.any(Number) });
		}
		const refused = await next().people.post('/queue/join?user=meanwhile');
		expect(refused.status).toBe(503);
		await stand.valkey.kill();
		await sleep(1_000);
		await stand.valkey.start();
		await stand.valkey.setReachable(true);
		for (const instance of living)
			await expect
				.poll(async () => (await instance.people.get('/readyz')).body, soon)
				.toMatchObject({ parts: expect.arrayContaining([valkeyPart(true)]) });
		for (const { user, ticket, number } of waiting) {
			const again = async () => (await next().people.post(`/queue/join?user=${user}`)).body.number;
			await expect.poll(again, soon).toBe(number);
			// One instance may still be reading the room anew: it says 503 for that moment, and nothing else.
			const asked = `/queue/status?user=${user}&ticket=${encodeURIComponent(ticket)}`;
			const statuses: number[] = [];
			const ask = async () => {
				const { status } = await next().people.get(asked);
				statuses.push(status);
				return status;
			};
			await expect.poll(ask, soon).toBe(200);
			expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
		}
		for (const { user, ticket, pass } of held) {
			const again = await next().people.post(`/queue/claim?user=${user}`, { ticket });
			// Booked or run out meanwhile, it is none at all; never another one.
			if (again.status === 200) expect(again.body.token).toBe(pass);
			else expect(again.status).toBe(410);
		}
		const passes = await passesIssued();
		expect(new Set(passes.map(({ number }) => number)).size).toBe(passes.length);
		for (const { number, at } of issuedBefore)
			expect(passes.find((pass) => pass.number === number)?.at).toBe(at);
	}, 180_000);

	it.skipIf(!hasProxy())(
		'asks the servers once a second for what everybody reads, and keeps nothing personal',
		async () => {
			const proxy = await startProxy([...living].map(({ url }) => url));
			const through = createPeopleClient(proxy.url, 50);
			try {
				const answers = await Promise.all(Array.from({ length: 300 }, () => through.get('/queue/progress')));
				const asked = answers.filter(
					({ headers }) => headers['x-cache'] === 'MISS' || headers['x-cache'] === 'EXPIRED'
				);
				const seconds = new Set(answers.map(({ body }) => Math.floor(body.serverTime / 1_000))).size;
				expect(answers.every(({ status }) => status === 200)).toBe(true);
				expect(asked.length).toBeLessThanOrEqual(2 * seconds);
				const before = answers[0]!.body.serverTime as number;
				await expect
					.poll(async () => (await through.get('/queue/progress')).body.serverTime as number, soon)
					.toBeGreaterThan(before + 1_000);

				// Two people, one path: each gets what is theirs, from a server, every time.
				const numberOf = async (user: string) => (await through.post(`/queue/join?user=${user}`)).body.number;
				for (const user of ['one', 'two']) await expect.poll(() => numberOf(user), soon).toBeTypeOf('number');
				const numbers = await Promise.all(['one', 'two', 'one', 'two'].map(numberOf));
				expect(numbers[0]).toBe(numbers[2]);
				expect(numbers[1]).toBe(numbers[3]);
				expect(numbers[0]).not.toBe(numbers[1]);
				const mine = await through.get('/permits/mine?user=one');
				expect(mine.headers['x-cache']).toBeUndefined();
				// A stranger on the other side is no neighbour of the server, whatever it says of itself.
				const ready = await through.get('/readyz', { 'x-forwarded-for': '127.0.0.1' });
				expect(ready.body).toEqual({ ready: true });
				expect((await through.get('/metrics')).status).toBe(404);

				const socket = io(`${proxy.url}/live`, {
					...{ transports: ['websocket'], reconnection: false, forceNew: true },
					extraHeaders: { cookie: cookies.get([...living][0]!)! }
				});
				const connected = new Promise((resolve, reject) => {
					socket.on('connect', () => resolve(true));
					socket.on('connect_error', reject);
				});
				expect(await connected).toBe(true);
				socket.close();
			} finally {
				through.close();
				await proxy.stop();
			}
		},
		60_000
	);
});
