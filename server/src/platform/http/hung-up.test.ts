import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, expect, it, vi } from 'vitest';
import type { Account } from '../../../contract/index.ts';
import { buildHttp, openStaffScope } from './build.ts';

const said: string[] = [];
const app = buildHttp(pino({ level: 'warn' }, { write: (line: string) => void said.push(line) }));
afterAll(() => app.close());

it('a caller who hung up before it was their turn is a fault of nobody, and the next one is answered', async () => {
	const seen: string[] = [];
	app.addHook('onRequest', async (request) => {
		// As long as a server is busy with others.
		if (request.url.endsWith('?late')) await new Promise((done) => request.raw.socket.once('close', done));
		seen.push(request.url);
	});
	const handled: string[] = [];
	await openStaffScope(app, {
		authenticate: async () => ({ id: 'a', role: 'viewer' }) as unknown as Account,
		register: (staff) =>
			staff.get('/api/v1/zones', async (request) => {
				handled.push(request.url);
				return { ok: true };
			})
	});
	await app.listen({ port: 0, host: '127.0.0.1' });
	const { port } = app.server.address() as AddressInfo;
	const caller = connect(port, '127.0.0.1');
	caller.write('GET /api/v1/zones?late HTTP/1.1\r\nhost: localhost\r\n\r\n');
	await once(app.server, 'request');
	caller.resetAndDestroy();
	await vi.waitFor(() => expect(seen).toHaveLength(1), 10_000);
	expect((await fetch(`http://127.0.0.1:${port}/api/v1/zones`)).status).toBe(200);
	expect(handled).toEqual(['/api/v1/zones']);
	expect(said).toEqual([]);
});
