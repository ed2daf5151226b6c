import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
	applySyncAnswer,
	emptySyncCopy,
	nextSyncRequest,
	syncKinds,
	type SyncCopy,
	type SyncPullAnswer,
	type SyncPullRequest
} from '../../contract/index.ts';
import { limits } from '../limits.ts';
import { createTestClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { createPull } from './pull.ts';
import { inBundleOrder, type SyncCaller, type SyncSource, type SyncThing } from './sync-kinds.ts';

const viewer: SyncCaller = { id: 'v', role: 'viewer', tenant: 'account v' };
const steward: SyncCaller = { id: 's', role: 'steward', tenant: 'account s' };

/** Zones, gates and a log that a test changes by hand; two instances that know nothing of each other. */
function make(scope = 'site season') {
	const clock = createTestClock();
	const zones = new Map<string, unknown>();
	const gates = new Map<string, unknown>();
	const lines: { id: number; value: unknown }[] = [];
	const broken = new Set<string>();
	const reads = { zones: 0 };
	const things = (kind: string, of: Map<string, unknown>): SyncThing[] => {
		if (broken.has(kind)) throw new Error('cannot be read');
		return [...of].map(([id, value]) => ({ id, value }));
	};
	const sources: SyncSource[] = [
		{
			...{ kind: 'record', after: [], who: ['viewer'] },
			source: {
				type: 'log',
				async page({ after, limit }) {
					const last = lines.at(-1)?.id ?? 0;
					const reset = after === null || last - after > 50 || after > last;
					const from = reset ? last - limit : after;
					const found = lines.filter(({ id }) => id > from);
					return { lines: found.slice(0, limit), hasMore: found.length > limit, reset };
				}
			}
		},
		{
			...{ kind: 'gates', after: ['zones'], who: ['viewer', 'steward'] },
			source: { type: 'set', shared: true, read: () => things('gates', gates) }
		},
		{
			...{ kind: 'zones', after: [], who: ['viewer'] },
			source: {
				...{ type: 'set', shared: true },
				read() {
					reads.zones += 1;
					return things('zones', zones);
				},
				stable: (value) => ({ ...(value as object), age: 0 })
			}
		}
	];
	const cut: string[] = [];
	const open = () =>
		createPull({
			...{ clock, log: createLog('silent'), random: () => 0.5, scope, sources },
			...{ reconnectSpreadMs: () => 30_000, load: () => 0, onCut: (kind: string) => cut.push(kind) }
		});
	const instances = [open(), open()];
	const pull = async (request: SyncPullRequest = {}, caller = viewer, instance = 0) => {
		clock.advance(limits.sync.freshMs);
		const { text } = await instances[instance]!.pull(caller, request, 'en');
		return JSON.parse(text) as SyncPullAnswer;
	};
	return { clock, zones, gates, lines, broken, reads, cut, pull, sources };
}

describe('the unified pull', () => {
	let bench: ReturnType<typeof make>;
	beforeEach(() => {
		bench = make();
		for (let i = 0; i < 5; i++) bench.zones.set(`z${i}`, { name: `zone ${i}`, age: i });
		bench.gates.set('g1', { state: 'open' });
		for (let id = 1; id <= 3; id++) bench.lines.push({ id, value: { action: `line ${id}` } });
	});
	/** Pulls until nothing is missing. */
	const catchUp = async (copy: SyncCopy, request: SyncPullRequest = {}, instance = 0) => {
		for (let turn = 0; turn < 100; turn++) {
			const answer = await bench.pull(
				{ ...request, ...nextSyncRequest(copy, request.kinds) },
				viewer,
				instance
			);
			copy = applySyncAnswer(copy, answer);
			if (!answer.hasMore) return { copy, answer, turns: turn + 1 };
		}
		throw new Error('it never ends');
	};

	it('brings everything in one bundle, what things stand on first', async () => {
		const answer = await bench.pull();
		expect(answer.parts.map(({ kind }) => kind)).toEqual(['zones', 'gates', 'record']);
		expect(answer.parts.every(({ reset, hasMore }) => reset && !hasMore)).toBe(true);
		expect(answer).toMatchObject({ hasMore: false, unchanged: [], errors: [], reconnectSpreadMs: 30_000 });
		expect(answer.parts[0]!.items[0]).toEqual({ id: 'z0', value: { name: 'zone 0', age: 0 } });
	});

	it('says of what did not change that it did not, on any instance; an age alone is no change', async () => {
		const { copy } = await catchUp(emptySyncCopy);
		bench.zones.set('z1', { name: 'zone 1', age: 99 });
		const answer = await bench.pull(nextSyncRequest(copy), viewer, 1);
		expect(answer).toMatchObject({ parts: [], unchanged: ['zones', 'gates', 'record'], hasMore: false });
	});

	it('brings what changed, what is new, and which are left', async () => {
		const { copy } = await catchUp(emptySyncCopy);
		bench.zones.set('z1', { name: 'renamed', age: 1 });
		bench.zones.set('z9', { name: 'new', age: 1 });
		bench.zones.delete('z3');
		const { copy: after, answer } = await catchUp(copy, {}, 1);
		expect(answer.parts).toHaveLength(1);
		expect(answer.parts[0]).toMatchObject({
			kind: 'zones',
			reset: false,
			ids: ['z0', 'z1', 'z2', 'z4', 'z9']
		});
		expect(answer.parts[0]!.items.map(({ id }) => id)).toEqual(['z1', 'z9']);
		expect(after.things.get('zones')).toEqual(new Map(bench.zones));
	});

	it('names each kind that it does not bring, and why', async () => {
		const answer = await bench.pull({ kinds: ['zones', 'ghosts', 'gates'] }, steward);
		expect(answer.parts.map(({ kind }) => kind)).toEqual(['gates']);
		expect(answer.errors.map(({ kind, code }) => [kind, code])).toEqual([
			['zones', 'forbidden'],
			['ghosts', 'unknown_kind']
		]);
		expect(answer.errors.every(({ title }) => title.length > 5)).toBe(true);
	});

	it('answers the rest when one kind cannot be read, and leaves its cursor as it was', async () => {
		const { copy } = await catchUp(emptySyncCopy);
		bench.broken.add('zones');
		bench.gates.set('g1', { state: 'held' });
		const answer = await bench.pull(nextSyncRequest(copy));
		expect(answer.errors).toMatchObject([{ kind: 'zones', code: 'not_ready' }]);
		expect(answer.parts.map(({ kind }) => kind)).toEqual(['gates']);
		bench.broken.clear();
		const after = applySyncAnswer(copy, answer);
		expect((await bench.pull(nextSyncRequest(after))).unchanged).toContain('zones');
	});

	it('goes on where it was cut short, by things of a kind', async () => {
		const { copy, turns } = await catchUp(emptySyncCopy, { limits: { zones: 2 } });
		expect(turns).toBe(3);
		expect(copy.things.get('zones')).toEqual(new Map(bench.zones));
	});

	it('goes on where it was cut short by bytes', async () => {
		for (let i = 0; i < 6; i++) bench.zones.set(`big${i}`, { words: 'x'.repeat(400_000) });
		const { copy, turns } = await catchUp(emptySyncCopy);
		expect(turns).toBeGreaterThan(1);
		expect(copy.things.get('zones')?.size).toBe(11);
		expect(copy.things.get('gates')?.size).toBe(1);
	});

	it('begins anew with a cursor that is too old, broken, of another kind or of another site', async () => {
		const { copy } = await catchUp(emptySyncCopy);
		const { zones = '', gates = '' } = copy.cursors;
		const resets = async (cursor: string, own = bench) => {
			const answer = await own.pull({ kinds: ['zones'], cursors: { zones: cursor } });
			return answer.parts[0]?.reset === true && answer.parts[0].items.length === 5;
		};
		for (const cursor of ['', 'x', gates, zones.slice(0, -3), `A${zones}`, '=='.repeat(9)])
			expect(await resets(cursor), cursor).toBe(true);
		const elsewhere = make('another season');
		for (const [id, value] of bench.zones) elsewhere.zones.set(id, value);
		expect(await resets(zones, elsewhere)).toBe(true);
		bench.clock.advance(limits.sync.cursorMs + 60_000);
		expect(await resets(zones)).toBe(true);
	});

	it('tells a log from its last page on, and begins anew when too much was missed', async () => {
		const first = await bench.pull({ kinds: ['record'], limits: { record: 2 } });
		expect(first.parts[0]!.items.map(({ id }) => id)).toEqual(['2', '3']);
		bench.lines.push({ id: 4, value: {} });
		const { copy } = await catchUp(applySyncAnswer(emptySyncCopy, first));
		expect([...copy.things.get('record')!.keys()]).toEqual(['2', '3', '4']);
		for (let id = 5; id < 100; id++) bench.lines.push({ id, value: {} });
		const { copy: after } = await catchUp(copy, { limits: { record: 30 } });
		expect([...after.things.get('record')!.keys()]).toEqual(
			bench.lines.slice(-30).map(({ id }) => String(id))
		);
	});

	it('reads once for all who ask in the same moment', async () => {
		const { clock, sources } = bench;
		const many = createPull({
			...{ clock, log: createLog('silent'), random: Math.random, scope: 's', sources },
			...{ reconnectSpreadMs: () => 1, load: () => 0, onCut: () => undefined }
		});
		await Promise.all(Array.from({ length: 200 }, () => many.pull(viewer, {}, 'en')));
		expect(bench.reads.zones).toBe(1);
	});

	it('bounds a set by what a cursor can hold, and says so', async () => {
		for (let i = 0; i < limits.sync.thingsMax + 10; i++) bench.zones.set(`many${i}`, { i });
		const { copy } = await catchUp(emptySyncCopy, { limits: { zones: 500 } });
		expect(copy.things.get('zones')?.size).toBe(limits.sync.thingsMax);
		expect(copy.cursors['zones']!.length).toBeLessThanOrEqual(40_000);
		expect(bench.cut).toContain('zones');
	});

	it('leaves every holder with what there is, whatever changes between whichever pulls, on whichever instance', async () => {
		const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
		const step = fc.oneof(
			fc.record({ set: id, to: fc.integer({ min: 0, max: 3 }) }),
			fc.record({ drop: id }),
			fc.record({ pull: fc.integer({ min: 1, max: 3 }), instance: fc.integer({ min: 0, max: 1 }) })
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
				bench = make();
				let copy = emptySyncCopy;
				for (const one of steps) {
					if ('set' in one) bench.zones.set(one.set, { value: one.to });
					else if ('drop' in one) bench.zones.delete(one.drop);
					else {
						const request = { ...nextSyncRequest(copy, ['zones']), limits: { zones: one.pull } };
						copy = applySyncAnswer(copy, await bench.pull(request, viewer, one.instance));
					}
				}
				const { copy: after } = await catchUp(copy, { kinds: ['zones'], limits: { zones: 2 } }, 1);
				expect(new Map(after.things.get('zones'))).toEqual(new Map(bench.zones));
				// And then there is nothing new.
				expect((await bench.pull(nextSyncRequest(after, ['zones']))).unchanged).toEqual(['zones']);
			}),
			{ numRuns: 80 }
		);
	});
});

describe('a thing that may be told as a difference', () => {
	const clock = createTestClock();
	/** A list whose difference from a version is made like this. */
	const listWith = (since: (version: number) => Promise<unknown>) => {
		const sources: SyncSource[] = [
			{
				...{ kind: 'revocations', after: [], who: ['scanner'] },
				source: { type: 'set', shared: true, read: () => [{ id: 'revocations', value: { whole: 9 } }], since }
			}
		];
		const { pull } = createPull({
			...{ clock, log: createLog('silent'), random: () => 0.5, scope: 'a', sources },
			...{ reconnectSpreadMs: () => 30_000, load: () => 0, onCut: () => undefined }
		});
		return async (request: SyncPullRequest) => {
			const going = pull({ id: 's', role: 'scanner', tenant: 't' }, request, 'en');
			await new Promise((resolve) => setImmediate(resolve));
			clock.advance(limits.sync.shortenTimeoutMs);
			return JSON.parse((await going).text) as SyncPullAnswer;
		};
	};
	const valueOf = ({ parts }: SyncPullAnswer) => parts[0]?.items[0]?.value;

	it('is told so to whoever names a version, and is the same thing to its cursor', async () => {
		const pull = listWith(async (version) => ({ from: version }));
		const whole = await pull({});
		const short = await pull({ have: { revocations: 7 } });
		expect([valueOf(whole), valueOf(short)]).toEqual([{ whole: 9 }, { from: 7 }]);
		expect(short.parts[0]!.cursor).toBe(whole.parts[0]!.cursor);
		const cursors = { revocations: short.parts[0]!.cursor };
		expect((await pull({ cursors, have: { revocations: 9 } })).unchanged).toEqual(['revocations']);
	});

	it('is told whole where none can be made, or not in time', async () => {
		const ways = [
			async () => null,
			async () => Promise.reject(new Error('no database')),
			() => new Promise<never>(() => undefined)
		];
		for (const way of ways)
			expect(valueOf(await listWith(way)({ have: { revocations: 7 } }))).toEqual({ whole: 9 });
	});
});

describe('the order of a bundle', () => {
	const source = (
		kind: SyncSource['kind'],
		after: SyncSource['after'],
		who: SyncSource['who'] = ['viewer']
	) => ({
		...{ kind, after, who },
		source: { type: 'set' as const, shared: true, read: () => [] }
	});

	it('is that of the contract', () => {
		const kinds = inBundleOrder(syncKinds.toReversed().map((kind) => source(kind, []))).map(
			({ kind }) => kind
		);
		expect(kinds).toEqual([...syncKinds]);
	});

	it('refuses what would come before what it stands on, what stands on nothing, and two of one', () => {
		expect(() => inBundleOrder([source('site', ['zones']), source('zones', [])])).toThrow('comes later');
		expect(() => inBundleOrder([source('zones', ['site'])])).toThrow('nobody brings');
		expect(() => inBundleOrder([source('zones', []), source('zones', [])])).toThrow('two sources');
		expect(inBundleOrder([source('zones', []), source('zones', [], ['scanner'])])).toHaveLength(2);
	});
});
