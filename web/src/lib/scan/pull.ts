import {
	EntryBatchAnswer,
	PermitRoots,
	ScannerSettings,
	SyncPullAnswer,
	type EntryBatch,
	type PermitRoot,
	type SyncKind,
	type SyncList,
	type SyncListChange
} from '@marsad/server/contract';
import { Compile } from 'typebox/compile';
import { request, type Answer } from '#lib/api.ts';

/** Kinds of things that a scanner holds, in the order in which one proves the next. */
export const heldKinds = ['keys', 'revocations', 'entry-settings'] as const satisfies readonly SyncKind[];
export type HeldKind = (typeof heldKinds)[number];
/** What the last pull gave for each kind. */
export type Cursors = Partial<Record<HeldKind, string>>;

/** What the server said of a signed list. */
export type ListAnswer =
	| { kind: 'new'; bytes: Uint8Array<ArrayBuffer> }
	/** A difference to what is held. */
	| { kind: 'change'; bytes: Uint8Array<ArrayBuffer> }
	| { kind: 'same' }
	| { kind: 'none' };

/** A round of news. */
export interface News {
	answer: Answer<SyncPullAnswer>;
	roundTripMs: number;
	/** Null: as they were, or not there. */
	settings: ScannerSettings | null;
	keys: ListAnswer;
	revocations: ListAnswer;
	/** To be kept for what was taken over. */
	cursors: Cursors;
}

const timeoutMs = 10_000;
const isSettings = Compile(ScannerSettings);

/** Every call of the scanner goes through here. */
export interface ServerCalls {
	/**
	 * @param cursors of what is held; what is not comes whole
	 * @param revocationsVersion of the revocation list that is held: what is new of it may come as a difference
	 */
	pull(token: string, cursors: Cursors, revocationsVersion?: number): Promise<News>;
	send(token: string, batch: EntryBatch): Promise<{ answer: Answer<EntryBatchAnswer>; roundTripMs: number }>;
	roots(): Promise<Answer<{ roots: PermitRoot[] }>>;
}

export function createServerCalls(language: () => string, fetcher: typeof fetch = fetch): ServerCalls {
	const withToken = (token: string): typeof fetch => {
		return (input, init) => {
			const headers = new Headers(init?.headers);
			headers.set('authorization', `Bearer ${token}`);
			return fetcher(input, { ...init, headers, credentials: 'omit', cache: 'no-store' });
		};
	};
	const timed = async <T>(call: () => Promise<T>) => {
		const startedAt = performance.now();
		const answer = await call();
		return { answer, roundTripMs: performance.now() - startedAt };
	};
	return {
		async pull(token, cursors, revocationsVersion) {
			const have = revocationsVersion === undefined ? {} : { have: { revocations: revocationsVersion } };
			const { answer, roundTripMs } = await timed(() =>
				request('/api/v1/sync/pull', SyncPullAnswer, {
					...{
						method: 'POST',
						body: { kinds: [...heldKinds], cursors, ...have },
						language: language(),
						timeoutMs
					},
					fetch: withToken(token)
				})
			);
			return { answer, roundTripMs, ...readParts(answer) };
		},
		send: (token, batch) =>
			timed(() =>
				request('/api/v1/entries', EntryBatchAnswer, {
					...{ method: 'POST', body: batch, language: language(), timeoutMs: 2 * timeoutMs },
					fetch: withToken(token)
				})
			),
		roots: () => request('/permits/roots', PermitRoots, { language: language(), timeoutMs })
	};
}

/** What is in an answer. A thing of another shape than agreed is not there. */
export function readParts(
	answer: Answer<SyncPullAnswer>
): Pick<News, 'settings' | 'keys' | 'revocations' | 'cursors'> {
	const none: ListAnswer = { kind: 'none' };
	if (answer.kind !== 'ok') return { settings: null, keys: none, revocations: none, cursors: {} };
	const { parts, unchanged } = answer.body;
	const valueOf = (kind: HeldKind) => parts.find((part) => part.kind === kind)?.items[0]?.value;
	const listOf = (kind: 'keys' | 'revocations'): ListAnswer => {
		if (unchanged.includes(kind)) return { kind: 'same' };
		const value = valueOf(kind) as Partial<SyncList & SyncListChange> | undefined;
		const [bytes, change] = [bytesOf(value?.signed), bytesOf(value?.change)];
		if (bytes) return { kind: 'new', bytes };
		return change ? { kind: 'change', bytes: change } : none;
	};
	const settings = valueOf('entry-settings');
	return {
		settings: isSettings.Check(settings) ? settings : null,
		...{ keys: listOf('keys'), revocations: listOf('revocations') },
		cursors: Object.fromEntries(
			heldKinds.flatMap((kind) => {
				const cursor = parts.find((part) => part.kind === kind)?.cursor;
				return cursor === undefined ? [] : [[kind, cursor]];
			})
		)
	};
}

function bytesOf(base64: unknown): Uint8Array<ArrayBuffer> | null {
	if (typeof base64 !== 'string' || base64 === '') return null;
	try {
		return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
	} catch {
		return null;
	}
}
