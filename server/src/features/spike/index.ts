import type { Mark, SpikeNow, Trend } from '../../../contract/index.ts';
import type { Conductor } from '../../conductor/conductor.ts';
import type { Decision } from '../../conductor/decide.ts';
import { healthSignals, type HealthFigures } from '../../conductor/health.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Database, PoolFigures } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { Booking, BookingFigures } from '../booking/index.ts';
import type { RoomFigures, WaitingRoom } from '../waiting-room/index.ts';
import { createGauges } from './gauges.ts';
import { toBuckets, type LatencyBuckets } from './latency-buckets.ts';
import { createProbes, type Probe } from './probes.ts';
import { difference, lastSeconds, sumSamples, type SpikeSample, type Totals } from './samples.ts';
import { buildSpikeNow, type Heard } from './spike-now.ts';
import { spikeRoutes } from './spike-routes.ts';
import { forgetSamples, insertSamples, loadSamples, type SampleKey } from './spike-store.ts';
import { buildTrend } from './trend.ts';

export type { Probe, ProbeAnswer } from './probes.ts';

/** Spike health: every second as figures, on the glass, in a trend, and as health for the conductor. */
export interface Spike extends Feature {
	/** The newest second; null before the first. */
	now(): SpikeNow | null;
	trend(seconds: number, stepSeconds: number): Trend;
}

export interface SpikeDeps {
	database: Pick<Database, 'db' | 'poolFigures'>;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	hub: Hub;
	conductor: Conductor;
	waitingRoom: Pick<WaitingRoom, 'figures'>;
	booking: Pick<Booking, 'figures' | 'takeHistogram'>;
	/** Parts we depend on: database, broker, eligibility, Unleash. */
	probes: readonly Probe[];
	sockets: () => number;
	/** Socket handshakes since the last call. */
	takeHandshakes: () => number;
	level: () => number;
	mark: Mark;
	season: string;
	room: string;
}

/** Health is judged over a short window, so that it recovers when booking does. */
const healthWindowSeconds = 15;
/** Fewer bookings have no 95th percentile worth the name. */
const enoughToJudge = 20;
const forgetEveryMs = 3_600_000;

export function createSpike(deps: SpikeDeps): Spike {
	const { clock, log, database } = deps;
	const key: SampleKey = { season: deps.season, room: deps.room };
	const topic = deps.hub.topic('spike');
	const setGauges = createGauges(deps.metrics);
	const probes = createProbes(clock, deps.probes);
	const read = createReader(deps);
	let samples: SpikeSample[] = [];
	let unwritten: SpikeSample[] = [];
	let newest: SpikeNow | null = null;
	let belowOneSince: number | null = null;
	const stops: StopTimer[] = [];

	const keep = (sample: SpikeSample) => {
		samples.push(sample);
		unwritten.push(sample);
		const { keepSecondsInMemory } = limits.spike;
		if (samples.length > keepSecondsInMemory * 1.1) samples = samples.slice(-keepSecondsInMemory);
		// A database that is away for long costs old seconds, not memory.
		if (unwritten.length > keepSecondsInMemory) unwritten = unwritten.slice(-keepSecondsInMemory);
	};
	let writing: Promise<void> = Promise.resolve();
	/** One write after the other: the last one is through when all are. */
	const flush = (): Promise<void> => (writing = writing.then(writeOut));
	const writeOut = async () => {
		const batch = unwritten;
		unwritten = [];
		if (batch.length === 0) return;
		try {
			await insertSamples(database.db, key, batch);
		} catch (error) {
			unwritten = [...batch, ...unwritten];
			log.warn(
				{ error: error instanceof Error ? error.message : 'unknown' },
				'spike samples wait to be stored'
			);
		}
	};

	const second = (decision: Decision) => {
		const at = clock.now();
		const heard = read.all(at);
		const { room, work } = heard.since;
		keep({
			at,
			room: room && { ...room, depth: heard.room.value!.waiting },
			work: work && { ...work, latency: heard.latency },
			rate: decision.ratePerSecond,
			level: deps.level()
		});
		const window = sumSamples(lastSeconds(samples, at, 60));
		const losing = window.workRatio !== null && window.workRatio < 1;
		belowOneSince = losing ? (belowOneSince ?? at) : null;
		newest = buildSpikeNow({
			...{ at, mark: deps.mark, level: deps.level(), decision, window },
			...{ room: heard.room, booking: heard.booking, pool: heard.pool },
			process: {
				eventLoopP99Ms: Math.round(deps.metrics.eventLoopP99Ms() * 10) / 10,
				sockets: deps.sockets(),
				reconnectsPerSecond: deps.takeHandshakes(),
				memoryMb: Math.round(process.memoryUsage.rss() / 1e6)
			},
			dependencies: probes.dependencies(at),
			belowOneSeconds: belowOneSince === null ? 0 : Math.round((at - belowOneSince) / 1_000)
		});
		topic.set('now', newest);
		setGauges(newest);
	};
	const trend = (seconds: number, step: number) => buildTrend(samples, clock.now(), seconds, step);

	deps.conductor.register({
		name: 'spike',
		health: () => healthSignals(healthOf(samples, clock.now(), read.last())),
		tick: second
	});

	return {
		name: 'spike',
		now: () => newest,
		trend,
		staffRoutes: (app) => spikeRoutes(app, { now: () => newest, trend }),
		async start() {
			const now = clock.now();
			const loaded = await loadSamples(database.db, key, now - limits.spike.keepSecondsInMemory * 1_000);
			// A laboratory clock may have run ahead: the future is not history.
			samples = loaded.filter((sample) => sample.at <= now);
			probes.start();
			const forget = () =>
				void forgetSamples(database.db, key, clock.now() - limits.spike.keepHours * 3_600_000).catch(
					() => undefined
				);
			stops.push(
				clock.setInterval(() => void flush(), limits.spike.flushEveryMs),
				clock.setInterval(forget, forgetEveryMs)
			);
		},
		async stop() {
			for (const stop of stops) stop();
			probes.stop();
			await flush();
		}
	};
}

interface HeardParts {
	room: Heard<RoomFigures>;
	booking: Heard<BookingFigures>;
	pool: Heard<PoolFigures>;
}

/** Reads every part once a second; one that fails keeps its last figures and their time. */
function createReader(deps: Pick<SpikeDeps, 'waitingRoom' | 'booking' | 'database' | 'log'>) {
	const last: HeardParts = {
		room: { value: null, at: null },
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
	return {
		last: () => last,
		all(at: number) {
			last.room = ask('waiting-room', at, last.room, () => {
				const figures = deps.waitingRoom.figures();
				return figures.ready ? figures : null;
			});
			last.booking = ask('booking', at, last.booking, () => deps.booking.figures());
			last.pool = ask('pool', at, last.pool, () => deps.database.poolFigures());
			const room = last.room.at === at ? last.room.value! : null;
			const booking = last.booking.at === at ? last.booking.value! : null;
			const totals: Totals = {
				room: room && { joined: room.joinedTotal, admitted: room.admittedTotal },
				work: booking && { offered: booking.offered, served: booking.served, outcomes: booking.outcomes }
			};
			const since = difference(totals, before);
			before = totals;
			const latency: LatencyBuckets = booking ? toBuckets(deps.booking.takeHistogram()) : [];
			return { ...last, since, latency };
		}
	};
}

/**
 * What the conductor judges by: the last seconds alone, or old trouble would close the door again and again. Of few
 * bookings the middle one counts, for one slow person is no sign; of none, nothing.
 */
function healthOf(samples: readonly SpikeSample[], now: number, last: HeardParts): HealthFigures {
	const recent = sumSamples(lastSeconds(samples, now, healthWindowSeconds));
	const answers = Object.values(recent.outcomes).reduce((sum, count) => sum + count, 0);
	const oldestSeconds = last.booking.value?.buffer.oldestSeconds ?? null;
	return {
		bookingAt: last.booking.at,
		bookingP95Ms: recent.count >= enoughToJudge ? recent.p95Ms : recent.p50Ms,
		bookingOldestMs: oldestSeconds === null ? null : oldestSeconds * 1_000,
		faultShare: answers >= enoughToJudge ? recent.outcomes.faults / answers : null,
		breaker: last.booking.value?.eligibility.breaker ?? null,
		poolAt: last.pool.at,
		poolWaitP95Ms: last.pool.value?.waitP95Ms ?? null
	};
}
