import type { Client } from 'aedes';

type Numbered = { brokerId?: string; brokerCounter?: number };

/** Overlapping filters of one client see a message within the same turn: a short memory is enough. */
const rememberedMax = 1_024;

/** Tells a message that a client gets a second time, through another of its filters. */
export interface Repeats {
	/** To be called before the client can subscribe. */
	watch(client: Client): void;
	/** True when this client was given this message already; remembers it otherwise. */
	isRepeat(client: Client, packet: Numbered): boolean;
}

/**
 * aedes numbers messages when they arrive and takes any with a lower number than the last one delivered for a
 * repeat. But they overtake each other on the way (a retained one is stored first, one at QoS 0 waits for nothing),
 * and the overtaken one is dropped without a word: its publisher waits for ever. So each number counts for itself.
 */
export function createRepeats(): Repeats {
	const given = new WeakMap<Client, Set<string>>();
	return {
		watch(client) {
			given.set(client, new Set());
			(client as unknown as { duplicates: object }).duplicates = neverSeen();
		},
		isRepeat(client, { brokerId, brokerCounter }) {
			const seen = given.get(client);
			if (!seen || !brokerId) return false;
			const key = `${brokerId} ${brokerCounter}`;
			if (seen.has(key)) return true;
			seen.add(key);
			const [oldest] = seen;
			if (seen.size > rememberedMax && oldest !== undefined) seen.delete(oldest);
			return false;
		}
	};
}

/** What aedes asks for the last number: always none. */
function neverSeen(): object {
	return new Proxy({}, { get: () => 0, set: () => true, deleteProperty: () => true });
}
