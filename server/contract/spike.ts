import { Type, type Static } from 'typebox';
import { Mark, NumberOrNull, Provenance } from './quality.ts';

const withProvenance = <T extends Record<string, Parameters<typeof Type.Object>[0][string]>>(properties: T) =>
	Type.Object({ ...properties, ...Provenance.properties });

/** What holds the admission rate down now. */
export const RateLimiter = Type.Union([
	Type.Literal('manager'),
	Type.Literal('level'),
	Type.Literal('narrowest-part'),
	Type.Literal('health'),
	Type.Literal('rising'),
	Type.Literal('leases'),
	Type.Literal('mode'),
	Type.Literal('blind'),
	Type.Literal('none')
]);
export type RateLimiter = Static<typeof RateLimiter>;

/** The newest second: GET /api/v1/spike/now. Ratios are null without inflow ("–"), windows are 60 s. */
export const SpikeNow = Type.Object({
	at: Type.Integer(),
	room: withProvenance({
		/** People a second over the last 60 s. */
		joinedPerSecond: Type.Number(),
		admittedPerSecond: Type.Number(),
		/** Counts over the last 60 s. */
		joined: Type.Integer(),
		admitted: Type.Integer(),
		ratio: NumberOrNull,
		depth: Type.Integer(),
		called: Type.Integer(),
		active: Type.Integer(),
		oldestSeconds: NumberOrNull,
		/** When the last person now waiting is in, epoch ms range; null when unknown. */
		emptiesAt: Type.Union([Type.Tuple([Type.Integer(), Type.Integer()]), Type.Null()])
	}),
	work: withProvenance({
		offered: Type.Integer(),
		served: Type.Integer(),
		ratio: NumberOrNull,
		/** Seconds the ratio has been below 1; 0 when it is not. */
		belowOneSeconds: Type.Integer()
	}),
	booking: withProvenance({
		p50Ms: NumberOrNull,
		p95Ms: NumberOrNull,
		p99Ms: NumberOrNull,
		count: Type.Integer()
	}),
	/** Outcomes of the last 60 s: designed refusals stand apart from faults. */
	outcomes: withProvenance({
		booked: Type.Integer(),
		repeated: Type.Integer(),
		slotFull: Type.Integer(),
		alreadyBooked: Type.Integer(),
		noPass: Type.Integer(),
		notEligible: Type.Integer(),
		busy: Type.Integer(),
		closed: Type.Integer(),
		faults: Type.Integer()
	}),
	pool: withProvenance({
		inUse: Type.Integer(),
		size: Type.Integer(),
		waitingForOne: Type.Integer(),
		waitP95Ms: NumberOrNull
	}),
	rate: withProvenance({
		perSecond: Type.Number(),
		managerPerSecond: Type.Number(),
		levelCapPerSecond: NumberOrNull,
		narrowestPerSecond: NumberOrNull,
		health: Type.Number(),
		limitedBy: RateLimiter,
		/** False shows the banner "not measured". */
		measured: Type.Boolean(),
		blind: Type.Boolean()
	}),
	process: withProvenance({
		eventLoopP99Ms: NumberOrNull,
		sockets: Type.Integer(),
		reconnectsPerSecond: Type.Number(),
		pollsPerSecond: Type.Number(),
		memoryMb: Type.Number()
	}),
	dependencies: Type.Array(
		Type.Object({
			name: Type.String(),
			state: Type.Union([
				Type.Literal('up'),
				Type.Literal('slow'),
				Type.Literal('down'),
				Type.Literal('unknown')
			]),
			/** Breaker of the part, where it has one. */
			breaker: Type.Union([
				Type.Literal('closed'),
				Type.Literal('open'),
				Type.Literal('half-open'),
				Type.Null()
			]),
			detail: Type.Union([Type.String(), Type.Null()]),
			at: Type.Integer()
		})
	),
	queues: Type.Array(
		Type.Object({
			name: Type.String(),
			depth: Type.Integer(),
			oldestSeconds: NumberOrNull,
			drainPerSecond: Type.Number()
		})
	),
	level: Type.Integer(),
	mark: Mark
});
export type SpikeNow = Static<typeof SpikeNow>;

/** Query of GET /api/v1/spike/trend: how far back, and how many seconds one point stands for (chosen when missing). */
export const SpikeTrendQuery = Type.Object({
	minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 120 })),
	seconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 7_200 })),
	step: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 }))
});

/** Names of the series in GET /api/v1/spike/trend. */
export const spikeSeries = [
	'joinedPerSecond',
	'admittedPerSecond',
	'depth',
	'workRatio',
	'roomRatio',
	'p95Ms',
	'ratePerSecond',
	'servedPerSecond',
	'offeredPerSecond',
	'level'
] as const;
export type SpikeSeries = (typeof spikeSeries)[number];
