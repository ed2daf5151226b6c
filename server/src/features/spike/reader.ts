import type { Conductor } from '../../conductor/conductor.ts';
import type { Decision } from '../../conductor/decide.ts';
import type { Database, PoolFigures } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Booking, BookingFigures } from '../booking/index.ts';
import type { RoomFigures, WaitingRoom } from '../waiting-room/index.ts';
import { toBuckets, type LatencyBuckets } from './latency-buckets.ts';
import { difference, type SpikeSample, type Totals } from './samples.ts';
import type { Heard } from './spike-now.ts';
import type { StormPart } from './storm-part.ts';

export interface ReaderDeps {
	database: Pick<Database, 'poolFigures'>;
	log: Log;
	metrics: Pick<Metrics, 'eventLoopP99Ms'>;
	waitingRoom: Pick<WaitingRoom, 'figures' | 'progress'>;
	booking: Pick<Booking, 'figures' | 'takeHistogram' | 'takeCheckHistogram'>;
	/** Those who connect, pull and push, since the last call. */
	takeStorm: () => StormPart;
	level: () => number;
	/** Only who decides the rate speaks for the room that all share. */
	conductor: Pick<Conductor, 'leads'>;
}

/** What each part last said, and when. */
export interface HeardParts {
	room: Heard<RoomFigures>;
	mode: string | null;
	booking: Heard<BookingFigures>;
	pool: Heard<PoolFigures>;
}

/** Reads every part once a second; one that fails keeps its last figures and their time. */
export function createReader(deps: ReaderDeps) {
	const last: HeardParts = {
		room: { value: null, at: null },
		mode: null,
		booking: { value: null, at: null },
		pool: { value: null, at: null }
	};
	let before: Totals = { room: null, work: null };

	const ask = <T>(name: string, at: number, old: Heard<T>, get: () => T | null): Heard<T> => {
		try {
			const value = get();
			return value === null ? old : { value, at };
		} catch (error) {
			deps.log.warn(
				{ name, error: error instanceof Error ? error.message : 'unknown' },
				'a part told no figures'
			);
			return old;
		}
	};
	const listen = (at: number) => {
		last.room = ask('waiting-room', at, last.room, () => {
			const figures = deps.waitingRoom.figures();
			if (!figures.ready) return null;
			last.mode = deps.waitingRoom.progress().mode;
			return figures;
		});
		last.booking = ask('booking', at, last.booking, () => deps.booking.figures());
		last.pool = ask('pool', at, last.pool, () => deps.database.poolFigures());
	};
	const heardNow = <T>({ value, at }: Heard<T>, now: number) => (at === now ? value : null);

	return {
		last: () => last,
		/** One second: what happened since the last call, and how things stand. */
		sample(at: number, decision: Decision): SpikeSample {
			listen(at);
			const room = heardNow(last.room, at);
			const booking = heardNow(last.booking, at);
			const totals: Totals = {
				room: room && { joined: room.joinedTotal, admitted: room.admittedTotal },
				work: booking && { offered: booking.offered, served: booking.served, outcomes: booking.outcomes }
			};
			const since = difference(totals, before);
			before = totals;
			const bound = boundBy(last.room.value);
			const leads = deps.conductor.leads();
			const storm = deps.takeStorm();
			return {
				at,
				leads,
				// The room is one: two who told its joins would double them.
				room: (leads || null) && room && since.room && { ...since.room, ...roomGauges(room) },
				work: booking &&
					since.work && {
						...since.work,
						...workGauges(booking),
						latency: booking ? toBuckets(deps.booking.takeHistogram()) : noBuckets,
						checks: booking ? toBuckets(deps.booking.takeCheckHistogram()) : noBuckets
					},
				machine: {
					...machineOf(deps, heardNow(last.pool, at)),
					polls: Math.round((last.room.value?.pollsPerSecond ?? 0) * 10) / 10,
					sockets: Object.values(storm.connected).reduce((sum, count) => sum + count, 0),
					handshakes: storm.handshakes
				},
				storm,
				decision: {
					limitedBy: bound ?? decision.limitedBy,
					health: Math.round(decision.health * 1_000) / 1_000,
					worst: decision.worstSignal,
					blind: decision.blind,
					mode: last.mode
				},
				rate: effectiveRate(last.room.value, decision),
				level: deps.level()
			};
		}
	};
}

const noBuckets: LatencyBuckets = [];

/** What holds the room back whatever the conductor would allow. */
export function boundBy(room: RoomFigures | null): RoomFigures['boundBy'] {
	return room?.boundBy ?? null;
}

/** Nobody is called in at all while the room's mode or the level says so. */
export function effectiveRate(room: RoomFigures | null, decision: Decision): number {
	const bound = boundBy(room);
	const isShut = bound === 'mode' || bound === 'level';
	return isShut ? 0 : Math.round(decision.ratePerSecond * 100) / 100;
}

function roomGauges(room: RoomFigures) {
	const { waiting: depth, called, active, pending } = room;
	return { seconds: 1, depth, called, active, pending, noShow: Math.round(room.noShow * 1_000) / 1_000 };
}

function workGauges({ buffer, eligibility }: BookingFigures) {
	return {
		seconds: 1,
		inHand: buffer.depth,
		oldestMs: buffer.oldestSeconds === null ? null : Math.round(buffer.oldestSeconds * 1_000),
		breaker: eligibility.breaker
	};
}

function machineOf(deps: ReaderDeps, pool: PoolFigures | null) {
	const figures = pool ?? { inUse: 0, size: 0, waitingForOne: 0, waitP95Ms: null };
	return {
		poolInUse: figures.inUse,
		poolSize: figures.size,
		poolWaiting: figures.waitingForOne,
		poolWaitP95Ms: figures.waitP95Ms,
		loopP99Ms: Math.round(deps.metrics.eventLoopP99Ms() * 10) / 10,
		memoryMb: Math.round(process.memoryUsage.rss() / 1e6)
	};
}
