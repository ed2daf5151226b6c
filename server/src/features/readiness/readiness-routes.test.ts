import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import { profileFacts, type ReadinessAnswer, type ReadinessResult } from '../../../contract/index.ts';

let test: TestApp;
let duty = '';
beforeAll(async () => {
	test = await createTestApp();
	duty = await test.signIn('duty');
});
afterAll(() => test?.close());

async function check(name: string): Promise<ReadinessResult> {
	const { spikes } = (await test.call('GET', '/api/v1/readiness', { cookie: duty })).body as ReadinessAnswer;
	return spikes[0]!.checks.find((each) => each.check === name)!;
}

/** A run as it is stored when it passed, at the rate that is set. */
async function storeRun(now: { build: string; config: string; schema: string }): Promise<void> {
	const moment = new Date();
	await sql`
		insert into runs (id, season, room, kind, profile, state, parameters, seed, reason, by_id, by_name, at,
			build, config, schema_name, rate, level, mark, started_at, ended_at, verdict, report)
		values ('r-1', 'demo', 'main', 'load', 'five-stages', 'finished',
			${JSON.stringify(profileFacts['five-stages'].defaults)}, 7, 'rehearsal', 'a', 'Duty', ${moment},
			${now.build}, ${now.config}, ${now.schema}, ${test.config.admitPerSecond.value}, 0, 'simulated',
			${moment}, ${moment}, 'passed', '{}')`.execute(test.database.database.db);
}

it('is red without a run, green with one of this build, and red again with one of another build', async () => {
	expect(await check('run')).toMatchObject({ state: 'missing', reason: 'never' });
	const { body } = await test.call('GET', '/api/v1/runs', { cookie: duty });
	await storeRun(body.now);
	expect(await check('run')).toMatchObject({ state: 'shown', run: 'r-1' });
	await sql`update runs set build = 'another' where id = 'r-1'`.execute(test.database.database.db);
	expect(await check('run')).toMatchObject({ state: 'stale', reason: 'other-build' });
});

it('takes note of what lies outside, with who said so; a viewer may look and write nothing', async () => {
	expect((await check('backup')).state).toBe('missing');
	const viewer = await test.signIn('viewer');
	const body = { kind: 'backup', reason: 'restored on the spare machine, log 2027-01-12' };
	expect((await test.call('POST', '/api/v1/readiness/notes', { cookie: viewer, body })).status).toBe(403);
	const short = { ...body, reason: 'done' };
	expect((await test.call('POST', '/api/v1/readiness/notes', { cookie: duty, body: short })).status).toBe(
		400
	);
	expect((await test.call('POST', '/api/v1/readiness/notes', { cookie: duty, body })).status).toBe(200);
	expect(await check('backup')).toMatchObject({
		...{ state: 'shown', by: 'duty@example.org', note: body.reason }
	});
	expect((await test.call('GET', '/api/v1/readiness', { cookie: viewer })).status).toBe(200);
});
