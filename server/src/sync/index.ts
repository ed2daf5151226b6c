import type { FastifyRequest } from 'fastify';
import { limits } from '../limits.ts';
import { createBreaker, type Breaker } from '../platform/breaker.ts';
import type { Clock } from '../platform/clock.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import type { Feature } from '../platform/feature.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createPull } from './pull.ts';
import type { SyncCaller, SyncSource } from './sync-kinds.ts';
import { syncRoutes } from './sync-routes.ts';

export { isScanner } from './sync-routes.ts';

export type { SyncCaller, SyncLog, SyncPage, SyncSet, SyncSource, SyncThing } from './sync-kinds.ts';

/** The unified pull, with its queue and its breaker. */
export interface Sync extends Feature {
	figures(): SyncFigures;
}

export interface SyncFigures {
	/** Since the start. */
	offered: number;
	served: number;
	failed: number;
	refused: ReadonlyMap<string, number>;
	breaker: 'closed' | 'half-open' | 'open';
	failureShare: number | null;
	queue: { depth: number; running: number; tenants: number; oldestSeconds: number | null };
}

export function createSync(deps: {
	clock: Clock;
	log: Log;
	metrics: Metrics;
	/** Names the site and the season. */
	scope: string;
	sources: readonly SyncSource[];
	identify(request: FastifyRequest): Promise<SyncCaller>;
	credentialOf(request: FastifyRequest): string | null;
	reconnectSpreadMs: () => number;
}): Sync {
	const { clock } = deps;
	const elapsedMs = () => clock.elapsedMs();
	const make = () => createBreaker(limits.breaker, elapsedMs);
	const breakers = { scanner: make(), staff: make() };
	const queue = createFairQueue(clock, limits.sync.queue);
	const counts = { offered: 0, served: 0, failed: 0, refused: new Map<string, number>() };
	const show = createSyncMetrics(deps.metrics);
	const { pull } = createPull({
		...{ clock, log: deps.log, random: Math.random, scope: deps.scope, sources: deps.sources },
		reconnectSpreadMs: deps.reconnectSpreadMs,
		load: () => Math.min(1, queue.figures().depth / (limits.sync.queue.waiting / 4)),
		onCut: (kind, things) => show.cut(kind, things)
	});
	return {
		name: 'sync',
		staffRoutes: (app) =>
			syncRoutes(app, {
				...{ elapsedMs, random: Math.random, breakers, queue, pull },
				...{ identify: deps.identify, credentialOf: deps.credentialOf },
				onOutcome(outcome, reason) {
					counts.offered += 1;
					if (outcome === 'refused')
						counts.refused.set(reason ?? '', (counts.refused.get(reason ?? '') ?? 0) + 1);
					else counts[outcome === 'failed' ? 'failed' : 'served'] += 1;
					show.outcome(outcome, reason);
				}
			}),
		figures() {
			return { ...counts, ...worseOf(breakers.scanner, breakers.staff), queue: queue.figures() };
		}
	};
}

const states = ['closed', 'half-open', 'open'] as const;

/** The worse of the two, as the board shows it. */
function worseOf(...breakers: readonly Breaker[]): Pick<SyncFigures, 'breaker' | 'failureShare'> {
	const all = breakers.map((breaker) => breaker.figures());
	const shares = all.map(({ failureShare }) => failureShare).filter((share) => share !== null);
	return {
		breaker: states[Math.max(...all.map(({ state }) => states.indexOf(state)))]!,
		failureShare: shares.length === 0 ? null : Math.max(...shares)
	};
}

/** How things stand is told by the figures of the spike, once a second. */
function createSyncMetrics(metrics: Metrics) {
	const pulls = metrics.counter('marsad_sync_pulls_total', 'Unified pulls, by outcome', ['outcome']);
	const refused = metrics.counter('marsad_sync_refused_total', 'Pulls told to come back, by reason', [
		'reason'
	]);
	const cut = metrics.counter('marsad_sync_things_cut_total', 'Things past what a cursor can remember', [
		'kind'
	]);
	return {
		outcome(outcome: string, reason?: string) {
			pulls.inc({ outcome });
			if (reason !== undefined) refused.inc({ reason });
		},
		cut: (kind: string, things: number) => cut.inc({ kind }, things)
	};
}
