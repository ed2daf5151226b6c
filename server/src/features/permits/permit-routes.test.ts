import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import {
	fromHex,
	toHex,
	verifyKeyList,
	verifyPermit,
	verifyRevocationList
} from '../../../contract/permit/index.ts';
import { verifySignature } from './key-crypto.ts';

let test: TestApp;
let admin = '';
beforeAll(async () => {
	test = await createTestApp({ env: { LAB: '1' } });
	admin = await test.signIn('admin');
});
afterAll(() => test?.close());

const bytesOf = async (path: string, headers: Record<string, string> = {}) => {
	const response = await fetch(test.url + path, { headers });
	return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};

async function readLists() {
	const { body } = await test.call('GET', '/permits/roots');
	const roots = body.roots.map((root: { kid: string; publicKey: string }) => ({
		...{ kid: root.kid, publicKey: fromHex(root.publicKey) }
	}));
	const { bytes } = await bytesOf('/permits/keys');
	const verdict = await verifyKeyList(bytes, roots, verifySignature, 0);
	if (verdict.outcome !== 'good') throw new Error(verdict.outcome);
	return { roots: body.roots, keys: verdict.list.keys };
}

describe('over HTTP', () => {
	it('a booked person has a permit that the served lists prove, in a QR code and on paper', async () => {
		const booked = await test.call('POST', '/book', { body: { user: 'reader', slot: 1, party: 2 } });
		expect(booked.body).toMatchObject({ ok: true, slot: 1, party: 2 });
		const mine = await test.call('GET', '/permits/mine?user=reader');
		expect(mine.body).toMatchObject({ id: booked.body.permit, party: 2, state: 'valid' });
		const { keys, roots } = await readLists();
		expect(roots[0].automatic).toBe(true);
		const find = (kid: string) => keys.find((key) => key.kid === kid);
		const verdict = await verifyPermit(mine.body.text, find, verifySignature);
		expect(verdict).toMatchObject({ outcome: 'genuine', claims: { id: booked.body.permit, slot: 1 } });
		// Version 8: 49 modules and a quiet zone of four on each side.
		expect(mine.body.qr).toMatch(/^<svg[^>]*viewBox="0 0 57 57"/);
		expect(mine.body.words.en).toContain('People: 2');
		const page = await test.call('GET', '/permits/mine/print?user=reader&lang=fr');
		expect(page.status).toBe(200);
		expect(page.body).toContain(booked.body.permit);
		expect(page.body).toMatch(/viewBox="0 0 65 65"/);
		expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
		expect((await test.call('GET', '/permits/mine/print?user=nobody')).status).toBe(404);
	});

	it('lists can be kept by a cache and asked for again without their bytes', async () => {
		for (const kind of ['keys', 'revocations']) {
			const { response, bytes } = await bytesOf(`/permits/${kind}`);
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toContain('application/cose');
			expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
			expect(bytes[0]).toBe(0xd2);
			const again = await bytesOf(`/permits/${kind}`, { 'if-none-match': response.headers.get('etag')! });
			expect([again.response.status, again.bytes.length]).toEqual([304, 0]);
			const other = await bytesOf(`/permits/${kind}`, { 'if-none-match': '"0-0"' });
			expect(toHex(other.bytes)).toBe(toHex(bytes));
		}
		const { keys } = await readLists();
		const { bytes } = await bytesOf('/permits/revocations');
		const verdict = await verifyRevocationList(bytes, keys, verifySignature, 0);
		expect(verdict.outcome).toBe('good');
	});

	it('the administrator sees keys without anything secret, and makes the next one once', async () => {
		const board = await test.call('GET', '/api/v1/permits/keys', { cookie: admin });
		expect(board.body).toMatchObject({
			keyList: { stale: false },
			revocations: { stale: false },
			draft: null
		});
		expect(board.body.keys[0]).toMatchObject({ state: 'signing', usable: true });
		expect(JSON.stringify(board.body)).not.toMatch(/private|sealed/i);
		const path = '/api/v1/permits/keys';
		const body = { reason: 'the rotation of the month' };
		const key = crypto.randomUUID();
		const made = await test.call('POST', path, { cookie: admin, body, key });
		expect(made.status).toBe(200);
		expect((await test.call('POST', path, { cookie: admin, body, key })).body).toEqual(made.body);
		expect((await test.call('POST', path, { cookie: admin, body })).body.code).toBe('key_waiting');
		const duty = await test.signIn('duty');
		expect((await test.call('GET', path, { cookie: duty })).status).toBe(200);
		expect((await test.call('POST', path, { cookie: duty, body })).status).toBe(403);
		const steward = await test.signIn('steward');
		expect((await test.call('GET', path, { cookie: steward })).status).toBe(403);
		const record = await test.call('GET', '/api/v1/record', { cookie: admin });
		expect(JSON.stringify(record.body)).toContain('permits.key-made');
	});

	it('refuses a list that nobody here signed, and a root where one stands already', async () => {
		const refuse = async (path: string, body: object) =>
			(await test.call('POST', `/api/v1/permits/${path}`, { cookie: admin, body })).body.code;
		const reason = 'a try from outside';
		expect(await refuse('keys/list', { reason, list: 'AAAA' })).toBe('key_list_refused');
		expect(await refuse('keys/00000000/compromised', { reason })).toBe('not_found');
		expect(await refuse('roots', { reason, publicKey: 'zz' })).toBe('bad_request');
	});
});
