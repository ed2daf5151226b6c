import { sql } from 'kysely';
import { createTestDatabase, createLog, createClock } from '../../../test/kit/index.ts';
import { createFlags } from '../../platform/flags/flags.ts';
import { openDatabase, type Database } from '../../platform/database/database.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createIdentity, createPermits, type Permits } from '../permits/index.ts';
import { createBooking, type Booking, type BookingDeps } from './index.ts';
import { createRecord } from '../record/index.ts';
import { putPlan, type QuotaPlan } from './quota-plan-store.ts';
import { addSlots } from './slot-plan-store.ts';

export const secret = 'a secret that is thirty-two characters long';
export const keys = { season: 'test', room: 'main' };
export const identity = createIdentity({ secret, believeUser: true });
const hourMs = 3_600_000;

/** One instance: permits and booking on a pool of its own. */
export interface TestInstance {
	permits: Permits;
	booking: Booking;
	flags: ReturnType<typeof createFlags>;
	database: Database;
}

export interface BookingBench {
	instances: TestInstance[];
	/** Adds slots of these capacities and returns their ids. */
	addSlots(capacities: readonly number[]): Promise<number[]>;
	/** Puts a quota; shares by value, the common one under the empty value. */
	putQuota(
		plan: Partial<Omit<QuotaPlan, 'shares'>> &
			Pick<QuotaPlan, 'dimension'> & { shares: Record<string, number> }
	): Promise<number>;
	close(): Promise<void>;
}

/** Real PostgreSQL and so many instances on it. Without eligibility, passes are wanted unless `lab` is set. */
export async function createBench(
	options: Partial<BookingDeps> & { instances?: number; poolMax?: number } = {}
): Promise<BookingBench> {
	const test = await createTestDatabase();
	const clock = options.clock ?? createClock();
	const log = createLog('silent');
	const build = (database: Database): TestInstance => {
		const metrics = createMetrics();
		const flags = createFlags(null);
		const site = {
			timeZone: 'Asia/Riyadh',
			places: [{ id: 'north', name: { ar: 'الشمال', en: 'North' }, lanes: 2 }]
		};
		const base = { db: database.db, clock, log, metrics, identity, site, ...keys };
		const common = { ...base, record: createRecord(base) };
		const permits = createPermits({ ...common, secret, mark: 'none', automaticRoot: true });
		const booking = createBooking({
			...common,
			poolMax: options.poolMax ?? 5,
			flags,
			permits,
			demo: false,
			eligibilityUrl: 'none',
			...options
		});
		return { permits, booking, flags, database };
	};
	const open = () =>
		openDatabase({ url: test.url, directUrl: test.url, poolMax: options.poolMax ?? 5, clock, log });
	const instances = Array.from({ length: options.instances ?? 1 }, () => build(open()));
	for (const { database } of instances) await openAllConnections(database, options.poolMax ?? 5);
	let planned = 0;
	return {
		instances,
		async addSlots(capacities) {
			const { db } = test.database;
			const firstHour = Math.ceil(clock.now() / hourMs) * hourMs + hourMs;
			const plans = capacities.map((capacity, index) => {
				const startsAt = firstHour + (planned + index) * hourMs;
				return { place: 'north', startsAt, endsAt: startsAt + hourMs, capacity, lanes: 2 };
			});
			await addSlots(db, keys, plans);
			planned += plans.length;
			return capacities.map((_, index) => planned - plans.length + index + 1);
		},
		putQuota({ shares, ...plan }) {
			const full = { slot: null, other: 'refuse' as const, returnsAt: null, ...plan };
			const places = new Map(Object.entries(shares));
			return test.database.db.transaction().execute((tx) => putPlan(tx, keys, { ...full, shares: places }));
		},
		async close() {
			for (const { booking, database } of instances) {
				await booking.stop?.();
				await database.close();
			}
			await test.close();
		}
	};
}

/** A cold pool runs its first work on one connection, one after the other: races would never be tried. */
async function openAllConnections({ db }: Database, count: number): Promise<void> {
	await Promise.all(Array.from({ length: count }, () => sql`select pg_sleep(0.2)`.execute(db)));
}

/** What is known of somebody who is prepared. */
export const from = (
	country: string | null,
	provider: string | null = null,
	category: string | null = null
) => ({ country, provider, category });

/** What a caller sends, without pass and key. */
export const input = (slot: number, extra: Partial<Parameters<Booking['book']>[1]> = {}) => ({
	slot,
	party: null,
	gated: false,
	token: null,
	key: null,
	...extra
});
