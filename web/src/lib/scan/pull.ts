import {
	EntryBatchAnswer,
	PermitRoots,
	ScannerSettings,
	type EntryBatch,
	type PermitRoot
} from '@marsad/server/contract';
import { request, type Answer } from '#lib/api.ts';

/** What the server said when it was asked for a signed list. */
export type ListAnswer =
	{ kind: 'new'; bytes: Uint8Array<ArrayBuffer>; etag: string | null } | { kind: 'same' } | { kind: 'none' };

/** A round of news, with how long its first call took there and back. */
export interface News {
	settings: Answer<ScannerSettings>;
	roundTripMs: number;
	keys: ListAnswer;
	revocations: ListAnswer;
}

const timeoutMs = 10_000;
/** No list of ours is longer: 2²⁶ bits, and names. */
const listBytesMax = 12_000_000;

/** Every call of the scanner goes through here. */
export interface ServerCalls {
	/** `etags` are of the lists that are held. */
	pull(token: string, etags: { keys: string | null; revocations: string | null }): Promise<News>;
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
	const list = async (path: string, etag: string | null): Promise<ListAnswer> => {
		try {
			const response = await fetcher(path, {
				headers: etag === null ? {} : { 'if-none-match': etag },
				...{ credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }
			});
			if (response.status === 304) return { kind: 'same' };
			if (!response.ok) return { kind: 'none' };
			const bytes = new Uint8Array(await response.arrayBuffer());
			if (bytes.length > listBytesMax) return { kind: 'none' };
			return { kind: 'new', bytes, etag: response.headers.get('etag') };
		} catch {
			return { kind: 'none' };
		}
	};
	const timed = async <T>(call: () => Promise<T>) => {
		const startedAt = performance.now();
		const answer = await call();
		return { answer, roundTripMs: performance.now() - startedAt };
	};
	return {
		async pull(token, etags) {
			const { answer: settings, roundTripMs } = await timed(() =>
				request('/api/v1/entries/settings', ScannerSettings, {
					...{ language: language(), timeoutMs, fetch: withToken(token) }
				})
			);
			// One silence is enough: the lists are on the same server.
			if (settings.kind === 'no-answer')
				return { settings, roundTripMs, keys: { kind: 'none' }, revocations: { kind: 'none' } };
			const keys = await list('/permits/keys', etags.keys);
			return {
				settings,
				roundTripMs,
				keys,
				revocations: await list('/permits/revocations', etags.revocations)
			};
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
