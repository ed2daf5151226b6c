import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull } from './dispatch.ts';
import { LocalText } from './quality.ts';
import { Id } from './site.ts';

const SlotId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const Moment = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 });
const span = {
	/** Slots that overlap this span, epoch ms. */
	from: Moment,
	to: Moment,
	/** How much of each slot's capacity stays; 0 closes them. */
	keepPercent: Type.Integer({ minimum: 0, maximum: 99 })
};

/** What shrinks: one slot to a capacity, or every slot of a place, or of the places that a zone belongs to, in a span. */
export const ReductionTarget = Type.Union([
	Type.Object(
		{
			kind: Type.Literal('slot'),
			slot: SlotId,
			capacity: Type.Integer({ minimum: 0, maximum: 10_000_000 })
		},
		{ additionalProperties: false }
	),
	Type.Object({ kind: Type.Literal('place'), place: Id, ...span }, { additionalProperties: false }),
	Type.Object({ kind: Type.Literal('zone'), zone: Id, ...span }, { additionalProperties: false })
]);
export type ReductionTarget = Static<typeof ReductionTarget>;

/**
 * What becomes of an offer that nobody answers in time: the places offered are theirs; their permit is revoked; or it
 * stays, and the slot stays above its capacity.
 */
export const unansweredRules = ['move', 'revoke', 'keep'] as const;
export type UnansweredRule = (typeof unansweredRules)[number];
/** What becomes of whoever could be offered nothing until then. */
export const withoutRoomRules = ['revoke', 'keep'] as const;
export type WithoutRoomRule = (typeof withoutRoomRules)[number];

const terms = {
	/** For so long the places offered are held. */
	answerMinutes: Type.Integer({ minimum: 1, maximum: 2_880 }),
	/** Offers lie at most so far from the old slot's beginning. */
	withinHours: Type.Integer({ minimum: 1, maximum: 336 }),
	/** Slots of other places are offered, too. */
	otherPlaces: Type.Boolean(),
	unanswered: Type.Enum(unansweredRules),
	withoutRoom: Type.Enum(withoutRoomRules)
};
/** Where a request leaves them out. `withoutRoom` is `revoke` where everything closes, else `keep`. */
export const reductionDefaults = {
	answerMinutes: 120,
	withinHours: 24,
	otherPlaces: false,
	unanswered: 'move'
} as const;

const wish = {
	target: ReductionTarget,
	answerMinutes: Type.Optional(terms.answerMinutes),
	withinHours: Type.Optional(terms.withinHours),
	otherPlaces: Type.Optional(terms.otherPlaces),
	unanswered: Type.Optional(terms.unanswered),
	withoutRoom: Type.Optional(terms.withoutRoom)
};
/** Body of POST /api/v1/reductions/preview: changes nothing. */
export const ReductionPreviewRequest = Type.Object(wish, { additionalProperties: false });
export type ReductionPreviewRequest = Static<typeof ReductionPreviewRequest>;

const Count = Type.Integer({ minimum: 0 });
const Group = Type.Object({ permits: Count, people: Count });

/** One slot that shrinks. */
export const ReducedSlot = Type.Object({
	slot: Type.Integer(),
	place: Type.String(),
	placeName: LocalText,
	startsAt: Type.Integer(),
	endsAt: Type.Integer(),
	capacityBefore: Count,
	capacityAfter: Count,
	/** People in valid permits who stay, those inside already among them. */
	peopleKept: Count,
	peopleInside: Count
});
export type ReducedSlot = Static<typeof ReducedSlot>;

/** Where places are found for affected people, as far as it is known now. */
export const ReductionRoom = Type.Object({
	slot: Type.Integer(),
	place: Type.String(),
	placeName: LocalText,
	startsAt: Type.Integer(),
	endsAt: Type.Integer(),
	left: Count,
	offered: Group
});
export type ReductionRoom = Static<typeof ReductionRoom>;

const forecast = {
	at: Type.Integer(),
	affected: Group,
	/** People who were scanned in: they keep their place whatever the new capacity. */
	inside: Group,
	/** People inside above the new capacity; nobody can be moved to change that. */
	aboveCapacity: Count,
	room: Type.Array(ReductionRoom),
	/** Affected for whom no other slot has room. */
	withoutRoom: Group
};
/** What a reduction was expected to come to at a moment; `room` is the nearest of it, a bounded number of slots. */
export const ReductionForecast = Type.Object(forecast);
export type ReductionForecast = Static<typeof ReductionForecast>;
/** Answer of the preview. Who keeps a place: see `reductionRule`. */
export const ReductionPreview = Type.Object({
	...forecast,
	terms: Type.Object(terms),
	slots: Type.Array(ReducedSlot),
	/** A second person confirms. */
	twoPeople: Type.Boolean()
});
export type ReductionPreview = Static<typeof ReductionPreview>;

/** Who keeps a place, in words. */
export const reductionRule: LocalText = {
	en: 'Kept first: whoever has entered, then whoever was moved before, then in order of booking. The last to book is asked first. A party is never parted.',
	ar: 'يحتفظ بمكانه أولاً من دخل فعلاً، ثم من سبق نقله، ثم بحسب ترتيب الحجز. آخر من حجز يُعرض عليه النقل أولاً. ولا تُفرَّق مجموعة أبداً.'
};

/** Body of POST /api/v1/reductions. `expectedPeople`: as the preview said; more than that are not affected unseen. */
export const ReductionRequest = Type.Object(
	{ ...wish, reason: boundedText(400, 3), expectedPeople: Count },
	{ additionalProperties: false }
);
export type ReductionRequest = Static<typeof ReductionRequest>;
/** Body of POST /api/v1/reductions/:id/withdraw. */
export const ReductionWithdrawal = Type.Object(
	{ reason: boundedText(400, 3) },
	{ additionalProperties: false }
);

export const reductionStates = ['proposed', 'running', 'done', 'withdrawn', 'lapsed'] as const;
/** What has come of the affected, by permit. The first three are open. */
export const affectedStates = [
	/** Not looked at yet. */
	'new',
	'offered',
	/** No other slot has room just now. */
	'waiting',
	'accepted',
	/** Nobody answered: the places offered are theirs now. */
	'moved',
	/** Given up by the holder. */
	'declined',
	/** The holder took another slot. */
	'changed',
	'revoked',
	'kept',
	/** Came in meanwhile. */
	'entered',
	'withdrawn'
] as const;
export type AffectedState = (typeof affectedStates)[number];

/** One reduction, as every screen sees it. Topic `crowd`, key `reduction:{id}`. */
export const Reduction = Type.Object({
	id: Type.String(),
	state: Type.Enum(reductionStates),
	target: ReductionTarget,
	terms: Type.Object(terms),
	reason: Type.String(),
	by: Type.String(),
	byId: Type.String(),
	confirmedBy: orNull(Type.String()),
	proposedAt: Type.Integer(),
	/** A proposal that waits for a second person lapses then. */
	expiresAt: Type.Integer(),
	startedAt: MomentOrNull,
	endedAt: MomentOrNull,
	slots: Type.Array(ReducedSlot),
	/** While it waits for a second person, and where none came: as the forecast has it. */
	affected: Group,
	/** What the first person was shown, for the second one to see before they confirm; null where none is needed. */
	forecast: orNull(ReductionForecast),
	/** Permits and people by what has come of them; a state that is left out has none. */
	progress: Type.Record(Type.String(), Group),
	/** When the last open offer ends; null: none is open. */
	answerUntil: MomentOrNull
});
export type Reduction = Static<typeof Reduction>;
export const ReductionsAnswer = Type.Object({ reductions: Type.Array(Reduction), at: Type.Integer() });

/** What the holder of an affected permit is told (member `offer` of their permit). */
export const PermitOffer = Type.Object({
	/** `offered`: places are held; `waiting`: no other slot has room just now, it is looked for one. */
	state: Type.Union([Type.Literal('offered'), Type.Literal('waiting')]),
	/** The slot closes, or holds fewer people. */
	why: Type.Union([Type.Literal('closed'), Type.Literal('smaller')]),
	until: MomentOrNull,
	/** What happens then if nobody answers. */
	unanswered: Type.Enum(unansweredRules),
	slot: orNull(
		Type.Object({
			id: Type.Integer(),
			place: Type.String(),
			placeName: Type.Optional(LocalText),
			startsAt: Type.Integer(),
			endsAt: Type.Integer()
		})
	)
});
export type PermitOffer = Static<typeof PermitOffer>;

/** Body of POST /permits/:id/offer (or query). `decline` gives the permit up. */
export const offerAnswers = ['accept', 'decline'] as const;
export type OfferAnswer = (typeof offerAnswers)[number];
/** Its answer, the same for repeats; `permit` is the one that is valid from now on, null after `decline`. */
export const OfferAnswered = Type.Object({
	ok: Type.Literal(true),
	answer: Type.Enum(offerAnswers),
	permit: orNull(Type.String()),
	slot: orNull(Type.Integer()),
	replaced: Type.String()
});
export type OfferAnswered = Static<typeof OfferAnswered>;
