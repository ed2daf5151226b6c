import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull, sentAt } from './dispatch.ts';
import { LevelNumber } from './level-rules.ts';
import { NumberOrNull } from './quality.ts';

/** A drill ends by itself after so many minutes at the latest. */
export const drillMinutesOffered = [2, 5, 10, 15] as const;
export const drillMinutesMax = 60;

/** Beyond these, or when nobody can see, a drill does not begin, and ends at once. */
export const DrillGuard = Type.Object(
	{
		p95MsMax: Type.Number({ minimum: 1, maximum: 600_000 }),
		workRatioMin: Type.Number({ minimum: 0, maximum: 1 }),
		/** People waiting; null: any number. */
		depthMax: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])
	},
	{ additionalProperties: false }
);
export type DrillGuard = Static<typeof DrillGuard>;
export const defaultDrillGuard: DrillGuard = { p95MsMax: 2_000, workRatioMin: 0.8, depthMax: null };

/** What is measured before and during a drill, each as the mean over its time. */
export const drillFigures = [
	'joinedPerSecond',
	'admittedPerSecond',
	'offeredPerSecond',
	'servedPerSecond',
	'workRatio',
	'p95Ms',
	'depth',
	'refusedPerSecond',
	'pollsPerSecond',
	'poolInUse',
	'loopP99Ms'
] as const;
export const DrillEffect = Type.Object({
	/** Spans that were measured, epoch ms; `during` leaves out the first minute, whose windows are of before. */
	before: Type.Object({ from: Type.Integer(), to: Type.Integer() }),
	during: Type.Object({ from: Type.Integer(), to: Type.Integer() }),
	/** Null: nothing was known, which is no zero. */
	figures: Type.Array(
		Type.Object({ name: Type.Enum(drillFigures), before: NumberOrNull, during: NumberOrNull })
	)
});
export type DrillEffect = Static<typeof DrillEffect>;

export const drillOutcomes = [
	'completed',
	/** Ended by hand. */
	'ended',
	/** The guard ended it: a figure went beyond it. */
	'guard',
	/** Nobody could see any more. */
	'blind',
	/** A real switch won. */
	'overruled'
] as const;
/** A level run as an exercise. It acts in full, and is marked wherever it shows. */
export const Drill = Type.Object({
	id: Type.String(),
	level: LevelNumber,
	/** The level to which it returns. */
	from: LevelNumber,
	startedAt: Type.Integer(),
	endsAt: Type.Integer(),
	by: Type.String(),
	reason: Type.String(),
	guard: DrillGuard,
	/** Null while it runs. */
	endedAt: MomentOrNull,
	outcome: orNull(Type.Enum(drillOutcomes)),
	/** Why it ended early, in a word: the figure of the guard, or the person. */
	endedBy: orNull(Type.String()),
	/** Null: not measured (it was too short, or nobody could see). */
	effect: orNull(DrillEffect)
});
export type Drill = Static<typeof Drill>;

/** Body of POST /api/v1/levels/drills. 202 for a level that needs two people: confirmed like a switch. */
export const DrillRequest = Type.Object(
	{
		level: Type.Integer({ minimum: 0, maximum: 99 }),
		minutes: Type.Integer({ minimum: 1, maximum: drillMinutesMax }),
		reason: boundedText(400, 3),
		guard: Type.Optional(Type.Partial(DrillGuard, { additionalProperties: false })),
		expectedVersion: Type.Integer({ minimum: 0 }),
		sentAt
	},
	{ additionalProperties: false }
);
export type DrillRequest = Static<typeof DrillRequest>;

/** Body of POST /api/v1/levels/drills/:id/end. */
export const EndDrillRequest = Type.Object(
	{ reason: boundedText(400, 3), sentAt },
	{ additionalProperties: false }
);
export type EndDrillRequest = Static<typeof EndDrillRequest>;

/** GET /api/v1/levels/drills: newest first. */
export const DrillsAnswer = Type.Object({ drills: Type.Array(Drill) });
export type DrillsAnswer = Static<typeof DrillsAnswer>;
