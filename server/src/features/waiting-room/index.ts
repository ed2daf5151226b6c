import {
	etaRangeSeconds,
	flagNames,
	type Mark,
	type Progress,
	type RateLimiter
} from '../../../contract/index.ts';
import type { Conductor } from '../../conductor/conductor.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Booking, Identity, VerifyPass } from '../booking/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { createAccess } from './access.ts';
import { countRounds } from './counts.ts';
import { createDesk } from './desk.ts';
import { followSettings } from './follow-settings.ts';
import { createFront, type Front } from './front.ts';
import { createRateWindow } from './pacing.ts';
import { chooseQueue, type SharedRoom } from './choose-queue.ts';
import { plainRoutes } from './plain-routes.ts';
import { buildProgress, createProgressDocument } from './progress.ts';
import type { Queue } from './queue.ts';
import { createRoomControl, type RoomControl } from './room-control.ts';
import { soldOutOf } from './sold-out.ts';
import { staffQueueRoutes } from './staff-routes.ts';
import { createTokenCodec } from './tokens.ts';
import { waitingRoomRoutes } from './waiting-room-routes.ts';

/** Figures of the room as they are now. */
export interface RoomFigures {
	/** False while the storage is away: the figures are those of before. */
	ready: boolean;
	epoch: number;
	issued: number;
	released: number;
	/** First joins and passes since this process started; they only grow. */
	joinedTotal: number;
	admittedTotal: number;
	waiting: number;
	called: number;
	active: number;
	done: number;
	expired: number;
	oldestSeconds: number | null;
	/** When the last person now waiting is in (epoch ms, from and to); null when nobody can know. */
	emptiesAt: [number, number] | null;
	managerPerSecond: number;
	measured: boolean;
	/** A duty manager has set the rate; else it is that of the first start. */
	rateByHand: boolean;
	/** What holds the room back beyond the conductor's decision. */
	boundBy: Extract<RateLimiter, 'mode' | 'level' | 'leases'> | null;
	pollsPerSecond: number;
	noShow: number;
	/** People whose join or claim waits for its commit. */
	pending: number;
	/** Cap on called and inside together. */
	placesMax: number;
	/** Returners who wait ahead of new arrivals, where the queue tells. */
	late?: number;
	/** People who hold a signed "ready", and how many are expected to. */
	prepared?: number;
	expectedTotal?: number | null;
}

/** The waiting room. */
export interface WaitingRoom extends Feature {
	/** For booking: what a pass is worth. */
	verifyPass: VerifyPass;
	/** The holder has booked: the lease is free. */
	bookingDone(holder: string): void;
	/** Who was called and stays away frees the place after so long. */
	claimWithinSeconds: number;
	figures(): RoomFigures;
	progress(): Progress;
}

export interface WaitingRoomDeps {
	/** The site's, for hours on the plain pages. */
	timeZone?: string;
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	flags: Flags;
	record: TheRecord;
	booking: Pick<Booking, 'setPassVerifier' | 'booked' | 'onReset' | 'registerStats'> &
		Partial<
			Pick<Booking, 'availability' | 'checkEligibility' | 'setPreparedReader' | 'ballots' | 'findPermitOf'>
		>;
	/** Address of a public beacon whose value decides a draw. */
	randomnessUrl?: string | undefined;
	/** Name of this instance among others. */
	instance?: string;
	/** The room is shared by several instances; without it this process alone keeps it. */
	shared?: SharedRoom | null;
	identity: Identity;
	conductor: Conductor;
	/** Master secret. */
	secret: string;
	season: string;
	room: string;
	mark: Mark;
	/** The rate of the first start. */
	admitPerSecond: { value: number; measured: boolean };
	laboratory: boolean;
	/** Level in force; the levels come later. */
	level: () => number;
	/** It is run as an exercise: the public document says so. */
	exercise?: () => boolean;
	random?: () => number;
	/** People called or inside at the same time. */
	placesMax?: number;
}

export function createWaitingRoom(deps: WaitingRoomDeps): WaitingRoom {
	const { clock, flags, laboratory } = deps;
	const key = { season: deps.season, room: deps.room };
	const { waitingRoom: caps } = limits;
	const times = {
		claimWindowMs: laboratory ? caps.laboratoryClaimWindowMs : caps.claimWindowMs,
		passMs: laboratory ? caps.laboratoryPassMs : caps.passMs,
		passMaxMs: laboratory ? caps.laboratoryPassMaxMs : caps.passMaxMs
	};
	const control = createRoomControl({
		clock,
		flags,
		placesMax: deps.placesMax ?? limits.waitingRoom.activeMax,
		...times,
		releases: () => front.life.releases(),
		follows: () => !deps.conductor.leads()
	});
	const count = countRounds(deps.metrics);
	const queue = chooseQueue({
		...{ db: deps.db, clock, log: deps.log, key, shared: deps.shared },
		rules: {
			...times,
			budget: (now) => control.budget(now),
			rates: (now) => control.rates(now),
			nextPassInMs: () => control.nextPassInMs(),
			onRound(report, spent) {
				control.onRound(report, spent);
				// Every instance hears what all did together: it is counted once.
				if (deps.conductor.leads()) count.round(report);
				if (report.called + report.admitted > 0) document.touch();
			}
		},
		first: {
			ratePerSecond: deps.admitPerSecond.value,
			rateSource: deps.admitPerSecond.measured ? 'configured' : 'default'
		}
	});
	const front: Front = createFront({
		...{ ...deps, key, queue, instance: deps.instance, randomnessUrl: deps.randomnessUrl },
		simulated: deps.mark === 'simulated',
		random: deps.random ?? Math.random,
		onChange: () => document.touch(),
		onRefusal: (why) => count.refused(why)
	});
	const progress = (): Progress =>
		buildProgress({
			room: deps.room,
			queue: queue.figures(),
			mode: control.mode,
			ratePerSecond: control.expectedPerSecond(),
			now: clock.now(),
			level: deps.level(),
			off: flagNames.filter((flag) => !flags.isOn(flag)),
			flags: {
				joins: flags.isOn('joins'),
				booking: flags.isOn('booking'),
				fastPolls: flags.isOn('fast-polls')
			},
			slowedBy: control.slowedBy(),
			life: { state: front.life.state(), schedule: front.life.schedule(), draw: front.life.facts() },
			soldOut: soldOutOf(deps.booking.availability?.() ?? { soldOut: false, days: [], at: null }, {
				counts: flags.isOn('places-left'),
				offers: flags.isOn('recommendations')
			}),
			mark: deps.exercise?.() ? 'exercise' : deps.mark
		});
	const document = createProgressDocument(() => clock.elapsedMs(), progress);
	const codec = createTokenCodec({ secret: deps.secret, ...key });
	const access = createAccess({ codec, queue, passMs: times.passMs });
	const polls = createRateWindow(10);
	const desk = createDesk({
		...{ queue, control, access, flags, clock, laboratory },
		...{ life: front.life, preQueue: front.preQueue },
		permitOf: async (account) => (await deps.booking.findPermitOf?.(account))?.id ?? null,
		random: deps.random ?? Math.random,
		onPoll: () => polls.add(clock.now(), 1),
		onRefusal: (why) => count.refused(why)
	});
	const stops: (() => void)[] = [];
	joinBooking(deps, queue, front, access.verifyPass, document.touch);
	conduct(deps, queue, control, document.touch, stops);

	return {
		name: 'waiting-room',
		verifyPass: access.verifyPass,
		claimWithinSeconds: times.claimWindowMs / 1_000,
		bookingDone: (holder) => endPass(deps, queue, holder),
		figures: () => ({
			...figuresOf(queue, control, clock.now(), polls.sum(clock.now()) / 10),
			placesMax: deps.placesMax ?? limits.waitingRoom.activeMax,
			prepared: front.prepared(),
			expectedTotal: front.life.schedule().expectedTotal
		}),
		progress,
		hotRoutes(app) {
			waitingRoomRoutes(app, {
				see: front.see,
				onJoin: (language) => flags.isOn('analytics') && count.language(language),
				anonymousPlaces: () => front.life.schedule().anonymousPlaces,
				...{ desk, progress: document.bytes }
			});
			plainRoutes(app, {
				see: front.see,
				anonymousPlaces: () => front.life.schedule().anonymousPlaces,
				...{ desk, timeZone: deps.timeZone ?? 'UTC' }
			});
			front.hotRoutes(app);
		},
		staffRoutes(app) {
			staffQueueRoutes(app, { record: deps.record, key, control, onChange: document.touch });
			front.staffRoutes(app);
		},
		async start() {
			control.set(await queue.start());
			if (deps.shared) stops.push(followSettings(deps, key, control, document.touch));
			await front.start();
		},
		async stop() {
			for (const stop of stops) stop();
			await front.stop();
			await queue.stop();
		}
	};
}

/** Booking asks what a pass is worth, tells who has booked, and starts the room anew in the laboratory. */
function joinBooking(
	deps: WaitingRoomDeps,
	queue: Queue,
	front: Front,
	verifyPass: VerifyPass,
	touch: () => void
): void {
	deps.booking.setPassVerifier(verifyPass);
	deps.booking.booked.on(({ holder }) => endPass(deps, queue, holder));
	deps.booking.onReset(async () => {
		await queue.reset(true);
		await front.forget();
		touch();
	});
	deps.booking.registerStats(() => {
		const { issued, passes, counts } = queue.figures();
		const { waiting, called, admitted: active, expired } = counts;
		return { issued, admitted: passes, waiting, called, active, expired };
	});
}

/** A booked pass has ended whatever happens here: the permit says so. What fails here costs a place inside for a while. */
function endPass({ log }: WaitingRoomDeps, queue: Queue, holder: string): void {
	Promise.resolve(queue.done(holder)).catch((error: unknown) =>
		log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'a spent pass is still counted')
	);
}

/** Takes part in the once-a-second loop; levels that stop the clocks do so at once. */
function conduct(
	deps: WaitingRoomDeps,
	queue: Queue,
	control: RoomControl,
	touch: () => void,
	stops: (() => void)[]
): void {
	const followClocks = async () => {
		// One instance alone: another may not have heard of the level yet.
		if (!deps.conductor.leads()) return;
		const frozen = !deps.flags.isOn('queue-clocks');
		if (queue.figures().ready && queue.figures().frozen !== frozen) await queue.setFrozen(frozen);
	};
	deps.conductor.register({
		name: 'waiting-room',
		limits: () => [{ source: 'manager', perSecond: control.managerPerSecond }],
		async tick(decision) {
			control.decide(decision, queue.figures());
			touch();
			await followClocks();
		}
	});
	stops.push(
		deps.flags.onChange(() => {
			touch();
			void followClocks().catch((error: unknown) =>
				deps.log.warn({ err: error }, 'the queue clocks could not be switched')
			);
		})
	);
}

function figuresOf(
	queue: Queue,
	control: RoomControl,
	now: number,
	pollsPerSecond: number
): Omit<RoomFigures, 'placesMax'> {
	const { epoch, issued, released, counts, oldestJoinedAt, pending, ready } = queue.figures();
	const rate = control.expectedPerSecond();
	const range = counts.waiting > 0 && rate > 0 ? etaRangeSeconds(counts.waiting / rate) : null;
	return {
		...{ ready, epoch, issued, released, pending, pollsPerSecond },
		joinedTotal: control.totals().joined,
		admittedTotal: control.totals().admitted,
		waiting: counts.waiting,
		called: counts.called,
		active: counts.admitted,
		done: counts.done,
		expired: counts.expired,
		oldestSeconds: oldestJoinedAt === null ? null : Math.max(0, Math.round((now - oldestJoinedAt) / 1_000)),
		emptiesAt: range && [Math.round(now + range[0] * 1_000), Math.round(now + range[1] * 1_000)],
		managerPerSecond: control.managerPerSecond,
		measured: control.measured,
		rateByHand: control.rateByHand,
		boundBy: control.boundBy(),
		noShow: control.noShow()
	};
}
