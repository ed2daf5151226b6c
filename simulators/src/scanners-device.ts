import {
	entryBatchMax,
	retryAfterDelayMs,
	type CountReason,
	type Entry,
	type EntryBatch,
	type EntryBatchAnswer,
	type ScannerSettings
} from '@marsad/server/contract';
import { fromHex, verifyKeyList, verifyRevocationList, type RootKey } from '@marsad/server/contract/permit';
import type { ScannerAnswer, ScannersApi } from './scanners-api.ts';
import type { DeviceClock } from './scanners-clock.ts';
import {
	expandBits,
	judgeScan,
	verifyEd25519,
	type AcceptedLists,
	type Judgement
} from './scanners-judge.ts';

/** What came of one attempt to send. */
export type SyncOutcome =
	| { kind: 'sent'; answer: EntryBatchAnswer; batch: EntryBatch }
	/** The answer did not arrive, or was not believed: everything stays in the queue. */
	| { kind: 'unanswered'; batch: EntryBatch }
	| { kind: 'refused'; code: string; waitMs: number }
	| { kind: 'nothing' };

/** One scanner at one gate. Queue, numbers and lists outlive a restart, as they do in a browser's store. */
export interface ScannerDevice {
	readonly id: string;
	readonly token: string;
	readonly gate: string;
	readonly clock: DeviceClock;
	/** Entries that are not acknowledged yet, oldest first. */
	readonly queue: readonly Entry[];
	settings(): ScannerSettings | null;
	lists(): AcceptedLists;
	/** Whether calls go out; an unplugged scanner goes on scanning. */
	plug(isPlugged: boolean): void;
	/** Fetches settings and both lists. @returns false when something of it could not be had */
	refresh(): Promise<boolean>;
	/** Somebody holds this before the scanner. */
	scan(text: string, people?: number): Promise<Judgement>;
	/** People who are counted and not checked. */
	count(people: number, reason: CountReason): void;
	/** Puts an entry of any kind into the queue as it is: what a broken or stolen device would do. */
	enqueue(entry: Entry): void;
	/** Sends what waits, one batch. */
	sync(options?: SyncOptions): Promise<SyncOutcome>;
	/** Sends batch after batch until nothing waits, or too many were in vain. @returns true when nothing waits */
	drain(onSynced?: (outcome: SyncOutcome) => void): Promise<boolean>;
	/** The page starts anew; what was not written to the store is gone with it. */
	restart(): void;
}

export interface SyncOptions {
	/** The same batch goes out so many times, all at once. */
	copies?: number;
	/** The answer is lost on its way. */
	loseAnswer?: boolean;
	/** Things in the batch that are no entries. */
	garbage?: readonly unknown[];
	/** Also with nothing to say: a sign of life. */
	isEmptyWanted?: boolean;
}

export interface DeviceOptions {
	id: string;
	token: string;
	gate: string;
	api: ScannersApi;
	clock: DeviceClock;
	/** Pinned when it was set up. */
	roots: readonly RootKey[];
	random: () => number;
	/** Waits for retries; real milliseconds. */
	sleep: (ms: number) => Promise<unknown>;
}

const retryMs = 500;
const drainTries = 40;

export function createScannerDevice(options: DeviceOptions): ScannerDevice {
	const { id, token, gate, api, clock, roots, random } = options;
	const queue: Entry[] = [];
	const enteredBy = new Map<string, number>();
	const lists: AcceptedLists = { keys: null, revocations: null };
	const etags: Record<'keys' | 'revocations', string | null> = { keys: null, revocations: null };
	let settings: ScannerSettings | null = null;
	let nextSeq = 1;
	let isPlugged = true;
	let isOffline = false;
	let roundTripMs: number | undefined;
	let boots = 1;

	/** Says whether the network was there, and keeps how long it took. */
	const timed = async <T>(ask: () => Promise<ScannerAnswer<T>>): Promise<ScannerAnswer<T>> => {
		if (!isPlugged) return { ok: false, status: 0, lost: true, code: 'unplugged', retryAfterSeconds: null };
		const beganMs = clock.uptimeMs();
		const answer = await ask();
		isOffline = !answer.ok && answer.lost;
		if (answer.ok) roundTripMs = clock.uptimeMs() - beganMs;
		return answer;
	};
	const learnTime = (serverAt: number) =>
		clock.learn(serverAt + Math.round((roundTripMs ?? 0) / 2), clock.uptimeMs());

	const refreshKeys = async (): Promise<boolean> => {
		const answer = await timed(() => api.list('keys', etags.keys));
		if (!answer.ok || answer.body === null) return answer.ok;
		const seen = lists.keys?.version ?? 0;
		const verdict = await verifyKeyList(answer.body.bytes, roots, verifyEd25519, seen);
		if (verdict.outcome !== 'good') return false;
		[lists.keys, etags.keys] = [verdict.list, answer.body.etag];
		clock.notBefore(verdict.list.issuedSeconds * 1_000);
		return true;
	};
	const refreshRevocations = async (): Promise<boolean> => {
		const answer = await timed(() => api.list('revocations', etags.revocations));
		if (!answer.ok || answer.body === null) return answer.ok;
		const seen = lists.revocations?.version ?? 0;
		const keys = lists.keys?.keys ?? [];
		const verdict = await verifyRevocationList(answer.body.bytes, keys, verifyEd25519, seen);
		if (verdict.outcome !== 'good') return false;
		lists.revocations = { ...verdict.list, bits: expandBits(verdict.list) };
		etags.revocations = answer.body.etag;
		clock.notBefore(verdict.list.issuedSeconds * 1_000);
		return true;
	};
	const common = () => ({
		...{ seq: nextSeq++, boot: clock.boot(), gate, direction: settings?.gate.direction ?? ('in' as const) },
		...{ deviceAt: clock.wallMs(), uptimeMs: clock.uptimeMs(), offline: isOffline || !isPlugged }
	});
	const ageSeconds = (list: { issuedSeconds: number } | null) => {
		const now = clock.correctedMs();
		return list === null || now === null ? null : Math.max(0, Math.round(now / 1_000 - list.issuedSeconds));
	};
	const batchOf = (garbage: readonly unknown[]): EntryBatch => ({
		device: id,
		entries: [...queue.slice(0, entryBatchMax - garbage.length), ...garbage],
		clock: {
			...{ deviceAt: clock.wallMs(), uptimeMs: clock.uptimeMs(), boot: clock.boot() },
			...(roundTripMs === undefined ? {} : { roundTripMs })
		},
		report: {
			queued: queue.length,
			...(lists.keys && { keys: { version: lists.keys.version, ageSeconds: ageSeconds(lists.keys) } }),
			...(lists.revocations && {
				revocations: { version: lists.revocations.version, ageSeconds: ageSeconds(lists.revocations) }
			}),
			build: 'simulated'
		}
	});

	const acknowledge = (answer: EntryBatchAnswer) => {
		const isDone = (seq: number) =>
			answer.acknowledged.some(([from = 0, to = 0]) => seq >= from && seq <= to) ||
			answer.setAside.some((one) => one.seq === seq);
		for (let at = queue.length - 1; at >= 0; at--) if (isDone(queue[at]!.seq)) queue.splice(at, 1);
		nextSeq = Math.max(nextSeq, answer.nextSeq);
		learnTime(answer.serverAt);
	};

	const sync = async (how: SyncOptions = {}): Promise<SyncOutcome> => {
		const garbage = how.garbage ?? [];
		if (queue.length + garbage.length === 0 && !how.isEmptyWanted) return { kind: 'nothing' };
		const batch = batchOf(garbage);
		const answers = await Promise.all(
			Array.from({ length: how.copies ?? 1 }, () => timed(() => api.send(token, batch)))
		);
		const good = answers.find((answer) => answer.ok);
		const [first] = answers;
		if (!good || how.loseAnswer === true) {
			if (first?.ok === false && !first.lost) {
				const waitMs = retryAfterDelayMs(first.retryAfterSeconds ?? 1, random);
				return { kind: 'refused', code: first.code, waitMs };
			}
			return { kind: 'unanswered', batch };
		}
		acknowledge(good.body);
		return { kind: 'sent', answer: good.body, batch };
	};

	return {
		...{ id, token, gate, clock, queue, sync },
		settings: () => settings,
		lists: () => lists,
		plug: (next) => void (isPlugged = next),
		async refresh() {
			const answer = await timed(() => api.settings(token));
			if (!answer.ok) return false;
			settings = answer.body;
			nextSeq = Math.max(nextSeq, settings.nextSeq);
			learnTime(settings.serverAt);
			return (await refreshKeys()) && refreshRevocations();
		},
		async scan(text, people) {
			if (!settings) throw new Error('a scanner that was never set up judges nobody');
			const now = clock.correctedMs();
			const entered = (permit: string) => enteredBy.get(permit) ?? 0;
			const judged = await judgeScan(text, { lists, settings, now, entered, people });
			const { permit, people: inside } = judged;
			if (permit !== undefined && inside > 0) {
				const sign = settings.gate.direction === 'out' ? -1 : 1;
				enteredBy.set(permit, Math.max(0, entered(permit) + sign * inside));
			}
			queue.push({
				...{ kind: 'permit', ...common(), ...judged },
				...(lists.keys && { keysVersion: lists.keys.version }),
				...(lists.revocations && { revocationsVersion: lists.revocations.version })
			});
			return judged;
		},
		count(people, reason) {
			queue.push({ kind: 'count', ...common(), people, reason });
		},
		enqueue: (entry) => void queue.push(entry),
		async drain(onSynced = () => undefined) {
			for (let tried = 0; queue.length > 0 && tried < drainTries;) {
				const outcome = await sync();
				onSynced(outcome);
				if (outcome.kind === 'sent') continue;
				tried += 1;
				await options.sleep(outcome.kind === 'refused' ? outcome.waitMs : retryMs * (0.5 + random()));
			}
			return queue.length === 0;
		},
		restart() {
			boots += 1;
			clock.restart(`boot-${boots}`);
			roundTripMs = undefined;
		}
	};
}

/** Roots as GET /permits/roots shows them. */
export function toRoots(roots: readonly { kid: string; publicKey: string }[]): RootKey[] {
	return roots.map(({ kid, publicKey }) => ({ kid, publicKey: fromHex(publicKey) }));
}
