import {
	entryBatchMax,
	reconnectWindowMs,
	type EntryBatch,
	type ScannerReport
} from '@marsad/server/contract';
import type { Answer } from '#lib/api.ts';
import { afterAnswer, afterReturn, afterSilence } from './link.ts';
import type { ListAnswer, ServerCalls } from './pull.ts';
import { cutBatch, readAnswer } from './queue.ts';
import { pairOf } from './scan-clock.ts';
import { knownTime, openSeq, type ScanDeps } from './scan-state.ts';
import { openKeys, openRevocations } from './signed-lists.ts';

/** With nothing to send a scanner says so often that it lives. */
const signOfLifeMs = 30_000;
/** Settings and lists are asked for no more often than this. */
const newsEveryMs = 9_000;
/** What was used is forgotten so long after its window. */
const forgetAfterSeconds = 2 * 86_400;
const refusedPauseSeconds = 60;

/** The server's side: entries go out, settings and lists come in, at moments that {@link Link} names. */
export interface Sync {
	/** One round, if it is time; a second call while one runs waits for that one. */
	turn(): Promise<void>;
	/** The same at once: somebody asked for it. */
	now(): Promise<void>;
	/** The device says that it has a network again. */
	cameBack(): void;
}

export function createSync(deps: ScanDeps & { calls: ServerCalls }): Sync {
	const { state, store, calls, changed } = deps;
	let running: Promise<void> | null = null;
	let most = entryBatchMax;
	let [sentAt, newsAt] = [-Infinity, -Infinity];
	let roundTripMs: number | undefined;
	const uptime = () => deps.reading().uptimeMs;

	/** @returns null when all is well, else what to wait for */
	const heard = async (answer: Answer<{ serverAt: number }>, tripMs: number): Promise<Wait | null> => {
		if (answer.kind === 'no-answer') return { seconds: null };
		if (answer.kind === 'refused') {
			const { code } = answer.problem;
			if (code === 'scanner_revoked' || code === 'scanner_unknown') {
				state.refused ??= { code, at: knownTime(deps).at };
				state.refused.code = code;
				await store.write({ refused: state.refused });
				return { seconds: refusedPauseSeconds };
			}
			return { seconds: answer.retryAfterSeconds ?? 1 };
		}
		roundTripMs = tripMs;
		state.pair = pairOf(answer.body.serverAt, tripMs, deps.reading());
		if (state.refused) await store.forget('refused');
		state.refused = null;
		await store.write({ pair: state.pair });
		return null;
	};

	const send = async (): Promise<Wait | null> => {
		const token = state.pairing!.token;
		for (;;) {
			const entries = cutBatch(await store.oldest(most), openSeq(state), most);
			if (entries.length === 0 && uptime() - sentAt < signOfLifeMs) return null;
			const { answer, roundTripMs: tripMs } = await calls.send(token, batchOf(entries));
			if (answer.kind === 'refused' && isTooMuch(answer.problem.status) && most > 1) {
				most = Math.max(1, Math.floor(Math.min(most, entries.length) / 2));
				continue;
			}
			const wait = await heard(answer, tripMs);
			if (wait || answer.kind !== 'ok') return wait ?? { seconds: null };
			sentAt = uptime();
			const { acknowledged, aside } = readAnswer(entries, answer.body);
			await store.settle(acknowledged, aside);
			await store.startFrom(answer.body.nextSeq);
			most = Math.min(entryBatchMax, most * 2);
			await countQueue();
			// An answer that took nothing away is asked again at its time, not at once.
			if (entries.length === 0 || acknowledged.length + aside.length === 0) return null;
		}
	};

	const batchOf = (entries: EntryBatch['entries']): EntryBatch => {
		const { deviceAt, uptimeMs, boot } = deps.reading();
		const trip = roundTripMs === undefined ? {} : { roundTripMs };
		return {
			...{ device: state.pairing!.device, entries },
			clock: { deviceAt: Math.round(deviceAt), uptimeMs: Math.round(uptimeMs), boot, ...trip },
			report: reportOf()
		};
	};
	const reportOf = (): ScannerReport => {
		const { lists, confirmedAt, queued } = state;
		const age = (at: number | null) => (at === null ? null : Math.max(0, (knownTime(deps).at - at) / 1_000));
		return {
			...{ queued, build: deps.build.slice(0, 64) },
			...(lists.keys ? { keys: { version: lists.keys.version, ageSeconds: age(confirmedAt.keys) } } : {}),
			...(lists.revocations
				? {
						revocations: {
							version: lists.revocations.list.version,
							ageSeconds: age(confirmedAt.revocations)
						}
					}
				: {})
		};
	};

	const news = async (): Promise<Wait | null> => {
		if (uptime() - newsAt < newsEveryMs) return null;
		const held = { keys: await store.read('keys'), revocations: await store.read('revocations') };
		const {
			settings,
			roundTripMs: tripMs,
			keys,
			revocations
		} = await calls.pull(state.pairing!.token, {
			keys: state.lists.keys ? (held.keys?.etag ?? null) : null,
			revocations: state.lists.revocations ? (held.revocations?.etag ?? null) : null
		});
		const wait = await heard(settings, tripMs);
		if (settings.kind === 'ok') {
			newsAt = uptime();
			state.settings = settings.body;
			state.settingsAt = settings.body.serverAt;
			await store.write({ settings: { value: settings.body, heardAt: settings.body.serverAt } });
			await store.startFrom(settings.body.nextSeq);
		}
		await takeLists(deps, keys, revocations);
		return wait;
	};

	const countQueue = async () => {
		state.queued = await store.waiting();
		state.aside = await store.asideCount();
		changed();
	};

	const round = async () => {
		let wait: Wait | null;
		try {
			wait = (await send()) ?? (await news());
			await store.forgetUses(Math.floor(knownTime(deps).at / 1_000) - forgetAfterSeconds);
		} catch {
			// The browser refused to keep something: said on the screen, and tried again.
			state.storageFault = true;
			wait = { seconds: null };
		}
		const now = uptime();
		const hasMore = state.queued > 0 && openSeq(state) === null;
		state.link = wait
			? afterSilence(state.link, now, deps.random, reconnectWindowMs, wait.seconds)
			: afterAnswer(state.link, now, deps.random, hasMore);
		changed();
	};
	const run = () => (running ??= round().finally(() => (running = null)));

	return {
		turn: () => (!running && (!state.pairing || uptime() < state.link.nextAt) ? Promise.resolve() : run()),
		now: () => {
			newsAt = -Infinity;
			return state.pairing ? run() : Promise.resolve();
		},
		cameBack() {
			state.link = afterReturn(state.link, uptime(), deps.random, reconnectWindowMs);
			changed();
		}
	};
}

/** `seconds` null: silence; else the server named a time. */
interface Wait {
	seconds: number | null;
}

const isTooMuch = (status: number) => status === 413 || status === 400;

/** Takes over lists that prove themselves and are not older than what is held. Keys first: they prove the other one. */
export async function takeLists(
	{ state, store, verify }: Pick<ScanDeps, 'state' | 'store' | 'verify'>,
	keys: ListAnswer,
	revocations: ListAnswer
): Promise<void> {
	const at = state.pair?.serverAt ?? 0;
	if (keys.kind === 'same') await confirm('keys');
	if (keys.kind === 'new') {
		const opened = await openKeys(keys.bytes, state.pairing!.roots, verify, state.lists.keys?.version ?? 0);
		state.faults.keys = opened.outcome === 'good' ? null : opened.outcome;
		if (opened.outcome === 'good') {
			state.lists = { ...state.lists, keys: opened.list };
			state.confirmedAt.keys = at;
			await store.write({ keys: { bytes: keys.bytes, etag: keys.etag, confirmedAt: at } });
		}
	}
	if (revocations.kind === 'same') await confirm('revocations');
	if (revocations.kind === 'new' && state.lists.keys) {
		const seen = state.lists.revocations?.list.version ?? 0;
		const opened = await openRevocations(revocations.bytes, state.lists.keys, verify, seen);
		state.faults.revocations = opened.outcome === 'good' ? null : opened.outcome;
		if (opened.outcome === 'good') {
			state.lists = { ...state.lists, revocations: opened.list };
			state.confirmedAt.revocations = at;
			const { bytes, etag } = revocations;
			await store.write({ revocations: { bytes, etag, confirmedAt: at } });
		}
	}

	async function confirm(name: 'keys' | 'revocations') {
		state.faults[name] = null;
		state.confirmedAt[name] = at;
		const held = await store.read(name);
		if (held) await store.write({ [name]: { ...held, confirmedAt: at } });
	}
}
