import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** So many at once, and so many a second after that, for each key. */
export interface PaceLimit {
	/** 0 when this one is in time; else after how many milliseconds the next is. */
	take(key: string): number;
	keys(): number;
}

/**
 * One number a key: when the next would be in time at an even pace (the generic cell rate algorithm). Keys are forgotten
 * in two generations: who was quiet for `forgetMs` is as new; when `keysMax` is passed, the older half goes at once.
 */
export function createPaceLimit(options: {
	burst: number;
	perSecond: number;
	keysMax: number;
	forgetMs: number;
	elapsedMs: () => number;
}): PaceLimit {
	const stepMs = 1_000 / options.perSecond;
	const slackMs = options.burst * stepMs;
	let young = new Map<string, number>();
	let old = new Map<string, number>();
	let turnedMs = options.elapsedMs();
	const turn = (nowMs: number) => {
		if (nowMs - turnedMs < options.forgetMs && young.size * 2 < options.keysMax) return;
		old = young;
		young = new Map();
		turnedMs = nowMs;
	};
	return {
		take(key) {
			const nowMs = options.elapsedMs();
			turn(nowMs);
			const next = Math.max(nowMs, young.get(key) ?? old.get(key) ?? 0) + stepMs;
			const earlyMs = next - nowMs - slackMs;
			// Who comes too early is not pushed back further: an eager page recovers by itself.
			if (earlyMs > 0) return Math.ceil(earlyMs);
			young.set(key, next);
			return 0;
		},
		keys: () => young.size + old.size
	};
}

/** Where a request says who sends it. */
interface ClientRequest {
	headers: IncomingHttpHeaders;
	query: unknown;
	body?: unknown;
}

/**
 * Who sends a request, as far as it says so: its pass, its ticket, the account's token, the browser's key, or (demo and
 * laboratory) the user. Null where it says nothing. Thousands behind one address are thousands of clients.
 */
export function clientKeyOf({ headers, query, body }: ClientRequest): string | null {
	const said =
		headers['authorization'] ??
		textOf(headers['x-browser-key']) ??
		textOf(memberOf(body, 'browserKey')) ??
		textOf(memberOf(query, 'user')) ??
		textOf(memberOf(body, 'user')) ??
		textOf(headers['x-token']) ??
		textOf(memberOf(query, 'ticket')) ??
		textOf(memberOf(body, 'ticket'));
	if (said === undefined) return null;
	return said.length <= 64 ? said : createHash('sha256').update(said).digest('base64');
}

function memberOf(part: unknown, name: string): unknown {
	return typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.length > 0 ? value : undefined;
}

/**
 * Addresses of our own machines and networks: a proxy in front of us speaks for everybody, so its address says nothing
 * about a client.
 */
export function isOwnNetwork(address: string | undefined): boolean {
	if (address === undefined) return true;
	const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
	return (
		plain === '::1' ||
		/^(127|10)\./.test(plain) ||
		/^192\.168\./.test(plain) ||
		/^172\.(1[6-9]|2\d|3[01])\./.test(plain) ||
		/^f[cd][0-9a-f]{2}:/i.test(plain) ||
		/^fe80:/i.test(plain)
	);
}
