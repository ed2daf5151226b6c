import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { inflateSync } from 'node:zlib';
import { fromHex, isRevoked, sealKeyList } from '../../../contract/permit/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import { createLog } from '../../platform/log.ts';
import { createClock, type Clock } from '../../platform/clock.ts';
import { createRecord } from '../record/index.ts';
import { createKeyCommands, type KeyCommands } from './key-commands.ts';
import { createVault, newKeyPair, signerOf } from './key-crypto.ts';
import { createKeyRing } from './key-ring.ts';
import { readKeys } from './keys-store.ts';
import { createListKeeper } from './list-keeper.ts';
import { createGate, openPermits, season, secret, startedAt, type PermitBench } from './permits.fixture.ts';

const hourMs = 3_600_000;
const order = { actor: 'admin@example.org', reason: 'the drill of the month' };
const open: { stop(): Promise<void> }[] = [];
const tests: TestDatabase[] = [];

async function setUp(options: { automaticRoot?: boolean } = {}) {
	const test = await createTestDatabase();
	tests.push(test);
	const bench = await openPermits({ test, ...options });
	open.push(bench);
	return { test, bench, gate: createGate(test), give: commandsOn(test, bench, options) };
}

/** Gives commands as the routes do, each in a transaction of its own. */
function commandsOn(test: TestDatabase, bench: PermitBench, { automaticRoot = true } = {}) {
	const clock: Clock = { ...createClock(), now: () => bench.now() };
	const base = { db: test.database.db, clock, log: createLog('silent'), season };
	const ring = createKeyRing({ ...base, vault: createVault(secret), places: [], automaticRoot });
	const lists = createListKeeper({ ...base, ring });
	const commands = createKeyCommands({ ...base, ring, lists, record: createRecord(base) });
	return async <T>(run: (commands: KeyCommands, tx: never) => Promise<T>): Promise<T> => {
		await ring.start();
		const done = await base.db.transaction().execute((tx) => run(commands, tx as never));
		await bench.permits.keepLists();
		return done;
	};
}

afterEach(async () => {
	for (const one of open.splice(0)) await one.stop();
	for (const test of tests.splice(0)) await test.close();
});

describe('a permit of the server', () => {
	it('is genuine to a gate that has the lists, and the same text each time, on any instance', async () => {
		const { test, bench, gate } = await setUp();
		const permit = await bench.issue('somebody');
		const text = await bench.permits.textOf(permit);
		await gate.sync();
		expect(await gate.judge(text!)).toMatchObject({
			outcome: 'genuine',
			claims: {
				...{ id: permit.id, season: 1, slot: 3, place: 1, gates: 0, category: 1, party: 4 },
				fromSeconds: permit.startsAt / 1_000
			}
		});
		const other = await openPermits({ test });
		open.push(other);
		expect(await other.permits.textOf(permit)).toBe(text);
		expect(await bench.permits.textOf(permit)).toBe(text);
	});

	it('is told from a forged one, from another permit and from another deployment by its text', async () => {
		const { bench } = await setUp();
		const { id, ...rest } = await bench.issue('somebody');
		const text = (await bench.permits.textOf({ id, ...rest }))!;
		const another = await bench.issue('somebody else');
		const foreign = await openPermits();
		open.push(foreign);
		const { isGenuine } = bench.permits;
		expect(await isGenuine(text, id)).toBe(true);
		expect(await isGenuine(text, undefined)).toBe(true);
		expect(await isGenuine(text, another.id)).toBe(false);
		expect(await isGenuine(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`, id)).toBe(false);
		expect(await isGenuine('P1:', id)).toBe(false);
		expect(await foreign.permits.isGenuine(text, id)).toBe(false);
	});

	it('booked before there was a key gets one when it is first shown, and keeps it', async () => {
		const { test, bench, gate } = await setUp();
		const permit = { ...(await bench.issue('somebody')), keyId: null };
		await sql`update permits set key_id = null`.execute(test.database.db);
		const text = await bench.permits.textOf(permit);
		await gate.sync();
		expect((await gate.judge(text!)).outcome).toBe('genuine');
		const stored = await bench.permits.findById(test.database.db, permit.id);
		expect(stored?.keyId).toMatch(/^[0-9a-f]{8}$/);
	});

	it('is revoked by its index once it is cancelled, and no other', async () => {
		const { bench, gate } = await setUp();
		const [one, two] = [await bench.issue('one'), await bench.issue('two')];
		expect((await gate.sync()).revokedSeen).toBe(1);
		await bench.permits.cancel('one', one.id);
		await bench.goTo(bench.now() + 5_000);
		expect((await gate.sync()).revokedSeen).toBe(2);
		const bits = inflateSync(gate.bits!.deflated);
		expect(bits.length * 8).toBe(gate.bits!.size);
		const statuses = await Promise.all(
			[one, two].map(async (permit) => {
				const verdict = await gate.judge((await bench.permits.textOf(permit))!);
				return verdict.outcome === 'genuine' ? isRevoked(bits, verdict.claims.status) : null;
			})
		);
		expect(statuses).toEqual([true, false]);
		// Long after its window nobody asks any more.
		await bench.goTo(one.endsAt + 49 * hourMs);
		await gate.sync();
		expect(gate.bits!.size).toBe(0);
	});
});

describe('the next key', () => {
	it('signs 48 hours after it was listed; permits from before stay as they are', async () => {
		const { bench, gate, give } = await setUp();
		const before = await bench.issue('before');
		const text = await bench.permits.textOf(before);
		await gate.sync();
		const oldGateKeys = gate.keys().length;
		const next = await give((commands, tx) => commands.addNext(tx, order, false));
		await expect(give((commands, tx) => commands.addNext(tx, order, false))).rejects.toThrow('key_waiting');
		await bench.goTo(startedAt + 47 * hourMs);
		expect((await bench.issue('in notice')).keyId).toBe(before.keyId);
		await bench.goTo(startedAt + 48 * hourMs);
		const after = await bench.issue('after');
		expect(after.keyId).toBe(next);
		expect(await bench.permits.textOf(before)).toBe(text);
		// A gate that missed the change does not know the key; with the new list it knows both.
		const newText = (await bench.permits.textOf(after))!;
		expect(oldGateKeys).toBe(1);
		expect(await gate.judge(newText)).toMatchObject({ outcome: 'unknown-key', kid: next });
		expect((await gate.sync()).keys).toBe('good');
		expect((await gate.judge(newText)).outcome).toBe('genuine');
		expect((await gate.judge(text!)).outcome).toBe('genuine');
	});

	it('takes over at once where a key was lost: replace, issue again, then flip', async () => {
		const { bench, gate, give, test } = await setUp();
		const permit = await bench.issue('somebody');
		const [lost, oldText] = [permit.keyId!, (await bench.permits.textOf(permit))!];
		await expect(give((commands, tx) => commands.compromise(tx, order, lost, 1))).rejects.toThrow(
			'key_in_use'
		);
		const urgent = await give((commands, tx) => commands.addNext(tx, order, true));
		await expect(give((commands, tx) => commands.compromise(tx, order, lost, 0))).rejects.toThrow(
			'key_in_use'
		);
		expect(await give((commands, tx) => commands.reissue(tx, order, lost))).toBe(1);
		expect(await give((commands, tx) => commands.compromise(tx, order, lost, 0))).toBe(0);
		await gate.sync();
		expect((await gate.judge(oldText)).outcome).toBe('compromised-key');
		const again = (await bench.permits.findById(test.database.db, permit.id))!;
		expect(again.keyId).toBe(urgent);
		const verdict = await gate.judge((await bench.permits.textOf(again))!);
		expect(verdict).toMatchObject({ outcome: 'genuine', claims: { id: permit.id } });
		const lines = await sql<{ action: string }>`select action from record order by id`.execute(
			test.database.db
		);
		expect(lines.rows.map(({ action }) => action)).toEqual([
			'permits.key-made',
			'permits.reissued',
			'permits.key-compromised'
		]);
	});
});

describe('a root that is kept elsewhere', () => {
	it('signs the list by hand; nothing else is taken, nor an older one again', async () => {
		const { test, bench, gate, give } = await setUp({ automaticRoot: false });
		const db = test.database.db;
		const root = newKeyPair();
		const permit = await bench.issue('somebody');
		expect(await bench.permits.textOf(permit)).toMatch(/^P1:/);
		expect((await readKeys(db, season)).lists.keys).toBeUndefined();
		await give((commands, tx) => commands.pinRoot(tx, order, Buffer.from(root.publicKey).toString('hex')));
		const sign = async (pair = root) => {
			const { draft } = await readKeys(db, season);
			return sealKeyList(draft!.payload, pair.kid, signerOf(pair.privateKey));
		};
		const take = (signed: Uint8Array) => give((commands, tx) => commands.takeList(tx, order, signed));
		const first = await sign();
		await expect(take(await sign(newKeyPair()))).rejects.toThrow('key_list_refused');
		await take(first);
		expect(await gate.sync()).toMatchObject({ keys: 'good' });
		expect((await gate.judge((await bench.permits.textOf(permit))!)).outcome).toBe('genuine');
		await expect(take(first)).rejects.toThrow('key_list_refused');
		// The next key waits until a root has signed the list that names it.
		const next = await give((commands, tx) => commands.addNext(tx, order, false));
		await bench.goTo(startedAt + 100 * hourMs);
		expect((await bench.issue('later')).keyId).not.toBe(next);
		await take(await sign());
		await bench.goTo(startedAt + 149 * hourMs);
		expect((await bench.issue('later still')).keyId).toBe(next);
		await gate.sync();
		// Somebody who put the older list back is found out by every gate that saw the newer one.
		await sql`update permit_lists set body = ${Buffer.from(first)}, version = 1 where kind = 'keys'`.execute(
			db
		);
		expect((await gate.sync()).keys).toBe('roll-back');
	});

	it('is no point of the curve: refused; a third one, too', async () => {
		const { give } = await setUp({ automaticRoot: false });
		const pin = (key: Uint8Array | string) =>
			give((commands, tx) => commands.pinRoot(tx, order, Buffer.from(key as never).toString('hex')));
		await expect(pin(fromHex('ff'.repeat(31)))).rejects.toThrow();
		const [one, two, three] = [newKeyPair(), newKeyPair(), newKeyPair()];
		await pin(one.publicKey);
		await expect(pin(one.publicKey)).rejects.toThrow('root_refused');
		await pin(two.publicKey);
		await expect(pin(three.publicKey)).rejects.toThrow('root_refused');
	});
});

describe('private keys', () => {
	it('lie encrypted, and stand in no log', async () => {
		const { test, bench } = await setUp();
		const db = test.database.db;
		await bench.issue('somebody');
		const { keys, roots } = await readKeys(db, season);
		const vault = createVault(secret);
		const plain = [
			vault.open(keys[0]!.sealed, `permit key ${season} ${keys[0]!.kid}`)!,
			vault.open(roots[0]!.sealed!, `permit root ${season} ${roots[0]!.kid}`)!
		];
		const seeds = plain.flatMap((der) => {
			const seed = der.subarray(-32);
			return [seed.toString('hex'), seed.toString('base64'), seed.toString('base64url')];
		});
		const everything = await sql<{ all: string }>`
			select (select json_agg(k) from permit_keys k)::text || (select json_agg(r) from permit_roots r)::text
				|| (select json_agg(l) from permit_lists l)::text as all`.execute(db);
		const other = await openPermits({ test, secret: 'another secret, and long enough to be one' });
		open.push(other);
		expect(await other.permits.textOf(await bench.issue('somebody else'))).toBeNull();
		expect(other.logged.join('')).toContain('cannot be opened');
		for (const text of [everything.rows[0]!.all, bench.logged.join(''), other.logged.join('')])
			for (const seed of seeds) expect(text).not.toContain(seed);
		expect(seeds[0]).toMatch(/^[0-9a-f]{64}$/);
	});

	it('open under their own secret and name alone', () => {
		const vault = createVault(secret);
		const sealed = vault.close(Buffer.from('private'), 'a');
		expect(vault.open(sealed, 'a')?.toString()).toBe('private');
		expect(vault.open(sealed, 'b')).toBeNull();
		expect(createVault(`${secret}!`).open(sealed, 'a')).toBeNull();
		sealed[20]! ^= 1;
		expect(vault.open(sealed, 'a')).toBeNull();
		expect(vault.open(Buffer.alloc(3), 'a')).toBeNull();
	});
});
