import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull, sentAt } from './dispatch.ts';
import { LocalText, Mark, NumberOrNull } from './quality.ts';

/** What is asked before a spike, in the order in which it is shown. Ids are stable; screens have their words. */
export const readinessChecks = [
	'run',
	'narrowest',
	'levels-drilled',
	'external-limits',
	'slots',
	'keys',
	'scanners',
	'counters',
	'messages',
	'backup',
	'warm',
	'orders',
	'freeze',
	'roster'
] as const;
export type ReadinessCheck = (typeof readinessChecks)[number];

/**
 * `shown`: evidence stands for it. `refuted`: evidence stands against it. `stale`: there was evidence, for something
 * else or long ago. `missing`: there is none. `unknown`: nobody can look. `not-needed`: this spike has nothing of the
 * kind. Only `shown` and `not-needed` are ready.
 */
export const readinessStates = ['shown', 'refuted', 'stale', 'missing', 'unknown', 'not-needed'] as const;
export type ReadinessState = (typeof readinessStates)[number];

/** Why a check is not shown. */
export const readinessReasons = [
	'never',
	'other-build',
	'other-config',
	'other-schema',
	'other-rate',
	'too-old',
	'last-failed',
	'rate-above',
	'not-measured',
	'some-missing',
	'not-signing',
	'key-ends',
	'list-stale',
	'old-lists',
	'silent',
	'counts-differ',
	'not-in-place',
	'not-covered',
	'one-person',
	'no-figures',
	'no-day',
	'not-kept'
] as const;
export type ReadinessReason = (typeof readinessReasons)[number];

export const ReadinessResult = Type.Object({
	check: Type.Enum(readinessChecks),
	state: Type.Enum(readinessStates),
	reason: orNull(Type.Enum(readinessReasons)),
	/** When its evidence was true, epoch ms; null: there is none. */
	at: MomentOrNull,
	/** Who stands behind it, where a person does. */
	by: orNull(Type.String()),
	value: NumberOrNull,
	limit: NumberOrNull,
	/** What is missing or differs: levels, seats and orders by their ids, scanners and devices by name. At most ten. */
	names: Type.Array(Type.String()),
	/** The run that it rests on. */
	run: orNull(Type.String()),
	/** What was written down, word for word. */
	note: orNull(Type.String())
});
export type ReadinessResult = Static<typeof ReadinessResult>;

/** GET /api/v1/readiness: spikes that are not over, the nearest first. */
export const ReadinessAnswer = Type.Object({
	at: Type.Integer(),
	mark: Mark,
	spikes: Type.Array(
		Type.Object({
			id: Type.String(),
			names: LocalText,
			startsAt: MomentOrNull,
			ready: Type.Boolean(),
			checks: Type.Array(ReadinessResult)
		})
	)
});
export type ReadinessAnswer = Static<typeof ReadinessAnswer>;

/** Evidence that lies outside Marsad: where it lies and who says so is written down. */
export const readinessNotes = ['external-limits', 'backup'] as const;
export type ReadinessNoteKind = (typeof readinessNotes)[number];
/** Body of POST /api/v1/readiness/notes. */
export const ReadinessNote = Type.Object(
	{
		kind: Type.Enum(readinessNotes),
		/** What was seen and where it is kept: a letter and its number, the log of a restore. */
		reason: boundedText(400, 10),
		sentAt
	},
	{ additionalProperties: false }
);
export type ReadinessNote = Static<typeof ReadinessNote>;
export const ReadinessNoted = Type.Object({ kind: Type.Enum(readinessNotes), at: Type.Integer() });
