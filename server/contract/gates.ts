import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull } from './dispatch.ts';
import { LocalText, Mark, NumberOrNull, Quality } from './quality.ts';
import { Id } from './site.ts';

export const gateStates = ['open', 'metered', 'held', 'closed'] as const;
export const GateStateName = Type.Enum(gateStates);
export type GateStateName = (typeof gateStates)[number];

/** A hold lasts at most so long where the site file says nothing. */
export const holdSecondsMaxDefault = 600;
/** A hold re-opens over so many metered steps where the site file says nothing. */
export const reopenStepsDefault = 3;
/** What is commanded and not confirmed at the gate for so long is overdue, and rings. */
export const confirmWithinMs = 120_000;
/** From these shares of its maximum time on a hold is said to end soon. */
export const holdWarningShares = { half: 0.5, most: 0.8 } as const;

/** What the control room wants; `by` null: nobody commanded anything yet. */
export const GateCommand = Type.Object({
	state: GateStateName,
	at: Type.Integer(),
	by: orNull(Type.String()),
	reason: orNull(Type.String()),
	/** People a minute through all lanes, while metered. */
	ratePerMinute: NumberOrNull,
	/** When the hold ends at the latest; it never opens by itself then, it rings. */
	holdUntil: MomentOrNull
});
export type GateCommand = Static<typeof GateCommand>;

/** What stands at the gate, as its steward said; `byRadio`: the desk said it for the steward. */
export const GateConfirmation = Type.Object({
	state: GateStateName,
	at: Type.Integer(),
	by: Type.String(),
	byRadio: Type.Boolean()
});
export type GateConfirmation = Static<typeof GateConfirmation>;

/** A hold in force. */
export const GateHold = Type.Object({
	since: Type.Integer(),
	/** "The hold ends at." */
	until: Type.Integer(),
	secondsMax: Type.Integer(),
	/** How much of its time is gone: nothing, half, four fifths, or all of it. */
	warning: Type.Union([Type.Null(), Type.Literal('half'), Type.Literal('most'), Type.Literal('over')]),
	/** When the zone outside is full at this growth, if that is before the hold ends; null otherwise or unknown. */
	outsideFullAt: MomentOrNull
});
export type GateHold = Static<typeof GateHold>;

/** Re-opening after a hold: metered step after step, each confirmed at the gate or advanced by the desk with a reason. */
export const GateReopening = Type.Object({
	step: Type.Integer({ minimum: 1 }),
	steps: Type.Integer({ minimum: 1 }),
	/** What the next advance sets; null: it opens the gate. */
	nextRatePerMinute: NumberOrNull,
	/** The step in force is confirmed: advancing needs no reason. */
	mayAdvance: Type.Boolean()
});
export type GateReopening = Static<typeof GateReopening>;

/** The crowd before a gate. `people` null is unknown, never nobody. */
export const CrowdOutside = Type.Object({
	people: orNull(Type.Integer()),
	quality: Quality,
	/** People a minute, arrivals less passed, over the last 60 s; null when not known. */
	growthPerMinute: NumberOrNull,
	/** What the zone outside bears; null when the site file names none. */
	capacity: orNull(Type.Integer()),
	/** The zone that says so; null: counters of the gate, since the hold began. */
	zone: orNull(Type.String()),
	at: MomentOrNull,
	mark: Mark
});
export type CrowdOutside = Static<typeof CrowdOutside>;

/** One gate, as every screen sees it. Topic `crowd`, key `gate:{id}`. */
export const Gate = Type.Object({
	id: Type.String(),
	names: LocalText,
	direction: Type.Union([Type.Literal('in'), Type.Literal('out')]),
	zone: Type.String(),
	lanes: Type.Integer(),
	/** People a minute that its lanes can scan at the most. */
	fullRatePerMinute: Type.Integer(),
	/** Rises with each command: send it as `expectedVersion`. */
	version: Type.Integer(),
	commanded: GateCommand,
	/** Null: nobody at the gate ever said. */
	confirmed: orNull(GateConfirmation),
	/** What is commanded is not what is confirmed, since when; `overdue` after {@link confirmWithinMs}. */
	difference: orNull(Type.Object({ since: Type.Integer(), overdue: Type.Boolean() })),
	hold: orNull(GateHold),
	reopening: orNull(GateReopening),
	/** Null for an exit. For an entry always there: nothing that says anything is quality `unknown`. */
	crowdOutside: orNull(CrowdOutside),
	/** What its sign shows: `exit` at every gate of an evacuation, entries closed, exits open. */
	shows: Type.Union([Type.Literal('entry'), Type.Literal('exit')]),
	mark: Mark
});
export type Gate = Static<typeof Gate>;

/** Body of POST /api/v1/gates/:id/state. `open` after a hold begins the re-opening steps, it does not jump. */
export const GateStateRequest = Type.Object(
	{
		state: GateStateName,
		reason: boundedText(400, 3),
		/** Metered: half of what the lanes can scan when it is left out. */
		ratePerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
		/** Held: the gate's maximum when it is left out; more than that is refused. */
		holdSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
		/** 409 `somebody_faster` when it is no longer this one. A script may leave it out. */
		expectedVersion: Type.Optional(Type.Integer({ minimum: 0 })),
		/** The proposal this answers. */
		proposal: Type.Optional(boundedText(200))
	},
	{ additionalProperties: false }
);
export type GateStateRequest = Static<typeof GateStateRequest>;

/** Body of POST /api/v1/gates/:id/advance: the next re-opening step; without a confirmation it needs the reason. */
export const GateAdvanceRequest = Type.Object(
	{
		expectedVersion: Type.Integer({ minimum: 0 }),
		reason: Type.Optional(boundedText(400, 3))
	},
	{ additionalProperties: false }
);
export type GateAdvanceRequest = Static<typeof GateAdvanceRequest>;

/** Body of POST /api/v1/gates/:id/confirm: what stands at the gate now. */
export const GateConfirmRequest = Type.Object(
	{ state: GateStateName, expectedVersion: Type.Optional(Type.Integer({ minimum: 0 })) },
	{ additionalProperties: false }
);
export type GateConfirmRequest = Static<typeof GateConfirmRequest>;

export const proposalAsks = ['meter', 'divert', 'one-in-one-out', 'hold', 'stop'] as const;
export type ProposalAsk = (typeof proposalAsks)[number];

/**
 * A written step of a zone asks for something at a gate: proposed to a person, never done by itself. Topic `crowd`,
 * key `proposals`, worst first. It goes when it is done, when the zone falls below the step, or when it is dismissed.
 */
export const GateProposal = Type.Object({
	id: Type.String(),
	zone: Type.String(),
	zoneNames: LocalText,
	/** The step that is reached, in percent, with its written text. */
	percent: Type.Integer(),
	action: LocalText,
	asks: Type.Enum(proposalAsks),
	since: Type.Integer(),
	quality: Quality,
	/** Who feeds the zone, the one that brings most first; `via` the zones between, nearest first. */
	feeds: Type.Array(
		Type.Object({
			kind: Type.Union([Type.Literal('gate'), Type.Literal('zone')]),
			id: Type.String(),
			names: LocalText,
			perMinute: NumberOrNull
		})
	),
	/** What one press sends for each gate (POST …/state); empty: no gate feeds it, a team has to. */
	gates: Type.Array(
		Type.Object({
			gate: Type.String(),
			names: LocalText,
			version: Type.Integer(),
			state: GateStateName,
			ratePerMinute: NumberOrNull
		})
	),
	mark: Mark
});
export type GateProposal = Static<typeof GateProposal>;

/** Body of POST /api/v1/gates/proposals/:id/dismiss: not now, and why; it comes back after ten minutes, or when it gets worse. */
export const ProposalDismissal = Type.Object(
	{ reason: boundedText(400, 3) },
	{ additionalProperties: false }
);

/** Where an evacuation holds: the whole site, or zones and places (their zones and gates with them). */
export const EvacuationScope = Type.Union([
	Type.Literal('site'),
	Type.Object(
		{
			zones: Type.Optional(Type.Array(Id, { maxItems: 100 })),
			places: Type.Optional(Type.Array(Id, { maxItems: 100 }))
		},
		{ additionalProperties: false }
	)
]);
export type EvacuationScope = Static<typeof EvacuationScope>;

/** A text that was approved before the day, word for word. */
export const ApprovedMessage = Type.Object({
	key: Type.String(),
	/** Who it is for: people on the site, those on their way, stewards, signs. */
	audience: Type.Union([
		Type.Literal('inside'),
		Type.Literal('coming'),
		Type.Literal('stewards'),
		Type.Literal('signs')
	]),
	text: LocalText
});
export type ApprovedMessage = Static<typeof ApprovedMessage>;

/** Stop and evacuate, in force. */
export const Evacuation = Type.Object({
	id: Type.String(),
	scope: EvacuationScope,
	/** Everything in it, in file order. */
	zones: Type.Array(Type.String()),
	gates: Type.Array(Type.String()),
	reason: Type.String(),
	/** Who carries it: named, and taken over by another person only with a reason. */
	holder: Type.Object({ id: Type.String(), name: Type.String(), since: Type.Integer() }),
	startedAt: Type.Integer(),
	messages: Type.Array(ApprovedMessage),
	/** What scanners in scope do: no check, people are counted out. */
	scanners: Type.Literal('count-out'),
	/** Gates in scope whose steward confirmed, of all. */
	confirmed: Type.Object({ gates: Type.Integer(), of: Type.Integer() })
});
export type Evacuation = Static<typeof Evacuation>;

/** Topic `crowd`, key `evacuation`, and GET /api/v1/evacuation. `version` rises with every start, widening, take-over and end. */
export const EvacuationState = Type.Object({
	version: Type.Integer(),
	active: orNull(Evacuation),
	last: orNull(
		Type.Object({
			id: Type.String(),
			startedAt: Type.Integer(),
			endedAt: Type.Integer(),
			by: Type.String(),
			reason: Type.String()
		})
	),
	mark: Mark
});
export type EvacuationState = Static<typeof EvacuationState>;

/** Body of POST /api/v1/evacuation. While one runs, `expectedVersion` widens it; without it, 409 `somebody_faster`. */
export const EvacuationRequest = Type.Object(
	{
		scope: EvacuationScope,
		reason: boundedText(400, 3),
		expectedVersion: Type.Optional(Type.Integer({ minimum: 0 }))
	},
	{ additionalProperties: false }
);
export type EvacuationRequest = Static<typeof EvacuationRequest>;

/** Body of POST /api/v1/evacuation/stand-down and /take. Entries stay closed afterwards until people open them in steps. */
export const EvacuationChange = Type.Object(
	{ reason: boundedText(400, 3), expectedVersion: Type.Integer({ minimum: 0 }) },
	{ additionalProperties: false }
);
export type EvacuationChange = Static<typeof EvacuationChange>;

/** GET /api/v1/gates. */
export const GatesAnswer = Type.Object({
	gates: Type.Array(Gate),
	proposals: Type.Array(GateProposal),
	evacuation: EvacuationState
});
export type GatesAnswer = Static<typeof GatesAnswer>;

/** GET /api/v1/gates/slots: slots that start soon, or run, where entries are metered, held or closed, with their people. */
export const AffectedSlot = Type.Object({
	slot: Type.Integer(),
	place: Type.String(),
	placeNames: LocalText,
	startsAt: Type.Integer(),
	endsAt: Type.Integer(),
	/** People with a permit, and places. */
	people: Type.Integer(),
	capacity: Type.Integer(),
	/** Share of its bookings that passes just now because of its gates: 0 is none. */
	pace: Type.Number(),
	gates: Type.Array(Type.String())
});
export type AffectedSlot = Static<typeof AffectedSlot>;
export const AffectedSlots = Type.Object({
	slots: Type.Array(AffectedSlot),
	people: Type.Integer(),
	/** There are more than are listed. */
	more: Type.Boolean(),
	at: Type.Integer()
});
export type AffectedSlots = Static<typeof AffectedSlots>;

/**
 * What gates say to the alarms, looked at once a second; `unknown` is never `off`.
 * - `gate-difference`: commanded is not confirmed for too long (value and limit: seconds)
 * - `gate-hold-grows`: half of the hold is gone and the crowd outside grows, or nobody knows (seconds left)
 * - `gate-hold-ends`: four fifths are gone · `gate-hold-over`: all of it
 * - `gate-outside-full`: at this growth the zone outside is full before the hold ends (people then, and what it bears)
 * - `gate-outside-unknown`: a hold, and nothing says how many stand outside
 * - `evacuation`: one is in force, however long; it goes off by standing down alone (seconds since its start)
 * - `evacuation-gates`: gates in scope are not confirmed for too long (gates)
 */
export const gateConditionKeys = [
	'gate-difference',
	'gate-hold-grows',
	'gate-hold-ends',
	'gate-hold-over',
	'gate-outside-full',
	'gate-outside-unknown',
	'evacuation',
	'evacuation-gates'
] as const;
export type GateConditionKey = (typeof gateConditionKeys)[number];
export interface GateCondition {
	key: GateConditionKey;
	/** A gate, or the part `evacuation`. */
	subject: { kind: 'gate' | 'part'; id: string };
	state: 'on' | 'off' | 'unknown';
	/** Since when it is so, as far as it is known. */
	since: number | null;
	value: number | null;
	limit: number | null;
	unit: 'seconds' | 'people' | 'gates';
	quality: Quality;
	mark: Mark;
}
