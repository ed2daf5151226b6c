import { limits } from '../../limits.ts';
import { createBatcher, type Batcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { bookBatch, type BatchDeps } from './batch-store.ts';
import { createBook, type BookDeps, type BookResult } from './book.ts';
import type { Decision, Wish } from './decide-batch.ts';
import { createDoor, type Door } from './door.ts';
import type { BookInput } from './read-request.ts';
import type { StoredPermit } from '../permits/index.ts';

/** The hot path put together: door, eligibility, batch. */
export interface BookingPath {
	book(holder: string, input: BookInput): Promise<BookResult>;
	door: Pick<Door, 'figures'>;
	batcher: Pick<Batcher<Wish, Decision>, 'depth' | 'close'>;
}

export function createPath(
	deps: Omit<BookDeps, 'door' | 'batcher' | 'elapsedMs'> & {
		clock: Clock;
		metrics: Metrics;
		batch: Omit<BatchDeps, 'onRetry'>;
		onBooked(permit: StoredPermit): void;
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
	const batch = { ...deps.batch, onRetry: (reason: 'faster' | 'failed') => retries.inc({ reason }) };
	const batcher = createBatcher<Wish, Decision>({
		clock,
		sizeMax: limits.booking.batchMax,
		waitMs: limits.booking.batchMs,
		deadlineMs: limits.booking.deadlineMs,
		runTimeoutMs: limits.booking.batchTimeoutMs,
		async run(wishes) {
			sizes.observe(wishes.length);
			const { decisions, permits } = await bookBatch(batch, wishes);
			permits.forEach((permit) => deps.onBooked(permit));
			return decisions;
		}
	});
	const door = createDoor({
		elapsedMs,
		insideMax: limits.booking.bufferMax,
		deadlineMs: limits.booking.deadlineMs,
		random: deps.random,
		onRefused: () => refusals.inc()
	});
	return { book: createBook({ ...deps, door, batcher, elapsedMs }), door, batcher };
}
