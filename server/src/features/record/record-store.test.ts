import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import { insertEntry, listEntries } from './record-store.ts';

describe('the record', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test?.close());

	it('keeps what was done, in order, a page at a time', async () => {
		const { db } = test.database;
		await db.transaction().execute(async (tx) => {
			await insertEntry(tx, {
				at: 1_000,
				actor: 'duty@example.org',
				action: 'level.switch',
				reason: 'p95',
				before: { level: 0 },
				after: { level: 1 }
			});
			await insertEntry(tx, {
				at: 2_000,
				actor: 'duty@example.org',
				action: 'level.switch',
				after: { level: 0 }
			});
		});
		const first = await listEntries(db, 0, 1);
		expect(first).toMatchObject([{ at: 1_000, before: { level: 0 }, after: { level: 1 }, reason: 'p95' }]);
		expect(await listEntries(db, first[0]!.id, 10)).toMatchObject([{ at: 2_000, before: null }]);
	});

	it('is append-only, whoever asks', async () => {
		const { db } = test.database;
		await expect(sql`update record set reason = 'changed'`.execute(db)).rejects.toThrow('append-only');
		await expect(sql`delete from record`.execute(db)).rejects.toThrow('append-only');
		await expect(sql`truncate record`.execute(db)).rejects.toThrow('append-only');
	});

	it('writes nothing when the action itself fails', async () => {
		const { db } = test.database;
		const before = await listEntries(db, 0, 100);
		const action = db.transaction().execute(async (tx) => {
			await insertEntry(tx, { at: 3_000, actor: 'x', action: 'never' });
			throw new Error('no');
		});
		await expect(action).rejects.toThrow('no');
		expect(await listEntries(db, 0, 100)).toEqual(before);
	});
});
