import { Type, type Static } from 'typebox';
import { boundedText, Moment, MomentOrNull, orNull, sentAt } from './dispatch.ts';
import { Mark, NumberOrNull, Quality } from './quality.ts';

export const LevelNumber = Type.Integer({ minimum: 0, maximum: 4 });

/** What a rule can look at: milliseconds, a ratio without unit, a share from 0 to 1, milliseconds. */
export const levelSignals = ['booking-p95-ms', 'work-ratio', 'error-share', 'pool-wait-ms'] as const;
export const LevelSignal = Type.Enum(levelSignals);
export type LevelSignal = (typeof levelSignals)[number];

/** A written rule: proposes a level, or, armed, puts it in force by itself. */
export const LevelRule = Type.Object(
	{
		signal: LevelSignal,
		op: Type.Union([Type.Literal('above'), Type.Literal('below')]),
		threshold: Type.Number(),
		forSeconds: Type.Integer({ minimum: 1, maximum: 86400 }),
		clear: Type.Number(),
		clearForSeconds: Type.Integer({ minimum: 1, maximum: 86400 }),
		level: LevelNumber,
		mode: Type.Union([Type.Literal('propose'), Type.Literal('armed')]),
		/** After its proposal was settled in any way it does not propose again for so long. */
		cooldownSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86400 })),
		/** Armed for a level that needs two people: it acts as a break-glass, and everybody is paged. */
		breakGlass: Type.Optional(Type.Boolean())
	},
	{ additionalProperties: false }
);
export type LevelRule = Static<typeof LevelRule>;

/** Names a rule: there is one for each signal and level. */
export const ruleKey = ({ signal, level }: Pick<LevelRule, 'signal' | 'level'>) => `${signal}:${level}`;

/**
 * How a rule stands. `quiet`: on the good side. `pending`: past its threshold, its time runs. `tripped`: its time is
 * full. `clearing`: past its clear value, that time runs. `cleared`: that time is full, too. `no-inflow`: nobody asks,
 * so there is nothing to judge. `blind`: nobody knows. `settling`: another level was put in force just now. `muted`: the
 * level in force has switched off what it looks at. None of the last four is ever a reason to trip or to relax.
 */
export const ruleStates = [
	'quiet',
	'pending',
	'tripped',
	'clearing',
	'cleared',
	'no-inflow',
	'blind',
	'settling',
	'muted'
] as const;
export const RuleState = Type.Object({
	/** {@link ruleKey} */
	rule: Type.String(),
	signal: LevelSignal,
	level: LevelNumber,
	mode: LevelRule.properties.mode,
	state: Type.Enum(ruleStates),
	value: NumberOrNull,
	quality: Quality,
	/** Since when the time now running has been running; null: none is. */
	since: MomentOrNull,
	/** Evidence gathered, and needed: seconds without data do not count, and a longer gap begins anew. */
	heldSeconds: Type.Integer(),
	neededSeconds: Type.Integer(),
	/** It does not propose before then: put off by a person, or cooling down. */
	quietUntil: MomentOrNull
});
export type RuleState = Static<typeof RuleState>;

/** Topic `levels`, key `rules`: every rule as it stands, once a second. */
export const LevelRulesNow = Type.Object({
	at: Type.Integer(),
	rules: Type.Array(RuleState),
	/** Signals nobody knows just now. */
	blind: Type.Array(LevelSignal),
	/** Until then figures are of before the last switch: no rule counts them. */
	settlingUntil: MomentOrNull,
	mark: Mark
});
export type LevelRulesNow = Static<typeof LevelRulesNow>;

/** Why a rule says so: its words, its value, and the series for the chart. */
export const RuleEvidence = Type.Object({
	rule: Type.String(),
	signal: LevelSignal,
	op: LevelRule.properties.op,
	threshold: Type.Number(),
	forSeconds: Type.Integer(),
	clear: Type.Number(),
	clearForSeconds: Type.Integer(),
	/** The newest value, and when it was true. */
	value: NumberOrNull,
	at: Type.Integer(),
	/** Since when it has been past the threshold (up) or the clear value (down). */
	since: MomentOrNull,
	/** Null where nothing was known: a gap, never 0. */
	series: Type.Object({
		stepSeconds: Type.Integer(),
		at: Type.Array(Type.Integer()),
		values: Type.Array(NumberOrNull)
	})
});
export type RuleEvidence = Static<typeof RuleEvidence>;

/** Figures that stand beside a proposal or a switch, with when they were true. */
export const LevelFigures = Type.Object({
	at: Type.Integer(),
	quality: Quality,
	p95Ms: NumberOrNull,
	workRatio: NumberOrNull,
	/** Over the last 60 s. */
	offered: Type.Integer(),
	served: Type.Integer(),
	joined: Type.Integer(),
	admitted: Type.Integer(),
	/** People waiting, called, and inside. */
	depth: Type.Integer(),
	called: Type.Integer(),
	active: Type.Integer(),
	ratePerSecond: Type.Number(),
	pollsPerSecond: Type.Number()
});
export type LevelFigures = Static<typeof LevelFigures>;

export const ruleProposalOutcomes = [
	/** A person switched to it; waits for the second person until then. */
	'taken',
	/** Not now, with a reason. */
	'put-off',
	'expired',
	/** The signal came back to its good side by itself. */
	'cleared',
	/** Another level was put in force meanwhile. */
	'overtaken',
	/** A rule that asks for more took its place. */
	'replaced'
] as const;

/** What the rules propose, with their evidence. One is open at a time; the one that asks for most. */
export const RuleProposal = Type.Object({
	id: Type.String(),
	direction: Type.Union([Type.Literal('up'), Type.Literal('down')]),
	/** `until`: the planned end of the level in force has come. */
	why: Type.Union([Type.Literal('rule'), Type.Literal('until')]),
	/** {@link ruleKey}; null for a planned end. */
	rule: orNull(Type.String()),
	from: LevelNumber,
	level: LevelNumber,
	at: Type.Integer(),
	expiresAt: Type.Integer(),
	/** Good for this version of the level alone. */
	expectedVersion: Type.Integer(),
	/** Up: the rule that tripped. Down: those that held the level. */
	evidence: Type.Array(RuleEvidence),
	figures: orNull(LevelFigures)
});
export type RuleProposal = Static<typeof RuleProposal>;

/** One that is settled, for the list. */
export const SettledProposal = Type.Object({
	...RuleProposal.properties,
	outcome: Type.Enum(ruleProposalOutcomes),
	by: orNull(Type.String()),
	settledAt: Type.Integer(),
	reason: orNull(Type.String()),
	/** Put off until then. */
	quietUntil: MomentOrNull
});
export type SettledProposal = Static<typeof SettledProposal>;

/** GET /api/v1/levels/proposals: newest first. */
export const ProposalsQuery = Type.Object(
	{ before: Type.Optional(Moment), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })) },
	{ additionalProperties: false }
);
export const ProposalsAnswer = Type.Object({
	open: orNull(RuleProposal),
	settled: Type.Array(SettledProposal),
	/** Hand it over as `before` for the next page; null at the end. */
	next: NumberOrNull
});
export type ProposalsAnswer = Static<typeof ProposalsAnswer>;

/** Offered lengths of "not now", minutes. */
export const putOffMinutesOffered = [5, 10, 15, 30] as const;
export const putOffMinutesMax = 60;
/** Body of POST /api/v1/levels/proposals/:id/put-off. Gone meanwhile: 410 `proposal_gone`. */
export const PutOffRequest = Type.Object(
	{
		reason: boundedText(400, 3),
		minutes: Type.Integer({ minimum: 1, maximum: putOffMinutesMax }),
		sentAt
	},
	{ additionalProperties: false }
);
export type PutOffRequest = Static<typeof PutOffRequest>;
