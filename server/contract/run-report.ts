import { Type, type Static } from 'typebox';
import { orNull } from './dispatch.ts';
import { NumberOrNull } from './quality.ts';
import { RuleResult, ValidityCheck } from './run-profiles.ts';
import { GeneratorLoad, PeopleOutcomes, SocketsBack } from './run-generator.ts';

const Count = Type.Number();

/** Figures of one row of the table; a minute, or less in a short run. Null: nobody knows. */
export const runColumns = [
	'arrivals',
	'dropped',
	'joined',
	'admitted',
	'offered',
	'served',
	'waiting',
	'active',
	'inHand',
	'p50Ms',
	'p95Ms',
	'p99Ms',
	'ok',
	'conflict409',
	'refused429',
	'refused503',
	'timeout504',
	'faults',
	'unanswered',
	'instances',
	'poolInUse',
	'poolSize',
	'poolWaiting',
	'poolWaitP95Ms',
	'queueDepth',
	'queueOldestSeconds',
	'ratePerSecond',
	'level'
] as const;
export type RunColumn = (typeof runColumns)[number];

/** Moments of a run, seconds from its start, in the order of the written plan. */
export const runMarks = [
	'spike-begins',
	'hold-begins',
	'first-refusal',
	'first-fault',
	'first-504',
	'held-by-health',
	'scaled',
	'load-drops',
	'most-waiting',
	'last-queue-empty',
	'capacity-back',
	'recovered'
] as const;
export type RunMark = (typeof runMarks)[number];

/** Series of the charts, over one fixed grid. */
export const runSeries = [
	'arrivals',
	'admitted',
	'served',
	'waiting',
	'inHand',
	'queueDepth',
	'p95Ms',
	'refused',
	'faults',
	'ratePerSecond',
	'level'
] as const;
export type RunSeries = (typeof runSeries)[number];

const columnsOf = <N extends string, T>(names: readonly N[], type: T) =>
	Object.fromEntries(names.map((name) => [name, type])) as Record<N, T>;

/** The report of a run: validity first. Counts are of the whole run unless they say otherwise. */
export const RunReport = Type.Object({
	validity: Type.Array(ValidityCheck),
	rules: Type.Array(RuleResult),
	/** Seconds that one row stands for. */
	rowSeconds: Type.Number(),
	rows: Type.Array(
		Type.Object({
			second: Type.Number(),
			phase: Type.String(),
			...columnsOf(runColumns, NumberOrNull)
		})
	),
	series: Type.Object({
		stepSeconds: Type.Number(),
		second: Type.Array(Type.Number()),
		...columnsOf(runSeries, Type.Array(NumberOrNull))
	}),
	/** Refusals as designed, by code; and what should not happen, by code. */
	refusals: Type.Record(Type.String(), Count),
	faults: Type.Record(Type.String(), Count),
	people: PeopleOutcomes,
	/** Null: nobody could ask the server. */
	oversold: NumberOrNull,
	marks: Type.Array(Type.Object({ mark: Type.String(), second: NumberOrNull })),
	/** From the end of the hold until every queue is empty and capacity is back; null: not within the run. */
	recoverySeconds: NumberOrNull,
	backlog: Type.Object({
		/** People and items more each second while the load held; null: nobody knows. */
		growthPerSecond: NumberOrNull,
		most: NumberOrNull,
		/** How long the one who came last at the worst moment had to wait. */
		waitSecondsMost: NumberOrNull
	}),
	queues: Type.Array(
		Type.Object({
			name: Type.String(),
			most: Type.Number(),
			oldestSecondsMost: NumberOrNull,
			drainPerSecondMost: Type.Number(),
			emptyAtSecond: NumberOrNull
		})
	),
	/** What each switch did: means before it and while it held. */
	switches: Type.Array(
		Type.Object({
			second: Type.Number(),
			from: Type.Integer(),
			to: Type.Integer(),
			figures: Type.Array(Type.Object({ name: Type.String(), before: NumberOrNull, during: NumberOrNull }))
		})
	),
	connections: Type.Object({
		instances: NumberOrNull,
		planned: NumberOrNull,
		poolSize: NumberOrNull,
		databaseMax: NumberOrNull
	}),
	generator: orNull(GeneratorLoad),
	sockets: orNull(SocketsBack),
	/** Seconds that the server stored, of those that the run took. */
	secondsStored: Type.Integer(),
	secondsOfRun: Type.Integer()
});
export type RunReport = Static<typeof RunReport>;
