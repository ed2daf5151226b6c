import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull, sentAt } from './dispatch.ts';
import { Drill, DrillGuard } from './level-drills.ts';
import { LevelFigures, LevelNumber, LevelRule, RuleProposal } from './level-rules.ts';
import { LocalText, Mark, NumberOrNull } from './quality.ts';

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

/** Roles that a level may be given to; without a word in the file it is the duty manager's. */
export const levelPressRoles = ['duty-manager', 'on-call-engineer'] as const;

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
		/** When it is put in force, and when it is left, in words. */
		trip: Type.Optional(LocalText),
		restore: Type.Optional(LocalText),
		/** Who may put it in force, confirm it, and leave it. */
		mayPress: Type.Optional(
			Type.Array(Type.Enum(levelPressRoles), { minItems: 1, maxItems: levelPressRoles.length })
		),
		/** In force for longer, and without a planned end, it is a forgotten switch. */
		forgottenAfterMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080 }))
	},
	{ additionalProperties: false }
);
export type LevelEntry = Static<typeof LevelEntry>;

/** What one flag turns off, and what people notice of it. */
export const SwitchEntry = Type.Object(
	{ flag: Type.String({ minLength: 1, maxLength: 60 }), turnsOff: LocalText, notice: LocalText },
	{ additionalProperties: false }
);
export type SwitchEntry = Static<typeof SwitchEntry>;

export const LevelsFile = Type.Object(
	{
		version: Type.Literal(1),
		levels: Type.Array(LevelEntry, { minItems: 5, maxItems: 5 }),
		/** Words about single flags; those that it leaves out are taken from the file that comes with the product. */
		switches: Type.Optional(Type.Array(SwitchEntry, { maxItems: 50 })),
		rules: Type.Array(LevelRule, { maxItems: 50 })
	},
	{ additionalProperties: false }
);
export type LevelsFile = Static<typeof LevelsFile>;

/** Why somebody switches, at one touch; words can stand beside. */
export const levelReasons = {
	'bookings-slow': { ar: 'الحجز بطيء', en: 'Bookings are slow' },
	'losing-ground': { ar: 'الطلبات تتراكم أسرع مما نخدم', en: 'Losing ground' },
	errors: { ar: 'أخطاء', en: 'Errors' },
	database: { ar: 'قاعدة البيانات مثقلة', en: 'The database is overloaded' },
	dependency: { ar: 'تعطّلت خدمة خارجية', en: 'An outside service fails' },
	crowding: { ar: 'ازدحام في الموقع', en: 'Crowding on the site' },
	planned: { ar: 'حسب الخطة', en: 'As planned' },
	recovered: { ar: 'عاد الوضع إلى طبيعته', en: 'Recovered' },
	mistake: { ar: 'تصحيح خطأ', en: 'To correct a mistake' }
} as const satisfies Record<string, LocalText>;
export type LevelReason = keyof typeof levelReasons;
const Chips = Type.Array(Type.Enum(Object.keys(levelReasons) as LevelReason[]), { maxItems: 4 });

/** How the level in force came about. */
export const levelSources = [
	'start',
	'hand',
	/** By one person alone, where two are needed; everybody was paged. */
	'break-glass',
	/** An armed rule. */
	'rule',
	'undo',
	'drill',
	'drill-end'
] as const;
const switchFacts = {
	source: Type.Enum(levelSources),
	chips: Chips,
	/** It is an exercise: marked wherever it shows. */
	exercise: Type.Boolean()
};

/** The level in force. */
export const CurrentLevel = Type.Object({
	level: LevelNumber,
	version: Type.Integer(),
	since: Type.Integer(),
	by: orNull(Type.String()),
	reason: orNull(Type.String()),
	...switchFacts,
	/** The level before. */
	from: orNull(LevelNumber),
	/** Planned end, epoch ms: then a return is proposed, never made by itself. */
	until: MomentOrNull,
	/** {@link ruleKey} of the armed rule that put it in force. */
	rule: orNull(Type.String())
});
export type CurrentLevel = Static<typeof CurrentLevel>;

/** A switch, or a drill, that waits for a second person. */
export const LevelProposal = Type.Object({
	id: Type.String(),
	level: LevelNumber,
	reason: Type.String(),
	by: Type.String(),
	byId: Type.String(),
	at: Type.Integer(),
	expiresAt: Type.Integer(),
	chips: Chips,
	until: MomentOrNull,
	/** It is a drill: for so many minutes, guarded by this. */
	drill: orNull(Type.Object({ minutes: Type.Integer(), guard: DrillGuard })),
	/** The proposal of a rule that was taken with it. */
	ruleProposal: orNull(Type.String())
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
	{ reason: Type.String({ minLength: 3, maxLength: 400 }), sentAt },
	{ additionalProperties: false }
);
export type FlagsRestoreRequest = Static<typeof FlagsRestoreRequest>;

/** Topic `levels`, key `state`, and GET /api/v1/levels. */
export const LevelsState = Type.Object({
	current: CurrentLevel,
	/** What waits for a second person. */
	proposal: orNull(LevelProposal),
	/** What the rules propose, with evidence. */
	ruleProposal: orNull(RuleProposal),
	/** The last switch can be taken back until then, to that level. */
	undo: orNull(Type.Object({ version: Type.Integer(), level: LevelNumber, until: Type.Integer() })),
	/** The exercise that runs. */
	drill: orNull(Drill),
	/** The last drill of each level that was ever tried, with its measured effect. */
	lastDrills: Type.Array(Drill),
	levels: Type.Array(LevelEntry),
	/** Every flag: at which level it goes off (null: at none), what that means, what people notice. */
	switches: Type.Array(Type.Object({ ...SwitchEntry.properties, level: orNull(LevelNumber) })),
	/** The written rules; how they stand is under the key `rules`. */
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
			reason: Type.Union([Type.String(), Type.Null()]),
			version: Type.Integer(),
			...switchFacts
		})
	)
});
export type LevelsState = Static<typeof LevelsState>;

/** Reasons: words, or chips, or both. Words alone need three characters. */
const reasonFields = {
	reason: Type.Optional(Type.String({ maxLength: 400 })),
	chips: Type.Optional(Chips)
};
const Name = boundedText(64);
/** Body of POST /api/v1/levels/current: a switch, the second person's yes to a proposal, or a step back. */
export const LevelRequest = Type.Union([
	Type.Object(
		{
			/** One that the file does not have is 422, not 400. */
			level: Type.Integer({ minimum: 0, maximum: 99 }),
			...reasonFields,
			expectedVersion: Type.Integer({ minimum: 0 }),
			/** Planned end, epoch ms. */
			until: Type.Optional(Type.Integer({ minimum: 0 })),
			/** One person alone, where two are needed: everybody is paged. */
			breakGlass: Type.Optional(Type.Boolean()),
			/** Takes this proposal of a rule. */
			ruleProposal: Type.Optional(Name),
			sentAt
		},
		{ additionalProperties: false }
	),
	Type.Object({ confirm: Name, sentAt }, { additionalProperties: false }),
	Type.Object({ withdraw: Name, sentAt }, { additionalProperties: false }),
	/** Takes back the switch that made this version. */
	Type.Object({ undo: Type.Integer({ minimum: 0 }), sentAt }, { additionalProperties: false })
]);
export type LevelRequest = Static<typeof LevelRequest>;
export type SwitchRequest = Extract<LevelRequest, { level: number }>;

/** Query of GET /api/v1/levels/preview. */
export const LevelPreviewQuery = Type.Object(
	{ level: Type.Integer({ minimum: 0, maximum: 99 }) },
	{ additionalProperties: false }
);
/** What a switch would change, who would notice, and the figures for it. */
export const LevelPreview = Type.Object({
	from: LevelNumber,
	level: LevelNumber,
	expectedVersion: Type.Integer(),
	/** The role that asks may press it; another person must agree. */
	mayPress: Type.Boolean(),
	needsSecondPerson: Type.Boolean(),
	notice: LocalText,
	/** Flags that go off, or come back, with what people notice. */
	goesOff: Type.Array(SwitchEntry),
	comesBack: Type.Array(SwitchEntry),
	rateCapBefore: NumberOrNull,
	rateCapAfter: NumberOrNull,
	protectedFeatures: Type.Array(Type.String()),
	/** Null: nobody knows just now. */
	figures: orNull(LevelFigures),
	/** People at most concerned now: those waiting, called and inside; null: not known. */
	people: NumberOrNull,
	ruleProposal: orNull(RuleProposal),
	lastDrill: orNull(Drill),
	mark: Mark
});
export type LevelPreview = Static<typeof LevelPreview>;
