import type { SpikeNow } from '../../../contract/index.ts';
import type { Breaker } from './samples.ts';

/** Those who connect, pull and push, in one second or over some time: counts are sums, the rest stands at the end. */
export interface StormPart {
	/** Of the whole time, and the most in one second. */
	handshakes: number;
	handshakesPeak: number;
	/** By `what:reason`, e.g. `handshake:tenant-full`. */
	refused: Record<string, number>;
	/** Connections by kind. */
	connected: Record<string, number>;
	/** Tenants with the most connections. */
	tenants: (readonly [tenant: string, connections: number])[];
	bucketPerSecond: number;
	connectionsMax: number;
	tenantMax: number;
	offered: number;
	served: number;
	failed: number;
	breaker: Breaker;
	failureShare: number | null;
	depth: number;
	oldestMs: number | null;
	waitingTenants: number;
	slowScreens: number;
	spreadMs: number;
}

export const tenantsShown = 10;
const breakers: readonly Breaker[] = ['closed', 'half-open', 'open'];
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const most = (values: readonly number[]) => Math.max(...values);
const mostOrNull = (values: readonly (number | null)[]) => {
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : most(known);
};

function addCounts(all: readonly Record<string, number>[]): Record<string, number> {
	const total: Record<string, number> = {};
	for (const counts of all)
		for (const [key, count] of Object.entries(counts)) total[key] = (total[key] ?? 0) + count;
	return total;
}

function addTenants(all: readonly StormPart['tenants'][]): StormPart['tenants'] {
	const total = addCounts(all.map((tenants) => Object.fromEntries(tenants)));
	return Object.entries(total)
		.sort(([, a], [, b]) => b - a)
		.slice(0, tenantsShown);
}

/** The counts of several parts, whatever they have in common. */
function addUp(parts: readonly StormPart[]) {
	const of = (name: 'handshakes' | 'offered' | 'served' | 'failed' | 'slowScreens') =>
		sum(parts.map((part) => part[name]));
	return {
		...{ handshakes: of('handshakes'), offered: of('offered'), served: of('served'), failed: of('failed') },
		...{ slowScreens: of('slowScreens'), refused: addCounts(parts.map(({ refused }) => refused)) },
		breaker: breakers[most(parts.map(({ breaker }) => breakers.indexOf(breaker)))]!,
		failureShare: mostOrNull(parts.map(({ failureShare }) => failureShare)),
		oldestMs: mostOrNull(parts.map(({ oldestMs }) => oldestMs)),
		spreadMs: most(parts.map(({ spreadMs }) => spreadMs)),
		tenantMax: most(parts.map(({ tenantMax }) => tenantMax))
	};
}

/** One instance, seconds one after the other; in order of time. */
export function addStormTime(parts: readonly StormPart[]): StormPart {
	return {
		...parts.at(-1)!,
		...addUp(parts),
		handshakesPeak: most(parts.map(({ handshakesPeak }) => handshakesPeak)),
		depth: most(parts.map(({ depth }) => depth))
	};
}

/** The same time on several instances. */
export function addStormInstances(parts: readonly StormPart[]): StormPart {
	const of = (name: 'handshakesPeak' | 'depth' | 'waitingTenants' | 'bucketPerSecond' | 'connectionsMax') =>
		sum(parts.map((part) => part[name]));
	return {
		...addUp(parts),
		...{ handshakesPeak: of('handshakesPeak'), depth: of('depth'), waitingTenants: of('waitingTenants') },
		...{ bucketPerSecond: of('bucketPerSecond'), connectionsMax: of('connectionsMax') },
		connected: addCounts(parts.map(({ connected }) => connected)),
		tenants: addTenants(parts.map(({ tenants }) => tenants))
	};
}

/** The last minute's seconds, all instances together, and the newest of them, as screens show it. */
export function showStorm(
	window: readonly (StormPart | null)[],
	newest: StormPart
): Omit<NonNullable<SpikeNow['storm']>, 'at' | 'quality' | 'mark'> {
	const told = window.filter((part) => part !== null);
	const counts = told.length === 0 ? newest : addStormTime(told);
	return {
		handshakesPerSecond: newest.handshakes,
		bucketPerSecond: newest.bucketPerSecond,
		handshakesPeak: counts.handshakesPeak,
		refused: Object.entries(counts.refused)
			.map(([key, count]) => {
				const [what, reason = ''] = key.split(':');
				return { what: what as 'handshake' | 'pull' | 'push', reason, count };
			})
			.sort((a, b) => b.count - a.count),
		connected: Object.entries(newest.connected)
			.map(([kind, count]) => ({ kind, count }))
			.sort((a, b) => b.count - a.count),
		tenants: newest.tenants.map(([tenant, connections]) => ({ tenant, connections })),
		...{ connectionsMax: newest.connectionsMax, tenantMax: newest.tenantMax },
		pulls: { offered: counts.offered, served: counts.served, failed: counts.failed },
		...{ breaker: newest.breaker, failureShare: newest.failureShare },
		queue: {
			depth: newest.depth,
			oldestSeconds: newest.oldestMs === null ? null : newest.oldestMs / 1_000,
			tenants: newest.waitingTenants
		},
		slowScreens: counts.slowScreens,
		reconnectSpreadMs: newest.spreadMs
	};
}
