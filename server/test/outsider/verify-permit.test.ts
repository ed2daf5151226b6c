import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import vectors from '../../contract/permit/vectors.json' with { type: 'json' };
import { createTestApp, type TestApp } from '../kit/index.ts';
import { fromBase45, Refused, toBase45 } from './envelope.ts';
import { applyDifference } from './difference.ts';
import { isRevoked, readKeyList, readRevocations, type KeyList } from './lists.ts';
import { judge } from './verify-permit.ts';

const fromHex = (text: string) => Buffer.from(text, 'hex');
const root = fromHex(vectors.root.publicKey);
const asText = (bytes: Uint8Array) => `P1:${toBase45(bytes)}`;

/** The same bytes with one bit turned, for every bit. */
function* everyAlteredBit(bytes: Uint8Array): Generator<{ bit: number; bytes: Buffer }> {
	for (let bit = 0; bit < bytes.length * 8; bit += 1) {
		const altered = Buffer.from(bytes);
		altered[bit >> 3]! ^= 1 << (bit & 7);
		yield { bit, bytes: altered };
	}
}

/** How often a text was judged how, with each bit turned once. */
function judgeEveryBit(text: string, list: KeyList): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { bytes } of everyAlteredBit(fromBase45(text.slice(3)))) {
		const { verdict } = judge(asText(bytes), list);
		counts[verdict] = (counts[verdict] ?? 0) + 1;
	}
	return counts;
}

const refusal = (read: () => unknown): string => {
	try {
		read();
		return 'accepted';
	} catch (error) {
		if (error instanceof Refused) return error.message;
		throw error;
	}
};

describe('a program written from the format page alone, over the vectors', () => {
	const list = readKeyList(fromHex(vectors.keyList), [root]);

	it('stands on nothing of the product', () => {
		const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
		const imports = files.flatMap((name) =>
			[...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/ from '(.*)';/g)].map(
				([, from]) => from
			)
		);
		expect(imports.filter((from) => !/^(node:|\.\/)/.test(from!))).toEqual([]);
	});

	it('reads every good permit as it was meant', () => {
		for (const { name, text, claims } of vectors.golden) {
			const { verdict, permit } = judge(text, list);
			expect([name, verdict]).toEqual([name, 'good']);
			expect(permit).toEqual({
				...{ beginSeconds: claims.fromSeconds, endSeconds: claims.untilSeconds, id: claims.id },
				...{ season: claims.season, slot: claims.slot, place: claims.place, gates: claims.gates },
				...{ category: claims.category, people: claims.party, index: claims.status },
				personTag: claims.personTag
			});
		}
	});

	it('refuses every hostile text for the reason that is given', () => {
		expect(vectors.hostile.map(({ name, text }) => [name, judge(text, list).verdict])).toEqual(
			vectors.hostile.map(({ name, outcome }) => [name, outcome])
		);
	});

	it('takes no altered bit of a permit for good; one of the key id is a key that nobody listed', () => {
		for (const { text } of vectors.golden) {
			const counts = judgeEveryBit(text, list);
			expect(counts['unknown-key']).toBe(32);
			expect(Object.keys(counts).sort()).toEqual(['bad-format', 'bad-signature', 'unknown-key']);
		}
	});

	it('knows one text a permit: whatever is written otherwise is no permit', () => {
		for (const { text } of vectors.golden) {
			const others = [
				text.toLowerCase(),
				` ${text}`,
				`${text} `,
				`${text}\n`,
				`p1:${text.slice(3)}`,
				`${text}   `
			];
			for (const other of others) expect(judge(other, list).verdict).toBe('bad-format');
		}
	});

	it('knows the same permit under another key by its id', () => {
		const ids = vectors.golden.slice(0, 2).map(({ text }) => judge(text, list).permit?.id);
		expect(vectors.golden[0]!.text).not.toBe(vectors.golden[1]!.text);
		expect(ids[0]).toBe(ids[1]);
		expect(judge(vectors.golden[1]!.text, list, { seen: new Set([ids[0]!]) }).verdict).toBe('already-used');
	});

	it('takes a key list of a pinned root, and none that is older', () => {
		expect(list.version).toBe(3);
		expect([...list.keys.keys()]).toEqual(vectors.keys.map(({ kid }) => kid));
		expect(readKeyList(fromHex(vectors.olderKeyList), [root]).version).toBe(2);
		expect(refusal(() => readKeyList(fromHex(vectors.olderKeyList), [root], 3))).toMatch('older');
		const stranger = fromHex(vectors.keys[0]!.publicKey);
		expect(refusal(() => readKeyList(fromHex(vectors.keyList), [stranger]))).toMatch('no pinned root');
	});

	it('reads which permits are revoked, and takes no list under a lost key', () => {
		const revocations = readRevocations(fromHex(vectors.revocations.list), list);
		expect(vectors.revocations.revoked.map((index) => isRevoked(revocations, index))).toEqual(
			vectors.revocations.revoked.map(() => true)
		);
		expect([isRevoked(revocations, 1), isRevoked(revocations, 4_294_967_295)]).toEqual([false, false]);
		expect(revocations.places.get(2)).toEqual({ id: 'courtyard', gates: ['north', 'south'] });
		expect(refusal(() => readRevocations(fromHex(vectors.revocations.byLostKey), list))).toMatch(
			'compromised'
		);
	});

	it('makes of a difference the list that comes of it, and takes none that does not fit or was altered', () => {
		const before = readRevocations(fromHex(vectors.revocations.list), list);
		const { delta, revokedAfter, refused } = vectors.revocationDeltas;
		const after = applyDifference(fromHex(delta), list, before);
		const set = Array.from({ length: after.bits.length * 8 }, (_, index) => index).filter((index) =>
			isRevoked(after, index)
		);
		expect([after.version, set]).toEqual([9, revokedAfter]);
		expect(after.places).toEqual(before.places);
		const why: Record<string, RegExp> = {
			...{ 'roll-back': /roll-back/, gap: /gap/, 'other-season': /another season/ },
			...{
				mismatch: /other bits|beyond|zeros/,
				'unknown-key': /compromised|nobody listed/,
				'bad-format': /./
			}
		};
		for (const { name, delta: wrong, outcome } of refused) {
			const refusedFor = refusal(() => applyDifference(fromHex(wrong), list, before));
			expect(refusedFor, name).not.toBe('accepted');
			expect(refusedFor, name).toMatch(why[outcome]!);
		}
		expect(refusal(() => applyDifference(fromHex(delta), list, after))).toMatch('roll-back');
		for (const { bit, bytes } of everyAlteredBit(fromHex(delta)))
			expect([bit, refusal(() => applyDifference(bytes, list, before))]).not.toEqual([bit, 'accepted']);
		expect(refusal(() => readRevocations(fromHex(delta), list))).toMatch('another type');
	});

	it('says which gate and when, at the very edges', () => {
		const { text, claims } = vectors.golden[0]!;
		const at = (gate: object) => judge(text, list, { season: 1, place: 2, entrance: 0, ...gate }).verdict;
		expect(at({ nowSeconds: claims.fromSeconds - 120 })).toBe('good');
		expect(at({ nowSeconds: claims.fromSeconds - 121 })).toBe('too-early');
		expect(at({ nowSeconds: claims.untilSeconds + 120 })).toBe('good');
		expect(at({ nowSeconds: claims.untilSeconds + 121 })).toBe('too-late');
		expect(at({ nowSeconds: 2_000_000_121 })).toBe('unknown-key');
		expect([at({ season: 2 }), at({ place: 3 }), at({ entrance: 31 })]).toEqual([
			'another-gate',
			'another-gate',
			'good'
		]);
	});
});

describe('against permits that the server has just made, asked for over HTTP alone', () => {
	let test: TestApp;
	beforeAll(async () => {
		test = await createTestApp({ env: { LAB: '1' } });
	});
	afterAll(() => test?.close());

	const bytesOf = async (path: string) => Buffer.from(await (await fetch(test.url + path)).arrayBuffer());
	const readRoots = async () => {
		const { body } = await test.call('GET', '/permits/roots');
		return (body.roots as { publicKey: string }[]).map(({ publicKey }) => fromHex(publicKey));
	};
	const book = async (user: string, party: number) => {
		const { body } = await test.call('POST', '/book', { body: { user, slot: 1, party } });
		const mine = await test.call('GET', `/permits/mine?user=${user}`);
		expect(mine.body.id).toBe(body.permit);
		return { id: body.permit as string, text: mine.body.text as string };
	};

	it('a booked permit is good, and no altered bit of it is', async () => {
		const { id, text } = await book('outsider', 4);
		const list = readKeyList(await bytesOf('/permits/keys'), await readRoots());
		const revocations = readRevocations(await bytesOf('/permits/revocations'), list);
		expect(judge(text, list, { revocations })).toMatchObject({
			verdict: 'good',
			permit: { id, slot: 1, people: 4 }
		});
		const counts = judgeEveryBit(text, list);
		expect(counts['unknown-key']).toBe(32);
		expect(Object.keys(counts).sort()).toEqual(['bad-format', 'bad-signature', 'unknown-key']);
	});

	it('a cancelled permit is in the list of the revoked; another one is not', async () => {
		const kept = await book('keeps', 1);
		const gone = await book('cancels', 1);
		const cancelled = await test.call('POST', `/permits/${gone.id}/cancel`, { body: { user: 'cancels' } });
		expect(cancelled.status).toBe(200);
		const list = readKeyList(await bytesOf('/permits/keys'), await readRoots());
		const verdictOf = async (text: string) =>
			judge(text, list, { revocations: readRevocations(await bytesOf('/permits/revocations'), list) })
				.verdict;
		await expect.poll(() => verdictOf(gone.text), { timeout: 30_000, interval: 250 }).toBe('revoked');
		expect(await verdictOf(kept.text)).toBe('good');
	});

	it('a difference from the server leads to the list that it serves', async () => {
		const list = readKeyList(await bytesOf('/permits/keys'), await readRoots());
		const before = readRevocations(await bytesOf('/permits/revocations'), list);
		const gone = await book('goes-since', 1);
		expect(
			(await test.call('POST', `/permits/${gone.id}/cancel`, { body: { user: 'goes-since' } })).status
		).toBe(200);
		const since = () => fetch(`${test.url}/permits/revocations?since=${before.version}`);
		await expect.poll(async () => (await since()).status, { timeout: 30_000, interval: 250 }).toBe(200);
		const answer = await since();
		expect(answer.headers.get('x-list-base')).toBe(String(before.version));
		const after = applyDifference(Buffer.from(await answer.arrayBuffer()), list, before);
		expect(judge(gone.text, list, { revocations: before }).verdict).toBe('good');
		expect(judge(gone.text, list, { revocations: after }).verdict).toBe('revoked');
		const whole = readRevocations(await bytesOf('/permits/revocations'), list);
		if (whole.version === after.version) expect(after.bits.equals(whole.bits)).toBe(true);
	});

	it('no altered bit of either list is taken', async () => {
		const roots = await readRoots();
		const keyBytes = await bytesOf('/permits/keys');
		const list = readKeyList(keyBytes, roots);
		for (const { bit, bytes } of everyAlteredBit(keyBytes))
			expect([bit, refusal(() => readKeyList(bytes, roots))]).not.toEqual([bit, 'accepted']);
		const revocationBytes = await bytesOf('/permits/revocations');
		for (const { bit, bytes } of everyAlteredBit(revocationBytes))
			expect([bit, refusal(() => readRevocations(bytes, list))]).not.toEqual([bit, 'accepted']);
	});
});
