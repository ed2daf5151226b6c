import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScannerAnswer, ScannersApi } from './scanners-api.ts';
import { bookHolders, openEarly, revokeScanners } from './scanners-setup.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

/** A room in which the turn comes at the n-th look, and what it was asked. */
async function openRoom(turnAt: number) {
	const asked: { path: string; atMs: number }[] = [];
	const count = (path: string) => asked.filter((one) => one.path === path).length;
	const waiting = { admitted: false, pollAfterMs: 10, position: 9, etaSeconds: null, eta_s: null };
	const answers: Record<string, () => object> = {
		'/queue/join': () => ({ ...waiting, ticket: 't', number: 9 }),
		'/queue/status': () => (count('/queue/status') < turnAt ? waiting : { ...waiting, admitted: true }),
		'/queue/claim': () => ({ token: 'pass', expiresAt: 0 }),
		'/slots': () => ({ slots: [{ id: 4, place: 'hall', full: false, left: 9, startsAt: 0 }] }),
		'/book': () => ({ permit: 'p' }),
		'/permits/mine': () => ({ id: 'p', text: 'P1:', party: 2 })
	};
	const server = createServer((request: IncomingMessage, reply) => {
		const { pathname } = new URL(request.url ?? '/', 'http://localhost');
		asked.push({ path: pathname, atMs: performance.now() });
		request.resume().on('end', () => reply.end(JSON.stringify(answers[pathname]?.() ?? {})));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(() => new Promise((resolve) => server.close(() => resolve())));
	const { port } = server.address() as AddressInfo;
	return { url: new URL(`http://127.0.0.1:${port}`), count };
}

describe('people who book for scanners', () => {
	it('wait for their turn as long as the room takes, and look when it said to', async () => {
		const room = await openRoom(90);
		const holders = await bookHolders(room.url, 'hall', 1, () => 0.5);
		expect(holders).toMatchObject([{ permit: 'p', text: 'P1:', party: 2 }]);
		expect([room.count('/queue/join'), room.count('/queue/status')]).toEqual([1, 90]);
	});

	it('give up after a time that is bounded', async () => {
		const room = await openRoom(Infinity);
		await expect(bookHolders(room.url, 'hall', 1, () => 0.5, { waitMsMax: 200 })).rejects.toThrow(
			'got no place at hall'
		);
	});
});

describe('a run of simulated scanners', () => {
	/** Staff's calls, and what the server answers to them. */
	const openStaff = (answer: (method: string, path: string) => ScannerAnswer<unknown>) => {
		const calls: string[] = [];
		const staff = async (method: string, path: string, _cookie: string, body?: object) => {
			calls.push([method, path, ...(body && 'earlySeconds' in body ? [body.earlySeconds] : [])].join(' '));
			return answer(method, path);
		};
		return { api: { staff } as unknown as ScannersApi, calls };
	};

	it('revokes its own and asks for no others', async () => {
		const { api, calls } = openStaff(() => ({ ok: true, body: {} }));
		await revokeScanners(api, 'c', ['s-1', 's-2']);
		expect(calls).toEqual(['POST /api/v1/scanners/s-1/revoke', 'POST /api/v1/scanners/s-2/revoke']);
	});

	it('leaves a grace alone that somebody else has opened', async () => {
		const places = [
			{ place: 'hall', earlySeconds: 86_400 },
			{ place: 'yard', earlySeconds: 900 }
		];
		const { api, calls } = openStaff(() => ({ ok: true, body: { places } }));
		await (
			await openEarly(api, 'c', ['hall', 'yard'])
		)();
		expect(calls.slice(1)).toEqual([
			'PUT /api/v1/entries/places/yard 86400',
			'PUT /api/v1/entries/places/yard 900'
		]);
	});
});
