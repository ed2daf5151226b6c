import { entryBatchMax, type Entry, type EntryBatch, type EntryBatchAnswer } from '@marsad/server/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDesk } from './desk.ts';
import {
	gateSettings,
	goldenText,
	idOf,
	openTestScanner,
	sealOwn,
	testCalls,
	vectors
} from './scan.fixture.ts';
import { emptyDisk } from './memory-store.fixture.ts';
import { createSync } from './sync.ts';

const permits = Array.from({ length: 8 }, (_, n) => sealOwn({ id: idOf(n + 1), party: 1 + (n % 3) }));

describe('a scan at the desk', () => {
	it('is kept before it is answered, and the second one is red', async () => {
		const { deps, store, pass } = openTestScanner();
		const desk = createDesk(deps);
		const first = await desk.scan(goldenText(), 'camera');
		expect(first).toMatchObject({ judgement: { verdict: 'green' }, isKept: true, isOpen: true });
		expect(await store.oldest(9)).toEqual([first!.entry]);
		expect(first!.entry).toMatchObject({ seq: 1, people: 4, party: { entered: 4, of: 4 }, gate: 'north' });
		pass(500);
		expect(await desk.scan(goldenText(), 'camera')).toBeNull();
		pass(2_600);
		const second = await desk.scan(goldenText(), 'camera');
		expect(second!.entry).toMatchObject({ seq: 2, verdict: 'red', cause: 'used', people: 0 });
		// The same permit under another key: another text, and no second entry.
		pass(3_000);
		const third = await desk.scan(vectors.golden[1]!.text, 'wedge');
		expect(third!.entry.cause).toBe('used');
	});

	it('lets part of a party in, and the rest later', async () => {
		const { deps, store, pass } = openTestScanner();
		const desk = createDesk(deps);
		await desk.scan(goldenText(), 'wedge');
		await desk.setPeople(3);
		await desk.setPeople(9);
		await desk.setPeople(1);
		expect((await store.oldest(9)).map(({ people }) => people)).toEqual([1]);
		pass(5_000);
		const rest = await desk.scan(goldenText(), 'wedge');
		expect(rest).toMatchObject({ entry: { people: 3, party: { entered: 4, of: 4 } } });
		await desk.close();
		await desk.setPeople(1);
		expect((await store.oldest(9)).map(({ people }) => people)).toEqual([1, 3]);
	});

	it('remembers what was used when the page starts again, and numbers go on', async () => {
		const disk = emptyDisk();
		await createDesk(openTestScanner(disk).deps).scan(goldenText(), 'wedge');
		const again = createDesk(openTestScanner(disk, 'boot-2').deps);
		const answer = await again.scan(goldenText(), 'wedge');
		expect(answer!.entry).toMatchObject({ seq: 2, boot: 'boot-2', cause: 'used' });
	});

	it('is overruled by a supervisor in the same entry, which says so', async () => {
		const { deps, store } = openTestScanner();
		const desk = createDesk(deps);
		await desk.scan('no permit at all', 'typed');
		await desk.overrule();
		expect(await store.oldest(9)).toMatchObject([
			{ verdict: 'red', cause: 'bad-format', people: 1, flags: ['supervisor'] }
		]);
		await desk.setPeople(4);
		expect((await store.oldest(9))[0]!.people).toBe(4);
	});

	it('of an unknown key carries its text, and its use is remembered beside the proven ones', async () => {
		const { deps, pass } = openTestScanner();
		const desk = createDesk(deps);
		const unknown = vectors.hostile.find(({ outcome }) => outcome === 'unknown-key')!.text;
		const first = await desk.scan(unknown, 'wedge');
		expect(first!.entry).toMatchObject({
			verdict: 'amber',
			text: unknown,
			people: 1,
			flags: ['unknown-key']
		});
		pass(5_000);
		expect((await desk.scan(goldenText(), 'wedge'))!.entry.verdict).toBe('green');
	});

	it('without room says so, and counts again when there is room', async () => {
		const { deps, disk, state, pass } = openTestScanner();
		const desk = createDesk(deps);
		disk.isFull = true;
		expect(await desk.scan(goldenText(), 'wedge')).toMatchObject({ isKept: false, isOpen: false });
		expect(state.storageFault).toBe(true);
		disk.isFull = false;
		pass(5_000);
		expect(await desk.scan(goldenText(), 'wedge')).toMatchObject({ isKept: true, entry: { seq: 1 } });
		expect(state.storageFault).toBe(false);
	});

	it('lets in whom a failing browser cannot judge, and says that it keeps nothing', async () => {
		const broken = openTestScanner();
		const fails = async () => Promise.reject(new Error('the database is gone'));
		const desk = createDesk({ ...broken.deps, store: { ...broken.store, findUse: fails, add: fails } });
		expect(await desk.scan(goldenText(), 'wedge')).toMatchObject({
			...{ judgement: { verdict: 'green' }, isKept: false }
		});
		const { deps, store, state } = openTestScanner();
		const mute = createDesk({ ...deps, verify: fails });
		expect((await mute.scan('P1:'.padEnd(400, 'A'), 'wedge'))!.entry).toMatchObject({ cause: 'bad-format' });
		expect((await mute.scan(goldenText(), 'wedge'))!.entry).toMatchObject({
			...{ verdict: 'amber', flags: ['unknown-key'], text: goldenText(), people: 1 }
		});
		state.settings = gateSettings({ mode: 'held' });
		expect((await mute.scan(sealOwn(), 'wedge'))!.entry.cause).toBe('gate-closed');
		expect(await store.waiting()).toBe(3);
	});

	it('counts without a look at pressure, and out when everyone leaves', async () => {
		const { deps, store, state } = openTestScanner();
		const desk = createDesk(deps);
		await desk.count(1);
		await desk.startCounting('pressure');
		expect(await desk.scan(goldenText(), 'wedge')).toBeNull();
		await desk.count(1);
		await desk.count(10);
		await desk.uncount();
		await desk.close();
		await desk.count(2);
		state.settings = gateSettings({ mode: 'count-out' });
		await desk.close();
		await desk.count(5);
		expect(await store.oldest(9)).toMatchObject([
			{ kind: 'count', people: 10, reason: 'pressure', direction: 'in' },
			{ people: 2 },
			{ people: 5, reason: 'evacuation', direction: 'out' }
		]);
	});
});

/** A server that keeps what it acknowledges, and fails as it is told. */
function createServer() {
	const stored = new Map<number, string>();
	const take = (entries: Entry[]): EntryBatchAnswer => {
		for (const entry of entries) {
			const content = JSON.stringify(entry);
			expect(stored.get(entry.seq) ?? content, 'an entry never changes once it was sent').toBe(content);
			stored.set(entry.seq, content);
		}
		return {
			...{ device: 'd', acknowledged: entries.map(({ seq }) => [seq, seq]), stored: 0, repeated: 0 },
			...{ setAside: [], nextSeq: Math.max(0, ...stored.keys()) + 1, receivedAt: 0, serverAt: 1 },
			clock: { offsetMs: 0, uncertaintyMs: 0, state: 'good' as const }
		};
	};
	return { stored, take };
}

describe('the queue', () => {
	it('loses nothing and sends nothing twice over, whatever network, crashes and answers do', async () => {
		const step = fc.oneof(
			fc.record({ do: fc.constant('scan' as const), n: fc.nat({ max: permits.length - 1 }) }),
			fc.record({ do: fc.constant('people' as const), n: fc.integer({ min: 1, max: 3 }) }),
			fc.record({ do: fc.constant('sync' as const), n: fc.nat({ max: 3 }) }),
			fc.record({ do: fc.constant('crash' as const), n: fc.constant(0) })
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				const disk = emptyDisk();
				const server = createServer();
				const made = new Set<number>();
				let boot = 0;
				let fate = 0;
				const open = () => {
					const scanner = openTestScanner(disk, `boot-${boot++}`);
					const calls = testCalls({
						// Not there; taken, and the answer lost; taken; half of it taken.
						async send(_token: string, batch: EntryBatch) {
							const lost = { answer: { kind: 'no-answer' as const }, roundTripMs: 1 };
							if (fate === 0) return lost;
							const entries = batch.entries as Entry[];
							const half = fate === 3 ? Math.floor(entries.length / 2) : entries.length;
							const body = server.take(entries.slice(0, half));
							if (fate === 1) return lost;
							return { answer: { kind: 'ok' as const, status: 200, body }, roundTripMs: 1 };
						}
					});
					return { ...scanner, desk: createDesk(scanner.deps), sync: createSync({ ...scanner.deps, calls }) };
				};
				let at = open();
				for (const { do: what, n } of steps) {
					at.pass(3_000);
					if (what === 'scan') made.add((await at.desk.scan(permits[n]!, 'wedge'))!.entry.seq);
					if (what === 'people') await at.desk.setPeople(n);
					if (what === 'crash') at = open();
					if (what === 'sync') {
						fate = n;
						await at.sync.now();
					}
					const kept = [...disk.entries.keys()];
					expect([...new Set([...kept, ...server.stored.keys()])].sort((a, b) => a - b)).toEqual(
						[...made].sort((a, b) => a - b)
					);
				}
				fate = 2;
				await at.desk.close();
				await at.sync.now();
				await at.sync.now();
				expect(disk.entries.size).toBe(0);
				expect([...server.stored.keys()].sort((a, b) => a - b)).toEqual([...made].sort((a, b) => a - b));
			}),
			{ numRuns: 40 }
		);
	}, 60_000);

	it('sends at most a batch at once, sets aside what the server does, and keeps everything when the token is refused', async () => {
		const { deps, store, state, pass } = openTestScanner();
		const desk = createDesk(deps);
		await desk.startCounting('pressure');
		for (let n = 0; n < entryBatchMax + 3; n++) {
			await desk.count(1);
			await desk.close();
		}
		const refused = {
			kind: 'refused' as const,
			problem: { code: 'scanner_revoked', status: 403 } as never,
			retryAfterSeconds: null
		};
		const sizes: number[] = [];
		let isRevoked = true;
		const { take } = createServer();
		const calls = testCalls({
			async send(_token, batch) {
				sizes.push(batch.entries.length);
				if (isRevoked) return { answer: refused, roundTripMs: 1 };
				const body = take(batch.entries as Entry[]);
				body.setAside =
					batch.entries.length === 3 ? [{ index: 1, seq: null, code: 'bad_shape', title: '' }] : [];
				if (body.setAside.length > 0) body.acknowledged.splice(1, 1);
				return { answer: { kind: 'ok', status: 200, body }, roundTripMs: 1 };
			}
		});
		const sync = createSync({ ...deps, calls });
		await sync.now();
		expect([await store.waiting(), state.refused?.code]).toEqual([entryBatchMax + 3, 'scanner_revoked']);
		isRevoked = false;
		pass(60_000);
		await sync.now();
		expect(sizes).toEqual([entryBatchMax, entryBatchMax, 3]);
		expect([await store.waiting(), state.aside, state.refused]).toEqual([0, 1, null]);
	});
});
