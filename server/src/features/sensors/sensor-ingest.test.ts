import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	createLog,
	createTestClock,
	createTestDatabase,
	type TestDatabase
} from '../../../test/kit/index.ts';
import type { MessageHandler } from '../../platform/broker/broker.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { buildSite } from '../site/index.ts';
import { claimsOf, routesOf } from './claims.ts';
import { startAt } from './device.fixture.ts';
import { createLedger } from './ledger.ts';
import type { Seen } from './seen.ts';
import { createIngest } from './sensor-ingest.ts';

const site = buildSite(smallSite());

describe('the ingest', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	/** An ingest whose leadership and broker are in the test's hands. */
	function setUp() {
		const clock = createTestClock(startAt);
		const ledger = createLedger(site.countersByDevice, {
			simulatedAllowed: true,
			isOnChangeOnly: () => false
		});
		let handler: MessageHandler = () => undefined;
		let refuses = false;
		const outcomes = new Map<string, number>();
		const ready: (() => void)[] = [];
		const ingest = createIngest({
			site: 'test',
			ledger,
			routes: routesOf('test', claimsOf('test', site.countersByDevice)).slice(0, 1),
			broker: { subscribe: async (_filter, given) => void (handler = given), onState: () => undefined },
			leader: () => ({
				term: () => 1,
				check: async () => {
					if (refuses) throw new Error('the term is over');
				}
			}),
			database: test.database,
			clock,
			log: createLog('silent'),
			count: ({ reason }) => outcomes.set(reason ?? 'taken', (outcomes.get(reason ?? 'taken') ?? 0) + 1),
			onReady: () => ready.splice(0).forEach((told) => told())
		});
		ingest.subscribe();
		const elect = () =>
			new Promise<void>((resolve) => {
				ready.push(resolve);
				ingest.onElected();
			});
		const send = (seq: number, people: number) => {
			const body = JSON.stringify({ ts: startAt, boot: 'a', seq, in: people });
			let state: 'waiting' | 'acknowledged' | 'refused' = 'waiting';
			const info = { retained: false, qos: 1, dup: false, receivedAt: startAt };
			void Promise.resolve(handler('marsad/test/door-1/reading', Buffer.from(body), info)).then(
				() => (state = 'acknowledged'),
				() => (state = 'refused')
			);
			return () => state;
		};
		const deliver = (topic: string, body: string, qos: 0 | 1, receivedAt: number) =>
			handler(topic, Buffer.from(body), { retained: false, qos, dup: false, receivedAt });
		const stored = () =>
			test.database.db
				.selectFrom('sensor_counters')
				.selectAll()
				.where('site', '=', 'test')
				.executeTakeFirst();
		const settle = () => new Promise((resolve) => setImmediate(resolve));
		return {
			ingest,
			ledger,
			elect,
			send,
			deliver,
			stored,
			settle,
			outcomes,
			refuse: (value: boolean) => (refuses = value)
		};
	}

	it('takes nothing before it leads and knows what was stored, and loses nothing that came meanwhile', async () => {
		const { ingest, elect, send, stored, settle } = setUp();
		const early = send(1, 3);
		await ingest.flush();
		await settle();
		expect(early()).toBe('waiting');
		expect(await stored()).toBeUndefined();
		await elect();
		await settle();
		await ingest.flush();
		await settle();
		expect(early()).toBe('acknowledged');
		expect((await stored())?.total_in).toBe(3);
	});

	it('acknowledges nothing that could not be written, and writes it once when it can', async () => {
		const { ingest, elect, send, stored, settle, refuse } = setUp();
		await elect();
		refuse(true);
		const first = send(2, 4);
		await settle();
		await ingest.flush();
		await settle();
		expect(first()).toBe('waiting');
		refuse(false);
		const second = send(3, 5);
		await settle();
		await ingest.flush();
		await settle();
		expect([first(), second()]).toEqual(['acknowledged', 'acknowledged']);
		expect((await stored())?.total_in).toBe(12);
	});

	it('gives up what it has not written when it leads no more, and starts again from what is stored', async () => {
		const { ingest, ledger, elect, send, stored, settle, refuse } = setUp();
		await elect();
		refuse(true);
		const lost = send(4, 9);
		await settle();
		await ingest.flush();
		ingest.onLost();
		await settle();
		expect(lost()).toBe('refused');
		refuse(false);
		await elect();
		expect(ledger.counters.get('door-1')?.state.totalIn).toBe(12);
		// The broker sends again what was not acknowledged: it is no duplicate.
		const again = send(4, 9);
		await settle();
		await ingest.flush();
		await settle();
		expect(again()).toBe('acknowledged');
		expect((await stored())?.total_in).toBe(21);
	});

	it('leaves out a device whose state cannot be stored, and goes on with the others', async () => {
		const { ingest, ledger, elect, send, stored, settle } = setUp();
		await elect();
		const before = (await stored())!.total_in;
		// The edge refuses such text; this one stands for whatever it may not know yet.
		const poisoned = ledger.devices.get('frigate')!;
		poisoned.seen = ['a\0b'] as unknown as Seen;
		ledger.take({ kind: 'state', device: 'frigate', channel: null, online: true }, startAt);
		const good = send(90, 2);
		await settle();
		await ingest.flush();
		await settle();
		expect(good()).toBe('acknowledged');
		expect((await stored())?.total_in).toBe(before + 2);
	});

	it('counts every one of thirty thousand in a flood, good or bad, and keeps no more of them than of one', async () => {
		const { ingest, ledger, elect, deliver, outcomes } = setUp();
		await elect();
		const before = ledger.counters.get('door-2')!.state.totalIn;
		const waiting: unknown[] = [];
		const offered = { good: 0, again: 0, bad: 0, foreign: 0 };
		for (let index = 0; index < 30_000; index++) {
			const at = startAt + index * 10;
			const say = (device: string, body: string, qos: 0 | 1) =>
				waiting.push(deliver(`marsad/test/${device}/reading`, body, qos, at));
			const kind = index % 10;
			const body = (seq: number) => JSON.stringify({ ts: at, boot: 'flood', seq, in: 1 });
			if (kind === 7 && ++offered.bad) say('door-2', '{"ts":', 0);
			else if (kind === 8 && ++offered.foreign) say('nobody', body(index), 0);
			else if (kind === 9 && ++offered.again) say('door-2', body(offered.good - 1), 1);
			else say('door-2', body(offered.good++), kind === 0 ? 1 : 0);
			if (index % 5_000 === 0) await ingest.flush();
		}
		await ingest.flush();
		await Promise.all(waiting);
		expect(Object.fromEntries(outcomes)).toEqual({
			taken: offered.good,
			duplicate: offered.again,
			bad_json: offered.bad,
			unknown_device: offered.foreign
		});
		expect(ledger.counters.get('door-2')!.state.totalIn - before).toBe(offered.good);
		const { seen, seenKeys, seenTimes } = ledger.devices.get('door-2')!;
		expect(seen.find(({ boot }) => boot === 'flood')?.ranges).toEqual([[0, offered.good - 1]]);
		expect([seenKeys.size, seenTimes.size]).toEqual([0, 0]);
		expect(ledger.takeBatch()).toBeNull();
	});
});
