import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { ScannerSettings } from '@marsad/server/contract';
import {
	fromHex,
	permitIdOf,
	sealPermit,
	type KeyList,
	type PermitClaims
} from '@marsad/server/contract/permit';
import vectors from '../../../../server/contract/permit/vectors.json' with { type: 'json' };
import type { JudgeContext } from './judge.ts';
import { newLink } from './link.ts';
import { emptyDisk, openMemoryStore, type Disk } from './memory-store.fixture.ts';
import type { ListAnswer, ServerCalls } from './pull.ts';
import { newState, type ScanDeps } from './scan-state.ts';
import { openKeys, openRevocations } from './signed-lists.ts';
import { createVerifier } from './verify.ts';

export { vectors };
export const verify = (await createVerifier())!;
export const roots = [vectors.root];
/** In the window of the usual vector. */
export const usualAt = 1_804_181_000_000;

const opened = await openKeys(fromHex(vectors.keyList), roots, verify, 0);
if (opened.outcome !== 'good') throw new Error(opened.outcome);
const own = generateKeyPairSync('ed25519');
const ownPublic = Uint8Array.from(Buffer.from(own.publicKey.export({ format: 'jwk' }).x!, 'base64url'));
const ownKid = createHash('sha256').update(ownPublic).digest('hex').slice(0, 8);
/** The list of the vectors, and beside it a key with which tests sign what they need. */
export const keys: KeyList = {
	...opened.list,
	keys: [...opened.list.keys, { ...opened.list.keys[0]!, kid: ownKid, publicKey: ownPublic }]
};
const bits = await openRevocations(fromHex(vectors.revocations.list), keys, verify, 0);
if (bits.outcome !== 'good') throw new Error(bits.outcome);
export const revocations = bits.list;

/** The courtyard's north gate. */
export function gateSettings(more: Partial<ScannerSettings> = {}): ScannerSettings {
	const names = (en: string) => ({ ar: `${en} ع`, en });
	return {
		...{ device: 's-000000000001', name: 'north 1', season: 'demo', nextSeq: 1, serverAt: usualAt },
		gate: {
			...{ id: 'north', names: names('North'), direction: 'in', state: 'open' },
			...{ ratePerMinute: null, holdUntil: null }
		},
		mode: 'check',
		place: {
			...{ place: 'courtyard', placeNames: names('Courtyard'), policy: 'single' },
			...{ earlySeconds: 900, lateSeconds: 1_800, slots: [], trailHours: 48, version: 0 }
		},
		gates: [
			{ id: 'north', names: names('North') },
			{ id: 'south', names: names('South') }
		],
		places: [{ id: 'courtyard', names: names('Courtyard') }],
		...{ timeZone: 'Asia/Riyadh', mark: 'none' },
		...more
	};
}

export function judgeContext(more: Partial<JudgeContext> = {}): JudgeContext {
	return {
		...{ keys, revocations, settings: gateSettings(), time: { at: usualAt, trust: 'server' as const } },
		...{ direction: 'in' as const, verify, findUse: async () => undefined },
		...more
	};
}

/** The text of one vector that is good. */
export function goldenText(name = 'usual'): string {
	return vectors.golden.find((one) => one.name === name)!.text;
}
export const usualClaims = vectors.golden[0]!.claims as PermitClaims;

/** A permit under the tests' own key. */
export function sealOwn(more: Partial<PermitClaims> = {}): string {
	return sealPermit({ ...usualClaims, ...more }, ownKid, (message) => sign(null, message, own.privateKey));
}
/** The n-th made-up id. */
export function idOf(n: number): string {
	const bytes = new Uint8Array(10);
	new DataView(bytes.buffer).setUint32(6, n);
	return permitIdOf(bytes);
}

/** A set-up scanner on a disk that outlives it, and clocks that a test turns. */
export function openTestScanner(disk: Disk = emptyDisk(), boot = 'boot-1') {
	const clock = { deviceAt: usualAt, uptimeMs: 1_000 };
	const state = newState(newLink(0));
	const store = openMemoryStore(disk);
	const deps: ScanDeps = {
		...{ state, store, verify, builtAt: 0, build: 'test', random: () => 0.5, changed: () => undefined },
		reading: () => ({ ...clock, boot })
	};
	Object.assign(state, {
		pairing: { token: 't', device: 's-000000000001', roots, pairedAt: usualAt },
		settings: gateSettings(),
		lists: { keys, revocations },
		confirmedAt: { keys: usualAt, revocations: usualAt },
		pair: { ...clock, boot, serverAt: usualAt }
	});
	const pass = (ms: number) => {
		clock.deviceAt += ms;
		clock.uptimeMs += ms;
	};
	return { deps, state, store, disk, clock, pass };
}

const same: ListAnswer = { kind: 'same' };
/** A server that is not there, until a test says what it answers. */
export function testCalls(more: Partial<ServerCalls> = {}): ServerCalls {
	const silence = { kind: 'no-answer' as const };
	return {
		pull: async () => ({
			...{ answer: silence, roundTripMs: 20, settings: null, keys: same, revocations: same, cursors: {} }
		}),
		send: async () => ({ answer: silence, roundTripMs: 20 }),
		roots: async () => silence,
		...more
	};
}
