import type { Entries } from './features/entries/index.ts';
import { tenantsShown, type StormPart } from './features/spike/index.ts';
import { limits } from './limits.ts';
import type { Realtime } from './platform/realtime/realtime.ts';
import type { Sync } from './sync/index.ts';

/** What this instance saw of connections, pulls and pushes since the last call. */
export function stormFigures(parts: {
	realtime: Pick<Realtime, 'door' | 'takeSlow'>;
	sync: () => Pick<Sync, 'figures'>;
	entries: Pick<Entries, 'queue' | 'refused'>;
}): () => StormPart {
	const { door, takeSlow } = parts.realtime;
	let before: Totals | null = null;
	return () => {
		const { handshakes, refused } = door.take();
		const { kinds, tenants } = door.connected();
		const pulls = parts.sync().figures();
		const pushes = parts.entries.queue();
		const totals: Totals = {
			...{ offered: pulls.offered, served: pulls.served, failed: pulls.failed },
			refused: new Map([...named('pull', pulls.refused), ...named('push', parts.entries.refused())])
		};
		const last = before ?? totals;
		before = { ...totals, refused: new Map(totals.refused) };
		const oldest = [pulls.queue.oldestSeconds, pushes.oldestSeconds].filter((seconds) => seconds !== null);
		return {
			...{ handshakes, handshakesPeak: handshakes },
			refused: Object.fromEntries([
				...named('handshake', refused),
				...[...totals.refused]
					.map(([key, count]) => [key, count - (last.refused.get(key) ?? 0)] as const)
					.filter(([, count]) => count > 0)
			]),
			connected: Object.fromEntries(kinds),
			tenants: [...tenants].sort(([, a], [, b]) => b - a).slice(0, tenantsShown),
			bucketPerSecond: limits.realtime.handshakesPerSecond,
			connectionsMax: limits.realtime.socketsMax,
			tenantMax: limits.realtime.socketsPerTenantMax,
			offered: totals.offered - last.offered,
			served: totals.served - last.served,
			failed: totals.failed - last.failed,
			...{ breaker: pulls.breaker, failureShare: pulls.failureShare },
			depth: pulls.queue.depth + pushes.depth,
			oldestMs: oldest.length === 0 ? null : Math.round(Math.max(...oldest) * 1_000),
			waitingTenants: pulls.queue.tenants + pushes.tenants,
			slowScreens: takeSlow(),
			spreadMs: door.spreadMs()
		};
	};
}

interface Totals {
	offered: number;
	served: number;
	failed: number;
	/** By `what:reason`. */
	refused: ReadonlyMap<string, number>;
}

const named = (what: string, counts: ReadonlyMap<string, number>) =>
	[...counts].map(([reason, count]) => [`${what}:${reason}`, count] as const);
