import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';

const windowMs = 300_000;

interface Failures {
	count: number;
	since: number;
}

/** Slows guessing down, in this process: by address, and by account against guessing from many addresses. */
export interface SignInLimit {
	/** Counts an attempt as failed beforehand (so that twins cannot slip through); seconds to wait, or 0 to go on. */
	take(address: string, email: string): number;
	/** Takes the count of an attempt back that failed for no fault of its own. */
	giveBack(address: string, email: string): void;
	/** Takes the count back, and remembers that this address knows the account's password. */
	succeeded(address: string, email: string): void;
}

/**
 * The limit of an account does not hold for addresses that have signed in to it: a stranger cannot lock the duty
 * manager out on the day by guessing on purpose.
 */
export function createSignInLimit(clock: Clock): SignInLimit {
	const byAddress = new Map<string, Failures>();
	const byAccount = new Map<string, Failures>();
	const known = new Set<string>();

	const living = (map: Map<string, Failures>, key: string): Failures => {
		const now = clock.now();
		const found = map.get(key);
		if (found && now - found.since < windowMs) return found;
		const fresh = { count: 0, since: now };
		map.delete(key);
		map.set(key, fresh);
		if (map.size > limits.people.failureCountersMax) map.delete(map.keys().next().value!);
		return fresh;
	};
	const waitSeconds = (failures: Failures, max: number) =>
		failures.count < max ? 0 : Math.max(1, Math.ceil((failures.since + windowMs - clock.now()) / 1_000));
	const pair = (address: string, email: string) => `${address} ${email}`;
	const giveBack = (address: string, email: string) => {
		const counters = [living(byAddress, address)];
		if (!known.has(pair(address, email))) counters.push(living(byAccount, email));
		for (const counter of counters) counter.count = Math.max(0, counter.count - 1);
	};

	return {
		take(address, email) {
			const fromAddress = living(byAddress, address);
			const toAccount = known.has(pair(address, email)) ? null : living(byAccount, email);
			const wait = Math.max(
				waitSeconds(fromAddress, limits.http.signInsPerFiveMinutes),
				toAccount ? waitSeconds(toAccount, limits.people.failuresPerAccount) : 0
			);
			if (wait > 0) return wait;
			fromAddress.count += 1;
			if (toAccount) toAccount.count += 1;
			return 0;
		},
		giveBack,
		succeeded(address, email) {
			giveBack(address, email);
			known.delete(pair(address, email));
			known.add(pair(address, email));
			if (known.size > limits.people.failureCountersMax) known.delete(known.values().next().value!);
		}
	};
}
