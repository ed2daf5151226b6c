import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { request, safeReturnPath, titleOf } from './api.ts';

const shape = Type.Object({ level: Type.Integer() });
const answering = (status: number, body: string, headers: Record<string, string> = {}) => {
	const seen: RequestInit[] = [];
	const fake = ((_path: unknown, init: RequestInit) => {
		seen.push(init);
		return Promise.resolve(new Response(body, { status, headers }));
	}) as typeof fetch;
	return { fake, seen };
};

describe('request', () => {
	test('gives the body only when it has the agreed shape', async () => {
		const good = answering(200, '{"level":2}');
		expect(await request('/x', shape, { fetch: good.fake })).toEqual({
			kind: 'ok',
			status: 200,
			body: { level: 2 }
		});
		const bad = answering(200, '{"level":"two"}');
		expect(await request('/x', shape, { fetch: bad.fake })).toEqual({ kind: 'no-answer' });
	});

	test('every command carries a key, and a repeat carries the same one', async () => {
		const { fake, seen } = answering(200, '{"level":2}');
		await request('/x', shape, { method: 'POST', body: {}, fetch: fake });
		await request('/x', shape, { method: 'POST', body: {}, fetch: fake, idempotencyKey: 'mine' });
		const keys = seen.map((init) => (init.headers as Record<string, string>)['idempotency-key']);
		expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
		expect(keys[1]).toBe('mine');
	});

	test('refusals keep their code and their waiting time', async () => {
		const { fake } = answering(503, '{"code":"busy","status":503,"title":"x"}', { 'retry-after': '7' });
		expect(await request('/x', shape, { fetch: fake })).toMatchObject({
			kind: 'refused',
			problem: { code: 'busy' },
			retryAfterSeconds: 7
		});
		expect(titleOf('busy', 'ar')).toMatch(/[\u0600-\u06ff]/);
	});

	test("a proxy's page, broken JSON and a broken line are no answer, never success", async () => {
		for (const { fake } of [
			answering(502, '<html>'),
			answering(200, '{'),
			answering(500, '{"code":"strange"}')
		]) {
			expect(await request('/x', shape, { fetch: fake })).toEqual({ kind: 'no-answer' });
		}
		const broken = (() => Promise.reject(new Error('down'))) as unknown as typeof fetch;
		expect(await request('/x', shape, { fetch: broken })).toEqual({ kind: 'no-answer' });
	});
});

test('after signing in, only a path of this site is followed', () => {
	expect(safeReturnPath('/control/levels?x=1')).toBe('/control/levels?x=1');
	for (const evil of [
		null,
		'',
		'https://evil.example',
		'//evil.example',
		'/\\evil.example',
		'/\t/evil.example',
		'javascript:alert(1)',
		'control'
	]) {
		expect(safeReturnPath(evil)).toBe('/control');
	}
});
