import { errorCodes, type ErrorCode, type Problem } from '@marsad/server/contract';
import type { TSchema, Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** What a call came to. `no-answer`: nobody knows whether it was done. */
export type Answer<T> =
	| { kind: 'ok'; status: number; body: T }
	| { kind: 'refused'; problem: Problem; retryAfterSeconds: number | null }
	| { kind: 'no-answer' };

export interface RequestOptions {
	method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
	body?: unknown;
	/** Same key again is the same command again: it counts once. A new one is made when none is given. */
	idempotencyKey?: string;
	language?: string;
	timeoutMs?: number;
	fetch?: typeof fetch;
}

const isProblemCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in errorCodes;

/** Calls the server. The body is checked against the contract: an answer of another shape counts as none. */
export async function request<S extends TSchema>(
	path: string,
	schema: S,
	options: RequestOptions = {}
): Promise<Answer<Static<S>>> {
	const { method = 'GET', body, timeoutMs = 10_000 } = options;
	const headers: Record<string, string> = { accept: 'application/json' };
	if (options.language) headers['accept-language'] = options.language;
	if (body !== undefined) headers['content-type'] = 'application/json';
	if (method !== 'GET') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
	try {
		const response = await (options.fetch ?? fetch)(path, {
			method,
			headers,
			credentials: 'same-origin',
			signal: AbortSignal.timeout(timeoutMs),
			...(body === undefined ? {} : { body: JSON.stringify(body) })
		});
		const text = await response.text();
		const parsed: unknown = text === '' ? null : JSON.parse(text);
		if (!response.ok) return refusal(response, parsed);
		return Compile(schema).Check(parsed)
			? { kind: 'ok', status: response.status, body: parsed as Static<S> }
			: { kind: 'no-answer' };
	} catch {
		return { kind: 'no-answer' };
	}
}

/** A refusal in the contract's words; one that is not (a proxy's page, say) is no answer of ours. */
function refusal(response: Response, parsed: unknown): Answer<never> {
	const problem = parsed as Partial<Problem> | null;
	if (problem === null || typeof problem !== 'object' || !isProblemCode(problem.code))
		return { kind: 'no-answer' };
	const retryAfter = Number(response.headers.get('retry-after'));
	return {
		kind: 'refused',
		problem: problem as Problem,
		retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null
	};
}

/** A refusal in the language of the screen, whatever language the server answered in. */
export function titleOf(code: ErrorCode, locale: 'ar' | 'en'): string {
	return errorCodes[code][locale];
}

/** A path of this site to come back to, or the wall: another site's address must never be followed. */
export function safeReturnPath(asked: string | null, fallback = '/control'): string {
	if (!asked || !/^\/(?![/\\])/.test(asked) || /[\\\t\n\r]/.test(asked)) return fallback;
	const url = new URL(asked, 'https://same.invalid');
	return url.origin === 'https://same.invalid' ? `${url.pathname}${url.search}` : fallback;
}
