import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './kit/index.ts';

describe('the application', () => {
	let test: TestApp;
	beforeAll(async () => {
		test = await createTestApp();
	});
	afterAll(() => test?.close());

	it('says that it lives and that its parts are there', async () => {
		expect((await test.call('GET', '/healthz')).status).toBe(200);
		await expect.poll(async () => (await test.call('GET', '/readyz')).status, { timeout: 20_000 }).toBe(200);
		expect((await test.call('GET', '/metrics')).body).toContain('marsad_');
	});

	it('describes itself', async () => {
		const { body } = await test.call('GET', '/api/openapi.json');
		expect(Object.keys(body.paths)).toContain('/api/v1/session');
		expect((await test.call('GET', '/api/docs/')).status).toBe(200);
	});

	it('answers every refusal as a problem document in the language of the person', async () => {
		const { status, body, headers } = await test.call('GET', '/api/v1/record', {
			headers: { 'accept-language': 'ar' }
		});
		expect(status).toBe(401);
		expect(headers.get('content-type')).toContain('application/problem+json');
		expect(body).toMatchObject({ code: 'not_signed_in', error: 'not signed in', title: 'سجّل الدخول أولاً.' });
		expect((await test.call('GET', '/nowhere')).body).toMatchObject({ status: 404, code: 'not_found' });
	});

	it('refuses what comes from another site, also a socket', async () => {
		const cookie = await test.signIn('duty');
		for (const headers of [
			{ origin: 'http://evil.example' },
			{ 'sec-fetch-site': 'cross-site' },
			{ origin: 'null' }
		]) {
			const { status, body } = await test.call('DELETE', '/api/v1/session', {
				cookie,
				headers: headers as Record<string, string>
			});
			expect([status, body.code]).toEqual([403, 'cross_site']);
		}
		const socket = io(`${test.url}/live`, {
			transports: ['websocket'],
			reconnection: false,
			extraHeaders: { cookie, origin: 'http://evil.example' }
		});
		await new Promise<void>((resolve, reject) => {
			socket.on('connect_error', () => resolve());
			socket.on('connect', () => reject(new Error('another site could listen')));
		});
		socket.close();
	});

	it('gives a socket with a session a snapshot, and one without none', async () => {
		const cookie = await test.signIn('viewer');
		const open = (extraHeaders: Record<string, string>) =>
			io(`${test.url}/live`, {
				transports: ['websocket'],
				reconnection: false,
				extraHeaders,
				forceNew: true
			});
		const stranger = open({});
		const refusal = await new Promise<Error & { data?: { code: string } }>((resolve) =>
			stranger.on('connect_error', resolve)
		);
		expect(refusal.data?.code).toBe('not_signed_in');
		stranger.close();

		const socket = open({ cookie });
		const snapshot = new Promise<{ topic: string; seq: number; stream: string }>((resolve) =>
			socket.on('snapshot', resolve)
		);
		const ack = await new Promise((resolve) => socket.emit('subscribe', 'overview', resolve));
		expect(ack).toEqual({ ok: true });
		expect(await snapshot).toMatchObject({ topic: 'overview', seq: expect.any(Number) });
		expect(await new Promise((resolve) => socket.emit('subscribe', 'no-such-topic', resolve))).toEqual({
			ok: false,
			code: 'bad_request'
		});
		socket.close();
	});
});
