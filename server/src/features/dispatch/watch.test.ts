import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, Alarm, Dispatch, Gate, Zone } from '../../../contract/index.ts';
import {
	createLog,
	createTestClock,
	createTestDatabase,
	type TestDatabase
} from '../../../test/kit/index.ts';
import type { TestClock } from '../../platform/clock.ts';
import { createNotices, type Notices } from '../../platform/notices/notices.ts';
import { createHub, type Hub } from '../../platform/realtime/hub.ts';
import { createRecord } from '../record/index.ts';
import { createSite } from '../site/index.ts';
import { createDispatch, type AlarmPort, type Dispatching } from './index.ts';
import { findOrder, forgetOrderWords } from './order-store.ts';
import { createOrderCommands } from './order-commands.ts';

const minute = 60_000;
const account: Account = {
	id: crypto.randomUUID(),
	email: 'crowd@example.org',
	name: 'Desk',
	role: 'crowd-controller'
};
const { site } = createSite({});
/** At this pace less than ten minutes pass while a slow machine is waited for. */
const wait = { timeout: 25_000, interval: 50 };

describe('what happens by itself', () => {
	let database: TestDatabase;
	let clock: TestClock;
	let folder: string;
	let dispatch: Dispatching;
	let hub: Hub;
	let notices: Notices;
	let heat: number | null = null;
	const fed = new Map<string, string>();
	let raised: string[] = [];
	const port: AlarmPort = {
		define: () => undefined,
		feed: (key, { id }, { state }) => void fed.set(`${key} ${id}`, state),
		raised: () => raised,
		link: async () => true
	};
	const alarms = {
		raised: (key: string) =>
			dispatch
				.conditions()
				.flatMap((condition) =>
					condition.key === key && condition.state === 'on' ? [condition.subject.id] : []
				)
	};
	beforeAll(async () => {
		database = await createTestDatabase();
		folder = await mkdtemp(path.join(tmpdir(), 'marsad-sheets-'));
		clock = createTestClock();
		notices = createNotices({ database: database.database, log: createLog('silent') });
		await notices.start();
	});
	afterAll(async () => {
		await notices?.stop();
		await database?.close();
		await rm(folder, { recursive: true, force: true });
	});

	/** One server's part, from the store. */
	const open = async () => {
		const { db } = database.database;
		const record = createRecord({ db, clock });
		hub = createHub(clock);
		dispatch = createDispatch({
			...{ db, clock, record, site, log: createLog('silent'), hub, notices },
			...{ season: 'test', mark: 'simulated', demo: true, sheetFolder: folder, leads: () => true },
			people: { accountsOfRole: async () => [], peopleOfRole: async () => [] },
			zones: {
				list: () => [{ ...zoneOf('core'), heat: heat === null ? null : { wbgtCelsius: heat, at: 0 } } as Zone]
			},
			alarms: port,
			sources: {
				alarms: () => [alarmLine, causeKnown],
				gates: () => [heldGate],
				level: () => ({ level: 0, name: { ar: 'طبيعي', en: 'Normal' }, since: 0, by: null, reason: null })
			}
		});
		await dispatch.start!();
	};
	beforeEach(open);
	afterEach(() => dispatch.stop!());

	const commands = () =>
		createOrderCommands({
			...{ clock, site, scope: { season: 'test', site: site.id }, mark: 'simulated', alarms: undefined },
			record: { append: async () => undefined },
			board: {
				tell: (tx) => notices.send(tx, 'dispatch.changed', { season: 'test', site: site.id }),
				refresh: () => undefined
			},
			walk: () => null
		});
	/** Runs a command and waits, without time passing, until the board has read it. */
	const run = async (act: (tx: never) => Promise<{ body: unknown }>) => {
		const { body } = await database.database.db.transaction().execute((tx) => act(tx as never));
		const order = body as Dispatch;
		const traits = (of: Dispatch | undefined) => of && [of.steps.length, of.welfare?.lastAt];
		await expect.poll(() => traits(shown(order.id)), wait).toEqual(traits(order));
		return order;
	};
	const send = (number: number, more: object = {}) =>
		run((tx) =>
			commands().create(tx, account, {
				...{ team: `demo-test-team-${number}`, place: { zone: 'core' }, task: 'Look', ...more }
			})
		);
	const move = (id: string, status: 'on-the-way' | 'done' | 'cannot' | 'cancelled') =>
		run((tx) => commands().move(tx, account, id, { status, reason: 'for the test' }));
	const shown = (id: string) => dispatch.shown().dispatches.find((order) => order.id === id);
	/** Lets the time pass, second by second at its end, and the store be read. */
	const pass = async (ms: number, until: () => void) => {
		clock.advance(ms);
		await expect
			.poll(() => {
				clock.advance(1_000);
				until();
				return true;
			}, wait)
			.toBe(true);
	};

	it('says after 60 s that nobody acknowledged, and stops saying it', async () => {
		const { id } = await send(1);
		clock.advance(59_000);
		expect(shown(id)?.unanswered).toBe(false);
		expect(alarms.raised('dispatch-unanswered')).toEqual([]);
		clock.advance(1_000);
		expect(shown(id)?.unanswered).toBe(true);
		expect(alarms.raised('dispatch-unanswered')).toEqual([id]);
		await move(id, 'on-the-way');
		await pass(5_000, () => expect(alarms.raised('dispatch-unanswered')).toEqual([]));
		await move(id, 'cancelled');
	});

	it('rings when a team out in the field missed two signs of life; after a restart, too', async () => {
		const { id } = await send(1);
		await move(id, 'on-the-way');
		await pass(20 * minute, () => expect(shown(id)?.welfare?.missed).toBe(1));
		expect(alarms.raised('dispatch-welfare')).toEqual([]);
		await dispatch.stop!();
		await open();
		expect(shown(id)?.welfare).toMatchObject({ missed: 1 });
		await pass(20 * minute, () => expect(alarms.raised('dispatch-welfare')).toEqual([id]));
		await run((tx) => commands().well(tx, account, id, {}));
		await pass(5_000, () => expect(alarms.raised('dispatch-welfare')).toEqual([]));
		await move(id, 'cancelled');
	});

	it('asks twice as often in heat, and goes on when the heat is not known any more', async () => {
		const { id } = await send(2);
		await move(id, 'on-the-way');
		heat = 33;
		await pass(5_000, () => expect(shown(id)?.welfare).toMatchObject({ heat: true, everyMs: 10 * minute }));
		heat = null;
		await pass(20 * minute, () => expect(alarms.raised('dispatch-welfare')).toEqual([id]));
		await move(id, 'done');
		await pass(5_000, () => expect(alarms.raised('dispatch-welfare')).toEqual([]));
	});

	it('begins a job of the future in its time, once', async () => {
		const { id } = await send(3, { startsAt: clock.now() + 10 * minute });
		clock.advance(9 * minute);
		expect(shown(id)?.state).toBe('reserved');
		await pass(minute, () => expect(shown(id)?.state).toBe('sent'));
		expect(shown(id)!.steps.map(({ state }) => state)).toEqual(['reserved', 'sent']);
		await pass(minute, () => expect(alarms.raised('dispatch-unanswered')).toEqual([id]));
		await move(id, 'cannot');
		await pass(5_000, () => expect(alarms.raised('dispatch-returned')).toEqual([id]));
		expect(alarms.raised('dispatch-unanswered')).toEqual([]);
		const next = await send(4, { replaces: id });
		await pass(5_000, () => expect(alarms.raised('dispatch-returned')).toEqual([]));
		await move(next.id, 'cancelled');
	});

	it('keeps what is over on the board for half an hour', async () => {
		const { id } = await send(1);
		await move(id, 'cancelled');
		const onGlass = () => hub.snapshot('dispatch').state[`dispatch:${id}`] as Dispatch | undefined;
		await pass(5_000, () => expect(onGlass()?.state).toBe('cancelled'));
		await pass(31 * minute, () => expect(onGlass()).toBeUndefined());
	});

	it('deletes the words of what is long over, and keeps the clocks', async () => {
		const { id } = await send(1);
		await move(id, 'cancelled');
		const { db } = database.database;
		const scope = { season: 'test', site: site.id };
		await forgetOrderWords(db, clock.now() - minute);
		expect((await findOrder(db, scope, id))?.task).toBe('Look');
		await forgetOrderWords(db, clock.now() + minute);
		expect(await findOrder(db, scope, id)).toMatchObject({ task: null, reason: null, state: 'cancelled' });
	});

	it('knows nothing, and says so, when it cannot look', async () => {
		const { id } = await send(1);
		await dispatch.stop!();
		const own = dispatch.conditions().filter(({ subject }) => subject.id === id);
		expect(own.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
		await open();
		await move(id, 'cancelled');
	});

	it('feeds every order to the alarms, and ends what rings about one that is not listed', async () => {
		const { id } = await send(1);
		await pass(61_000, () => expect(fed.get(`dispatch-unanswered ${id}`)).toBe('on'));
		expect(fed.get(`dispatch-welfare ${id}`)).toBe('off');
		raised = ['long-gone'];
		await pass(1_000, () => expect(fed.get('dispatch-welfare long-gone')).toBe('off'));
		raised = [];
		await move(id, 'cancelled');
	});

	it('keeps a state sheet every 15 minutes: in the store and as a page in both languages', async () => {
		const own = path.join(folder, site.id);
		const names = async () => (await readdir(own)).filter((name) => name.endsWith('.html')).toSorted();
		const before = (await names()).length;
		for (let sheets = 1; sheets <= 2; sheets++) {
			clock.advance(15 * minute);
			await expect.poll(async () => (await names()).length, wait).toBe(before + sheets);
		}
		const page = await readFile(path.join(own, (await names()).at(-1)!), 'utf8');
		for (const text of [
			'dir="rtl"',
			'ورقة الحالة',
			'State sheet',
			'SIMULATED',
			'Team 1',
			'فريق 1',
			'\u2068cam-7\u2069 · &#60;b&#62;'
		])
			expect(page).toContain(text);
		expect(page).not.toMatch(/<script|<b>loud|undefined|null|put aside/);
	});
});

const alarmLine = {
	...{ id: 'a', priority: 'high', state: 'unacknowledged', raisedAt: 0, shelved: null, suppressed: null },
	title: { ar: 'إنذار', en: '<b>loud</b>' },
	subject: { kind: 'device', id: 'cam-7', names: { ar: 'cam-7', en: 'cam-7' } }
} as Alarm;
const causeKnown = {
	...alarmLine,
	...{
		id: 'b',
		title: { ar: 'مكتوم', en: 'put aside' },
		suppressed: { since: 0, why: { ar: 'السبب معروف', en: 'known' } }
	}
} as Alarm;
const heldGate = {
	...{
		id: 'gate-1',
		names: { ar: 'البوابة 1', en: 'Gate 1' },
		direction: 'in',
		confirmed: null,
		difference: null
	},
	commanded: { state: 'held', at: 0, by: 'Desk', reason: 'full', ratePerMinute: null, holdUntil: null }
} as unknown as Gate;

function zoneOf(id: string): Partial<Zone> {
	const zone = site.zones.get(id)!;
	return {
		id,
		names: zone.names,
		present: null,
		capacity: zone.capacity,
		quality: 'unknown',
		lastKnown: null
	};
}
