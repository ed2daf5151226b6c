import { createBooking } from '../../../server/src/features/booking/index.ts';
import { createIdentity, createPermits } from '../../../server/src/features/permits/index.ts';
import { createRecord } from '../../../server/src/features/record/index.ts';
import { addSlots } from '../../../server/src/features/booking/slot-plan-store.ts';
import { createClock } from '../../../server/src/platform/clock.ts';
import { openDatabase } from '../../../server/src/platform/database/database.ts';
import { migrate } from '../../../server/src/platform/database/migrate.ts';
import { createFlags } from '../../../server/src/platform/flags/flags.ts';
import { createLog } from '../../../server/src/platform/log.ts';
import { createMetrics } from '../../../server/src/platform/metrics.ts';

const log = createLog('silent');
const hourMs = 3_600_000;
/** What the laboratory's server works with. */
const keys = { season: 'laboratory', room: 'main' };

/** Brings the schema up and plans slots of this size, before any server starts and would plan its own. */
export async function planSlots(databaseUrl: string, slots: number, capacity: number): Promise<void> {
	await migrate(databaseUrl, log);
	const clock = createClock();
	const database = openDatabase({ url: databaseUrl, directUrl: databaseUrl, poolMax: 2, clock, log });
	const startsAt = Math.ceil(clock.now() / hourMs) * hourMs + hourMs;
	const plans = Array.from({ length: slots }, (_, index) => ({
		place: 'laboratory',
		startsAt: startsAt + index * hourMs,
		endsAt: startsAt + (index + 1) * hourMs,
		capacity,
		lanes: 10
	}));
	await addSlots(database.db, keys, plans);
	await database.close();
}

export type ProductBooking = {
	/** True when booked (or booked before), false when refused for now or failed; anything else throws. */
	book(person: string, slot: number): Promise<boolean>;
	/** Bookings that were answered, attempts that failed, and whether the slots' counts agree with the permits. */
	count(): Promise<{ booked: number; faults: number; isTrue: boolean }>;
	close(): Promise<void>;
};

/** The product's booking path, without HTTP: the same code as in the server. */
export async function openProductBooking(
	databaseUrl: string,
	connections: number,
	checkMs: number
): Promise<ProductBooking> {
	const clock = createClock();
	const database = openDatabase({
		url: databaseUrl,
		directUrl: databaseUrl,
		poolMax: connections,
		clock,
		log
	});
	const metrics = createMetrics();
	const secret = 'a secret of the benchmark, long enough';
	const identity = createIdentity({ secret, believeUser: true });
	const site = {
		timeZone: 'Asia/Riyadh',
		places: [{ id: 'laboratory', name: { ar: 'المختبر', en: 'Laboratory' }, lanes: 10 }]
	};
	const base = { db: database.db, clock, log, metrics, identity, site, ...keys };
	const record = createRecord(base);
	const permits = createPermits({ ...base, record, secret, mark: 'none', automaticRoot: true });
	await permits.start?.();
	const booking = createBooking({
		...{ ...base, permits, flags: createFlags(null) },
		...{ record, poolMax: connections, demo: true, lab: { checkMs } }
	});
	await booking.start?.();
	return {
		async book(person, slot) {
			const input = { slot, party: null, gated: false, token: null, key: null };
			const result = await booking.book(person, input);
			if (result.outcome === 'booked' || result.outcome === 'repeated') return true;
			if (result.outcome === 'busy' || result.outcome === 'slotFull' || result.outcome === 'fault')
				return false;
			throw new Error(`a booking came to ${result.outcome}`);
		},
		async count() {
			const gaps = await booking.reconcile();
			const { booked, faults } = booking.figures().outcomes;
			return { booked, faults, isTrue: gaps.length === 0 };
		},
		async close() {
			await booking.stop?.();
			await database.close();
			metrics.stop();
		}
	};
}
