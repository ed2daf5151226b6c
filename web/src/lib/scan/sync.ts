import { entryBatchMax, type EntryBatch, type ScannerReport } from '@marsad/server/contract';
import type { Answer } from '#lib/api.ts';
import { afterAnswer, afterReturn, afterSilence } from './link.ts';
import type { Cursors, ServerCalls } from './pull.ts';
import { takeNews } from './news.ts';
import { cutBatch, readAnswer } from './queue.ts';
import { pairOf } from './scan-clock.ts';
import { knownTime, openSeq, type ScanDeps, type ScanState } from './scan-state.ts';

/** With nothing to send a scanner says so often that it lives. */
const signOfLifeMs = 30_000;
/** News are asked for when the server says, and never later than this. */
const pauseMsMax = 60_000;
/** What was used is forgotten so long after its window. */
const forgetAfterSeconds = 2 * 86_400;
const forgetEveryMs = 600_000;
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
	let [sentAt, newsDueAt, forgotAt] = [-Infinity, -Infinity, -Infinity];
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
		if (uptime() < newsDueAt) return null;
		const cursors = heldCursors(state);
		// A difference that could not be taken left no cursor: then the whole list comes.
		const heldVersion = cursors.revocations ? state.lists.revocations?.list.version : undefined;
		const {
			answer,
			roundTripMs: tripMs,
			...things
		} = await calls.pull(state.pairing!.token, cursors, heldVersion);
		const body = answer.kind === 'ok' ? { ...answer, body: { serverAt: answer.body.at } } : answer;
		const wait = await heard(body, tripMs);
		if (answer.kind !== 'ok') return wait;
		newsDueAt = uptime() + Math.min(pauseMsMax, answer.body.pullAfterMs);
		state.spreadMs = answer.body.reconnectSpreadMs;
		await takeNews(deps, things, answer.body.at);
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
			if (uptime() - forgotAt > forgetEveryMs) {
				await store.forgetUses(Math.floor(knownTime(deps).at / 1_000) - forgetAfterSeconds);
				forgotAt = uptime();
			}
		} catch {
			// The browser refused to keep something: said on the screen, and tried again.
			state.storageFault = true;
			wait = { seconds: null };
		}
		const now = uptime();
		const hasMore = state.queued > 0 && openSeq(state) === null;
		state.link = wait
			? afterSilence(state.link, now, deps.random, state.spreadMs, wait.seconds)
			: afterAnswer(state.link, now, hasMore ? 0 : Math.min(newsDueAt, sentAt + signOfLifeMs) - now);
		changed();
	};
	const run = () => (running ??= round().finally(() => (running = null)));

	return {
		turn: () => (!running && (!state.pairing || uptime() < state.link.nextAt) ? Promise.resolve() : run()),
		now: () => {
			newsDueAt = -Infinity;
			return state.pairing ? run() : Promise.resolve();
		},
		cameBack() {
			state.link = afterReturn(state.link, uptime(), deps.random, state.spreadMs);
			changed();
		}
	};
}

/** `seconds` null: silence; else the server named a time. */
interface Wait {
	seconds: number | null;
}

const isTooMuch = (status: number) => status === 413 || status === 400;

/** Of what is held: what is not, or did not prove itself, comes whole. */
function heldCursors({ cursors, lists, settings }: ScanState): Cursors {
	const held: Cursors = {};
	if (lists.keys && cursors.keys) held.keys = cursors.keys;
	if (lists.revocations && cursors.revocations) held.revocations = cursors.revocations;
	if (settings && cursors['entry-settings']) held['entry-settings'] = cursors['entry-settings'];
	return held;
}
