import { limits } from '../../limits.ts';
import { createAdaptiveLimit, type AdaptiveLimit, type WorkEnd } from '../../platform/adaptive-limit.ts';
import { BatcherClosedError, createBatcher, type Batcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { bookBatch, type BatchDeps } from './batch-store.ts';
import { createBook, type BookDeps } from './book.ts';
import type { Decision, Wish } from './decide-batch.ts';
import { createDoor, type Door, type Visit } from './door.ts';
import type { StoredPermit } from '../permits/index.ts';

/** The hot path put together: door, eligibility, batch. */
export interface BookingPath {
	book: ReturnType<typeof createBook>;
	/** Transactions of bookings that may run at once, in front of the pool. */
	limit: Pick<AdaptiveLimit, 'limit' | 'running'>;
	/** The door, for what does not go in batches. */
	enter(): { visit: Visit | null; retryAfterSeconds: number };
	/** Runs one other transaction of the booking path under the same limit; null: too many wait. */
	withPlace<T>(run: () => Promise<T>): Promise<T | null>;
	door: Pick<Door, 'figures'>;
	batcher: Pick<Batcher<Wish, Decision>, 'depth' | 'close'>;
}

export function createPath(
	deps: Omit<BookDeps, 'door' | 'batcher' | 'elapsedMs'> & {
		clock: Clock;
		metrics: Metrics;
		batch: Omit<BatchDeps, 'onRetry'>;
		onBooked(permit: StoredPermit): void;
		/** Connections of the pool. */
		poolMax: number;
	}
): BookingPath {
	const { clock, metrics } = deps;
	const elapsedMs = () => clock.elapsedMs();
	const retries = metrics.counter('marsad_booking_batch_retries_total', 'Batches that were run again', [
		'reason'
	]);
	const refusals = metrics.counter('marsad_booking_door_refused_total', 'Bookings refused at the door');
	const sizes = metrics.histogram(
		'marsad_booking_batch_size',
		'People in a batch',
		[1, 2, 5, 10, 25, 50, 100, 200, 400]
	);
	const limit = createPoolLimit(metrics, deps.poolMax);
	const batch = {
		...deps.batch,
		random: deps.random,
		elapsedMs,
		onRetry: (reason: 'faster' | 'failed' | 'all-shards') => retries.inc({ reason })
	};
	const batcher = createBatcher<Wish, Decision>({
		clock,
		sizeMax: limits.booking.batchMax,
		waitMs: limits.booking.batchMs,
		deadlineMs: limits.booking.deadlineMs,
		runTimeoutMs: limits.booking.batchTimeoutMs,
		concurrentMax: () => limit.limit(),
		async run(wishes) {
			sizes.observe(wishes.length);
			const place = await limit.enter();
			if (!place) throw new BatcherClosedError('too many wait for the database');
			const startedMs = elapsedMs();
			let waitedMs = 0;
			let end: WorkEnd = 'dropped';
			try {
				const onConnected = (waitMs: number) => (waitedMs = Math.max(waitedMs, waitMs));
				const { decisions, permits } = await bookBatch({ ...batch, onConnected }, wishes);
				const slow = elapsedMs() - startedMs >= limits.booking.batchTimeoutMs;
				if (!slow && waitedMs < limits.booking.poolWaitMs) end = 'good';
				permits.forEach((permit) => deps.onBooked(permit));
				return decisions;
			} finally {
				place.end(end);
			}
		}
	});
	const door = createDoor({
		elapsedMs,
		insideMax: limits.booking.bufferMax,
		deadlineMs: limits.booking.deadlineMs,
		random: deps.random,
		onRefused: () => refusals.inc()
	});
	return {
		...{ book: createBook({ ...deps, door, batcher, elapsedMs }), door, batcher, limit },
		enter: () => ({ visit: door.enter(), retryAfterSeconds: door.retryAfterSeconds() }),
		async withPlace(run) {
			const place = await limit.enter();
			if (!place) return null;
			try {
				return await run();
			} finally {
				place.end('ignored');
			}
		}
	};
}

/** Connections that bookings leave to everybody else: showing permits, cancelling, the control room. */
const poolReserve = 2;

/**
 * In front of the pool: grows while whole batches wait and get their connection at once, shrinks as soon as they wait
 * for it or run into a time-out. Never more than the pool holds.
 */
function createPoolLimit(metrics: Metrics, poolMax: number): AdaptiveLimit {
	const gauge = metrics.gauge('marsad_booking_pool_limit', 'Booking transactions that may run at once');
	const limit = createAdaptiveLimit({
		min: 1,
		max: Math.max(1, poolMax - poolReserve),
		initial: 2,
		waitingMax: limits.booking.poolWaitingMax,
		onChange: (places) => gauge.set(places)
	});
	gauge.set(limit.limit());
	return limit;
}
