import { seats, type CapacityOrder, type KnownSpike } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { isOnSite, type Facts, type Finding } from './judge.ts';

type Times = { startsAt: number; endsAt: number };

/** Slots are planned, and their counts equal the permits. */
export function judgeSlots({ reconciliation: { state, at, checked } }: Facts): Finding {
	if (state === 'unknown' || checked === null) return { state: 'unknown', reason: 'no-figures', at };
	if (state === 'gaps') return { state: 'refuted', reason: 'counts-differ', at };
	return checked.slots === 0
		? { state: 'missing', reason: 'never', at }
		: { state: 'shown', at, value: checked.slots };
}

/** A key signs that outlives the spike, and scanners can fetch a list that is not old. */
export function judgeKeys({ keys: { keys, keyList, readAt } }: Facts, { endsAt }: Times): Finding {
	const signing = keys.find(({ state, usable }) => state === 'signing' && usable);
	if (!signing) return { state: 'refuted', reason: 'not-signing', at: readAt };
	if (!keyList) return { state: 'missing', reason: 'never', at: readAt };
	if (keyList.stale) return { state: 'stale', reason: 'list-stale', at: keyList.issuedAt };
	// The next one must have been listed: scanners get it 48 hours ahead.
	const until = Math.max(
		...keys
			.filter(({ state, listedAt }) => state === 'signing' || (state === 'next' && listedAt !== null))
			.map(({ notAfter }) => notAfter)
	);
	return until <= endsAt
		? { state: 'refuted', reason: 'key-ends', at: keyList.issuedAt, names: [signing.kid] }
		: { state: 'shown', at: keyList.issuedAt, value: keyList.version };
}

/** Every scanner was heard lately, with the key list as it is now and a good clock. */
export function judgeScanners({ scanners, keys, now }: Facts, spike: KnownSpike): Finding {
	if (!isOnSite(spike)) return { state: 'not-needed' };
	const own = scanners.filter(({ state }) => state !== 'revoked');
	if (own.length === 0) return { state: 'missing', reason: 'never' };
	const maxMs = limits.readiness.scannerHoursMax * 3_600_000;
	const silent = own.filter(({ seenAt }) => seenAt === null || now - seenAt > maxMs);
	const at = Math.min(...own.map(({ seenAt }) => seenAt ?? 0)) || null;
	if (silent.length > 0)
		return {
			state: 'stale',
			reason: 'silent',
			at,
			names: silent.map(({ name }) => name),
			value: silent.length
		};
	const version = keys.keyList?.version ?? Infinity;
	const old = own.filter(({ report, clock }) => {
		const age = report?.revocations?.ageSeconds ?? Infinity;
		return (report?.keys?.version ?? -1) < version || age * 1_000 > maxMs || clock?.state !== 'good';
	});
	return old.length > 0
		? { state: 'refuted', reason: 'old-lists', at, names: old.map(({ name }) => name), value: old.length }
		: { state: 'shown', at, value: own.length };
}

/** No counter is silent; a recorded series is not missed. */
export function judgeCounters({ devices, now }: Facts, spike: KnownSpike): Finding {
	if (!isOnSite(spike)) return { state: 'not-needed' };
	if (devices === null) return { state: 'unknown', reason: 'no-figures' };
	const own = devices.filter(({ optional }) => !optional);
	if (own.length === 0) return { state: 'missing', reason: 'never' };
	const silent = own.filter(({ state, heard, counters }) => state !== 'online' || heard < counters.length);
	return silent.length > 0
		? {
				...{ state: 'refuted', reason: 'silent', at: now, value: silent.length },
				names: silent.map(({ device }) => device)
			}
		: { state: 'shown', at: now, value: own.length };
}

const covers = (window: { from: number | null; until: number | null }, { startsAt, endsAt }: Times) =>
	window.from !== null && window.until !== null && window.from <= startsAt && window.until >= endsAt;

/** What was ordered for the spike is in place, or ordered while its time has not come. */
export function judgeOrders({ plan, now }: Facts, spike: Times): Finding {
	const own = plan.orders.filter(({ window }) => covers(window, spike));
	if (own.length === 0) return { state: 'missing', reason: 'never' };
	const isGood = ({ state, window }: CapacityOrder) =>
		state === 'in-place' || (state === 'ordered' && now < (window.from ?? 0));
	const late = own.filter((order) => !isGood(order));
	const at = Math.max(...own.map((order) => order.at));
	return late.length > 0
		? { state: 'refuted', reason: 'not-in-place', at, names: late.map(({ id }) => id) }
		: { state: 'shown', at, by: own[0]?.signedBy ?? null };
}

/** Nothing is deployed from before the spike until after it. */
export function judgeFreeze({ plan }: Facts, spike: Times): Finding {
	const all = plan.freezes.filter(({ covers: what }) => what.includes('deploys'));
	if (all.length === 0) return { state: 'missing', reason: 'never' };
	const own = all.find(({ window }) => covers(window, spike));
	return own ? { state: 'shown', at: own.at, by: own.by } : { state: 'missing', reason: 'not-covered' };
}

/** Two different people stand on the roster for all of it: the duty manager and the second person. */
export function judgeRoster({ plan }: Facts, spike: Times): Finding {
	const own = plan.roster.filter(({ window }) => covers(window, spike));
	const needed = seats.filter((seat) => seat === 'duty-manager' || seat === 'second-person');
	const missing = needed.filter((seat) => !own.some((duty) => duty.seat === seat));
	if (missing.length > 0)
		return { state: 'missing', reason: plan.roster.length === 0 ? 'never' : 'not-covered', names: missing };
	const people = (seat: string) => own.filter((duty) => duty.seat === seat).map(({ account }) => account);
	const isTwo = people('duty-manager').some((one) => people('second-person').some((other) => other !== one));
	const at = Math.max(...own.map((duty) => duty.at));
	return isTwo ? { state: 'shown', at } : { state: 'refuted', reason: 'one-person', at };
}
