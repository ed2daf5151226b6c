import { Type, type Static } from 'typebox';
import { LocalText, Mark, NumberOrNull, Quality } from './quality.ts';
import { ActionStep } from './site.ts';

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
	step: Type.Union([ActionStep, Type.Null()]),
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
	drift: Type.Boolean()
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
			signedOn: Type.String()
		})
	),
	gates: Type.Array(
		Type.Object({
			id: Type.String(),
			names: LocalText,
			direction: Type.String(),
			zone: Type.String(),
			lanes: Type.Integer(),
			point: Type.Tuple([Type.Number(), Type.Number()])
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
