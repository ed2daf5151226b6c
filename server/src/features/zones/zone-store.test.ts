import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import { forgetSamples, insertAnchors, insertSamples, loadAnchors, loadSamples } from './zone-store.ts';
import type { ZoneSample } from './trend.ts';

const at = Date.UTC(2026, 2, 1);

describe('stored zones', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	it('count from their newest anchor', async () => {
		const { db } = test.database;
		const anchor = (zone: string, later: number, present: number) => ({
			zone,
			at: at + later,
			present,
			netFlow: -7,
			flowIn: 12,
			error: null,
			night: null,
			correction: null,
			actor: 'crowd@example.org',
			reason: 'counted'
		});
		await db
			.transaction()
			.execute((tx) => insertAnchors(tx, 'a', [anchor('hall', 0, 5), anchor('court', 0, 9)]));
		await db.transaction().execute((tx) => insertAnchors(tx, 'a', [anchor('hall', 1_000, 6)]));
		await db.transaction().execute((tx) => insertAnchors(tx, 'b', [anchor('hall', 2_000, 7)]));
		expect(await loadAnchors(db, 'a')).toEqual(
			new Map([
				['court', { at, present: 9, netFlow: -7, flowIn: 12, error: null, night: null }],
				['hall', { at: at + 1_000, present: 6, netFlow: -7, flowIn: 12, error: null, night: null }]
			])
		);
	});

	it('remember what nobody knew as nothing, not as 0', async () => {
		const { db } = test.database;
		const sample = (later: number, present: number | null): ZoneSample => ({
			zone: 'hall',
			at: at + later,
			present,
			netPerMinute: present === null ? null : 2.5,
			quality: present === null ? 'unknown' : 'live'
		});
		await insertSamples(db, 'a', [sample(0, 4)]);
		await insertSamples(db, 'a', [sample(10_000, null)]);
		await insertSamples(db, 'a', [sample(10_000, 99)]);
		expect(await loadSamples(db, 'a', at)).toEqual([sample(0, 4), sample(10_000, null)]);
		expect(await forgetSamples(db, at + 5_000)).toBe(1);
		expect(await loadSamples(db, 'a', at)).toEqual([sample(10_000, null)]);
	});
});
