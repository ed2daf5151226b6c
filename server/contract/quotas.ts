import { Type, type Static } from 'typebox';
import { attributePattern } from './booking.ts';

/** What a quota counts people by. */
export const QuotaDimension = Type.Union([
	Type.Literal('country'),
	Type.Literal('provider'),
	Type.Literal('category')
]);
export type QuotaDimension = Static<typeof QuotaDimension>;

const Places = Type.Integer({ minimum: 0, maximum: 100_000_000 });
const Reason = Type.String({ minLength: 3, maxLength: 400 });

/** One share of a quota: so many places for people of this value. */
export const QuotaShare = Type.Object(
	{ value: Type.String({ pattern: attributePattern }), places: Places },
	{ additionalProperties: false }
);
export type QuotaShare = Static<typeof QuotaShare>;

/**
 * What happens to people without a share of their own, those of whom nothing is known among them: they are refused,
 * they are not counted, or so many places are theirs together.
 */
export const QuotaOther = Type.Union([
	Type.Literal('refuse'),
	Type.Literal('free'),
	Type.Object({ places: Places }, { additionalProperties: false })
]);
export type QuotaOther = Static<typeof QuotaOther>;

/** Body of PUT /api/v1/booking/quotas: puts one quota in place of the one at its level. */
export const QuotaRequest = Type.Object(
	{
		/** Null: over all slots of the season. */
		slot: Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()]),
		dimension: QuotaDimension,
		shares: Type.Array(QuotaShare, { maxItems: 400 }),
		other: QuotaOther,
		/** When unused shares go to the common one, epoch ms; null: never. */
		returnsAt: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
		reason: Reason
	},
	{ additionalProperties: false }
);
export type QuotaRequest = Static<typeof QuotaRequest>;

/** A quota as it is planned and counted. */
export const Quota = Type.Object({
	id: Type.Integer(),
	slot: QuotaRequest.properties.slot,
	dimension: QuotaDimension,
	other: Type.Union([Type.Literal('refuse'), Type.Literal('free'), Type.Literal('share')]),
	returnsAt: QuotaRequest.properties.returnsAt,
	/** When unused shares were returned; null while they were not. */
	returnedAt: Type.Union([Type.Integer(), Type.Null()]),
	shares: Type.Array(
		Type.Object({
			/** Null: the common share. */
			value: Type.Union([Type.String(), Type.Null()]),
			planned: Type.Integer(),
			/** Places it has now: others than planned once unused ones were returned. */
			places: Type.Integer(),
			booked: Type.Integer(),
			/** More are booked than there are places: nothing is sold until that has come down. */
			overbooked: Type.Integer(),
			shards: Type.Integer()
		})
	)
});
export type Quota = Static<typeof Quota>;
export const QuotasAnswer = Type.Object({ quotas: Type.Array(Quota), at: Type.Integer() });

/** Body of PUT /api/v1/booking/slots: plans a slot, or another capacity for one that is there. */
export const SlotPlanRequest = Type.Object(
	{
		place: Type.String({ minLength: 1, maxLength: 64 }),
		startsAt: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 }),
		endsAt: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 }),
		capacity: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
		reason: Reason
	},
	{ additionalProperties: false }
);
export type SlotPlanRequest = Static<typeof SlotPlanRequest>;

/** A slot as staff see it. */
export const PlannedSlot = Type.Object({
	id: Type.Integer(),
	place: Type.String(),
	startsAt: Type.Integer(),
	endsAt: Type.Integer(),
	capacity: Type.Integer(),
	/** The most that its lanes can scan in the window; null where the site no longer names the place. */
	capacityMax: Type.Union([Type.Integer(), Type.Null()]),
	booked: Type.Integer(),
	overbooked: Type.Integer()
});
export type PlannedSlot = Static<typeof PlannedSlot>;
export const PlannedSlotsAnswer = Type.Object({ slots: Type.Array(PlannedSlot), at: Type.Integer() });

/** Counts that differ from the valid permits behind them. */
export const CountGap = Type.Object({
	level: Type.Union([Type.Literal('slot'), Type.Literal('quota'), Type.Literal('shard')]),
	id: Type.Integer(),
	value: Type.Optional(Type.String()),
	shard: Type.Optional(Type.Integer()),
	booked: Type.Integer(),
	people: Type.Integer()
});

/** Answer of GET /api/v1/booking/reconciliation: whether everything that is counted equals the valid permits. */
export const Reconciliation = Type.Object({
	/** `unknown` while it was never looked, or could not be. */
	state: Type.Union([Type.Literal('equal'), Type.Literal('gaps'), Type.Literal('unknown')]),
	/** When it was last looked, epoch ms. */
	at: Type.Union([Type.Integer(), Type.Null()]),
	tookMs: Type.Union([Type.Integer(), Type.Null()]),
	checked: Type.Union([
		Type.Object({
			slots: Type.Integer(),
			quotas: Type.Integer(),
			shards: Type.Integer(),
			permits: Type.Integer()
		}),
		Type.Null()
	]),
	/** The first hundred. */
	gaps: Type.Array(CountGap),
	gapsTotal: Type.Integer()
});
export type Reconciliation = Static<typeof Reconciliation>;
