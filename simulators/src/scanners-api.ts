import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { EntryBatch, EntryBatchAnswer, Problem, ScannerSettings } from '@marsad/server/contract';

/** An answer, or why there is none: `lost` is a network that is not there. */
export type ScannerAnswer<T> =
	| { ok: true; body: T }
	| { ok: false; status: number; lost: boolean; code: string; retryAfterSeconds: number | null };

/** A signed list as it is served; null: the same as before. */
export type ListAnswer = ScannerAnswer<{ etag: string; bytes: Uint8Array } | null>;

/** What scanners call, each with its own token. */
export interface ScannersApi {
	roots(): Promise<ScannerAnswer<{ roots: { kid: string; publicKey: string }[] }>>;
	list(kind: 'keys' | 'revocations', etag: string | null): Promise<ListAnswer>;
	settings(token: string): Promise<ScannerAnswer<ScannerSettings>>;
	send(token: string, batch: EntryBatch): Promise<ScannerAnswer<EntryBatchAnswer>>;
	/** A call of staff, with the cookie of a session. */
	staff<T>(
		method: 'GET' | 'POST' | 'PUT',
		path: string,
		cookie: string,
		body?: unknown
	): Promise<ScannerAnswer<T>>;
	/** The cookie of a session. */
	signIn(email: string, password: string): Promise<ScannerAnswer<string>>;
	close(): Promise<void>;
}

const answerTimeoutMs = 30_000;
const connections = 16;

/** @param server asked for each call: a server that comes back may have another address */
export function createScannersApi(server: () => URL): ScannersApi {
	let pool: { origin: string; pool: Pool } | null = null;
	const poolOf = (origin: string): Pool => {
		if (pool?.origin === origin) return pool.pool;
		void pool?.pool.destroy();
		const made = new Pool(origin, {
			...{ connections, pipelining: 1 },
			...{ headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs }
		});
		pool = { origin, pool: made };
		return made;
	};

	const call = async (
		method: 'GET' | 'POST' | 'PUT',
		path: string,
		headers: Record<string, string>,
		body?: unknown
	) => {
		const response = await poolOf(server().origin).request({
			...{ method, path },
			headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
			...(body === undefined ? {} : { body: JSON.stringify(body) })
		});
		const bytes = new Uint8Array(await response.body.arrayBuffer());
		return { status: response.statusCode, headers: response.headers, bytes };
	};
	const ask = async <T>(
		read: (answer: Awaited<ReturnType<typeof call>>) => T,
		...args: Parameters<typeof call>
	): Promise<ScannerAnswer<T>> => {
		try {
			const answer = await call(...args);
			if (answer.status < 400) return { ok: true, body: read(answer) };
			return refusalOf(answer.status, answer.headers['retry-after'], answer.bytes);
		} catch {
			return { ok: false, status: 0, lost: true, code: 'no answer', retryAfterSeconds: null };
		}
	};
	const json = <T>({ bytes }: { bytes: Uint8Array }) => JSON.parse(new TextDecoder().decode(bytes)) as T;
	const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

	return {
		roots: () => ask(json<{ roots: { kid: string; publicKey: string }[] }>, 'GET', '/permits/roots', {}),
		list: (kind, etag) =>
			ask(
				({ status, headers, bytes }) => (status === 304 ? null : { etag: String(headers['etag']), bytes }),
				...(['GET', `/permits/${kind}`, etag === null ? {} : { 'if-none-match': etag }] as const)
			),
		settings: (token) => ask(json<ScannerSettings>, 'GET', '/api/v1/entries/settings', bearer(token)),
		send: (token, batch) => ask(json<EntryBatchAnswer>, 'POST', '/api/v1/entries', bearer(token), batch),
		staff: <T>(method: 'GET' | 'POST' | 'PUT', path: string, cookie: string, body?: unknown) =>
			ask(json<T>, method, path, { cookie, 'idempotency-key': randomUUID() }, body),
		signIn: (email, password) =>
			ask(
				({ headers }) => String(headers['set-cookie']).split(';')[0] ?? '',
				...(['POST', '/api/v1/session', { 'idempotency-key': randomUUID() }, { email, password }] as const)
			),
		close: async () => void (await pool?.pool.destroy())
	};
}

function refusalOf(status: number, retryAfter: unknown, bytes: Uint8Array): ScannerAnswer<never> {
	let problem: Partial<Problem> = {};
	try {
		problem = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Problem>;
	} catch {
		// A page of somebody in between: the status says enough.
	}
	const seconds = Number(retryAfter ?? NaN);
	return {
		...{ ok: false, status, lost: false, code: problem.code ?? String(status) },
		retryAfterSeconds: Number.isFinite(seconds) ? seconds : null
	};
}
