import { readPairing, type PermitRoot, type ScannerSettings } from '@marsad/server/contract';
import { fromHex, toHex } from '@marsad/server/contract/permit';
import type { Answer } from '#lib/api.ts';
import { takeNews } from './news.ts';
import type { ServerCalls } from './pull.ts';
import { pairOf } from './scan-clock.ts';
import type { ScanDeps } from './scan-state.ts';
import { openKeys, reopenRevocations } from './signed-lists.ts';

/** A scanner that is about to be set up: a person compares the roots before it is. */
export interface Proposal {
	token: string;
	settings: ScannerSettings;
	/** Server time of the answer. */
	at: number;
	roots: (PermitRoot & { fingerprint: string })[];
	roundTripMs: number;
}
export type Proposed =
	| { kind: 'proposal'; proposal: Proposal }
	| { kind: 'no-code' }
	| { kind: 'no-roots' }
	| { kind: 'failed'; answer: Answer<unknown> };

/** Asks the server who this token is, and which roots sign its lists. Nothing is kept yet. */
export async function propose(text: string, calls: ServerCalls): Promise<Proposed> {
	const token = readPairing(text);
	if (!token) return { kind: 'no-code' };
	const news = await calls.pull(token, {});
	const { settings, roundTripMs } = news;
	if (news.answer.kind !== 'ok' || !settings) return { kind: 'failed', answer: unready(news.answer) };
	const answer = await calls.roots();
	if (answer.kind !== 'ok') return { kind: 'failed', answer };
	if (answer.body.roots.length === 0) return { kind: 'no-roots' };
	const roots = await Promise.all(
		answer.body.roots.map(async (root) => ({ ...root, fingerprint: await fingerprintOf(root.publicKey) }))
	);
	const { at } = news.answer.body;
	return { kind: 'proposal', proposal: { token, settings, at, roots, roundTripMs } };
}

/** An answer without the settings is one of a server that is not ready yet. */
function unready(answer: Answer<unknown>): Answer<unknown> {
	return answer.kind === 'ok' ? { kind: 'no-answer' } : answer;
}

/** SHA-256 of a root's public key, its first 16 letters in groups of four: what two people read to each other. */
export async function fingerprintOf(publicKey: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', fromHex(publicKey));
	return toHex(new Uint8Array(digest))
		.slice(0, 16)
		.replace(/(.{4})(?=.)/g, '$1 ');
}

/** From now on this device is that scanner, and these roots are the only ones it believes. */
export async function accept(
	{ token, settings, at, roots, roundTripMs }: Proposal,
	deps: ScanDeps & { calls: ServerCalls }
) {
	const { state, store, reading, calls } = deps;
	const pinned = roots.map(({ kid, publicKey }) => ({ kid, publicKey }));
	const pairing = { token, device: settings.device, roots: pinned, pairedAt: at };
	const pair = pairOf(at, roundTripMs, reading());
	await store.write({ pairing, pair, settings: { value: settings, heardAt: at } });
	await store.startFrom(settings.nextSeq);
	Object.assign(state, { pairing, pair, settings, settingsAt: at });
	const news = await calls.pull(token, {});
	if (news.answer.kind === 'ok') await takeNews(deps, news, news.answer.body.at);
	deps.changed();
}

/** What the device kept, proven again: a list that does not prove itself any more is not there. */
export async function recall({
	state,
	store,
	verify
}: Pick<ScanDeps, 'state' | 'store' | 'verify'>): Promise<void> {
	const settings = await store.read('settings');
	state.pairing = (await store.read('pairing')) ?? null;
	state.settings = settings?.value ?? null;
	state.settingsAt = settings?.heardAt ?? null;
	state.pair = (await store.read('pair')) ?? null;
	state.cursors = (await store.read('cursors')) ?? {};
	state.countOnly = (await store.read('countOnly')) ?? null;
	state.evacuation = (await store.read('evacuation')) ?? null;
	state.refused = (await store.read('refused')) ?? null;
	state.queued = await store.waiting();
	state.aside = await store.asideCount();
	const [keys, revocations] = [await store.read('keys'), await store.read('revocations')];
	if (!state.pairing || !keys) return;
	const opened = await openKeys(keys.bytes, state.pairing.roots, verify, 0);
	if (opened.outcome !== 'good') return void (state.faults.keys = opened.outcome);
	state.lists = { keys: opened.list, revocations: null };
	state.confirmedAt.keys = keys.confirmedAt;
	if (!revocations) return;
	const bits = await reopenRevocations(revocations, opened.list, verify);
	if (bits.outcome !== 'good') return void (state.faults.revocations = bits.outcome);
	state.lists = { keys: opened.list, revocations: bits.list };
	state.confirmedAt.revocations = revocations.confirmedAt;
}

/** Forgets everything, unless entries wait: they are in nobody else's memory. @returns whether it did */
export async function unpair({ store }: Pick<ScanDeps, 'store'>): Promise<boolean> {
	if ((await store.waiting()) > 0) return false;
	await store.clear();
	return true;
}
