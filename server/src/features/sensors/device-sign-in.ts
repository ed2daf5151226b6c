import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { topics } from '../../../contract/index.ts';
import { adapters } from './adapters/index.ts';
import { publishTopics, type Claim } from './claims.ts';
import type { StoredCredential } from './credential-store.ts';

/** Who a device is on the broker, and the topics it may use. */
export interface DeviceIdentity {
	kind: 'device' | 'bridge' | 'simulator';
	device?: string;
	publish: readonly string[];
	subscribe: readonly string[];
}

export interface DeviceSignIn {
	/** @returns null for a wrong name or secret: both take the same time */
	authenticate(username: string, secret: string): Promise<DeviceIdentity | null>;
	/** Name and secret of this run's simulators; null where simulated sources are not allowed. */
	simulator: { username: string; password: string } | null;
}

/**
 * Secrets are long and random, so one round of SHA-256 guards them as well as a slow hash would; they are compared
 * in constant time.
 */
export function createDeviceSignIn(options: {
	site: string;
	/** What each device of the site claims. */
	claims: ReadonlyMap<string, Claim>;
	simulatedAllowed: boolean;
	find: (device: string) => Promise<StoredCredential | undefined>;
}): DeviceSignIn {
	const { site, claims, find } = options;
	const simulator = options.simulatedAllowed
		? { username: 'simulator', password: randomBytes(32).toString('base64url') }
		: null;
	// Signs are devices, too: what is told to them is no secret among those who have signed in.
	const signs = [topics.zoneOccupancy(site, '+'), topics.gateState(site, '+'), topics.evacuation(site)];
	const isOwn = (topic: string) => topic.startsWith(`marsad/${site}/`);
	return {
		simulator,
		async authenticate(username, secret) {
			if (simulator && username === simulator.username) {
				if (!isSame(hashSecret(secret), hashSecret(simulator.password))) return null;
				const topicsOfAll = [
					topics.allReadings(site),
					topics.allStates(site),
					...[...claims.values()]
						.flatMap((claim) => publishTopics(site, claim))
						.filter((topic) => !isOwn(topic))
				];
				return { kind: 'simulator', publish: topicsOfAll, subscribe: signs };
			}
			const stored = await find(username);
			const same = isSame(hashSecret(secret), stored?.secretSha256 ?? hashSecret(''));
			if (!stored || !same) return null;
			const bridge = bridgeTopics(username);
			if (bridge)
				return { kind: 'bridge', device: username, publish: bridge, subscribe: [...bridge, ...signs] };
			const claim = claims.get(username);
			// Gone from the site file: what it claimed is nobody's.
			if (!claim) return { kind: 'device', device: username, publish: [], subscribe: signs };
			const publish = publishTopics(site, claim);
			if (claim.adapter.name === 'own')
				return { kind: 'device', device: username, publish, subscribe: signs };
			return { kind: 'bridge', device: username, publish, subscribe: [...publish, ...signs] };
		}
	};
}

/**
 * What one machine may publish that speaks for all devices of an adapter and signs in with the adapter's name (a
 * LoRaWAN network server, a Zigbee bridge).
 */
export function bridgeTopics(name: string): readonly string[] | null {
	return Object.values(adapters).find((adapter) => adapter.name === name)?.bridgeTopics ?? null;
}

export function hashSecret(secret: string): Buffer {
	return createHash('sha256').update(secret).digest();
}

function isSame(a: Buffer, b: Buffer): boolean {
	return a.length === b.length && timingSafeEqual(a, b);
}
