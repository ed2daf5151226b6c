import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './kit/index.ts';

describe('what no command may be made of', () => {
	let test: TestApp;
	let duty: string;
	beforeAll(async () => {
		test = await createTestApp();
		duty = await test.signIn('duty');
	});
	afterAll(() => test?.close());

	const send = (method: string, path: string, body: unknown) =>
		test.call(method, path, {
			cookie: duty,
			body,
			headers: { 'idempotency-key': crypto.randomUUID() }
		});
	const reason = 'tried by hand';

	it.each([
		{ value: null },
		{ value: true },
		{ value: false },
		{ value: '1' },
		{ value: [] },
		{ value: {} },
		{ value: 1.5 }
	])('takes $value for no number in a body', async ({ value }) => {
		for (const [method, path, body] of [
			['POST', '/api/v1/levels/current', { level: value, expectedVersion: 0, reason }],
			['POST', '/api/v1/levels/current', { level: 1, expectedVersion: value, reason }],
			['POST', '/api/v1/zones/hall-7/recount', { present: value, reason }],
			...(value === 1.5 ? [] : [['PUT', '/api/v1/queue/rate', { perSecond: value, reason }]])
		] as [string, string, unknown][]) {
			const { status, body: answer } = await send(method, path, body);
			expect([path, status, answer.code]).toEqual([path, 400, 'bad_request']);
		}
	});

	it.each(['no\u0000text', 'half \ud800 a pair'])('refuses %j as text wherever it stands', async (text) => {
		for (const [method, path, body] of [
			['POST', '/api/v1/session', { email: text, password: 'x'.repeat(12) }],
			['PUT', '/api/v1/queue/rate', { perSecond: 1, reason: text }],
			['POST', '/api/v1/zones/hall-7/recount', { present: 1, reason: text }]
		] as [string, string, unknown][]) {
			const { status, body: answer } = await send(method, path, body);
			expect([path, status, answer.code]).toEqual([path, 400, 'bad_request']);
		}
	});

	it.each([
		['blanks', '   '],
		['what nobody sees', '\u200b\u200b\u2060\u200d']
	])('takes %s for no reason, wherever one is needed', async (_, text) => {
		for (const [method, path, body] of [
			['POST', '/api/v1/gates/gate-1/state', { state: 'open', reason: text }],
			['POST', '/api/v1/zones/hall-7/recount', { present: 1, reason: text }],
			['POST', '/api/v1/alarms/1/shelve', { minutes: 5, reason: text }],
			['POST', '/api/v1/alarms/1/confirm', { text }],
			['POST', '/api/v1/evacuation', { scope: 'site', reason: text }],
			['PUT', '/api/v1/queue/rate', { perSecond: 1, reason: text }]
		] as [string, string, unknown][]) {
			const { status, body: answer } = await send(method, path, body);
			expect([path, status, answer.code]).toEqual([path, 400, 'bad_request']);
		}
	});

	it('takes marks that would mirror a reason out of it, and keeps its words', async () => {
		const { status, body } = await send('POST', '/api/v1/gates/gate-1/state', {
			state: 'open',
			reason: ' \u202eبوابة \u2067gate\u2069 1\u200b '
		});
		expect([status, body.commanded.reason]).toEqual([200, 'بوابة gate 1']);
	});

	it('refuses a number that no column holds', async () => {
		const { status, body } = await test.call('GET', '/api/v1/record?since=99999999999999999999', {
			cookie: duty
		});
		expect([status, body.code]).toEqual([400, 'bad_request']);
	});

	it('doubts a recount far over the capacity until it is sent again', async () => {
		const body = { present: 9_999_999, reason };
		expect((await send('POST', '/api/v1/zones/hall-7/recount', body)).body.code).toBe('recount_doubtful');
		expect((await send('POST', '/api/v1/zones/hall-7/recount', { ...body, sure: true })).status).toBe(200);
		expect((await send('POST', '/api/v1/zones/hall-7/recount', { present: 10, reason })).status).toBe(200);
	});

	it('answers an address that cannot be read as it answers every refusal', async () => {
		const { status, headers } = await test.call('GET', '/%zz');
		expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json; charset=utf-8']);
	});

	it('knows no name but its own in demo and laboratory', async () => {
		const { port } = new URL(test.url);
		const status = await new Promise((resolve, reject) =>
			httpRequest(
				{ host: '127.0.0.1', port, path: '/queue/progress', headers: { host: 'evil.example' } },
				(answer) => resolve(answer.resume().statusCode)
			)
				.on('error', reject)
				.end()
		);
		expect(status).toBe(403);
	});
});
