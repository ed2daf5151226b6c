import { fromHex, isRevoked } from '@marsad/server/contract/permit';
import type { SyncPullAnswer } from '@marsad/server/contract';
import { describe, expect, it } from 'vitest';
import { takeNews } from './news.ts';
import { readParts } from './pull.ts';
import { gateSettings, openTestScanner, usualAt, vectors } from './scan.fixture.ts';
import { recall } from './setting-up.ts';
import { packBits } from './signed-lists.ts';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const part = (kind: string, value: unknown) => ({
	...{ kind, reset: true, items: [{ id: kind, value }], ids: [kind], cursor: `after ${kind}`, hasMore: false }
});
const answerOf = (parts: SyncPullAnswer['parts'], unchanged: string[] = []) => ({
	kind: 'ok' as const,
	status: 200,
	body: { at: usualAt, parts, unchanged, errors: [], hasMore: false, pullAfterMs: 1, reconnectSpreadMs: 1 }
});

describe('news', () => {
	it('are read by their kind, and what is of another shape is not there', () => {
		const read = readParts(
			answerOf(
				[part('keys', { signed: base64(vectors.keyList) }), part('entry-settings', { mode: 'check' })],
				['revocations']
			)
		);
		expect(read).toMatchObject({
			settings: null,
			revocations: { kind: 'same' },
			cursors: { keys: 'after keys' }
		});
		expect(read.keys).toEqual({ kind: 'new', bytes: fromHex(vectors.keyList) });
		expect(readParts(answerOf([part('keys', { signed: '%%' })])).keys).toEqual({ kind: 'none' });
	});

	it('are taken over in order, kept, and proven again at the next start', async () => {
		const { deps, state, disk } = openTestScanner();
		state.lists = { keys: null, revocations: null };
		const read = readParts(
			answerOf([
				part('keys', { signed: base64(vectors.keyList) }),
				part('revocations', { signed: base64(vectors.revocations.list) }),
				part('entry-settings', gateSettings({ mode: 'held', nextSeq: 40 }))
			])
		);
		await takeNews(deps, read, usualAt);
		expect([state.lists.keys?.version, state.lists.revocations?.list.version]).toEqual([3, 7]);
		expect([state.settings?.mode, disk.nextSeq, Object.keys(state.cursors).length]).toEqual(['held', 40, 3]);
		await deps.store.write({ pairing: state.pairing! });
		const again = openTestScanner(disk, 'boot-2');
		again.state.lists = { keys: null, revocations: null };
		await recall(again.deps);
		expect(again.state.lists.revocations?.list.version).toBe(7);
		// Another root than the one that was pinned: nothing of it is believed any more.
		await deps.store.write({ pairing: { ...state.pairing!, roots: [] } });
		again.state.lists = { keys: null, revocations: null };
		await recall(again.deps);
		expect([again.state.lists.keys, again.state.faults.keys]).toEqual([null, 'unknown-key']);
	});

	it('bring a difference instead of a list, which is proven with its bits at the next start, offline', async () => {
		const { deps, state, disk } = openTestScanner();
		state.cursors = { revocations: 'before' };
		await deps.store.write({
			pairing: state.pairing!,
			keys: { bytes: fromHex(vectors.keyList), confirmedAt: usualAt }
		});
		const change = (hex: string) =>
			readParts(answerOf([part('revocations', { base: 7, change: base64(hex) })]));
		await takeNews(deps, change(vectors.revocationDeltas.delta), usualAt);
		const { list, bits } = state.lists.revocations!;
		expect([list.version, state.cursors.revocations]).toEqual([9, 'after revocations']);
		expect([1000, 8].map((index) => isRevoked(bits, index))).toEqual([true, false]);
		const again = openTestScanner(disk, 'boot-2');
		again.state.lists = { keys: null, revocations: null };
		await recall(again.deps);
		expect(again.state.lists.revocations).toMatchObject({ list: { version: 9 } });
		expect(again.state.lists.revocations!.bits).toEqual(bits);
		// Bits that are not those of the difference are no list.
		const kept = (await deps.store.read('revocations'))!;
		await deps.store.write({ revocations: { ...kept, packed: await packBits(new Uint8Array(bits.length)) } });
		again.state.lists = { keys: null, revocations: null };
		await recall(again.deps);
		expect([again.state.lists.revocations, again.state.faults.revocations]).toEqual([null, 'bad-format']);
	});

	it.each(vectors.revocationDeltas.refused)(
		'keep the list they have when a difference is $name',
		async ({ delta }) => {
			const { deps, state } = openTestScanner();
			state.cursors = { revocations: 'before', keys: 'held' };
			const read = readParts(answerOf([part('revocations', { base: 7, change: base64(delta) })]));
			await takeNews(deps, read, usualAt);
			expect([state.lists.revocations?.list.version, state.cursors]).toEqual([7, { keys: 'held' }]);
		}
	);

	it('that roll back or prove nothing are refused, said, and come again', async () => {
		const { deps, state } = openTestScanner();
		const older = readParts(answerOf([part('keys', { signed: base64(vectors.olderKeyList) })]));
		await takeNews(deps, older, usualAt);
		expect([state.faults.keys, state.lists.keys?.version, state.cursors.keys]).toEqual([
			'roll-back',
			3,
			undefined
		]);
		const lost = readParts(
			answerOf([part('revocations', { signed: base64(vectors.revocations.byLostKey) })], ['keys'])
		);
		await takeNews(deps, lost, usualAt);
		expect([state.faults.keys, state.faults.revocations]).toEqual([null, 'unknown-key']);
	});
});
