import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dispatch } from '../../../contract/index.ts';
import {
	createLog,
	createTestClock,
	createTestDatabase,
	type TestDatabase
} from '../../../test/kit/index.ts';
import { createNotices } from '../../platform/notices/notices.ts';
import { createHub } from '../../platform/realtime/hub.ts';
import { createSite } from '../site/index.ts';
import { createBoard } from './board.ts';
import { ensureDemoTeams } from './demo-teams.ts';
import { createOrderCommands } from './order-commands.ts';

describe('two instances', () => {
	const { site } = createSite({});
	const scope = { season: 'test', site: site.id };
	// Stands still: only what is told is heard, nothing is looked for.
	const clock = createTestClock();
	let database: TestDatabase;
	const stops: (() => unknown)[] = [];
	beforeAll(async () => {
		database = await createTestDatabase();
		const people = { accountsOfRole: async () => [] };
		await ensureDemoTeams(database.database.db, { site, scope, people, now: clock.now() });
	});
	afterAll(async () => {
		for (const stop of stops) await stop();
		await database?.close();
	});

	const open = async () => {
		const log = createLog('silent');
		const hub = createHub(clock);
		const notices = createNotices({ database: database.database, log });
		const deps = { db: database.database.db, clock, log, hub, notices, scope };
		const board = createBoard({ ...deps, timeZone: site.timeZone, mark: 'none' });
		await notices.start();
		await board.start();
		stops.push(board.stop, notices.stop, hub.stop);
		return { board };
	};

	it('show the same order, told by the one that took the command', async () => {
		const [first, second] = [await open(), await open()];
		const orders = createOrderCommands({
			...{ clock, site, scope, mark: 'none', alarms: undefined, board: first.board, walk: () => null },
			record: { append: async () => undefined }
		});
		const account = { id: crypto.randomUUID(), email: 'crowd@example.org', name: 'Desk' };
		const request = { team: 'demo-test-team-1', place: { zone: 'core' }, task: 'Look' };
		const { body, afterCommit } = await database.database.db
			.transaction()
			.execute((tx) => orders.create(tx, { ...account, role: 'crowd-controller' }, request));
		afterCommit?.();
		const { id } = body as Dispatch;
		const shownBy = ({ board }: typeof first) => board.shown().dispatches.map((order) => order.id);
		await expect.poll(() => [shownBy(first), shownBy(second)], { timeout: 10_000 }).toEqual([[id], [id]]);
		expect(second.board.shown().teams.find((team) => team.id === request.team)?.state).toBe('busy');
	});
});
