import { Type, type Static } from 'typebox';
import { Mark, NumberOrNull, Provenance, Quality } from './quality.ts';

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

/** Those who connect and pull, all instances together; counts over the last 60 s unless they say otherwise. */
/** Another build began to serve; `at` in epoch ms. */
export const Deploy = Type.Object({ at: Type.Integer(), build: Type.String() });
export type Deploy = Static<typeof Deploy>;

const stormFigures = {
	/** Of the last second, refused ones among them; and how many a second the buckets let through. */
	handshakesPerSecond: Type.Number(),
	bucketPerSecond: Type.Number(),
	/** Most handshakes in one second of the last 60. */
	handshakesPeak: Type.Number(),
	/** Handshakes, pulls and pushes that were told to come back, by reason. */
	refused: Type.Array(
		Type.Object({
			what: Type.Enum(['handshake', 'pull', 'push'] as const),
			reason: Type.String(),
			count: Type.Integer()
		})
	),
	/** Connections now, by kind (screen, phone, wall, provider, simulated). */
	connected: Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() })),
	/** Tenants with the most connections, at most ten. */
	tenants: Type.Array(Type.Object({ tenant: Type.String(), connections: Type.Integer() })),
	/** Caps of all processes together, and of one tenant in one process. */
	connectionsMax: Type.Integer(),
	tenantMax: Type.Integer(),
	/** Unified pulls. */
	pulls: Type.Object({ offered: Type.Integer(), served: Type.Integer(), failed: Type.Integer() }),
	/** In front of the pull: the worst of all instances, and the share of pulls that failed in the last minute. */
	breaker: Type.Union([Type.Literal('closed'), Type.Literal('half-open'), Type.Literal('open')]),
	failureShare: NumberOrNull,
	/** Pulls and pushes that wait for their turn. */
	queue: Type.Object({ depth: Type.Integer(), oldestSeconds: NumberOrNull, tenants: Type.Integer() }),
	/** Screens that could not keep up and got the newest state instead of the backlog. */
	slowScreens: Type.Integer(),
	reconnectSpreadMs: Type.Integer()
};

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
		emptiesAt: Type.Union([Type.Tuple([Type.Integer(), Type.Integer()]), Type.Null()]),
		/** Cap on called and inside together; null when not known. */
		placesMax: NumberOrNull,
		/** Share of called people who do not come, 0 to 0.5. */
		noShow: NumberOrNull,
		/** Returners who wait ahead of new arrivals; null when not known. */
		late: NumberOrNull,
		/** People whose join or claim waits for its commit. */
		pending: Type.Integer(),
		/** The room's mode; null before it was heard. */
		mode: Type.Union([Type.String(), Type.Null()])
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
		/** False while the manager's rate is only the one of the first start, which nobody set by hand. */
		byHand: Type.Boolean(),
		blind: Type.Boolean(),
		/** When sight was lost (epoch ms), and the signals that are missing. */
		blindSince: NumberOrNull,
		missing: Type.Array(Type.String()),
		/** The signal that holds health down, and its value; null while all is well. */
		worstSignal: Type.Union([Type.String(), Type.Null()]),
		worstValue: NumberOrNull
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
			at: Type.Integer(),
			/** Since when it is in this state, epoch ms; null when that is not known. */
			since: Type.Optional(NumberOrNull)
		})
	),
	/** Instances that are there, or were until just now; one alone where nobody else can be. */
	instances: Type.Optional(
		Type.Array(
			Type.Object({
				id: Type.String(),
				/** When it was last heard, epoch ms. */
				at: Type.Integer(),
				/** `stale`: it has fallen silent, and takes its share of the rate along. */
				quality: Quality,
				/** It decides the rate. */
				leads: Type.Boolean(),
				/** Its part of all questions lately, 0 to 1; null while there are none. */
				share: NumberOrNull
			})
		)
	),
	/** Missing from figures of an earlier version. */
	storm: Type.Optional(withProvenance(stormFigures)),
	queues: Type.Array(
		Type.Object({
			name: Type.String(),
			depth: Type.Integer(),
			oldestSeconds: NumberOrNull,
			drainPerSecond: Type.Number()
		})
	),
	/** Builds that began to serve, oldest first, a bounded number. Missing from figures of an earlier version. */
	deploys: Type.Optional(Type.Array(Deploy)),
	level: Type.Integer(),
	mark: Mark
});
export type SpikeNow = Static<typeof SpikeNow>;

/** What the conductor decided at one moment, and why. */
export const ConductorDecision = Type.Object({
	at: Type.Integer(),
	/** A change of the rate or of its reason, or the row that stands for a minute without one. */
	kind: Type.Union([Type.Literal('change'), Type.Literal('minute')]),
	/** People a second before and from now on; `before` is null for the first. */
	before: NumberOrNull,
	perSecond: Type.Number(),
	limitedBy: RateLimiter,
	/** The signal that held health down, and its value (ms, or a share), where health was the reason. */
	worstSignal: Type.Union([Type.String(), Type.Null()]),
	worstValue: NumberOrNull,
	health: Type.Number(),
	blindSince: NumberOrNull,
	missing: Type.Array(Type.String()),
	mode: Type.Union([Type.String(), Type.Null()]),
	level: Type.Integer(),
	managerPerSecond: Type.Number(),
	levelCapPerSecond: NumberOrNull,
	narrowestPerSecond: NumberOrNull,
	/** What the conductor itself allowed, before the room's mode, and what it may return to at once. */
	allowedPerSecond: Type.Number(),
	provenPerSecond: Type.Number(),
	waiting: Type.Integer(),
	called: Type.Integer(),
	active: Type.Integer(),
	noShow: NumberOrNull
});
export type ConductorDecision = Static<typeof ConductorDecision>;

/** GET /api/v1/spike/decisions: newest first; `before` (epoch ms) goes on where the last page ended. */
export const DecisionsQuery = Type.Object(
	{
		before: Type.Optional(Type.Integer({ minimum: 0 })),
		limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
		/** `all` has the rows of quiet minutes, too. */
		kind: Type.Optional(Type.Union([Type.Literal('change'), Type.Literal('all')]))
	},
	{ additionalProperties: false }
);
export const DecisionsPage = Type.Object({
	decisions: Type.Array(ConductorDecision),
	/** Hand it over as `before` for the next page; null at the end. */
	next: NumberOrNull,
	mark: Mark
});
export type DecisionsPage = Static<typeof DecisionsPage>;

/** The duty manager's hand on the room as it stands, and who laid it there. */
export const RoomHand = Type.Object({
	perSecond: Type.Number(),
	mode: Type.Union([Type.String(), Type.Null()]),
	/** The last commands, newest first. */
	last: Type.Array(
		Type.Object({
			at: Type.Integer(),
			by: Type.String(),
			kind: Type.Union([Type.Literal('rate'), Type.Literal('mode')]),
			reason: Type.String(),
			from: Type.Union([Type.Number(), Type.String(), Type.Null()]),
			to: Type.Union([Type.Number(), Type.String(), Type.Null()])
		})
	)
});
export type RoomHand = Static<typeof RoomHand>;

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

/** Names of the series in GET /api/v1/spike/history: those of the trend, and the rest of each second. */
export const historySeries = [
	...spikeSeries,
	'p50Ms',
	'p99Ms',
	'checkP95Ms',
	'faultsPerSecond',
	'refusedPerSecond',
	'inHand',
	'called',
	'active',
	'pending',
	'noShow',
	'poolInUse',
	'poolWaiting',
	'poolWaitP95Ms',
	'loopP99Ms',
	'sockets',
	'pollsPerSecond',
	'memoryMb',
	'health',
	'blind'
] as const;
export type HistorySeries = (typeof historySeries)[number];

/** Query of GET /api/v1/spike/history: epoch ms; the finest resolution that fits is taken when none is named. */
export const SpikeHistoryQuery = Type.Object(
	{
		from: Type.Integer({ minimum: 0 }),
		to: Type.Optional(Type.Integer({ minimum: 0 })),
		resolution: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(10), Type.Literal(60)]))
	},
	{ additionalProperties: false }
);
export type SpikeHistoryQuery = Static<typeof SpikeHistoryQuery>;

const Column = Type.Array(NumberOrNull);
const WordColumn = Type.Array(Type.Union([Type.String(), Type.Null()]));
/** Columns over a fixed grid, all instances together; null where nothing is known. */
export const SpikeHistory = Type.Object({
	stepSeconds: Type.Integer(),
	at: Type.Array(Type.Integer()),
	series: Type.Object(
		Object.fromEntries(historySeries.map((name) => [name, Column])) as Record<HistorySeries, typeof Column>
	),
	words: Type.Object({ limitedBy: WordColumn, mode: WordColumn, breaker: WordColumn }),
	mark: Mark
});
export type SpikeHistory = Static<typeof SpikeHistory>;
