import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './kit/index.ts';

describe('junk at the door', () => {
	let test: TestApp;
	beforeAll(async () => {
		test = await createTestApp();
	});
	afterAll(() => test?.close());

	const tickets = async () => {
		const result = await sql<{ count: number; last: number }>`
			select (select count(*) from tickets)::int as count, (select max(last_number) from rooms)::int as last`.execute(
			test.database.database.db
		);
		return result.rows[0];
	};
	const join = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
		test.call('POST', `/queue/join${path}`, { body, headers });

	it('uses up no number, is refused with a reason, and a real person is served beside it', async () => {
		const before = await tickets();
		const junk: [number[], () => ReturnType<typeof join>][] = [
			[[401], () => join('')],
			[[401], () => join('', { user: '' })],
			[[401], () => join('', { user: 'x'.repeat(500) })],
			[[401], () => join('?user=a&user=b')],
			[[401], () => join('', {}, { authorization: 'Bearer forged.token.here' })],
			[[400, 422], () => join('', { user: 'junk-1', party: 'many' })],
			[[400, 422], () => join('', { user: 'junk-2', party: -4 })],
			[[400, 422], () => join('', { user: 'junk-3', party: 1e9 })]
		];
		for (let round = 0; round < 25; round++) {
			const answers = await Promise.all(
				junk.map(async ([statuses, send]) => [statuses, (await send()).status] as const)
			);
			for (const [statuses, status] of answers) expect(statuses).toContain(status);
		}
		const broken = await fetch(`${test.url}/queue/join`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"user": '
		});
		expect(broken.status).toBe(400);
		expect(await tickets()).toEqual(before);
		const person = await join('', { user: 'real' });
		expect(person.status).toBe(200);
		expect(person.body.number).toBe((before?.last ?? 0) + 1);
	});
});
