import type { Cursors, News } from './pull.ts';
import type { ScanDeps } from './scan-state.ts';
import { openChange, openKeys, openRevocations, packBits } from './signed-lists.ts';

type NewsDeps = Pick<ScanDeps, 'state' | 'store' | 'verify'>;

/**
 * Takes over what came: settings, then lists that prove themselves and are not older than what is held. Keys come first, they
 * prove the other list. What was not taken keeps its old cursor, so that it comes again.
 * @param at server time of the answer
 */
export async function takeNews(
	deps: NewsDeps,
	{ settings, keys, revocations, cursors }: Pick<News, 'settings' | 'keys' | 'revocations' | 'cursors'>,
	at: number
): Promise<void> {
	const { state, store } = deps;
	const taken: Cursors = { ...state.cursors };
	const take = (kind: keyof Cursors, isTaken: boolean) => {
		if (isTaken && cursors[kind] !== undefined) taken[kind] = cursors[kind];
	};
	if (settings) {
		state.settings = settings;
		await store.startFrom(settings.nextSeq);
		take('entry-settings', true);
	}
	if (state.settings) {
		state.settingsAt = at;
		await store.write({ settings: { value: state.settings, heardAt: at } });
	}
	if (keys.kind === 'new') take('keys', await takeKeys(deps, keys.bytes, at));
	if (keys.kind === 'same') await confirm(deps, 'keys', at);
	if (revocations.kind === 'new') take('revocations', await takeRevocations(deps, revocations.bytes, at));
	if (revocations.kind === 'change') {
		const isTaken = await takeChange(deps, revocations.bytes, at);
		take('revocations', isTaken);
		// Without a cursor the whole list comes with the next pull.
		if (!isTaken) delete taken.revocations;
	}
	if (revocations.kind === 'same') await confirm(deps, 'revocations', at);
	state.cursors = taken;
	await store.write({ cursors: taken });
}

async function takeKeys({ state, store, verify }: NewsDeps, bytes: Uint8Array<ArrayBuffer>, at: number) {
	const opened = await openKeys(bytes, state.pairing!.roots, verify, state.lists.keys?.version ?? 0);
	state.faults.keys = opened.outcome === 'good' ? null : opened.outcome;
	if (opened.outcome !== 'good') return false;
	state.lists = { ...state.lists, keys: opened.list };
	state.confirmedAt.keys = at;
	await store.write({ keys: { bytes, confirmedAt: at } });
	return true;
}

async function takeRevocations(
	{ state, store, verify }: NewsDeps,
	bytes: Uint8Array<ArrayBuffer>,
	at: number
) {
	const { keys, revocations } = state.lists;
	if (!keys) return false;
	const opened = await openRevocations(bytes, keys, verify, revocations?.list.version ?? 0);
	state.faults.revocations = opened.outcome === 'good' ? null : opened.outcome;
	if (opened.outcome !== 'good') return false;
	state.lists = { keys, revocations: opened.list };
	state.confirmedAt.revocations = at;
	await store.write({ revocations: { bytes, confirmedAt: at } });
	return true;
}

/** @returns false: the whole list is to be fetched, and what is held stays meanwhile */
async function takeChange({ state, store, verify }: NewsDeps, bytes: Uint8Array<ArrayBuffer>, at: number) {
	const { keys, revocations } = state.lists;
	const opened = keys && revocations && (await openChange(bytes, keys, verify, revocations));
	if (!opened) return false;
	state.faults.revocations = null;
	state.lists = { keys, revocations: opened };
	state.confirmedAt.revocations = at;
	await store.write({ revocations: { bytes, packed: await packBits(opened.bits), confirmedAt: at } });
	return true;
}

async function confirm({ state, store }: NewsDeps, name: 'keys' | 'revocations', at: number) {
	state.faults[name] = null;
	state.confirmedAt[name] = at;
	const held = await store.read(name);
	if (held) await store.write({ [name]: { ...held, confirmedAt: at } });
}
