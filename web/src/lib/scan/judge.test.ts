import { decodeBase45, encodeBase45, fromHex } from '@marsad/server/contract/permit';
import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import {
	gateSettings,
	goldenText,
	judgeContext,
	keys,
	roots,
	sealOwn,
	usualAt,
	usualClaims,
	vectors,
	verify
} from './scan.fixture.ts';
import { openKeys, openRevocations } from './signed-lists.ts';
import type { UsedPermit } from './uses.ts';
import { createVerifier } from './verify.ts';

const place = gateSettings().place!;
const at = (seconds: number, trust: 'server' | 'device' | 'untrusted' = 'server') => ({
	time: { at: seconds * 1_000, trust }
});
const answer = async (text: string, more: Parameters<typeof judgeContext>[0] = {}) =>
	judge(text, judgeContext(more));

describe('a scan', () => {
	it('of a good permit is green, whole party, nothing to note', async () => {
		expect(await answer(goldenText())).toMatchObject({
			...{ verdict: 'green', flags: [], permit: usualClaims.id, most: 4, party: { of: 4, entered: 0 } }
		});
		expect((await answer(goldenText('under the second key'))).permit).toBe(usualClaims.id);
	});

	it.each(vectors.hostile)('refuses: $name', async ({ text, outcome }) => {
		const judgement = await answer(text);
		if (outcome === 'unknown-key') {
			expect(judgement).toMatchObject({ verdict: 'amber', flags: ['unknown-key'] });
			expect(judgement.party).toBeUndefined();
			return;
		}
		expect(judgement).toMatchObject({ verdict: 'red', cause: outcome, most: 0 });
		expect(judgement.permit).toBeUndefined();
	});

	it('is never green with any bit of the bytes altered', async () => {
		const bytes = decodeBase45(goldenText().slice(3));
		for (let bit = 0; bit < bytes.length * 8; bit += 3) {
			const altered = Uint8Array.from(bytes);
			altered[bit >> 3]! ^= 1 << (bit & 7);
			const { verdict, cause, flags } = await answer(`P1:${encodeBase45(altered)}`);
			expect(verdict === 'red' ? cause : flags[0], `bit ${bit}`).toMatch(/^bad-|^unknown-key$/);
		}
	}, 30_000);

	it('names the right gate or place, and another season', async () => {
		const south = sealOwn({ gates: 2 });
		expect(await answer(south)).toMatchObject({
			cause: 'wrong-gate',
			rightGates: [{ en: 'South' }],
			most: 0
		});
		expect((await answer(sealOwn({ gates: 3 }))).verdict).toBe('green');
		expect((await answer(sealOwn({ gates: 2 ** 31 }))).cause).toBe('wrong-gate');
		const other = { list: { ...(await list()), season: 2 }, bits: new Uint8Array(0) };
		expect((await answer(goldenText(), { revocations: other })).cause).toBe('wrong-season');
		const elsewhere = {
			bits: new Uint8Array(0),
			list: {
				...(await list()),
				places: [
					{ number: 9, id: 'courtyard', gates: ['north'] },
					{ number: usualClaims.place, id: 'hall', gates: [] }
				]
			}
		};
		const settings = gateSettings({ places: [{ id: 'hall', names: { ar: 'القاعة', en: 'Hall' } }] });
		expect(await answer(goldenText(), { revocations: elsewhere, settings })).toMatchObject({
			...{ cause: 'wrong-place', rightPlace: { en: 'Hall' } }
		});
	});

	it('knows its window, two minutes for clocks, and the grace of the slot before that of the place', async () => {
		const { fromSeconds, untilSeconds, slot } = usualClaims;
		const cases = [
			[fromSeconds - 119, 'green', []],
			[fromSeconds - 121, 'green', ['grace']],
			[fromSeconds - 120 - 900, 'green', ['grace']],
			[fromSeconds - 120 - 901, 'early'],
			[untilSeconds + 120 + 1_800, 'green', ['grace']],
			[untilSeconds + 120 + 1_801, 'late']
		] as const;
		for (const [seconds, outcome, flags] of cases) {
			const { verdict, cause, flags: noted } = await answer(goldenText(), at(seconds));
			expect([cause ?? verdict, cause ? undefined : noted], String(seconds)).toEqual([outcome, flags]);
		}
		const strict = gateSettings({
			place: { ...place, slots: [{ slot, earlySeconds: 0, lateSeconds: 0 }] }
		});
		expect((await answer(goldenText(), { ...at(fromSeconds - 121), settings: strict })).cause).toBe('early');
	});

	it('with a time that nobody confirmed refuses nobody for it', async () => {
		const threeHours = usualClaims.untilSeconds + 3 * 3_600;
		for (const trust of ['device', 'untrusted'] as const)
			for (const seconds of [threeHours, usualClaims.fromSeconds - 3 * 3_600])
				expect(await answer(goldenText(), at(seconds, trust))).toMatchObject({
					...{ verdict: 'amber', flags: ['clock-untrusted'], most: 4 }
				});
		expect((await answer(goldenText(), at(usualAt / 1_000, 'device'))).verdict).toBe('green');
		expect((await answer(goldenText(), at(usualAt / 1_000, 'untrusted'))).verdict).toBe('amber');
	});

	it('with old or missing lists admits in amber', async () => {
		const late = { ...keys, nextUpdateSeconds: usualAt / 1_000 - 1 };
		expect(await answer(goldenText(), { keys: late })).toMatchObject({
			verdict: 'amber',
			flags: ['old-keys']
		});
		expect(await answer(goldenText(), { revocations: null })).toMatchObject({
			...{ verdict: 'amber', flags: ['old-revocations'] }
		});
		expect((await answer(goldenText(), { keys: null })).flags).toEqual(['old-keys', 'unknown-key']);
	});

	it('under a key that is over counts as one under an unknown key', async () => {
		const over = {
			...keys,
			keys: keys.keys.map((key) => ({ ...key, notAfterSeconds: usualAt / 1_000 - 121 }))
		};
		expect(await answer(goldenText(), { keys: over })).toMatchObject({
			verdict: 'amber',
			flags: ['unknown-key']
		});
	});

	it('of a revoked permit is red', async () => {
		const revoked = { list: await list(), bits: new Uint8Array(65_536).fill(255) };
		expect((await answer(goldenText(), { revocations: revoked })).cause).toBe('revoked');
	});

	it('at a gate that is held or closed is red, and an exit is never closed', async () => {
		for (const mode of ['held', 'closed'] as const) {
			const settings = gateSettings({ mode });
			expect((await answer(goldenText(), { settings })).cause).toBe('gate-closed');
			expect((await answer(goldenText(), { settings, direction: 'out' })).verdict).toBe('green');
			expect((await answer('anything', { settings, direction: 'out' })).verdict).toBe('amber');
		}
	});

	it('is judged by what was used here: single, re-entry, in and out, and an unproven one beside it', async () => {
		const uses = new Map<string, UsedPermit>();
		const pass = (direction: 'in' | 'out', people: number, minutes: number) => ({
			...{ seq: minutes + 1, at: usualAt + minutes * 60_000, direction, people }
		});
		const used = (...passes: ReturnType<typeof pass>[]) =>
			uses.set(usualClaims.id, { id: usualClaims.id, untilSeconds: 0, passes });
		const look = (policy: 'single' | 're-entry' | 'in-and-out', minutes: number) =>
			answer(goldenText(), {
				settings: gateSettings({ place: { ...place, policy } }),
				time: { at: usualAt + minutes * 60_000, trust: 'server' },
				findUse: async (id) => uses.get(id)
			});
		used(pass('in', 3, 0));
		expect(await look('single', 1)).toMatchObject({ most: 1, party: { of: 4, entered: 3 } });
		used(pass('in', 3, 0), pass('in', 1, 1));
		expect(await look('single', 2)).toMatchObject({ cause: 'used', usedAt: usualAt + 60_000 });
		expect(await look('re-entry', 20)).toMatchObject({ verdict: 'green', most: 4 });
		expect(await look('in-and-out', 2)).toMatchObject({ cause: 'used' });
		used(pass('in', 4, 0), pass('out', 2, 5));
		expect(await look('in-and-out', 6)).toMatchObject({ verdict: 'green', most: 2 });
		const unknown = vectors.hostile.find(({ outcome }) => outcome === 'unknown-key')!;
		expect((await look('single', 2)).cause).not.toBeUndefined();
		expect((await answer(unknown.text, { findUse: async (id) => uses.get(id) })).verdict).toBe('amber');
	});
});

describe('signed lists', () => {
	it('are refused under another root, rolled back, and under a lost key', async () => {
		const bytes = fromHex(vectors.keyList);
		expect((await openKeys(bytes, [], verify, 0)).outcome).toBe('unknown-key');
		expect((await openKeys(fromHex(vectors.olderKeyList), roots, verify, 3)).outcome).toBe('roll-back');
		const bits = fromHex(vectors.revocations.list);
		expect((await openRevocations(bits, keys, verify, 8)).outcome).toBe('roll-back');
		const lost = fromHex(vectors.revocations.byLostKey);
		expect((await openRevocations(lost, keys, verify, 0)).outcome).toBe('unknown-key');
	});

	it('are not looked at in a browser without the algorithm', async () => {
		expect(await createVerifier(undefined as unknown as SubtleCrypto)).not.toBeNull();
		const without = { importKey: async () => Promise.reject(new Error('unknown')) };
		expect(await createVerifier(without as unknown as SubtleCrypto)).toBeNull();
	});
});

async function list() {
	const opened = await openRevocations(fromHex(vectors.revocations.list), keys, verify, 0);
	if (opened.outcome !== 'good') throw new Error(opened.outcome);
	return opened.list.list;
}
