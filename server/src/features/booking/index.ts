import type { RecordableHistogram } from 'node:perf_hooks';
import type { Stats } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { createSignal, type Signal } from '../../platform/signal.ts';
import {
	newPermitId,
	type Identity,
	type Permits,
	type SiteNames,
	type StoredPermit
} from '../permits/index.ts';
import type { BookResult, VerifyPass } from './book.ts';
import { bookingRoutes } from './booking-routes.ts';
import { chooseEligibility, type EligibilityFigures } from './eligibility-choice.ts';
import { createFigures, type BookingCounts } from './figures.ts';
import { laboratoryRoutes, staffStatsRoute, steeringRoute } from './lab-routes.ts';
import { createPath } from './path.ts';
import { findPlanFault, planDemoSlots, planLaboratorySlots } from './plan-slots.ts';
import type { BookInput } from './read-request.ts';
import { reconcileSlots, resetSeason, type SlotGap } from './season-store.ts';
import {
	addFirstSlots,
	addSlots,
	countIn,
	listDays,
	listSlots,
	lockSlot,
	sumSlots,
	type SlotKeys
} from './slots-store.ts';
import { createSlotsView, type Availability } from './slots-view.ts';

export type { BookResult, PassVerdict, VerifyPass } from './book.ts';
export type { EligibilityFigures } from './eligibility-choice.ts';
export type { BreakerState } from './eligibility.ts';
export type { BookingCounts, BookingOutcome } from './figures.ts';
export type { Availability, DayLeft } from './slots-view.ts';
export type { BookInput } from './read-request.ts';
export { createIdentity, type IdentifiableRequest, type Identity, type Person } from '../permits/index.ts';

/** Figures of the booking path: counts only grow, the rest is as it is now. */
export interface BookingFigures extends BookingCounts {
	/** People between the door and their answer. */
	buffer: { depth: number; oldestSeconds: number | null; drainPerSecond: number };
	/** People waiting for a batch (part of the buffer). */
	waitingForBatch: number;
	eligibility: EligibilityFigures;
}

type StatsProvider = () => Partial<Stats> | Promise<Partial<Stats>>;

/** Slots and bookings. */
export interface Booking extends Feature {
	/** The waiting room, which comes later, says what a pass is worth. Without it nothing gated can be booked. */
	setPassVerifier(verify: VerifyPass): void;
	/** The booking path itself, without HTTP. */
	book(holder: string, input: BookInput): Promise<BookResult>;
	/** After the commit of each new booking: the pass is spent. */
	booked: Signal<StoredPermit>;
	figures(): BookingFigures;
	/** Latencies from the door to the answer since the last call, in microseconds; merge with `add`. */
	takeHistogram(): RecordableHistogram;
	/** Latencies of the eligibility check since the last call, in microseconds. */
	takeCheckHistogram(): RecordableHistogram;
	/** Whether anything is left, and on which days: a copy a second or two old, free to ask. */
	availability(): Availability;
	/** Slots whose counts differ from the valid permits; empty when all is well. */
	reconcile(): Promise<SlotGap[]>;
	/** Adds figures to GET /stats. */
	registerStats(provider: StatsProvider): void;
	/** Laboratory: runs on POST /reset, after the bookings are gone. */
	onReset(run: () => void | Promise<void>): void;
}

export interface BookingDeps {
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	flags: Flags;
	permits: Permits;
	identity: Identity;
	site: SiteNames;
	room: string;
	season: string;
	/** True in demo and laboratory. */
	demo: boolean;
	/** Set in the laboratory alone. */
	lab?: { checkMs: number } | undefined;
	/** An address, or `none`: nobody checks. */
	eligibilityUrl?: string | undefined;
	random?: () => number;
}

export function createBooking(deps: BookingDeps): Booking {
	const { db, clock, log, metrics, flags, permits, site, lab } = deps;
	const random = deps.random ?? Math.random;
	const keys: SlotKeys = { season: deps.season, room: deps.room };
	const figures = createFigures(metrics);
	const booked = createSignal<StoredPermit>((error) =>
		log.error({ error: error instanceof Error ? error.message : 'unknown' }, 'a listener to bookings failed')
	);
	const eligibility = chooseEligibility({ ...deps, random, onCheck: (ms) => figures.timeCheck(ms) });
	const slots = createSlotsView({
		list: () => listSlots(db, keys, clock.now(), limits.booking.slotsShownMax),
		listDays: () => listDays(db, keys, clock.now(), site.timeZone, limits.booking.daysShownMax),
		flags,
		now: () => clock.now(),
		elapsedMs: () => clock.elapsedMs(),
		site
	});
	let verifyPass: VerifyPass = () => null;
	const path = createPath({
		...{ clock, metrics, flags, log, figures, random },
		eligibility: eligibility.guard,
		batch: { db, permits, keys, now: () => clock.now(), newPermitId: () => newPermitId() },
		onBooked: (permit) => booked.emit(permit),
		findPermitOf: (holder) => permits.findOf(holder),
		verifyPass: (token, holder) => verifyPass(token, holder),
		passOptional: lab !== undefined
	});
	keepPlaces(permits, deps.season);
	const { stats, registerStats } = createStats(() => sumSlots(db, keys));
	const resets: (() => void | Promise<void>)[] = [];
	const reset = async () => {
		await resetSeason(db, permits, keys, planLaboratorySlots(clock.now()));
		slots.forget();
		for (const run of resets) await run();
	};
	const planning = createPlanning(deps, keys);

	return {
		name: 'booking',
		setPassVerifier(verify) {
			verifyPass = verify;
		},
		book: path.book,
		booked,
		figures: () => ({
			...figures.counts(),
			buffer: path.door.figures(),
			waitingForBatch: path.batcher.depth(),
			eligibility: eligibility.figures()
		}),
		takeHistogram: () => figures.takeHistogram(),
		takeCheckHistogram: () => figures.takeCheckHistogram(),
		availability: () => slots.availability(),
		reconcile: () => reconcileSlots(db, permits, keys),
		registerStats,
		onReset: (run) => void resets.push(run),
		hotRoutes(app) {
			bookingRoutes(app, { identity: deps.identity, slots, book: path.book });
			if (lab) laboratoryRoutes(app, { reset, stats });
		},
		staffRoutes(app) {
			if (!lab) staffStatsRoute(app, stats);
			steeringRoute(app, eligibility.simulated);
		},
		start: () => planning.start(),
		async stop() {
			planning.stop();
			await path.batcher.close();
		}
	};
}

/** Cancelled permits give their places back under the same lock that bookings take. */
function keepPlaces(permits: Permits, season: string): void {
	permits.setPlaceKeeper({
		lock: (tx, { room, slot }) => lockSlot(tx, { season, room }, slot),
		giveBack: (tx, { room, slot, party }) =>
			countIn(tx, { season, room }, [{ slot, people: -party, permits: -1 }])
	});
}

/** GET /stats: bookings from the slots' own counts (never a count over permits), the rest from later features. */
function createStats(sum: () => Promise<{ permits: number; booked: number; capacity: number }>) {
	const providers: StatsProvider[] = [];
	return {
		registerStats: (provider: StatsProvider) => void providers.push(provider),
		async stats(): Promise<Stats> {
			const { permits, booked, capacity } = await sum();
			const none = { issued: 0, admitted: 0, waiting: 0, called: 0, active: 0, expired: 0 };
			const added = await Promise.all(providers.map(async (provider) => provider()));
			return Object.assign({ bookings: permits, booked, capacity, ...none }, ...added) as Stats;
		}
	};
}

/** How often the demo looks whether it has slots for a day ahead. */
const demoSlotsEveryMs = 600_000;

/** Slots of laboratory and demo; elsewhere they are planned by people. The demo's roll forward with the hours. */
function createPlanning({ db, clock, log, site, lab, demo }: BookingDeps, keys: SlotKeys) {
	let stopTimer: StopTimer = () => {};
	const planDay = async () => {
		const places = site.places.map(({ id, lanes }) => ({ place: id, lanes }));
		const plans = planDemoSlots(places, clock.now()).filter((plan) => findPlanFault(plan) === null);
		await addSlots(db, keys, plans);
	};
	return {
		async start() {
			if (lab) await addFirstSlots(db, keys, planLaboratorySlots(clock.now()));
			else if (demo) {
				await planDay();
				const planAgain = () =>
					planDay().catch((error: unknown) =>
						log.warn(
							{ error: error instanceof Error ? error.message : 'unknown' },
							'the demo could not plan slots'
						)
					);
				stopTimer = clock.setInterval(() => void planAgain(), demoSlotsEveryMs);
			}
		},
		stop: () => stopTimer()
	};
}
