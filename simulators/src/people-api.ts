import { Pool } from 'undici';
import type {
	Booked,
	ClaimAnswer,
	JoinAnswer,
	Problem,
	Progress,
	SlotsAnswer,
	StatusAnswer
} from '@marsad/server/contract';

/** An answer that can be acted on: the body when all went well, else the refusal and when to come back. */
export type Answer<T> =
	| { ok: true; body: T }
	| {
			ok: false;
			status: number;
			problem: Partial<Problem>;
			retryAfterSeconds: number | null;
			remainingMs: number | null;
	  };

/** The calls of the public page, as one person makes them; `progress` and `slots` come from a shared one-second cache. */
export interface PeopleApi {
	join(user: string, party: number): Promise<Answer<JoinAnswer>>;
	status(user: string, ticket: string): Promise<Answer<StatusAnswer>>;
	claim(user: string, ticket: string): Promise<Answer<ClaimAnswer>>;
	progress(): Promise<Answer<Progress>>;
	slots(): Promise<Answer<SlotsAnswer>>;
	book(user: string, token: string, slot: number): Promise<Answer<Booked>>;
	cancel(user: string, permit: string): Promise<Answer<unknown>>;
	steerEligibility(steering: { delayMs: number; failShare: number }): Promise<Answer<unknown>>;
	/** Breaks off what is under way. */
	close(): Promise<void>;
}

/**
 * Quick calls share few connections, kept alive. A booking holds one while it waits for others' checks: with too few,
 * people would queue here instead of at the server, and the board would never see the load.
 */
const quickConnections = 32;
const bookingConnections = 1_200;
const answerTimeoutMs = 30_000;
const cacheMs = 1_000;

const loopbackHosts = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/** @throws when the server is not on this machine: nobody is to be stormed by mistake */
export function createPeopleApi(baseUrl: string): PeopleApi {
	const url = new URL(baseUrl);
	if (!loopbackHosts.test(url.hostname))
		throw new Error('simulated people go to a server on this machine only');
	const open = (connections: number) =>
		new Pool(url.origin, {
			connections,
			pipelining: 1,
			headersTimeout: answerTimeoutMs,
			bodyTimeout: answerTimeoutMs,
			keepAliveTimeout: 8_000
		});
	const quick = open(quickConnections);
	const bookings = open(bookingConnections);

	const call = async <T>(
		method: 'GET' | 'POST',
		path: string,
		body?: unknown,
		headers: Record<string, string> = {}
	): Promise<Answer<T>> => {
		const pool = path === '/book' ? bookings : quick;
		const response = await pool.request({
			method,
			path,
			headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
			...(body === undefined ? {} : { body: JSON.stringify(body) })
		});
		const text = await response.body.text();
		const answer = (text === '' ? {} : JSON.parse(text)) as T & Partial<Problem>;
		if (response.statusCode < 300) return { ok: true, body: answer };
		const seconds = Number(response.headers['retry-after']);
		const remaining = answer['retryAfterMs'];
		return {
			ok: false,
			status: response.statusCode,
			problem: answer,
			retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
			remainingMs: typeof remaining === 'number' ? remaining : null
		};
	};

	return {
		join: (user, party) => call('POST', '/queue/join', { user, party }),
		status: (user, ticket) =>
			call('GET', `/queue/status?user=${encodeURIComponent(user)}&ticket=${encodeURIComponent(ticket)}`),
		claim: (user, ticket) => call('POST', '/queue/claim', { user, ticket }),
		progress: shareForAWhile(() => call<Progress>('GET', '/queue/progress')),
		slots: shareForAWhile(() => call<SlotsAnswer>('GET', '/slots')),
		book: (user, token, slot) => call('POST', '/book', { user, slot, gated: 1 }, { 'x-token': token }),
		cancel: (user, permit) => call('POST', `/permits/${encodeURIComponent(permit)}/cancel`, { user }),
		steerEligibility: (steering) => call('POST', '/api/v1/simulators/eligibility', steering),
		close: async () => void (await Promise.all([quick.destroy(), bookings.destroy()]))
	};
}

/** What stands between the pages and the server in a real season: one answer for everybody, a second old at most. */
function shareForAWhile<T>(ask: () => Promise<Answer<T>>): () => Promise<Answer<T>> {
	let kept: { at: number; answer: Promise<Answer<T>> } | null = null;
	return () => {
		if (kept && performance.now() - kept.at < cacheMs) return kept.answer;
		kept = { at: performance.now(), answer: ask() };
		return kept.answer;
	};
}
