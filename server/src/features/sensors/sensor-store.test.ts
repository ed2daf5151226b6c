import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { buildSite } from '../site/index.ts';
import { reading, startAt } from './device.fixture.ts';
import { createLedger } from './ledger.ts';
import type { Reading } from './reading.ts';
import { forgetOld, loadDevices, saveBatch, sumFlows } from './sensor-store.ts';

const site = buildSite(smallSite());
const newLedger = (counters = site.countersByDevice) =>
	createLedger(counters, { simulatedAllowed: true, isOnChangeOnly: (adapter) => adapter === 'frigate' });

describe('stored counts', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	const save = (ledger: ReturnType<typeof newLedger>, name: string) =>
		test.database.db.transaction().execute(async (tx) => {
			const batch = ledger.takeBatch();
			if (batch) await saveBatch(tx, name, batch);
		});
	const take = (ledger: ReturnType<typeof newLedger>, one: Reading) =>
		ledger.take({ kind: 'reading', reading: one }, one.receivedAt);

	it('come back as they were: totals, order, duplicates by sequence and by time', async () => {
		const before = newLedger();
		take(before, reading(0, { in: 5, out: 1 }, { order: { session: 'a', seq: 7 } }));
		take(before, reading(5, { in: 2 }, { device: 'door-2' }));
		before.take({ kind: 'refused', device: 'door-1', reason: 'bad_json' }, startAt);
		await save(before, 'back');
		const after = newLedger();
		expect(await loadDevices(test.database.db, 'back', after.devices)).toEqual([]);
		expect(after.devices.get('door-1')).toEqual(before.devices.get('door-1'));
		expect(take(after, reading(0, { in: 5, out: 1 }, { order: { session: 'a', seq: 7 } })).reason).toBe(
			'duplicate'
		);
		expect(take(after, reading(5, { in: 2 }, { device: 'door-2' })).reason).toBe('duplicate');
		expect(take(after, reading(10, { in: 2 }, { device: 'door-2' })).reason).toBeNull();
	});

	it('of a batch that failed are written with the next one, once', async () => {
		const ledger = newLedger();
		take(ledger, reading(0, { in: 3 }));
		const failed = ledger.takeBatch();
		take(ledger, reading(5, { in: 4 }));
		if (failed) ledger.putBack(failed);
		await save(ledger, 'again');
		await save(ledger, 'again');
		const period = { from: startAt, to: startAt + 60_000 };
		expect(await sumFlows(test.database.db, 'again', period)).toEqual(
			new Map([['door-1', { in: 7, out: 0 }]])
		);
	});

	it('are summed by whole minutes', async () => {
		const ledger = newLedger();
		take(ledger, reading(0, { in: 3 }));
		take(ledger, reading(61, { in: 4 }));
		await save(ledger, 'minutes');
		const sum = (from: number, to: number) =>
			sumFlows(test.database.db, 'minutes', { from: startAt + from * 1_000, to: startAt + to * 1_000 });
		expect((await sum(0, 60)).get('door-1')?.in).toBe(3);
		expect((await sum(30, 120)).get('door-1')?.in).toBe(7);
		expect((await sum(60, 120)).get('door-1')?.in).toBe(4);
	});

	it('keep the people of a counter that left the site file', async () => {
		const ledger = newLedger();
		take(ledger, reading(0, { in: 30, out: 4 }));
		await save(ledger, 'retired');
		const withoutDoor = newLedger(
			new Map([...site.countersByDevice].filter(([device]) => device !== 'door-1'))
		);
		expect(await loadDevices(test.database.db, 'retired', withoutDoor.devices)).toEqual([
			{ fromZone: null, toZone: 'hall', totalIn: 30, totalOut: 4 }
		]);
	});

	it('lose what is too old to be sent again, and nothing else', async () => {
		const ledger = newLedger();
		take(ledger, reading(0, { in: 1 }));
		take(ledger, reading(100, { in: 1 }));
		await save(ledger, 'old');
		const { db } = test.database;
		await forgetOld(db, { keys: startAt + 50_000, flows: startAt + 60_000 });
		expect(
			await db.selectFrom('sensor_message_keys').selectAll().where('site', '=', 'old').execute()
		).toHaveLength(1);
		expect(await db.selectFrom('sensor_flows').selectAll().where('site', '=', 'old').execute()).toHaveLength(
			1
		);
		expect(
			(await db.selectFrom('sensor_counters').selectAll().where('site', '=', 'old').execute())[0]?.total_in
		).toBe(2);
	});
});
