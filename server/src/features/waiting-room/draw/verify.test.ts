import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/kit/index.ts';
import type { DrawFacts } from '../../../../contract/index.ts';

const script = fileURLToPath(new URL('../../../../../web/static/verify-draw.mjs', import.meta.url));
interface Verifier {
	verifyDraw(
		facts: object,
		text: string
	): Promise<{ ok: boolean; checks: { name: string; ok: boolean }[]; order: string[] }>;
	checkProof(proof: object, root: string): Promise<boolean>;
}
const people = 120;

/** As anybody runs it. */
function runScript(...args: string[]): Promise<{ code: number; said: string }> {
	return new Promise((resolve) => {
		execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
			resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr })
		);
	});
}

describe('a draw of a running server, recomputed by anybody', () => {
	let app: TestApp;
	let facts: DrawFacts;
	let list: string;
	const tickets = new Map<string, { ticket: string; entry: string }>();
	beforeAll(async () => {
		app = await createTestApp();
		const cookie = await app.signIn('duty');
		// Nothing is announced: no fault, and the command says so in words.
		expect((await app.call('GET', '/queue/draw')).status).toBe(204);
		expect(await runScript(app.url)).toMatchObject({ code: 2, said: 'No draw has been announced yet.\n' });
		const put = async (change: object) => {
			const { status, body } = await app.call('PUT', '/api/v1/queue/schedule', {
				...{ cookie, body: { closesAt: null, reason: 'the season opens', ...change } }
			});
			expect(status).toBe(200);
			return body;
		};
		const preQueueOpensAt = Date.now() - 1_000;
		const { version } = await put({ preQueueOpensAt, opensAt: Date.now() + 600_000, expectedVersion: 0 });
		await app.call('PUT', '/api/v1/queue/rate', { cookie, body: { perSecond: 0, reason: 'a test' } });
		const join = async (i: number) => {
			const { status, body } = await app.call('POST', '/queue/join', {
				body: { user: `person ${i}`, party: 1 + (i % 6) }
			});
			expect(status).toBe(200);
			tickets.set(`person ${i}`, body);
		};
		await Promise.all(Array.from({ length: people }, (_, i) => join(i)));
		await put({ preQueueOpensAt, opensAt: Date.now(), expectedVersion: version });
		do {
			await new Promise((resolve) => setTimeout(resolve, 100));
			facts = (await app.call('GET', '/queue/draw')).body;
		} while (facts.state !== 'placed');
		list = (await app.call('GET', `/queue/draw/entries?draw=${facts.id}`)).body as string;
	}, 120_000);
	afterAll(() => app.close());
	const load = async () => (await import(script)) as Verifier;

	it('gives everybody the place that the published facts lead to', async () => {
		const { ok, order } = await (await load()).verifyDraw(facts, list);
		expect(ok).toBe(true);
		expect(order).toHaveLength(people);
		for (const [user, { ticket, entry }] of [...tickets].slice(0, 20)) {
			const query = new URLSearchParams({ user, ticket });
			const { body } = await app.call('GET', `/queue/status?${query}`);
			expect(body.number).toBe(facts.firstNumber! + order.indexOf(entry));
		}
	});

	it('is confirmed by the command, in both languages, with one’s own place', async () => {
		const { entry } = tickets.get('person 5')!;
		const english = await runScript(app.url, '--entry', entry);
		expect(english.said).toContain(`All ${people} places recomputed`);
		expect(english.said).toMatch(/Your place: \d+ of 120/);
		expect(english.said).toContain('not a real draw');
		expect(english.code).toBe(0);
		expect((await runScript(app.url, '--lang', 'ar')).said).toContain('كل شيء سليم');
		expect((await runScript()).code).toBe(2);
		expect((await runScript(`${app.url}/nowhere`)).code).toBe(2);
	});

	it('is found out when anything in it was changed', async () => {
		const { verifyDraw } = await load();
		const lines = list.trimEnd().split('\n');
		const text = (changed: string[]) => `${changed.join('\n')}\n`;
		const failed = async (changes: object, changed = list) =>
			(await verifyDraw({ ...facts, ...changes }, changed)).checks
				.filter(({ ok }) => !ok)
				.map(({ name }) => name);
		expect(await failed({})).toEqual([]);
		expect(await failed({}, text(lines.slice(1)))).toEqual(['count', 'root']);
		const [id = ''] = lines[3]!.split(',');
		expect(await failed({}, text(lines.with(3, `${id},9`)))).toEqual(['root']);
		expect(await failed({}, text([...lines, lines[3]!]))).toEqual(['count', 'list', 'root']);
		expect(await failed({}, text([...lines].reverse()))).toEqual(['list', 'root']);
		expect(await failed({}, list.slice(0, -30))).toContain('list');
		expect(await failed({ secret: '00'.repeat(32) })).toEqual(['commitment', 'seed']);
		expect(await failed({ root: '00'.repeat(32) })).toEqual(['root', 'seed']);
		expect(await failed({ randomness: { ...facts.randomness, value: '00'.repeat(32) } })).toEqual(['seed']);
		expect(await failed({ randomness: { ...facts.randomness, at: facts.frozenAt! - 1 } })).toEqual([
			'order of events'
		]);
	});

	it('proves to its holder that the entry is in the list, and to nobody whose it is', async () => {
		const { checkProof } = await load();
		const own = await app.call('GET', `/queue/draw/proof?user=${encodeURIComponent('person 7')}`);
		expect(own.body.entry).toBe(tickets.get('person 7')!.entry);
		expect(own.headers.get('cache-control')).toContain('no-store');
		expect(await checkProof(own.body, facts.root!)).toBe(true);
		expect(await checkProof({ ...own.body, line: `${own.body.entry},20` }, facts.root!)).toBe(false);
		expect((await app.call('GET', '/queue/draw/proof?user=stranger')).status).toBe(404);
		expect((await app.call('GET', '/queue/draw/proof')).status).toBe(401);
		expect((await app.call('GET', '/queue/draw/proof?entry=%27;drop')).status).toBe(400);
		expect(list).not.toContain('person');
	});

	it('may be cached for ever once it is frozen, under its own number', async () => {
		const entries = await app.call('GET', `/queue/draw/entries?draw=${facts.id}`);
		expect(entries.headers.get('cache-control')).toContain('immutable');
		expect((await app.call('GET', '/queue/draw/entries')).headers.get('cache-control')).toBe(
			'public, max-age=1'
		);
		expect((await app.call('GET', '/queue/draw?draw=99999')).status).toBe(404);
	});

	it('is found out when somebody with the database in his hands moves a party afterwards', async () => {
		await sql`update draw_entries set party = 20 where draw = ${facts.id} and place = ${people}`.execute(
			app.database.database.db
		);
		const { code, said } = await runScript(app.url);
		expect(code).toBe(1);
		expect(said).toContain('BAD  The list is the one that was frozen');
	});
});
