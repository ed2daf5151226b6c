import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commitmentOf, deriveDrawKeys, lineOf, type Entry } from './entry.ts';
import { blockLeaves, leafOf, pathOf, rootFrom, rootOf } from './merkle.ts';
import { orderOf, rankOf, seedOf } from './order.ts';

const keys = deriveDrawKeys('a master secret of the tests', Buffer.alloc(16, 7));
const randomness = 'ab'.repeat(32);

/** A list as it is published: sorted by id. */
function listOf(holders: readonly string[], party: (holder: string) => number = () => 1): Entry[] {
	return holders
		.map((holder) => ({ id: keys.entryOf(holder), party: party(holder), wishes: '' }))
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}
const rootHex = (entries: readonly Entry[]) =>
	rootOf(entries.map((entry) => leafOf(lineOf(entry)))).toString('hex');
const draw = (entries: readonly Entry[]) =>
	orderOf(
		seedOf({ secret: keys.secret, root: rootHex(entries), randomness }),
		entries.map(({ id }) => id)
	);

/** RFC 6962, straight from its words: split at the largest power of two below the length. */
function slowRoot(leaves: readonly Buffer[]): Buffer {
	if (leaves.length <= 1) return leaves[0] ?? createHash('sha256').digest();
	let half = 1;
	while (half * 2 < leaves.length) half *= 2;
	return createHash('sha256')
		.update(Buffer.of(1))
		.update(slowRoot(leaves.slice(0, half)))
		.update(slowRoot(leaves.slice(half)))
		.digest();
}

const people = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 60 });

describe('the entries of a draw', () => {
	it('say nothing of the holder, are the same for the same holder and differ from draw to draw', () => {
		const other = deriveDrawKeys('a master secret of the tests', Buffer.alloc(16, 8));
		expect(keys.entryOf('amal')).toMatch(/^[0-9a-f]{24}$/);
		expect(keys.entryOf('amal')).toBe(keys.entryOf('amal'));
		expect(other.entryOf('amal')).not.toBe(keys.entryOf('amal'));
		expect(other.secret.equals(keys.secret)).toBe(false);
		expect(commitmentOf(keys.secret)).toBe(createHash('sha256').update(keys.secret).digest('hex'));
	});
});

describe('the root of the frozen list', () => {
	it('is that of RFC 6962, whatever the length', () => {
		for (const count of [0, 1, 2, 3, 5, 8, 13, 64, 100]) {
			const leaves = Array.from({ length: count }, (_, i) => leafOf(`line ${i}`));
			expect(rootOf(leaves).toString('hex')).toBe(slowRoot(leaves).toString('hex'));
		}
	});

	it('is the root of the roots of its blocks', () => {
		const leaves = Array.from({ length: blockLeaves * 3 + 5 }, (_, i) => leafOf(`line ${i}`));
		const blocks = [0, 1, 2, 3].map((b) => rootOf(leaves.slice(b * blockLeaves, (b + 1) * blockLeaves)));
		expect(rootOf(blocks).toString('hex')).toBe(rootOf(leaves).toString('hex'));
		const index = blockLeaves * 2 + 77;
		const path = [
			...pathOf(leaves.slice(2 * blockLeaves, 3 * blockLeaves), index % blockLeaves),
			...pathOf(blocks, 2)
		];
		expect(rootFrom(`line ${index}`, path)).toBe(rootOf(leaves).toString('hex'));
	});

	it('proves every line of the list and no other', () => {
		fc.assert(
			fc.property(people, fc.nat(), (holders, pick) => {
				const entries = listOf(holders);
				const leaves = entries.map((entry) => leafOf(lineOf(entry)));
				const index = pick % entries.length;
				const path = pathOf(leaves, index);
				const root = rootHex(entries);
				expect(rootFrom(lineOf(entries[index]!), path)).toBe(root);
				expect(rootFrom(`${lineOf(entries[index]!)}0`, path)).not.toBe(root);
			})
		);
	});

	it('changes when anything in the list changes: an entry, a party, one more, one less', () => {
		fc.assert(
			fc.property(people, fc.nat(), (holders, pick) => {
				const entries = listOf(holders);
				const root = rootHex(entries);
				const index = pick % entries.length;
				const swapped = entries.with(index, { ...entries[index]!, party: entries[index]!.party + 1 });
				const renamed = entries.with(index, { ...entries[index]!, id: keys.entryOf(`${holders[0]} again`) });
				for (const changed of [swapped, renamed, entries.toSpliced(index, 1), [...entries, entries[index]!]])
					expect(rootHex(changed)).not.toBe(root);
			})
		);
	});
});

describe('the order drawn', () => {
	it('holds everybody exactly once, and is the same whenever and in whatever order it is computed', () => {
		fc.assert(
			fc.property(people, (holders) => {
				const entries = listOf(holders);
				const order = draw(entries);
				expect([...order].sort()).toEqual(entries.map(({ id }) => id));
				expect(draw(listOf([...holders].reverse()))).toEqual(order);
			})
		);
	});

	it('comes from secret, list and randomness together: another one of them, another seed', () => {
		const root = rootHex(listOf(['amal', 'bilal']));
		const seed = seedOf({ secret: keys.secret, root, randomness });
		expect(seed.toString('hex')).toBe(
			createHash('sha256')
				.update(Buffer.concat([keys.secret, Buffer.from(root, 'hex'), Buffer.from(randomness, 'hex')]))
				.digest('hex')
		);
		const others = [
			seedOf({ secret: Buffer.alloc(32), root, randomness }),
			seedOf({ secret: keys.secret, root: rootHex(listOf(['amal'])), randomness }),
			seedOf({ secret: keys.secret, root, randomness: 'ac'.repeat(32) })
		];
		for (const other of others) expect(other.equals(seed)).toBe(false);
		const rank = createHmac('sha256', seed).update('00ff').digest('hex');
		expect(rankOf(seed, '00ff').toString('hex')).toBe(rank);
	});

	it('keeps a party one entry with one place', () => {
		const entries = listOf(['amal', 'bilal', 'carim'], (holder) => (holder === 'amal' ? 6 : 1));
		expect(draw(entries)).toHaveLength(3);
		expect(entries.find(({ id }) => id === keys.entryOf('amal'))!.party).toBe(6);
	});

	it('has nothing to do with who came first (W-20): rank correlation near nothing, early and late alike', () => {
		const count = 4_000;
		const holders = Array.from({ length: count }, (_, i) => `holder ${i}`);
		const place = new Map(draw(listOf(holders)).map((id, i) => [id, i]));
		const places = holders.map((holder) => place.get(keys.entryOf(holder))!);
		const mean = (count - 1) / 2;
		let together = 0;
		let alone = 0;
		places.forEach((at, i) => {
			together += (at - mean) * (i - mean);
			alone += (i - mean) ** 2;
		});
		// The standard error of the rank correlation of so many is 0.016.
		expect(Math.abs(together / alone)).toBeLessThan(0.065);
		const firstTenth = places.slice(0, count / 10).filter((at) => at < count / 10).length;
		expect(Math.abs(firstTenth - count / 100)).toBeLessThan(30);
	});
});
