import type { Clock, StopTimer } from './clock.ts';

/** Why work was not done; a designed refusal. */
export type QueueReason = 'queue-full' | 'queue-full-for-tenant' | 'too-late';

/** Work that was refused, or that waited too long. */
export class QueueRefusal extends Error {
	readonly reason: QueueReason;
	constructor(reason: QueueReason) {
		super(reason);
		this.reason = reason;
	}
}

export interface FairQueueOptions {
	/** Work at the same moment, and of one tenant. */
	running: number;
	runningPerTenant: number;
	/** Work that waits, of one tenant and in all; past it is refused at the door. */
	waitingPerTenant: number;
	waiting: number;
	/** What has waited so long is refused: its caller has given up. */
	deadlineMs: number;
}

/**
 * Tenants take turns: whoever has work waiting gets one piece done before anybody gets a second one, so a tenant that
 * sends a thousand delays the others by one piece of its own at a time.
 */
export interface FairQueue {
	/** @throws QueueRefusal when it is full, for everybody or for this tenant, or when its turn came too late */
	run<T>(tenant: string, work: () => Promise<T>): Promise<T>;
	figures(): { depth: number; running: number; tenants: number; oldestSeconds: number | null };
}

interface Waiting {
	sinceMs: number;
	start: () => void;
	refuse: (reason: QueueReason) => void;
}

export function createFairQueue(
	clock: Pick<Clock, 'elapsedMs' | 'setTimeout'>,
	options: FairQueueOptions
): FairQueue {
	/** Tenants with waiting work, whose turn is next first. */
	const lanes = new Map<string, Waiting[]>();
	const runningOf = new Map<string, number>();
	let running = 0;
	let depth = 0;
	let stopSweep: StopTimer | null = null;

	const begin = (tenant: string) => {
		running += 1;
		runningOf.set(tenant, (runningOf.get(tenant) ?? 0) + 1);
	};
	const end = (tenant: string) => {
		running -= 1;
		const left = (runningOf.get(tenant) ?? 1) - 1;
		if (left === 0) runningOf.delete(tenant);
		else runningOf.set(tenant, left);
		next();
	};
	const mayRun = (tenant: string) =>
		running < options.running && (runningOf.get(tenant) ?? 0) < options.runningPerTenant;
	const drop = (tenant: string, lane: Waiting[]) => {
		if (lane.length === 0) lanes.delete(tenant);
	};
	/** The first of each lane is its oldest. */
	const sweep = () => {
		const before = clock.elapsedMs() - options.deadlineMs;
		for (const [tenant, lane] of lanes) {
			while (lane[0] !== undefined && lane[0].sinceMs <= before) {
				depth -= 1;
				lane.shift()!.refuse('too-late');
			}
			drop(tenant, lane);
		}
		watch();
	};
	const oldestMs = () =>
		[...lanes.values()].reduce((least, lane) => Math.min(least, lane[0]?.sinceMs ?? Infinity), Infinity);
	const watch = () => {
		if (stopSweep !== null || depth === 0) return;
		const inMs = Math.max(1, oldestMs() + options.deadlineMs - clock.elapsedMs());
		stopSweep = clock.setTimeout(() => {
			stopSweep = null;
			sweep();
		}, inMs);
	};
	const nextTenant = () => {
		for (const tenant of lanes.keys()) if (mayRun(tenant)) return tenant;
		return null;
	};
	/** Starts what may start. */
	const next = () => {
		while (running < options.running) {
			const tenant = nextTenant();
			if (tenant === null) return;
			const lane = lanes.get(tenant)!;
			const first = lane.shift()!;
			depth -= 1;
			// To the end of the row.
			lanes.delete(tenant);
			if (lane.length > 0) lanes.set(tenant, lane);
			if (clock.elapsedMs() - first.sinceMs >= options.deadlineMs) first.refuse('too-late');
			else {
				begin(tenant);
				first.start();
			}
		}
	};
	const turn = (tenant: string) =>
		new Promise<void>((resolve, reject) => {
			const lane = lanes.get(tenant) ?? [];
			lane.push({
				sinceMs: clock.elapsedMs(),
				start: resolve,
				refuse: (reason) => reject(new QueueRefusal(reason))
			});
			lanes.set(tenant, lane);
			depth += 1;
			watch();
		});

	return {
		async run(tenant, work) {
			if (mayRun(tenant) && !lanes.has(tenant)) begin(tenant);
			else {
				if ((lanes.get(tenant)?.length ?? 0) >= options.waitingPerTenant)
					throw new QueueRefusal('queue-full-for-tenant');
				if (depth >= options.waiting) throw new QueueRefusal('queue-full');
				await turn(tenant);
			}
			try {
				return await work();
			} finally {
				end(tenant);
			}
		},
		figures() {
			const oldest = oldestMs();
			return {
				...{ depth, running, tenants: lanes.size },
				oldestSeconds: depth === 0 ? null : Math.max(0, clock.elapsedMs() - oldest) / 1_000
			};
		}
	};
}
