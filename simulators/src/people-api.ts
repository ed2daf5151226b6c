import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import {
	browserKeyHeader,
	type Booked,
	type Changed,
	type ClaimAnswer,
	type Flag,
	type JoinReply,
	type Problem,
	type Progress,
	type SlotsAnswer,
	type StatusReply
} from '@marsad/server/contract';
import { createSendGate } from './people-sending.ts';

/** No answer came: the connection broke, or this machine could not send the call in time. */
export type Lost = 'broken' | 'not-sent';

/** An answer that can be acted on: the body when all went well, else the refusal and when to come back. */
export type Answer<T> =
	| { ok: true; body: T }
	| {
			ok: false;
			/** 0: no answer came, and `lost` says why. */
			status: number;
			lost: Lost | null;
			problem: Partial<Problem>;
			retryAfterSeconds: number | null;
			remainingMs: number | null;
	  };
export type RefusedAnswer = Exclude<Answer<unknown>, { ok: true }>;

/** One call as it went; times in real milliseconds. */
export interface CallSeen {
	name: string;
	answer: Answer<unknown>;
	/** From the wish to call to the answer, the wait for a free connection here included. */
	ms: number;
	waitedMs: number;
}

/** Any call, as somebody makes it who keeps to no rules. */
export interface RawCall {
	name: string;
	method: 'GET' | 'POST';
	path: string;
	/** JSON, or anything else as it is. */
	body?: string;
	headers?: Record<string, string>;
}

/** Who asks: an account, a browser's key without one, or an account that brings its browser. */
export interface Visitor {
	user: string | null;
	browserKey: string | null;
}

/** The calls of the public page, as one person makes them; `progress` and `slots` come from a shared one-second cache. */
export interface PeopleApi {
	join(who: Visitor, party: number): Promise<Answer<JoinReply>>;
	status(who: Visitor, ticket: string): Promise<Answer<StatusReply>>;
	claim(who: Visitor, ticket: string): Promise<Answer<ClaimAnswer>>;
	leave(who: Visitor, ticket: string): Promise<Answer<unknown>>;
	progress(): Promise<Answer<Progress>>;
	slots(): Promise<Answer<SlotsAnswer>>;
	book(user: string, token: string, slot: number, key?: string): Promise<Answer<Booked>>;
	cancel(user: string, permit: string): Promise<Answer<unknown>>;
	/** Moves a permit to another slot. */
	change(user: string, permit: string, slot: number): Promise<Answer<Changed>>;
	/** The picture of a place, as the page shows it beside a permit. */
	picture(place: string): Promise<Answer<unknown>>;
	/** Whether a thing is switched off, by the newest public document that anybody here has read. */
	isOff(flag: Flag): boolean;
	steerEligibility(steering: { delayMs: number; failShare: number }): Promise<Answer<unknown>>;
	raw(call: RawCall): Promise<Answer<unknown>>;
	/** Breaks off what is under way. */
	close(): Promise<void>;
}

export interface PeopleApiOptions {
	/**
	 * Quick calls share few connections, kept alive. A booking holds one while it waits for others' checks: with too
	 * few, people would queue here instead of at the server, and the board would never see the load.
	 */
	quickConnections?: number;
	bookingConnections?: number;
	/** A call that waits so long for a connection is not sent any more; without it, it waits as long as it takes. */
	sendWaitMaxMs?: number;
	/** The server's clock runs so many times faster (laboratory): a second of its cache is so much shorter. */
	timeScale?: number;
	onCall?: (seen: CallSeen) => void;
	/** A spike run that two people confirmed goes to the server that it is for; nothing else leaves this machine. */
	anyHost?: boolean;
}

const quickConnectionsDefault = 32;
const bookingConnectionsDefault = 1_200;
const answerTimeoutMs = 30_000;
const cacheMs = 1_000;

const loopbackHosts = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/** @throws when the server is not on this machine: nobody is to be stormed by mistake */
export function createPeopleApi(baseUrl: string, options: PeopleApiOptions = {}): PeopleApi {
	const url = new URL(baseUrl);
	if (!options.anyHost && !loopbackHosts.test(url.hostname))
		throw new Error('simulated people go to a server on this machine only');
	const quick = openLane(url, options.quickConnections ?? quickConnectionsDefault, options);
	const bookings = openLane(url, options.bookingConnections ?? bookingConnectionsDefault, options);
	const freshMs = cacheMs / (options.timeScale ?? 1);

	const post = <T>(name: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
		(name === 'book' ? bookings : quick).send<T>({
			...{ name, method: 'POST', path, body: JSON.stringify(body) },
			headers: { ...headers, 'content-type': 'application/json' }
		});
	const get = <T>(name: string, path: string, headers: Record<string, string> = {}) =>
		quick.send<T>({ name, method: 'GET', path, headers });

	let off: readonly string[] = [];
	const isOff = (flag: Flag) => off.includes(flag);
	const readProgress = async () => {
		const answer = await get<Progress>('progress', '/queue/progress');
		if (answer.ok) off = answer.body.off ?? [];
		return answer;
	};

	return {
		isOff,
		join: (who, party) => {
			// Pages say their language for the count of languages, and keep still while nobody counts.
			const counted = isOff('analytics') ? {} : { language: 'ar' };
			return post('join', '/queue/join', { ...userOf(who), party, ...counted }, keyOf(who));
		},
		picture: (place) =>
			quick.send({ name: 'picture', method: 'GET', path: `/places/${encodeURIComponent(place)}/picture` }),
		change: (user, permit, slot) =>
			post(
				'change',
				`/permits/${encodeURIComponent(permit)}/change`,
				{ user, slot },
				{ 'idempotency-key': randomUUID() }
			),
		status: (who, ticket) =>
			get(
				'status',
				`/queue/status?${new URLSearchParams({ ...userOf(who), ticket }).toString()}`,
				keyOf(who)
			),
		claim: (who, ticket) => post('claim', '/queue/claim', { ...userOf(who), ticket }, keyOf(who)),
		leave: (who, ticket) => post('leave', '/queue/leave', { ...userOf(who), ticket }, keyOf(who)),
		progress: shareForAWhile(freshMs, readProgress),
		slots: shareForAWhile(freshMs, () => get<SlotsAnswer>('slots', '/slots')),
		book: (user, token, slot, key) =>
			post(
				'book',
				'/book',
				{ user, slot, gated: 1 },
				{ 'x-token': token, ...(key === undefined ? {} : { 'idempotency-key': key }) }
			),
		cancel: (user, permit) => post('cancel', `/permits/${encodeURIComponent(permit)}/cancel`, { user }),
		steerEligibility: (steering) => post('steer', '/api/v1/simulators/eligibility', steering),
		raw: (call) => quick.send(call),
		close: async () => void (await Promise.all([quick.close(), bookings.close()]))
	};
}

const userOf = ({ user }: Visitor): { user?: string } => (user === null ? {} : { user });
const keyOf = ({ browserKey }: Visitor): Record<string, string> =>
	browserKey === null ? {} : { [browserKeyHeader]: browserKey };

/** So many connections, kept alive, and a gate in front of them. */
function openLane(url: URL, connections: number, { sendWaitMaxMs = Infinity, onCall }: PeopleApiOptions) {
	const gate = createSendGate(connections, sendWaitMaxMs);
	const pool = new Pool(url.origin, {
		connections,
		pipelining: 1,
		headersTimeout: answerTimeoutMs,
		bodyTimeout: answerTimeoutMs,
		keepAliveTimeout: 8_000
	});
	const exchange = async ({ method, path, body, headers }: RawCall): Promise<Answer<unknown>> => {
		try {
			const response = await pool.request({
				method,
				path,
				...(headers === undefined ? {} : { headers }),
				...(body === undefined ? {} : { body })
			});
			const text = await response.body.text();
			return readAnswer(response.statusCode, response.headers['retry-after'], text);
		} catch {
			return lostAnswer('broken');
		}
	};
	return {
		async send<T>(call: RawCall): Promise<Answer<T>> {
			const wishedMs = performance.now();
			const waitedMs = await gate.enter();
			const answer = waitedMs === null ? lostAnswer('not-sent') : await exchange(call);
			if (waitedMs !== null) gate.leave();
			const ms = performance.now() - wishedMs;
			onCall?.({ name: call.name, answer, ms, waitedMs: waitedMs ?? ms });
			return answer as Answer<T>;
		},
		close: () => pool.destroy()
	};
}

function lostAnswer(lost: Lost): RefusedAnswer {
	return { ok: false, status: 0, lost, problem: {}, retryAfterSeconds: null, remainingMs: null };
}

function readAnswer(status: number, retryAfter: unknown, text: string): Answer<unknown> {
	let body: Partial<Problem> = {};
	if (status < 300 && text.startsWith('<svg')) return { ok: true, body: text };
	try {
		body = text === '' ? {} : (JSON.parse(text) as Partial<Problem>);
	} catch {
		// A page of a proxy in between: the status says enough, and a success without JSON is none.
		if (status < 300) return { ...lostAnswer('broken'), status };
	}
	if (status < 300) return { ok: true, body };
	const seconds = retryAfter === undefined ? NaN : Number(retryAfter);
	const remaining = body['retryAfterMs'];
	return {
		...{ ok: false, status, lost: null, problem: body },
		retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
		remainingMs: typeof remaining === 'number' ? remaining : null
	};
}

/** What stands between the pages and the server in a real season: one answer for everybody, a second old at most. */
function shareForAWhile<T>(freshMs: number, ask: () => Promise<Answer<T>>): () => Promise<Answer<T>> {
	let kept: { at: number; answer: Promise<Answer<T>> } | null = null;
	return () => {
		if (kept && performance.now() - kept.at < freshMs) return kept.answer;
		kept = { at: performance.now(), answer: ask() };
		return kept.answer;
	};
}
