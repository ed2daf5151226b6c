import { Type, type Static } from 'typebox';
import { Moment, orNull } from './dispatch.ts';
import { NumberOrNull } from './quality.ts';
import { RunParameters, runProfiles } from './run-profiles.ts';

/** What the generator of a run says and is told. It shows the run's own token: `Authorization: Bearer …`. */
const Count = Type.Integer({ minimum: 0 });
const Amount = Type.Number({ minimum: 0 });
const Code = Type.String({ minLength: 1, maxLength: 120 });
const counted = Type.Record(Code, Count);

/** Body of POST /api/v1/runs/:id/begin: only the first one may. */
export const RunBegin = Type.Object(
	{
		workers: Type.Integer({ minimum: 1, maximum: 64 }),
		cores: Type.Integer({ minimum: 1, maximum: 4_096 }),
		/** The generator's clock when it asked, epoch ms (its own, not sped up). */
		clockAt: Moment
	},
	{ additionalProperties: false }
);
export type RunBegin = Static<typeof RunBegin>;
/** All that it needs to play the run. */
export const RunBegun = Type.Object({
	id: Type.String(),
	profile: Type.Enum(runProfiles),
	seed: Type.Integer(),
	parameters: RunParameters,
	/** The server's clock at second 0 of the run, and how many times faster than the wall it runs. */
	startedAt: Type.Integer(),
	/** The server's clock as it answers. */
	now: Type.Integer(),
	timeScale: Type.Number(),
	/** People may say who they are (demo, laboratory); elsewhere they come with a browser's key alone. */
	namesPeople: Type.Boolean(),
	beatEveryMs: Type.Integer()
});
export type RunBegun = Static<typeof RunBegun>;

/** One second as the generator saw it: people it let arrive, and answers by the second in which they came. */
export const GeneratorSecond = Type.Object(
	{
		second: Count,
		...{ offered: Count, started: Count, dropped: Count },
		...{ ok: Count, conflict409: Count, refused429: Count, refused503: Count },
		...{ timeout504: Count, faults: Count, unanswered: Count }
	},
	{ additionalProperties: false }
);
export type GeneratorSecond = Static<typeof GeneratorSecond>;

/** Body of POST /api/v1/runs/:id/beat, once a second; silence ends the run as interrupted. */
export const RunBeat = Type.Object(
	{
		second: Amount,
		phase: Type.String({ maxLength: 20 }),
		...{ offered: Count, started: Count, dropped: Count, underWay: Count, booked: Count },
		/** Those that are complete since the last beat. */
		seconds: Type.Array(GeneratorSecond, { maxItems: 120 })
	},
	{ additionalProperties: false }
);
export type RunBeat = Static<typeof RunBeat>;
export const RunBeatAnswer = Type.Object({
	/** True: end at once, somebody stopped it. */
	stop: Type.Boolean()
});

/** How well the generator kept up. */
export const GeneratorLoad = Type.Object(
	{
		...{ workers: Count, cores: Count, offered: Count, started: Count },
		/** Not let loose: too many were under way, or memory ran short. */
		notStarted: Count,
		/** Let loose more than a second late, and the longest delay. */
		...{ startedLate: Count, latestMs: Amount },
		/** Calls that it could not send in time. */
		notSent: Count,
		/** Of all its cores, 0 to 1; and the worst 99th percentile of its event loops. */
		...{ cpuShare: Amount, loopDelayP99Ms: Amount, memoryMb: Amount },
		/** Its clock against the server's, ms; null: could not be told. */
		clockOffMs: NumberOrNull,
		bots: Count,
		botsNotStarted: Count
	},
	{ additionalProperties: false }
);
export type GeneratorLoad = Static<typeof GeneratorLoad>;

/** What became of the people; null where nobody can know. */
export const PeopleOutcomes = Type.Object(
	{
		/** By ending; they add up to those who started. */
		endings: counted,
		/** With more than one permit, or one permit of two people. */
		bookedTwice: NumberOrNull,
		inversions: NumberOrNull,
		/** Refusals for now that did not say when to come back. */
		withoutWord: NumberOrNull,
		botsThrough: NumberOrNull,
		/** From arrival to the pass, and |time told − real wait|, seconds. */
		waits: orNull(Type.Object({ p50: Amount, p95: Amount, most: Amount })),
		told: orNull(Type.Object({ p50: Amount, p95: Amount, inRangeShare: Amount }))
	},
	{ additionalProperties: false }
);
export type PeopleOutcomes = Static<typeof PeopleOutcomes>;

/** Screens that were cut, and how they came back. */
export const SocketsBack = Type.Object(
	{ ...{ sockets: Count, back: Count, handshakesPeak: Count }, backP95Seconds: NumberOrNull },
	{ additionalProperties: false }
);
export type SocketsBack = Static<typeof SocketsBack>;

/** Body of POST /api/v1/runs/:id/end: the last word of the generator. */
export const RunEnd = Type.Object(
	{
		/** It was told to stop, or could not go on. */
		stopped: Type.Boolean(),
		seconds: Type.Array(GeneratorSecond, { maxItems: 120 }),
		generator: GeneratorLoad,
		people: PeopleOutcomes,
		refusals: counted,
		faults: counted,
		sockets: orNull(SocketsBack)
	},
	{ additionalProperties: false }
);
export type RunEnd = Static<typeof RunEnd>;
