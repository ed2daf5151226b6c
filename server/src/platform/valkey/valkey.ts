import { Cluster, Redis } from 'ioredis';
import { limits } from '../../limits.ts';
import type { Log } from '../log.ts';

/** A Lua script on the server: it runs as a whole or not at all. All keys must lie on one node (one hash tag). */
export type ValkeyScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** The connection to Valkey (or Redis 7), single or cluster. */
export interface Valkey {
	/** For libraries that bring their own commands. */
	client: Redis | Cluster;
	/** Defines a script once; it is sent in full on the first call of each connection. */
	script(name: string, lua: string, numberOfKeys: number): ValkeyScript;
	state(): 'ready' | 'connecting' | 'closed';
	/** True when it answers within `withinMs`. */
	isUp(withinMs: number): Promise<boolean>;
	/** After every connection that was made or made again. Returns a function that ends it. */
	onReady(listener: () => void): () => void;
	close(): Promise<void>;
}

const { connectTimeoutMs, commandTimeoutMs, retryBaseMs, retryMaxMs, keepAliveMs } = limits.valkey;

/** Full jitter: a thousand clients of a restarted server do not come back in the same moment. */
export function retryDelayMs(times: number, random: () => number): number {
	const ceiling = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(times - 1, 20));
	return Math.max(retryBaseMs / 2, Math.round(random() * ceiling));
}

/**
 * Connects in the background and for ever. Nothing waits for a connection: a command without one fails at once, a
 * command whose answer was lost is not sent again (its caller knows whether that is safe), and each has a time-out.
 * @param url one address, or several with commas between them: the seeds of a cluster. `valkey://` is `redis://`,
 * `valkeys://` is `rediss://` (TLS). Never part of a message.
 */
export function openValkey(options: { url: string; log: Log; random?: () => number }): Valkey {
	const { log } = options;
	const random = options.random ?? Math.random;
	const urls = options.url.split(',').map((part) => new URL(part.trim().replace(/^valkey/, 'redis')));
	const listeners = new Set<() => void>();
	let closed = false;

	const retry = (times: number) => (closed ? null : retryDelayMs(times, random));
	const connection = {
		connectionName: 'marsad',
		connectTimeout: connectTimeoutMs,
		commandTimeout: commandTimeoutMs,
		keepAlive: keepAliveMs,
		maxRetriesPerRequest: 0,
		autoResendUnfulfilledCommands: false,
		...credentialsOf(urls[0]!)
	};
	const client =
		urls.length > 1
			? new Cluster(urls.map(addressOf), {
					enableOfflineQueue: false,
					clusterRetryStrategy: retry,
					redisOptions: connection
				})
			: new Redis({
					...connection,
					...addressOf(urls[0]!),
					db: Number(urls[0]!.pathname.slice(1) || 0),
					enableOfflineQueue: false,
					retryStrategy: retry
				});
	client.on('ready', () => {
		log.info('Valkey is connected');
		for (const listener of listeners) listener();
	});
	client.on('close', () => {
		if (!closed) log.warn('the connection to Valkey was lost');
	});
	client.on('error', (error: unknown) => log.warn({ error: faultOf(error) }, 'Valkey'));

	return {
		client,
		script(name, lua, numberOfKeys) {
			if (!(name in client)) client.defineCommand(name, { lua, numberOfKeys });
			const run = (client as unknown as Record<string, (...args: (string | number)[]) => Promise<unknown>>)[
				name
			]!;
			return (keys, args) => run.call(client, ...keys, ...args);
		},
		state: () => (closed ? 'closed' : client.status === 'ready' ? 'ready' : 'connecting'),
		async isUp(withinMs) {
			const answer = client.ping().then(
				() => true,
				() => false
			);
			const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), withinMs).unref());
			return client.status === 'ready' && Promise.race([answer, late]);
		},
		onReady(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async close() {
			closed = true;
			client.disconnect();
		}
	};
}

function addressOf(url: URL): { host: string; port: number } {
	return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) };
}

function credentialsOf(url: URL): { username?: string; password?: string; tls?: object } {
	return {
		...(url.username ? { username: decodeURIComponent(url.username) } : {}),
		...(url.password ? { password: decodeURIComponent(url.password) } : {}),
		...(url.protocol === 'rediss:' ? { tls: {} } : {})
	};
}

/** What went wrong, without the command and its arguments: those may hold credentials and people. */
export function faultOf(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown';
	const { code } = error as NodeJS.ErrnoException;
	if (code) return code;
	// The first word of a server's refusal is its kind: NOAUTH, WRONGPASS, LOADING, OOM, READONLY.
	return /^[A-Z]{3,}\b/.exec(error.message)?.[0] ?? error.name;
}
