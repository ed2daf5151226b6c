import type { RecordableHistogram } from 'node:perf_hooks';
import type { PersonAttributes, Reconciliation, Stats } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
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
import type { Record as TheRecord } from '../record/index.ts';
import { createBallotPort, type BallotPort } from './ballot-port.ts';
import { findKeptOf } from './batch-store.ts';
import type { BookResult, VerifyPass } from './book.ts';
import { bookingRoutes, type ReadPrepared } from './booking-routes.ts';
import { createChange, type Change } from './change.ts';
import { changeRoute, createChanger } from './change-routes.ts';
import { chooseEligibility, type EligibilityFigures } from './eligibility-choice.ts';
import type { SimulatedEligibility } from './eligibility-simulated.ts';
import type { EligibilityAnswer } from './eligibility.ts';
import { createFigures, type BookingCounts } from './figures.ts';
import { laboratoryRoutes, staffStatsRoute, steeringRoute } from './lab-routes.ts';
import { createMovePort, type MovePort } from './move-port.ts';
import { createPath } from './path.ts';
import { createPlaceKeeper } from './places-back.ts';
import { createFillDoor, type PlaceFill } from './place-fill.ts';
import { planRoutes } from './plan-routes.ts';
import { createPlanning } from './planning.ts';
import { planLaboratorySlots } from './plan-slots.ts';
import { listQuotaFills } from './quota-store.ts';
import type { BookInput } from './read-request.ts';
import { createReconciler } from './reconciliation.ts';
import { reconcile, resetSeason, type CountGap } from './season-store.ts';
import {
	listDays,
	listSlotFills,
	listSlots,
	sumOversold,
	sumSlots,
	type SlotFill,
	type SlotKeys
} from './slots-store.ts';
import { createSlotsView, type Availability } from './slots-view.ts';

export type { BallotPort, DrawnWish } from './ballot-port.ts';
export { placeWish, type MoveWish } from './move-places.ts';
export type { MovePort, SlotsNow } from './move-port.ts';
export { createLedger } from './quotas.ts';
export type { LockedSlot } from './decide-batch.ts';
export type { BookResult, PassVerdict, VerifyPass } from './book.ts';
export type { ReadPrepared } from './booking-routes.ts';
export type { Change } from './change.ts';
export type { EligibilityFigures } from './eligibility-choice.ts';
export type { BreakerState, EligibilityAnswer } from './eligibility.ts';
export type { BookingCounts, BookingOutcome } from './figures.ts';
export type { Availability, DayLeft } from './slots-view.ts';
export { fillAtPace, fillOf, type PlaceFill } from './place-fill.ts';
export type { CountGap } from './season-store.ts';
export type { SlotFill } from './slots-store.ts';
export type { BookInput } from './read-request.ts';
export { createIdentity, type IdentifiableRequest, type Identity, type Person } from '../permits/index.ts';

/** Figures of the booking path: counts only grow, the rest is as it is now. */
export interface BookingFigures extends BookingCounts {
	/** People between the door and their answer. */
	buffer: { depth: number; oldestSeconds: number | null; drainPerSecond: number };
	/** People waiting for a batch (part of the buffer). */
	waitingForBatch: number;
	eligibility: EligibilityFigures;
	/** Booking transactions that run, and how many may. */
	pool: { running: number; limit: number };
	/** Places whose bookings for the next hour and a half are slowed because they fill. */
	slowedPlaces: { place: string; pace: number }[];
	/** The last proof that counts equal permits. */
	reconciliation: Reconciliation;
}

type StatsProvider = () => Partial<Stats> | Promise<Partial<Stats>>;

/** Slots and bookings. */
export interface Booking extends Feature {
	/** The waiting room, which comes later, says what a pass is worth. Without it nothing gated can be booked. */
	setPassVerifier(verify: VerifyPass): void;
	/** Reads a signed "ready" from a request: such a person is not asked about again. Checked without I/O. */
	setPreparedReader(read: ReadPrepared): void;
	/**
	 * Asks the eligibility service for somebody who prepares, behind the same guard; the answer stays fresh for a
	 * while. Null when nobody could be asked in time, or no service is configured.
	 */
	checkEligibility(holder: string): Promise<EligibilityAnswer | null>;
	/** How full a place is, which the zones know: it slows bookings for slots there that start soon. */
	setPlaceFill(fill: PlaceFill): void;
	/** Slots that run, or start so soon that the fill of their place slows them, with their people; read now. */
	soonSlots(): Promise<SlotFill[]>;
	/** The booking path itself, without HTTP; `prepared`: what is known of a person who is prepared. */
	book(holder: string, input: BookInput, prepared?: PersonAttributes | null): Promise<BookResult>;
	/** The person's valid permit, read now. */
	findPermitOf(holder: string): Promise<StoredPermit | undefined>;
	/** For slots that shrink or close: holding places elsewhere, and moving there. */
	moves: MovePort;
	/** For ballots: what is left, and booking what an order has given. */
	ballots: BallotPort;
	/** After the commit of each new booking: the pass is spent. */
	booked: Signal<StoredPermit>;
	/** After the commit of each change: the old permit is not valid any more. */
	changed: Signal<Change>;
	figures(): BookingFigures;
	/** Latencies from the door to the answer since the last call, in microseconds; merge with `add`. */
	takeHistogram(): RecordableHistogram;
	/** Latencies of the eligibility check since the last call, in microseconds. */
	takeCheckHistogram(): RecordableHistogram;
	/** Whether anything is left, and on which days: a copy a second or two old, free to ask. */
	availability(): Availability;
	/** Places sold beyond what slots hold, read now: it must be 0. */
	oversold(): Promise<number>;
	/** The check of demo and laboratory, to be slowed for a while; null elsewhere. */
	simulatedCheck: SimulatedEligibility | null;
	/** Counts that differ from the valid permits, on every level; empty when all is well. */
	reconcile(): Promise<CountGap[]>;
	/** Returns unused shares that are due, as the clock does by itself; how many quotas that were. */
	returnDue(): Promise<number>;
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
	record: TheRecord;
	site: SiteNames;
	/** Connections of the pool. */
	poolMax: number;
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
	const [booked, changed] = [createNews<StoredPermit>(log), createNews<Change>(log)];
	const eligibility = chooseEligibility({ ...deps, random, onCheck: (ms) => figures.timeCheck(ms) });
	const slots = createSlotsView({
		list: () => listSlots(db, keys, clock.now(), limits.booking.slotsShownMax),
		listDays: () => listDays(db, keys, clock.now(), site.timeZone, limits.booking.daysShownMax),
		listQuotas: () => listQuotaFills(db, keys, limits.booking.quotasMax),
		flags,
		now: () => clock.now(),
		elapsedMs: () => clock.elapsedMs(),
		site
	});
	const ports = createPorts();
	const fillDoor = createFillDoor({
		placeFill: (place) => ports.placeFill(place),
		now: () => clock.now(),
		elapsedMs: () => clock.elapsedMs()
	});
	const quotaRefusals = metrics.counter(
		'marsad_booking_quota_refused_total',
		'Bookings refused by a quota, by level',
		['level']
	);
	const path = createPath({
		...{ clock, metrics, flags, log, figures, random, fillDoor, poolMax: deps.poolMax },
		eligibility: eligibility.guard,
		batch: { db, permits, keys, now: () => clock.now(), newPermitId: () => newPermitId() },
		onBooked: (permit) => booked.emit(permit),
		onQuotaFull: (level) => quotaRefusals.inc({ level }),
		findSlot: (id) => slots.find(id),
		findPermitOf: (holder) => permits.findOf(holder),
		findKept: (holder, key) => findKeptOf(db, keys.season, holder, key),
		verifyPass: (token, holder) => ports.verifyPass(token, holder),
		passOptional: lab !== undefined
	});
	permits.setPlaceKeeper(createPlaceKeeper(deps.season));
	const change = createChanger({
		...{ flags, metrics, log, path, random },
		change: createChange({ db, clock, keys, permits, newPermitId: () => newPermitId() }),
		onChanged: (news) => changed.emit(news)
	});
	const { stats, registerStats } = createStats(() => sumSlots(db, keys));
	const resets: (() => void | Promise<void>)[] = [];
	const reset = async () => {
		await resetSeason(db, permits, keys, planLaboratorySlots(clock.now()));
		slots.forget();
		for (const run of resets) await run();
	};
	const planning = createPlanning({ ...deps, onReturned: () => slots.forget() }, keys);
	const reconciler = createReconciler({ ...deps, check: () => reconcile(db, permits, keys) });

	return {
		name: 'booking',
		...ports.setters,
		async checkEligibility(holder) {
			if (eligibility.guard === 'none') return { eligible: true };
			return eligibility.guard?.check(holder) ?? null;
		},
		async soonSlots() {
			const before = clock.now() + limits.booking.fillWindowMs;
			const fills = await listSlotFills(db, keys, clock.now(), limits.booking.soonSlotsMax);
			return fills.filter(({ startsAt }) => startsAt <= before);
		},
		book: path.book,
		findPermitOf: (holder) => permits.findOf(holder),
		ballots: createBallotPort({
			...{ db, keys, permits, now: () => clock.now(), newPermitId: () => newPermitId() },
			onBooked: (permit) => booked.emit(permit)
		}),
		moves: createMovePort({
			...{ db, keys, permits, now: () => clock.now(), newPermitId: () => newPermitId() },
			onPlanned: () => slots.forget(),
			onMoved: (news) => changed.emit(news)
		}),
		booked,
		changed,
		figures: () => ({
			...figures.counts(),
			buffer: path.door.figures(),
			waitingForBatch: path.batcher.depth(),
			eligibility: eligibility.figures(),
			pool: { running: path.limit.running(), limit: path.limit.limit() },
			slowedPlaces: fillDoor.slowed(),
			reconciliation: reconciler.last()
		}),
		takeHistogram: () => figures.takeHistogram(),
		takeCheckHistogram: () => figures.takeCheckHistogram(),
		availability: () => slots.availability(),
		oversold: () => sumOversold(db, keys),
		simulatedCheck: eligibility.simulated,
		reconcile: async () => (await reconcile(db, permits, keys)).gaps,
		returnDue: () => planning.returnDue(),
		registerStats,
		onReset: (run) => void resets.push(run),
		hotRoutes(app) {
			const calls = { identity: deps.identity, slots };
			bookingRoutes(app, { ...calls, book: path.book, readPrepared: (...of) => ports.readPrepared(...of) });
			changeRoute(app, { ...calls, change });
			if (lab) laboratoryRoutes(app, { reset, stats });
		},
		staffRoutes(app) {
			if (!lab) staffStatsRoute(app, stats);
			steeringRoute(app, eligibility.simulated);
			const onPlanned = () => slots.forget();
			planRoutes(app, { db, clock, keys, site, record: deps.record, reconcile: reconciler.look, onPlanned });
		},
		async start() {
			await planning.start();
			reconciler.start();
		},
		async stop() {
			planning.stop();
			reconciler.stop();
			await path.batcher.close();
		}
	};
}

function createNews<T>(log: Log): Signal<T> {
	return createSignal<T>((error) =>
		log.error({ error: error instanceof Error ? error.message : 'unknown' }, 'a listener to bookings failed')
	);
}

/** What later features answer for booking; until they do, nobody has a pass, is prepared, or knows of a crowd. */
function createPorts() {
	const ports = {
		verifyPass: (() => null) as VerifyPass,
		readPrepared: (() => null) as ReadPrepared,
		placeFill: (() => undefined) as PlaceFill
	};
	const setters = {
		setPassVerifier(verify: VerifyPass) {
			ports.verifyPass = verify;
		},
		setPreparedReader(read: ReadPrepared) {
			ports.readPrepared = read;
		},
		setPlaceFill(fill: PlaceFill) {
			ports.placeFill = fill;
		}
	};
	return Object.assign(ports, { setters });
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
