import { get } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../test/kit/index.ts';
import { buildHttp } from './build.ts';
import { refuseForeignHosts } from './guard.ts';

const document = { bytes: () => Buffer.from('{"a":1}'), headers: { 'cache-control': 'public, max-age=1' } };

describe('a prepared document', () => {
	const open: { close(): Promise<unknown> }[] = [];
	afterEach(() => Promise.all(open.splice(0).map((app) => app.close())));
	const build = async () => {
		const app = buildHttp(createLog('silent'));
		open.push(app);
		refuseForeignHosts(app);
		let routed = 0;
		app.get('/document', async () => {
			routed += 1;
			return { a: 1 };
		});
		app.prepared.add('/document', document);
		return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }), routed: () => routed };
	};

	it('is sent as it stands, without the framework', async () => {
		const { url, routed } = await build();
		const answer = await fetch(`${url}/document`);
		expect(await answer.json()).toEqual({ a: 1 });
		expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
		expect(answer.headers.get('content-length')).toBe('7');
		expect(routed()).toBe(0);
	});

	it('is left to its route for everything but the plain question, and whenever something stands against it', async () => {
		const { app, url, routed } = await build();
		await fetch(`${url}/document?x=1`);
		await fetch(`${url}/document`, { method: 'HEAD' });
		expect((await fetch(`${url}/document`, { method: 'POST' })).status).toBe(404);
		expect(routed()).toBe(2);
		let isBusy = true;
		app.prepared.leaveToRouteWhen(() => isBusy);
		await fetch(`${url}/document`);
		expect(routed()).toBe(3);
		isBusy = false;
		await fetch(`${url}/document`);
		expect(routed()).toBe(3);
	});

	it('is not shown to a name of somebody else that points here', async () => {
		const { url } = await build();
		const status = await new Promise((resolve, reject) =>
			get(`${url}/document`, { headers: { host: 'evil.example' } }, (answer) => {
				answer.resume();
				resolve(answer.statusCode);
			}).on('error', reject)
		);
		expect(status).toBe(403);
	});
});
