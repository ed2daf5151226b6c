import type {
	ConductorDecision,
	Mark,
	RoomHand,
	SpikeHistory,
	SpikeNow,
	Trend
} from '../../../contract/index.ts';
import type { Conductor } from '../../conductor/conductor.ts';
import type { Decision } from '../../conductor/decide.ts';
import { healthSignals, type HealthFigures, type PartHealth } from '../../conductor/health.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Hub, TopicHandle } from '../../platform/realtime/hub.ts';
import { plainTopics, type OpenTopic } from '../../platform/realtime/mirror.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { createDecisions, type Decided } from './decisions.ts';
import { createGauges } from './gauges.ts';
import { createHand } from './hand.ts';
import { planHistory, readHistory } from './history.ts';
import { createKeeper } from './keeper.ts';
import { createDeploys } from './deploys.ts';
import { createProbes, type Probe } from './probes.ts';
import { boundBy, createReader, effectiveRate, type HeardParts, type ReaderDeps } from './reader.ts';
import { lastSeconds, sumSamples, type SpikeSample } from './samples.ts';
import { buildSpikeNow } from './spike-now.ts';
import { showStorm } from './storm-part.ts';
import { spikeRoutes } from './spike-routes.ts';
import type { SampleKey } from './spike-store.ts';
import { buildTrend } from './trend.ts';

export { judgedRatio } from './judged-ratio.ts';
export type { Probe, ProbeAnswer } from './probes.ts';
export { bucketOf, mergeBuckets, percentilesMs, type LatencyBuckets } from './latency-buckets.ts';
export type { SpikeSample } from './samples.ts';
export { tenantsShown, type StormPart } from './storm-part.ts';

/** Spike health: every second as figures, on the glass, in a trend, and as health for the conductor. */
export interface Spike extends Feature {
	/** The newest second; null before the first. */
	now(): SpikeNow | null;
	trend(seconds: number, stepSeconds: number): Trend;
	/** Stored seconds or roll-ups of all instances. @throws AppError `bad_request` for a span that cannot be given */
	history(query: { from: number; to?: number; resolution?: 1 | 10 | 60 }): Promise<SpikeHistory>;
	/** The seconds themselves after `from` up to `to` (epoch ms), all instances together, as they are stored. */
	samples(from: number, to: number): Promise<readonly SpikeSample[]>;
	/** Rolls up and forgets at once, for tests; it happens by itself otherwise. */
	tidy(): Promise<void>;
}

export interface SpikeDeps extends ReaderDeps {
	database: Pick<Database, 'db' | 'poolFigures'>;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	hub: Hub;
	conductor: Conductor;
	record: Pick<TheRecord, 'newest'>;
	/** Parts we depend on: database, broker, eligibility, Unleash, Valkey. */
	probes: readonly Probe[];
	mark: Mark;
	season: string;
	room: string;
	/** Names this process among instances. */
	instance: string;
	/** Names the code that runs, with its web. */
	build: Promise<string>;
	/** Several instances share the database: seconds are exchanged, and figures are those of all. */
	shared?: boolean;
	/** Where several instances show what the one that decides says: its term here, null on the others. */
	openTopic?: OpenTopic | undefined;
	term?: (() => number | null) | undefined;
}

/** Health is judged over a short window, so that it recovers when booking does. */
const healthWindowSeconds = 15;
/** Fewer bookings have no 95th percentile worth the name. */
const enoughToJudge = 20;
/** Nobody books without them; the broker is not among them. */
const partsJudged = ['database', 'valkey'];

export function createSpike(deps: SpikeDeps): Spike {
	const { clock, mark } = deps;
	const key: SampleKey = { season: deps.season, room: deps.room };
	const topic = (deps.openTopic ?? plainTopics(deps.hub))({
		name: 'spike',
		term: deps.term ?? (() => 0),
		// Each instance works the figures out of everybody's seconds; the rate it heard last is old, and says so.
		whenSilent: (key, heard, own) => (key === 'now' ? own : (heard ?? own))
	});
	const setGauges = createGauges(deps.metrics);
	const probes = createProbes(clock, deps.probes);
	const read = createReader(deps);
	const { keeper, decisions, hand } = createKeepers(deps, key, topic);
	const deploys = createDeploys({ ...deps, db: deps.database.db });
	let newest: SpikeNow | null = null;
	let belowOneSince: number | null = null;

	const second = (decision: Decision) => {
		const at = clock.now();
		keeper.keep(read.sample(at, decision));
		const heard = read.last();
		const minute = lastSeconds(keeper.samples(), at, 60);
		const window = sumSamples(minute);
		const storm = keeper.storm(at);
		const losing = window.workRatio !== null && window.workRatio < 1;
		belowOneSince = losing ? (belowOneSince ?? at) : null;
		newest = buildSpikeNow({
			...{ at, mark, decision, window, heard, machine: keeper.machine(at) },
			storm:
				storm &&
				showStorm(
					minute.map((sample) => sample.storm),
					storm
				),
			level: deps.level(),
			dependencies: probes.dependencies(at),
			instances: keeper.instances(at),
			deploys: deploys.list(),
			belowOneSeconds: belowOneSince === null ? 0 : Math.round((at - belowOneSince) / 1_000)
		});
		topic.set('now', newest);
		setGauges(newest, window.checkP95Ms);
		if (heard.room.at === null) return;
		// Of several instances only the one that decides puts it on record.
		const decided = decidedOf(decision, heard, deps.level());
		if (deps.conductor.leads()) decisions.note(decided);
		else decisions.follow(decided);
		hand.note(decision.managerPerSecond, heard.mode);
	};
	const trend = (seconds: number, step: number) => buildTrend(keeper.samples(), clock.now(), seconds, step);
	const history: Spike['history'] = (query) =>
		readHistory(keeper, planHistory(query, clock.now()), clock.now(), mark);

	deps.conductor.register({
		name: 'spike',
		health() {
			const now = clock.now();
			const parts = probes.health(partsJudged, now);
			const instances = keeper.instances(now);
			const silent = instances.filter((one) => one.silent).length;
			const silentShare = deps.shared && instances.length > 0 ? silent / instances.length : null;
			return healthSignals({
				...healthOf(keeper.samples(), now, read.last(), keeper.newest(now), parts),
				silentShare
			});
		},
		tick: second
	});

	/** What the instance that decides says, or this one where it is not heard. */
	const now = () =>
		topic.source() === 'own' ? newest : ((topic.shown('now') as SpikeNow | undefined) ?? newest);

	return {
		name: 'spike',
		now,
		trend,
		history,
		samples: (from, to) => keeper.load(1, from, to),
		tidy: keeper.tidy,
		staffRoutes: (app) =>
			spikeRoutes(app, {
				...{ now, trend, history },
				decisions: (query) => decisions.page({ before: clock.now() + 1, ...query }, mark)
			}),
		async start() {
			await keeper.start();
			await deploys.start();
			const last = await decisions.start();
			if (last) {
				const { at, allowedPerSecond: ratePerSecond, provenPerSecond } = last;
				deps.conductor.resume({ at, ratePerSecond, provenPerSecond });
			}
			topic.start();
			probes.start();
		},
		async stop() {
			deploys.stop();
			probes.stop();
			topic.stop();
			await decisions.stop();
			await keeper.stop();
		}
	};
}

/** What is kept of each second, what was decided, and whose hand it was: stored, and shown where it is news. */
function createKeepers(deps: SpikeDeps, key: SampleKey, topic: TopicHandle) {
	const { clock, log, instance, shared = false } = deps;
	const base = { db: deps.database.db, clock, log, key };
	const showDecisions = (changes: readonly ConductorDecision[]) => topic.set('decisions', changes);
	const showHand = (now: RoomHand) => topic.set('hand', now);
	return {
		keeper: createKeeper({ ...base, instance, shared }),
		decisions: createDecisions({ ...base, show: showDecisions }),
		hand: createHand({ record: deps.record, room: deps.room, log, show: showHand })
	};
}

/** What is put on record of one second. */
function decidedOf(decision: Decision, { room, mode }: HeardParts, level: number): Decided {
	const { value } = room;
	const limitedBy = boundBy(value) ?? decision.limitedBy;
	return {
		...{ at: decision.at, limitedBy, mode, level },
		perSecond: effectiveRate(value, decision),
		worstSignal: decision.worstSignal,
		worstValue: decision.worstValue,
		health: Math.round(decision.health * 1_000) / 1_000,
		blindSince: decision.blindSince,
		missing: [...decision.missing],
		managerPerSecond: decision.managerPerSecond,
		levelCapPerSecond: decision.levelCapPerSecond,
		narrowestPerSecond: decision.narrowestPerSecond,
		allowedPerSecond: decision.ratePerSecond,
		provenPerSecond: decision.provenPerSecond,
		waiting: value?.waiting ?? 0,
		called: value?.called ?? 0,
		active: value?.active ?? 0,
		noShow: value === null ? null : Math.round(value.noShow * 1_000) / 1_000
	};
}

/**
 * What the conductor judges by: the last seconds alone, or old trouble would close the door again and again. Of few
 * bookings the middle one counts, for one slow person is no sign; of none, nothing.
 */
function healthOf(
	samples: readonly SpikeSample[],
	now: number,
	last: HeardParts,
	newest: SpikeSample | null,
	parts: readonly PartHealth[]
): Omit<HealthFigures, 'silentShare'> {
	const recent = sumSamples(lastSeconds(samples, now, healthWindowSeconds));
	const answers = Object.values(recent.outcomes).reduce((sum, count) => sum + count, 0);
	const work = newest?.work ?? null;
	const oldestSeconds = last.booking.value?.buffer.oldestSeconds ?? null;
	const oldest = [work?.oldestMs ?? null, oldestSeconds && oldestSeconds * 1_000].filter((ms) => ms !== null);
	return {
		bookingAt: last.booking.at,
		bookingP95Ms: recent.count >= enoughToJudge ? recent.p95Ms : recent.p50Ms,
		bookingOldestMs: oldest.length === 0 ? null : Math.max(...oldest),
		faultShare: answers >= enoughToJudge ? recent.outcomes.faults / answers : null,
		breaker: work ? work.breaker : (last.booking.value?.eligibility.breaker ?? null),
		poolAt: last.pool.at,
		poolWaitP95Ms: newest?.machine?.poolWaitP95Ms ?? last.pool.value?.waitP95Ms ?? null,
		parts
	};
}
