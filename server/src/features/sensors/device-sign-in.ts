import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { topics } from '../../../contract/index.ts';
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
	/** Topic prefixes of Frigate hosts. */
	hosts: readonly string[];
	simulatedAllowed: boolean;
	find: (device: string) => Promise<StoredCredential | undefined>;
}): DeviceSignIn {
	const { site, hosts, find } = options;
	const simulator = options.simulatedAllowed
		? { username: 'simulator', password: randomBytes(32).toString('base64url') }
		: null;
	// Signs are devices, too: what is told to them is no secret among those who have signed in.
	const signs = [topics.zoneOccupancy(site, '+'), topics.gateState(site, '+')];
	return {
		simulator,
		async authenticate(username, secret) {
			if (simulator && username === simulator.username) {
				if (!isSame(hashSecret(secret), hashSecret(simulator.password))) return null;
				const topicsOfAll = [
					topics.allReadings(site),
					topics.allStates(site),
					...hosts.map((host) => `${host}/#`)
				];
				return { kind: 'simulator', publish: topicsOfAll, subscribe: signs };
			}
			const stored = await find(username);
			const same = isSame(hashSecret(secret), stored?.secretSha256 ?? hashSecret(''));
			if (!stored || !same) return null;
			if (stored.kind === 'bridge')
				return {
					kind: 'bridge',
					device: username,
					publish: [`${username}/#`],
					subscribe: [`${username}/#`, ...signs]
				};
			const own = [topics.reading(site, username), topics.state(site, username)];
			return { kind: 'device', device: username, publish: own, subscribe: signs };
		}
	};
}

export function hashSecret(secret: string): Buffer {
	return createHash('sha256').update(secret).digest();
}

function isSame(a: Buffer, b: Buffer): boolean {
	return a.length === b.length && timingSafeEqual(a, b);
}
