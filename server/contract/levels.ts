import { Type, type Static } from 'typebox';
import { LocalText } from './quality.ts';

/** Features that a level may switch off. Flag on = feature on; the value is the written default. */
export const switchableFlags = {
	images: true,
	recommendations: true,
	'places-left': true,
	analytics: true,
	'fast-polls': true,
	'change-slot': true,
	'slot-search': true,
	history: true,
	'other-messages': true,
	joins: true,
	releases: true,
	booking: true,
	'queue-clocks': true
} as const;
export type Flag = keyof typeof switchableFlags;
export const flagNames = Object.keys(switchableFlags) as Flag[];

/** Flags that nothing obeys yet: what they switch off is not built. Screens say so. */
export const unusedFlags: readonly Flag[] = ['other-messages'];

/** Features no level may touch: the checker refuses a file that names one. */
export const protectedFeatures: readonly string[] = [
	'permit-display',
	'gate-verification',
	'verification',
	'cancel',
	'safety-messages'
];

export const LevelNumber = Type.Integer({ minimum: 0, maximum: 4 });

/** One written level. Levels are cumulative: level 2 switches off what level 1 does, too. */
export const LevelEntry = Type.Object(
	{
		level: LevelNumber,
		name: LocalText,
		owner: LocalText,
		/** What people will notice. */
		notice: LocalText,
		off: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 50 }),
		/** At most so many admissions a second. */
		rateCap: Type.Optional(Type.Number({ minimum: 0 })),
		twoPeople: Type.Boolean(),
		restore: Type.Optional(LocalText)
	},
	{ additionalProperties: false }
);
export type LevelEntry = Static<typeof LevelEntry>;

/** A written rule; rules are read, checked and shown now, and acted on later. */
export const LevelRule = Type.Object(
	{
		signal: Type.Union([
			Type.Literal('booking-p95-ms'),
			Type.Literal('work-ratio'),
			Type.Literal('error-share'),
			Type.Literal('pool-wait-ms')
		]),
		op: Type.Union([Type.Literal('above'), Type.Literal('below')]),
		threshold: Type.Number(),
		forSeconds: Type.Integer({ minimum: 1, maximum: 86400 }),
		clear: Type.Number(),
		clearForSeconds: Type.Integer({ minimum: 1, maximum: 86400 }),
		level: LevelNumber,
		mode: Type.Union([Type.Literal('propose'), Type.Literal('armed')])
	},
	{ additionalProperties: false }
);
export type LevelRule = Static<typeof LevelRule>;

export const LevelsFile = Type.Object(
	{
		version: Type.Literal(1),
		levels: Type.Array(LevelEntry, { minItems: 5, maxItems: 5 }),
		rules: Type.Array(LevelRule, { maxItems: 50 })
	},
	{ additionalProperties: false }
);
export type LevelsFile = Static<typeof LevelsFile>;

/** A switch that waits for a second person. */
export const LevelProposal = Type.Object({
	id: Type.String(),
	level: LevelNumber,
	reason: Type.String(),
	by: Type.String(),
	byId: Type.String(),
	at: Type.Integer(),
	expiresAt: Type.Integer()
});
export type LevelProposal = Static<typeof LevelProposal>;

/** A flag that stands otherwise in Unleash than Marsad has written it there. */
export const FlagDrift = Type.Object({
	flag: Type.String(),
	/** What the level in force says. */
	here: Type.Boolean(),
	/** What Unleash says; null: it has no such flag (any more). */
	there: Type.Union([Type.Boolean(), Type.Null()]),
	/** Since when it was seen. */
	since: Type.Integer(),
	/** It is off here, too: Unleash may switch off what no two people are needed for. */
	acts: Type.Boolean()
});
export type FlagDrift = Static<typeof FlagDrift>;

/** How Unleash stands, which other services follow. */
export const UnleashState = Type.Object({
	/** `refused`: it answers 401 or 403, the token is no good. `unreachable`: its last flags stay. */
	state: Type.Union([
		Type.Literal('not-configured'),
		Type.Literal('in-step'),
		Type.Literal('unreachable'),
		Type.Literal('refused')
	]),
	at: Type.Union([Type.Integer(), Type.Null()]),
	/** All that follows is optional for older servers. */
	drift: Type.Optional(Type.Array(FlagDrift)),
	/** Flags that are still to be written there. */
	pending: Type.Optional(Type.Integer()),
	/** Why they wait, when writing failed. */
	writing: Type.Optional(
		Type.Union([
			Type.Literal('ok'),
			Type.Literal('off'),
			Type.Literal('refused'),
			Type.Literal('unreachable')
		])
	)
});
export type UnleashState = Static<typeof UnleashState>;

/** Body of POST /api/v1/levels/flags/restore: Unleash is told again what Marsad says. */
export const FlagsRestoreRequest = Type.Object(
	{ reason: Type.String({ minLength: 3, maxLength: 400 }) },
	{ additionalProperties: false }
);
export type FlagsRestoreRequest = Static<typeof FlagsRestoreRequest>;

/** Topic `levels`, key `state`, and GET /api/v1/levels. */
export const LevelsState = Type.Object({
	current: Type.Object({
		level: LevelNumber,
		version: Type.Integer(),
		since: Type.Integer(),
		by: Type.Union([Type.String(), Type.Null()]),
		reason: Type.Union([Type.String(), Type.Null()])
	}),
	proposal: Type.Union([LevelProposal, Type.Null()]),
	levels: Type.Array(LevelEntry),
	/** The written rules; they are shown, nothing acts on them yet. */
	rules: Type.Array(LevelRule),
	flags: Type.Record(Type.String(), Type.Boolean()),
	protectedFeatures: Type.Array(Type.String()),
	/** Which version each instance has seen, and since when. */
	instances: Type.Array(
		Type.Object({ id: Type.String(), version: Type.Integer(), level: LevelNumber, at: Type.Integer() })
	),
	unleash: UnleashState,
	/** How this instance hears of switches; `at`: when the stored level was read last. Optional for older servers. */
	follows: Type.Optional(
		Type.Object({
			/** `poll`: notices do not arrive, a switch takes up to a second. `nothing`: the last known level holds. */
			by: Type.Union([Type.Literal('notice'), Type.Literal('poll'), Type.Literal('nothing')]),
			at: Type.Union([Type.Integer(), Type.Null()])
		})
	),
	history: Type.Array(
		Type.Object({
			at: Type.Integer(),
			level: LevelNumber,
			by: Type.Union([Type.String(), Type.Null()]),
			reason: Type.Union([Type.String(), Type.Null()])
		})
	)
});
export type LevelsState = Static<typeof LevelsState>;

/** Body of POST /api/v1/levels/current: a switch, or (with `confirm`) the second person's yes to a proposal. */
export const LevelRequest = Type.Union([
	Type.Object(
		{
			/** One that the file does not have is 422, not 400. */
			level: Type.Integer({ minimum: 0, maximum: 99 }),
			reason: Type.String({ minLength: 3, maxLength: 400 }),
			expectedVersion: Type.Integer({ minimum: 0 })
		},
		{ additionalProperties: false }
	),
	Type.Object({ confirm: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
	Type.Object({ withdraw: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })
]);
export type LevelRequest = Static<typeof LevelRequest>;
