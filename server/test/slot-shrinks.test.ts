import { createHash, createPublicKey, verify } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	applyRevocationDelta,
	isRevoked,
	openPermit,
	verifyKeyList,
	verifyRevocationDelta,
	verifyRevocationList,
	type KnownRevocations,
	type ListedKey,
	type VerifySignature
} from '../contract/permit/index.ts';
import { createTestApp, type TestApp } from './kit/index.ts';

const verifySignature: VerifySignature = (publicKey, signature, message) => {
	const x = Buffer.from(publicKey).toString('base64url');
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	return verify(null, message, key, signature);
};
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

/** Asks until it is so: rounds and lists run by the clock. */
async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
	for (let tries = 0; tries < 300; tries++) {
		const got = await ask();
		if (got) return got;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Error('it never came');
}

describe('a slot that shrinks, from the desk to the gate', () => {
	let app: TestApp;
	const cookies: Record<string, string> = {};
	let keys: ListedKey[] = [];
	let gateOfAPlace = '';
	beforeAll(async () => {
		app = await createTestApp({ env: { LAB: '1' } });
		for (const who of ['admin', 'duty', 'second', 'viewer', 'crowd']) cookies[who] = await app.signIn(who);
		const { body } = await app.call('GET', '/permits/roots');
		const roots = (body.roots as { kid: string; publicKey: string }[]).map((root) => ({
			...{ kid: root.kid, publicKey: hex(root.publicKey) }
		}));
		const list = await verifyKeyList(await bytesOf('/permits/keys'), roots, verifySignature, 0);
		if (list.outcome !== 'good') throw new Error(list.outcome);
		keys = list.list.keys;
	});
	afterAll(() => app.close());

	async function bytesOf(path: string): Promise<Uint8Array> {
		return new Uint8Array(await (await fetch(`${app.url}${path}`)).arrayBuffer());
	}
	const staff = (who: string, method: string, path: string, body?: unknown, key?: string) =>
		app.call(method, `/api/v1/${path}`, {
			cookie: cookies[who]!,
			...(body === undefined ? {} : { body }),
			...(key === undefined ? {} : { key })
		});
	const permitOf = async (user: string) => (await app.call('GET', `/permits/mine?user=${user}`)).body;
	const answer = (user: string, permit: string, said: string) =>
		app.call('POST', `/permits/${permit}/offer?user=${user}`, { body: { answer: said } });
	const toLevel = async (level: number) => {
		const { body } = await staff('duty', 'GET', 'levels');
		const asked = { level, reason: 'a test', expectedVersion: body.current.version };
		const pressed = await staff('duty', 'POST', 'levels/current', asked);
		if (pressed.status === 202)
			await staff('second', 'POST', 'levels/current', { confirm: pressed.body.proposal.id });
		await until(async () => (await staff('duty', 'GET', 'levels')).body.current.level === level);
	};
	const slotIds = async () => {
		const { body } = await staff('duty', 'GET', 'booking/slots');
		return (body.slots as { id: number; startsAt: number }[])
			.toSorted((a, b) => a.startsAt - b.startsAt)
			.map(({ id }) => id);
	};
	const revocations = async (): Promise<KnownRevocations> => {
		const verdict = await verifyRevocationList(
			await bytesOf('/permits/revocations'),
			keys,
			verifySignature,
			0
		);
		if (verdict.outcome !== 'good') throw new Error(verdict.outcome);
		return { ...verdict.list, bits: Uint8Array.from(inflateSync(verdict.list.deflated)) };
	};

	/** A scanner that says which version it has is told the difference in its pull; without a cursor, or of an odd one, all. */
	const pullsTheDifference = async (version: number) => {
		const body = { name: 'Two', gate: gateOfAPlace, reason: 'a test' };
		const { token } = (await staff('admin', 'POST', 'scanners', body)).body;
		const headers = { authorization: `Bearer ${token}` };
		const pull = async (have: number, cursors = {}) => {
			const asked = { kinds: ['revocations'], cursors, have: { revocations: have } };
			return (await app.call('POST', '/api/v1/sync/pull', { headers, body: asked })).body;
		};
		const [told] = (await pull(version)).parts[0].items;
		expect(told.value).toMatchObject({ base: version });
		const verdict = await verifyRevocationDelta(
			Uint8Array.from(Buffer.from(told.value.change, 'base64')),
			keys,
			verifySignature
		);
		expect(verdict.outcome).toBe('good');
		const odd = await pull(999_999);
		expect(odd.parts[0].items[0].value.signed).toBeTypeOf('string');
		const same = await pull(version, { revocations: odd.parts[0].cursor });
		expect(same.unchanged).toEqual(['revocations']);
	};

	it('is previewed, begun once, offered, answered, and known at the gate', async () => {
		const [first = 0] = await slotIds();
		for (const user of ['ana', 'badr', 'celia'])
			expect((await app.call('POST', '/book', { body: { slot: first, user, party: 2 } })).status).toBe(200);
		const target = { kind: 'slot', slot: first, capacity: 4 };
		const preview = await staff('duty', 'POST', 'reductions/preview', { target });
		expect(preview).toMatchObject({ status: 200, body: { affected: { permits: 1, people: 2 } } });
		expect((await staff('viewer', 'POST', 'reductions/preview', { target })).status).toBe(403);
		expect((await staff('crowd', 'POST', 'reductions', { target })).status).toBe(403);
		const request = { target, reason: 'a lane is out of order', expectedPeople: 2 };
		const begun = await staff('duty', 'POST', 'reductions', request, 'key-1');
		expect(begun).toMatchObject({ status: 200, body: { state: 'running' } });
		expect((await staff('duty', 'POST', 'reductions', request, 'key-1')).body).toEqual(begun.body);
		const again = { ...request, target: { ...target, capacity: 3 } };
		expect(await staff('duty', 'POST', 'reductions', again)).toMatchObject({
			status: 409,
			body: { code: 'reduction_running' }
		});
		const offered = await until(async () => {
			const permit = await permitOf('celia');
			return permit.offer?.state === 'offered' && permit;
		});
		expect(offered.offer).toMatchObject({ why: 'smaller', unanswered: 'move' });
		expect((await permitOf('ana')).offer).toBeUndefined();
		expect(await answer('ana', offered.id, 'accept')).toMatchObject({ status: 403 });
		expect(await answer('celia', offered.id, 'perhaps')).toMatchObject({ status: 422 });
		const before = await revocations();
		// The last level: nothing is booked any more, and an offer is answered all the same.
		await toLevel(4);
		expect((await app.call('POST', '/book', { body: { slot: first, user: 'late' } })).status).toBe(503);
		const accepted = await answer('celia', offered.id, 'accept');
		expect(accepted).toMatchObject({ status: 200, body: { ok: true, replaced: offered.id } });
		expect((await answer('celia', offered.id, 'accept')).body).toEqual(accepted.body);
		const now = await permitOf('celia');
		expect(now).toMatchObject({ id: accepted.body.permit, party: 2, slot: offered.offer.slot.id });
		expect(now.offer).toBeUndefined();
		await toLevel(0);

		// For half an hour the old one is honoured: it stands in no revocation list yet.
		const status = openPermit(offered.text).claims.status;
		await new Promise((resolve) => setTimeout(resolve, 6_000));
		expect(isRevoked((await revocations()).bits, status)).toBe(false);
		expect(before.version).toBeGreaterThan(0);
		const list = await staff('duty', 'GET', 'reductions');
		expect(list.body.reductions[0]).toMatchObject({ progress: { accepted: { people: 2 } } });
	}, 60_000);

	it('tells a scanner which permits were moved, and judges both as one', async () => {
		const { body: site } = await staff('duty', 'GET', 'site');
		const place = (site.places as { id: string; gates: string[] }[]).find(({ gates }) => gates.length > 1)!;
		const startsAt = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 50 * 3_600_000;
		const plan = async (n: number) =>
			(
				await staff('duty', 'PUT', 'booking/slots', {
					...{ place: place.id, startsAt: startsAt + n * 3_600_000, endsAt: startsAt + (n + 1) * 3_600_000 },
					...{ capacity: 10, reason: 'a test' }
				})
			).body.id as number;
		const [from, to] = [await plan(0), await plan(1)];
		await app.call('POST', '/book', { body: { slot: from, user: 'dima', party: 1 } });
		const proposed = await staff('duty', 'POST', 'reductions', {
			target: { kind: 'place', place: place.id, from: startsAt, to: startsAt + 1, keepPercent: 0 },
			...{ reason: 'the place is closed', expectedPeople: 1, withinHours: 3 }
		});
		expect(proposed).toMatchObject({ status: 202, body: { state: 'proposed' } });
		const path = `reductions/${proposed.body.id}/confirm`;
		expect((await staff('duty', 'POST', path, {})).body.code).toBe('second_person_needed');
		expect((await staff('second', 'POST', path, {})).status).toBe(200);
		const offered = await until(async () => {
			const permit = await permitOf('dima');
			return permit.offer?.state === 'offered' && permit;
		});
		expect(offered.offer).toMatchObject({ why: 'closed', slot: { id: to } });
		const { permit } = (await answer('dima', offered.id, 'accept')).body;
		const gate = place.gates[0]!;
		gateOfAPlace = gate;
		const made = await staff('admin', 'POST', 'scanners', { name: 'One', gate, reason: 'a test' });
		const headers = { authorization: `Bearer ${made.body.token}` };
		const settings = await until(async () => {
			const { body } = await app.call('GET', '/api/v1/entries/settings', { headers });
			return body.moved?.length > 0 && body;
		});
		expect(settings.place.movedGraceSeconds).toBe(1_800);
		expect(settings.moved).toMatchObject([
			{ permit: offered.id, successor: permit, place: place.id, slot: to }
		]);
		expect(settings.moved[0].honouredUntil).toBeGreaterThan(Date.now());
		const entry = (seq: number, id: string, uptimeMs: number) => ({
			...{ seq, boot: 'b-1', gate, direction: 'in', offline: false, deviceAt: Date.now(), uptimeMs },
			...{ kind: 'permit', verdict: 'green', permit: id, people: 1 }
		});
		const sent = await app.call('POST', '/api/v1/entries', {
			headers,
			body: {
				...{ device: made.body.scanner.id, entries: [entry(1, offered.id, 1_000), entry(2, permit, 2_000)] },
				clock: { deviceAt: Date.now(), uptimeMs: 3_000, boot: 'b-1', roundTripMs: 0 }
			}
		});
		expect(sent).toMatchObject({ status: 200, body: { stored: 2 } });
		const { body: reviews } = await staff('duty', 'GET', 'entries/conflicts');
		expect(reviews.conflicts).toMatchObject([{ kind: 'second-use', people: 2, party: 1 }]);
		const entries = await app.database.database.db.selectFrom('entries').select('findings').execute();
		expect(
			entries.flatMap(({ findings }) => findings),
			'honoured, so not revoked at the scan'
		).toEqual([]);
	}, 60_000);

	it('gives whoever has an older revocation list the difference', async () => {
		const [, second = 0] = await slotIds();
		await app.call('POST', '/book', { body: { slot: second, user: 'emil' } });
		const emil = await permitOf('emil');
		const status = openPermit(emil.text).claims.status;
		const before = await revocations();
		expect((await fetch(`${app.url}/permits/revocations?since=${before.version}`)).status).toBe(204);
		await app.call('POST', `/permits/${emil.id}/cancel?user=emil`);
		const { response, delta } = await until(async () => {
			const got = await fetch(`${app.url}/permits/revocations?since=${before.version}`);
			return got.status === 200 && { response: got, delta: new Uint8Array(await got.arrayBuffer()) };
		});
		expect(response.headers.get('x-list-base')).toBe(String(before.version));
		const verdict = await verifyRevocationDelta(delta, keys, verifySignature);
		if (verdict.outcome !== 'good') throw new Error(verdict.outcome);
		expect(delta.length).toBeLessThan(1_000);
		const after = await applyRevocationDelta(before, verdict.delta, sha256);
		if (after.outcome !== 'good') throw new Error(after.outcome);
		expect(isRevoked(before.bits, status)).toBe(false);
		expect(isRevoked(after.known.bits, status)).toBe(true);
		await pullsTheDifference(before.version);
		const whole = await revocations();
		if (whole.version === after.known.version) expect([...after.known.bits]).toEqual([...whole.bits]);
		for (const since of ['999999', String(whole.version + 1)]) {
			const list = await bytesOf(`/permits/revocations?since=${since}`);
			expect((await verifyRevocationList(list, keys, verifySignature, 0)).outcome).toBe('good');
		}
		expect((await fetch(`${app.url}/permits/revocations?since=x`)).status).toBe(400);
	}, 60_000);
});
