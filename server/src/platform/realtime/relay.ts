import { readFileSync } from 'node:fs';
import { limits } from '../../limits.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { faultOf, type Valkey } from '../valkey/valkey.ts';

/** Keys and values as JSON texts; null: removed. */
export type RelayChanges = ReadonlyMap<string, string | null>;

/** One flat map that one instance writes, the one with the newest term, and all others read. */
export interface RelayChannel {
	/** Sends changes after those under way; what could not be sent is made good by sending everything. */
	publish(changes: RelayChanges): void;
	/** Monotonic real milliseconds (`clock.elapsedMs`) when another instance was last heard; -Infinity: never. */
	heardMs(): number;
}

export interface RelayChannelOptions {
	name: string;
	/** The term under which this instance writes; null while it reads. */
	term(): number | null;
	/** Everything this instance has to say. */
	everything(): RelayChanges;
	/** What another instance said; `whole`: that is everything. */
	onHeard(changes: RelayChanges, whole: boolean): void;
}

/** The way of what one instance knows to all others, over Valkey. */
export interface Relay {
	open(options: RelayChannelOptions): RelayChannel;
	start(): void;
	stop(): Promise<void>;
}

const publishLua = readFileSync(new URL('./relay-publish.lua', import.meta.url), 'utf8');
const { entriesMax, aliveEveryMs, blockMs, readMax, retryMs } = limits.relay;
type Entry = [id: string, fields: string[]];

/**
 * Channels over one stream and one hash each, all under one hash tag. A reader first reads the hashes, then follows
 * the stream; whatever may have been missed (a lost connection, a long pause) is made good from the hashes.
 */
export function createRelay(deps: {
	valkey: Valkey;
	/** A connection of its own: reading waits on it. */
	reader: Valkey;
	/** Names this deployment among others on the same server. */
	scope: string;
	clock: Pick<Clock, 'elapsedMs'>;
	log: Log;
}): Relay {
	const { valkey, reader, clock, log } = deps;
	const keyOf = (part: string) => `marsad:{${encodeURIComponent(deps.scope)}:relay}:${part}`;
	const streamKey = keyOf('changes');
	const runPublish = valkey.script('marsadRelay-publish', publishLua, 2);
	const channels = new Map<string, OpenChannel>();
	let stopped = true;
	let following: Promise<void> = Promise.resolve();
	let aliveTimer: NodeJS.Timeout | undefined;

	const send = async (options: RelayChannelOptions, changes: RelayChanges, whole: boolean) => {
		const term = options.term();
		if (term === null) return 'ok';
		const flat = [...changes].flatMap(([key, text]) => [key, text ?? '']);
		const keys = [keyOf(`state:${options.name}`), streamKey];
		const args = [options.name, term, whole ? 1 : 0, entriesMax, ...flat];
		return ((await runPublish(keys, args)) as [string])[0];
	};

	/** Reads every channel as it stands; returns from where the stream goes on. */
	const readAll = async (): Promise<string> => {
		const newest = (await reader.client.call('XREVRANGE', streamKey, '+', '-', 'COUNT', '1')) as Entry[];
		for (const [name, channel] of channels) {
			const { '#term': term, ...state } = await reader.client.hgetall(keyOf(`state:${name}`));
			if (term !== undefined) channel.hear(Number(term), new Map(Object.entries(state)), true);
		}
		return newest[0]?.[0] ?? '0-0';
	};
	const takeEntry = ([, fields]: Entry): boolean => {
		const [, name, , term, , whole, ...rest] = fields;
		const changes = new Map<string, string | null>();
		for (let at = 0; at < rest.length; at += 2) changes.set(rest[at]!, rest[at + 1] || null);
		return channels.get(name!)?.hear(Number(term), changes, whole === '1') ?? true;
	};
	/** Reads until it is doubtful that nothing was missed. @throws what the connection throws */
	const readStream = async (from: string) => {
		let last = from;
		for (let readMs = clock.elapsedMs(); clock.elapsedMs() - readMs < limits.relay.doubtMs;) {
			readMs = clock.elapsedMs();
			const answer = await reader.client.call(
				...([
					'XREAD',
					'COUNT',
					String(readMax),
					'BLOCK',
					String(blockMs),
					'STREAMS',
					streamKey,
					last
				] as const)
			);
			if (stopped) return;
			for (const entry of entriesOf(answer)) {
				if (!takeEntry(entry)) return;
				last = entry[0];
			}
		}
	};
	const follow = async () => {
		while (!stopped) {
			try {
				await readStream(await readAll());
			} catch (error) {
				if (stopped) return;
				log.debug({ error: faultOf(error) }, 'other instances are not heard');
				await new Promise((resolve) => setTimeout(resolve, retryMs));
			}
		}
	};

	return {
		open(options) {
			const channel = createChannel(options, clock, (changes, whole) => send(options, changes, whole));
			channels.set(options.name, channel);
			return channel;
		},
		start() {
			stopped = false;
			following = follow();
			// Real time: whether somebody is there is no matter of the laboratory's clock.
			aliveTimer = setInterval(() => channels.forEach((channel) => channel.publish(new Map())), aliveEveryMs);
		},
		async stop() {
			stopped = true;
			clearInterval(aliveTimer);
			await Promise.race([following, new Promise((resolve) => setTimeout(resolve, blockMs * 2))]);
		}
	};
}

interface OpenChannel extends RelayChannel {
	/** False when something before this must have been missed. */
	hear(term: number, changes: RelayChanges, whole: boolean): boolean;
}

function createChannel(
	options: RelayChannelOptions,
	clock: Pick<Clock, 'elapsedMs'>,
	send: (changes: RelayChanges, whole: boolean) => Promise<string>
): OpenChannel {
	let heardTerm = 0;
	let heardMs = -Infinity;
	let waiting = new Map<string, string | null>();
	/** Something was not sent, or nothing of this term was yet: the next message is everything. */
	let sentTerm: number | null = null;
	let busy = false;
	let wanted = false;

	const flush = async () => {
		if (busy) return;
		busy = true;
		while (wanted) {
			wanted = false;
			const term = options.term();
			const whole = sentTerm !== term;
			const changes = whole ? options.everything() : waiting;
			waiting = new Map();
			// A refusal as well as a fault: what others know is not what we said.
			const answer = await send(changes, whole).catch(() => 'fault');
			sentTerm = answer === 'ok' ? term : null;
			wanted ||= answer === 'whole';
		}
		busy = false;
	};
	return {
		publish(changes) {
			if (options.term() === null) {
				sentTerm = null;
				waiting.clear();
				return;
			}
			for (const [key, text] of changes) waiting.set(key, text);
			wanted = true;
			void flush();
		},
		heardMs: () => heardMs,
		hear(term, changes, whole) {
			// A writer that was replaced may still have had something under way; our own words are no news.
			if (term < heardTerm || options.term() !== null) return true;
			if (term > heardTerm && !whole) return false;
			heardTerm = term;
			heardMs = clock.elapsedMs();
			options.onHeard(changes, whole);
			return true;
		}
	};
}

/** XREAD answers an array of pairs by RESP2 and a map by RESP3; null when nothing came. */
function entriesOf(answer: unknown): Entry[] {
	if (!answer) return [];
	if (Array.isArray(answer)) return (answer as [string, Entry[]][]).flatMap(([, entries]) => entries);
	return Object.values(answer as Record<string, Entry[]>).flat();
}
