import { Type, type Static } from 'typebox';
import { LocalText, Mark, NumberOrNull, Quality } from './quality.ts';
import { CounterHint } from './readings.ts';
import { ActionStep } from './site.ts';

/** An action step in force, and what led to it: `blind` is the one step more for a zone that nobody sees now. */
export const ReachedStep = Type.Object({
	...ActionStep.properties,
	why: Type.Union([
		Type.Literal('occupancy'),
		Type.Literal('density'),
		Type.Literal('time'),
		Type.Literal('blind')
	])
});
export type ReachedStep = Static<typeof ReachedStep>;

/** Fruin's levels of service: A free, F beyond capacity; the densities depend on the use of the zone. */
export const LevelOfService = Type.Union([
	Type.Literal('A'),
	Type.Literal('B'),
	Type.Literal('C'),
	Type.Literal('D'),
	Type.Literal('E'),
	Type.Literal('F')
]);
export type LevelOfService = Static<typeof LevelOfService>;

/** One zone as every screen and script sees it. `present` is null when unknown: an unknown zone is never 0. */
export const Zone = Type.Object({
	id: Type.String(),
	/** In the language asked for; both stand in `names`. */
	name: Type.String(),
	names: LocalText,
	/** People now, clamped at 0 for display (the signed value stays in the store). */
	present: Type.Union([Type.Integer(), Type.Null()]),
	capacity: Type.Integer(),
	/** present ÷ capacity, a share: 0.87 is 87 %. */
	occupancy: NumberOrNull,
	/** People per square metre. */
	density: NumberOrNull,
	quality: Quality,
	mark: Mark,
	/** When the newest source spoke, epoch ms; null when none ever did. */
	at: Type.Union([Type.Integer(), Type.Null()]),
	ageSeconds: NumberOrNull,
	sources: Type.Object({ heard: Type.Integer(), expected: Type.Integer() }),
	/** The highest action step reached (an unknown or stale zone is treated one step worse); null below the first. */
	step: Type.Union([ReachedStep, Type.Null()]),
	/**
	 * Seconds until full as a range; null when the net of the last 60 s is not positive or nothing is known. While the
	 * zone is stale or unknown it is the last estimate: from `since` on the zone is assumed full after `fromSeconds`.
	 */
	timeToCapacity: Type.Union([
		Type.Object({ fromSeconds: Type.Integer(), toSeconds: Type.Integer(), since: Type.Integer() }),
		Type.Null()
	]),
	/** People per minute, in minus out, over the last 60 s; worked out in the same moment as `timeToCapacity`. */
	netInflowPerMinute: NumberOrNull,
	/** Last value while it was known, and the worst case (people) that the neighbours' flows allow since. */
	lastKnown: Type.Union([Type.Object({ present: Type.Integer(), at: Type.Integer() }), Type.Null()]),
	worstCase: Type.Union([Type.Object({ low: Type.Integer(), high: Type.Integer() }), Type.Null()]),
	/** True when the signed count is below 0, or was clearly so since the last recount: a recount is due. */
	drift: Type.Boolean(),
	/** By density and use of the zone; null when the density is unknown. */
	levelOfService: Type.Union([LevelOfService, Type.Null()]),
	/** People per minute over the boundary in the last 60 s; null when unknown, or while no door is counted. */
	flowPerMinute: Type.Union([Type.Object({ in: Type.Number(), out: Type.Number() }), Type.Null()]),
	/** Flow read together with density: little flow is `empty` or `jammed`, never simply quiet. Null when unknown. */
	movement: Type.Union([Type.Literal('moving'), Type.Literal('jammed'), Type.Literal('empty'), Type.Null()]),
	/** The least of the four capacities, which is `capacity`, and who answers for it. */
	binding: Type.Object({
		which: Type.Union([
			Type.Literal('holding'),
			Type.Literal('entry'),
			Type.Literal('exit'),
			Type.Literal('emergency')
		]),
		people: Type.Integer(),
		signedBy: LocalText,
		/** ISO date. */
		signedOn: Type.String()
	}),
	/**
	 * The count of people at which the feed must be held: capacity − people committed in the approach − inflow × the
	 * time to close. `reached` goes by the worst case while the zone is not heard. Null when the zone has no doors.
	 */
	holdPoint: Type.Union([
		Type.Object({
			people: Type.Integer(),
			/** People in the approach; null when they are unknown: then they are taken as all it holds. */
			committed: Type.Union([Type.Integer(), Type.Null()]),
			reached: Type.Boolean()
		}),
		Type.Null()
	]),
	/** Zones that feed this one, the one that sends or holds the most first: where to act. */
	upstream: Type.Array(Type.String()),
	/** Cameras and doors contradict each other, people by each: neither "empty" nor "all clear" follows. */
	disagreement: Type.Union([Type.Object({ camera: Type.Integer(), doors: Type.Integer() }), Type.Null()]),
	/** Error of the counting, a share of people: |last correction| ÷ people in since the anchor before. */
	error: NumberOrNull,
	/** Where the counting starts. `nightly` is the site file's own, `recount` a person's. */
	anchor: Type.Union([
		Type.Object({
			at: Type.Integer(),
			present: Type.Integer(),
			by: Type.Union([Type.Literal('nightly'), Type.Literal('recount')])
		}),
		Type.Null()
	]),
	/** Wet-bulb globe temperature of an open zone; null when it has no sensor or that one is silent. */
	heat: Type.Union([Type.Object({ wbgtCelsius: Type.Number(), at: Type.Integer() }), Type.Null()]),
	/** Epoch ms from which on the zone is taken as full, while it is stale or unknown and was filling; else null. */
	assumedFullAt: Type.Union([Type.Integer(), Type.Null()]),
	/** Counters of this zone that look wrong. */
	hints: Type.Array(CounterHint)
});
export type Zone = Static<typeof Zone>;

/** The whole site in one line; `missing` names zones whose people are not in `present`. */
export const CrowdTotal = Type.Object({
	present: Type.Union([Type.Integer(), Type.Null()]),
	capacity: Type.Integer(),
	missing: Type.Array(Type.String()),
	/** Zones whose count is known to be wrong (it fell below 0): they are in `present`, as 0. */
	drift: Type.Array(Type.String()),
	sources: Type.Object({ heard: Type.Integer(), expected: Type.Integer() }),
	at: Type.Integer(),
	quality: Quality,
	mark: Mark
});
export type CrowdTotal = Static<typeof CrowdTotal>;

/** Drawing data of the site for screens: polygons in site metres (x east, y south), from the site file. */
export const SitePlan = Type.Object({
	site: Type.String(),
	name: LocalText,
	timeZone: Type.String(),
	zones: Type.Array(
		Type.Object({
			id: Type.String(),
			names: LocalText,
			capacity: Type.Integer(),
			use: Type.String(),
			rings: Type.Array(Type.Array(Type.Tuple([Type.Number(), Type.Number()]))),
			/** Where its label stands. */
			label: Type.Tuple([Type.Number(), Type.Number()]),
			feeds: Type.Array(Type.String()),
			steps: Type.Array(ActionStep),
			signedBy: LocalText,
			signedOn: Type.String(),
			areaSquareMetres: Type.Number(),
			openAir: Type.Boolean(),
			approach: Type.Array(Type.String()),
			release: Type.Array(Type.String())
		})
	),
	gates: Type.Array(
		Type.Object({
			id: Type.String(),
			names: LocalText,
			direction: Type.String(),
			zone: Type.String(),
			lanes: Type.Integer(),
			/** The zone in front of it, where the crowd waits; null where the file names none. */
			outside: Type.Union([Type.String(), Type.Null()]),
			point: Type.Tuple([Type.Number(), Type.Number()])
		})
	),
	corridors: Type.Array(
		Type.Object({
			id: Type.String(),
			names: Type.Union([LocalText, Type.Null()]),
			from: Type.String(),
			to: Type.String(),
			lengthMetres: Type.Number(),
			widthMetres: NumberOrNull,
			/** Null where the file does not say. */
			stepFree: Type.Union([Type.Boolean(), Type.Null()]),
			points: Type.Array(Type.Tuple([Type.Number(), Type.Number()]))
		})
	),
	/** Counters where they hang; `from` null and `to` null are outside the site. */
	counters: Type.Array(
		Type.Object({
			id: Type.String(),
			device: Type.String(),
			measures: Type.String(),
			from: Type.Union([Type.String(), Type.Null()]),
			to: Type.Union([Type.String(), Type.Null()]),
			point: Type.Tuple([Type.Number(), Type.Number()])
		})
	),
	places: Type.Array(
		Type.Object({
			id: Type.String(),
			names: LocalText,
			zones: Type.Array(Type.String()),
			gates: Type.Array(Type.String())
		})
	),
	bounds: Type.Object({ width: Type.Number(), height: Type.Number() })
});
export type SitePlan = Static<typeof SitePlan>;

/** Column-wise history for charts: `at[i]` epoch ms; null where there was no knowledge (a gap, never 0). */
export const Trend = Type.Object({
	stepSeconds: Type.Number(),
	at: Type.Array(Type.Integer()),
	series: Type.Record(Type.String(), Type.Array(NumberOrNull))
});
export type Trend = Static<typeof Trend>;

/** Query of every trend call: how far back. */
export const TrendQuery = Type.Object({
	minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 120, default: 60 }))
});

/** Body of POST /api/v1/zones/:id/recount. */
export const RecountRequest = Type.Object(
	{
		present: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
		reason: Type.String({ minLength: 3, maxLength: 400 }),
		/** Said again: a number far over the capacity is refused once, a slipped digit looks like that. */
		sure: Type.Optional(Type.Boolean())
	},
	{ additionalProperties: false }
);
export type RecountRequest = Static<typeof RecountRequest>;
