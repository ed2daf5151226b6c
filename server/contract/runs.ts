import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull, sentAt } from './dispatch.ts';
import { Mark, NumberOrNull } from './quality.ts';
import { RunParameters, runProfiles } from './run-profiles.ts';
import { RunReport } from './run-report.ts';

/**
 * How far a run is. `proposed`: a second person must confirm it (production). `ready`: it waits for its generator.
 * `settling`: the load is over, the last seconds are being stored. `finished` is for good; `withdrawn` and `expired`
 * never began.
 */
export const runStates = [
	'proposed',
	'ready',
	'running',
	'settling',
	'finished',
	'withdrawn',
	'expired'
] as const;
/**
 * `invalid`: the generator could not offer what was asked, or something else makes the figures worthless.
 * `interrupted`: generator or server died in the middle. `stopped`: by hand. Only `passed` is green.
 */
export const runVerdicts = ['passed', 'failed', 'invalid', 'interrupted', 'stopped'] as const;
export type RunVerdict = (typeof runVerdicts)[number];

/** `load`: people over the network. `model`: reckoned in virtual time, and no evidence of anything that was built. */
export const runKinds = ['load', 'model'] as const;

/** What a `model` run takes for given. */
export const ModelPremise = Type.Object(
	{
		/** People a second that the service takes. */
		capacityPerSecond: Type.Number({ minimum: 0.1, maximum: 100_000 }),
		/** The admission rate; null: nobody is held back. */
		ratePerSecond: Type.Union([Type.Number({ minimum: 0, maximum: 100_000 }), Type.Null()])
	},
	{ additionalProperties: false }
);
export type ModelPremise = Static<typeof ModelPremise>;

/** The part that gave way first. */
export const Narrowest = Type.Object({
	/**
	 * `queue`: one that each booking leaves something in. `admission`: nothing behind the room gave way, the rate that
	 * was set held people back.
	 */
	part: Type.Enum(['work', 'pool', 'check', 'queue', 'admission']),
	id: Type.String(),
	/** When it began, seconds from the start. */
	second: Type.Number(),
	/** The most that it was measured to take, a second. */
	mostPerSecond: NumberOrNull,
	/** 80 % of that, in people let in a second; null for the admission rate itself: nothing narrower was found. */
	suggestedPerSecond: NumberOrNull
});
export type Narrowest = Static<typeof Narrowest>;

/** What readiness needs of a run; the newest come first in lists. Times are epoch ms. */
export const RunOutcome = Type.Object({
	id: Type.String(),
	kind: Type.Enum(runKinds),
	profile: Type.Enum(runProfiles),
	state: Type.Enum(runStates),
	/** Hashes of what ran: code with its web, and site, levels and settings; and the newest migration. */
	build: Type.String(),
	config: Type.String(),
	schema: Type.String(),
	/** Arrivals a second at the peak, as planned; and the admission rate in force when it began. */
	peakPerSecond: Type.Number(),
	ratePerSecond: NumberOrNull,
	level: Type.Integer(),
	startedAt: MomentOrNull,
	/** When the load ended; null while it runs. */
	finishedAt: MomentOrNull,
	/** Null before it is finished. */
	verdict: orNull(Type.Enum(runVerdicts)),
	/** The first check of validity that failed; null: valid, or not known yet. */
	invalidBy: orNull(Type.String()),
	/** Rules that did not hold. */
	broken: Type.Array(Type.String()),
	narrowest: orNull(Narrowest),
	/** The most that was served a second over ten seconds while nothing behind the room grew. */
	provenPerSecond: NumberOrNull,
	/** Not within the run: null. */
	recoverySeconds: NumberOrNull,
	mark: Mark
});
export type RunOutcome = Static<typeof RunOutcome>;

/** One run as the list shows it. */
export const RunSummary = Type.Object({
	...RunOutcome.properties,
	seed: Type.Integer(),
	parameters: RunParameters,
	model: orNull(ModelPremise),
	reason: Type.String(),
	by: Type.String(),
	byId: Type.String(),
	at: Type.Integer(),
	confirmedBy: orNull(Type.String()),
	/** Until when it may be confirmed, or its generator may begin. */
	expiresAt: MomentOrNull,
	stoppedBy: orNull(Type.String()),
	/** While it runs: the newest word of its generator. */
	progress: orNull(
		Type.Object({
			at: Type.Integer(),
			second: Type.Number(),
			phase: Type.String(),
			offered: Type.Integer(),
			started: Type.Integer(),
			dropped: Type.Integer(),
			underWay: Type.Integer(),
			booked: Type.Integer()
		})
	)
});
export type RunSummary = Static<typeof RunSummary>;

/** Why no run may begin just now. */
export const runRefusals = [
	'another-run',
	'freeze',
	'spike',
	'level-in-force',
	'people-waiting',
	'no-figures'
] as const;
export type RunRefusal = (typeof runRefusals)[number];

/** GET /api/v1/runs: newest first. */
export const RunsAnswer = Type.Object({
	runs: Type.Array(RunSummary),
	/** As of now: a run on another build, schema or configuration is no evidence any more. */
	now: Type.Object({ build: Type.String(), config: Type.String(), schema: Type.String() }),
	/** Production: a second person confirms each run, and its generator is started by hand on another machine. */
	needsSecondPerson: Type.Boolean(),
	refusal: orNull(Type.Enum(runRefusals)),
	mark: Mark
});
export type RunsAnswer = Static<typeof RunsAnswer>;

/** Body of POST /api/v1/runs. 202 where a second person must confirm it. */
export const RunRequest = Type.Object(
	{
		kind: Type.Enum(runKinds),
		profile: Type.Enum(runProfiles),
		/** What differs from the profile's own. */
		parameters: Type.Optional(Type.Partial(RunParameters, { additionalProperties: false })),
		/** The same seed draws the same people at the same moments; drawn by the server when left out. */
		seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
		/** What a `model` run is reckoned against; needed for one. */
		model: Type.Optional(ModelPremise),
		reason: boundedText(400, 3),
		sentAt
	},
	{ additionalProperties: false }
);
export type RunRequest = Static<typeof RunRequest>;
/** Body of POST /api/v1/runs/:id/confirm, /withdraw and /stop. */
export const RunDecision = Type.Object(
	{ reason: Type.Optional(boundedText(400)), sentAt },
	{ additionalProperties: false }
);

/** GET /api/v1/runs/:id: one run, and its report once there is one. */
export const RunDetail = Type.Object({
	run: RunSummary,
	report: orNull(RunReport),
	/** The last finished run of the same profile and kind before it. */
	previous: orNull(Type.Object({ run: RunSummary, report: RunReport })),
	/** How it is played again, and how its generator is started by hand while it is `ready` in production. */
	replay: Type.String(),
	generator: orNull(Type.String())
});
export type RunDetail = Static<typeof RunDetail>;
