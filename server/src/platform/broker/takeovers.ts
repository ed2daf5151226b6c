import type { Client } from 'aedes';

/** So many in a minute are no reconnection any more: two clients share one id, and each throws the other out. */
const takeoversMax = 3;
const windowMs = 60_000;
const idsMax = 10_000;

/** Notices clients that throw each other out because they call themselves the same. */
export interface Takeovers {
	/** A client signed in. @returns true when that is one too many of its id: once, then counting begins anew */
	note(client: Client): boolean;
	forget(client: Client): void;
}

export function createTakeovers(now: () => number = () => performance.now()): Takeovers {
	const connected = new Map<string, Client>();
	const takeovers = new Map<string, number[]>();
	return {
		note(client) {
			const isTaken = connected.has(client.id);
			connected.set(client.id, client);
			if (!isTaken) return false;
			const recent = (takeovers.get(client.id) ?? []).filter((at) => now() - at < windowMs);
			recent.push(now());
			if (takeovers.size >= idsMax) takeovers.clear();
			takeovers.set(client.id, recent);
			if (recent.length < takeoversMax) return false;
			takeovers.delete(client.id);
			return true;
		},
		forget(client) {
			if (connected.get(client.id) === client) connected.delete(client.id);
		}
	};
}
