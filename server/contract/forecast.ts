import { Type, type Static } from 'typebox';
import { Mark, NumberOrNull, Quality } from './quality.ts';

/** How far a forecast of a press looks, and in which steps. */
export const forecastSeconds = 1_800;
export const forecastStepSeconds = 10;
/** What is kept of it to be judged later: its first minutes. */
export const keptForecastSeconds = 600;

/** GET /api/v1/forecast/press: what would come of this press? */
export const PressForecastQuery = Type.Union([
	Type.Object(
		{ kind: Type.Literal('rate'), perSecond: Type.Number({ minimum: 0, maximum: 100_000 }) },
		{ additionalProperties: false }
	),
	Type.Object(
		{ kind: Type.Literal('level'), level: Type.Integer({ minimum: 0, maximum: 99 }) },
		{ additionalProperties: false }
	)
]);
export type PressForecastQuery = Static<typeof PressForecastQuery>;

/** The room as the model expects it over the next half hour. */
export const RoomOutlook = Type.Object({
	/** When the last person who waits is let in, epoch ms; null: not within the half hour. */
	emptiesAt: NumberOrNull,
	waitingMost: Type.Number(),
	waitingAtEnd: Type.Number(),
	/** How long the oldest has waited at the end, seconds. */
	oldestSecondsAtEnd: Type.Number(),
	/** After each step: people who wait, and people let in a second. */
	waiting: Type.Array(Type.Number()),
	admittedPerSecond: Type.Array(Type.Number())
});
export type RoomOutlook = Static<typeof RoomOutlook>;

/** Why there is no forecast: figures are old or missing, or the room is in a mode in which no rate decides. */
export const NoForecast = Type.Union([
	Type.Literal('no-figures'),
	Type.Literal('mode'),
	Type.Literal('blind')
]);
export type NoForecast = Static<typeof NoForecast>;

/** How far off the last forecasts were. A share is of the most that waited; null: none was judged yet. */
export const ForecastAccuracy = Type.Object({
	judged: Type.Integer(),
	/** Of people waiting, and of people let in a second: the middle of the mean errors. */
	waitingError: NumberOrNull,
	waitingShare: NumberOrNull,
	admittedError: NumberOrNull,
	/** Middle of predicted − actual people waiting: above 0 more were expected than waited. */
	waitingBias: NumberOrNull
});
export type ForecastAccuracy = Static<typeof ForecastAccuracy>;

/** What it rests on. People a second. */
export const ForecastBasis = Type.Object({
	/** As in the last minute; it is taken to stay so. */
	joinedPerSecond: Type.Number(),
	waiting: Type.Integer(),
	/** What booking can take; null: never measured, then it is taken to keep up. */
	capacityPerSecond: NumberOrNull,
	noShow: Type.Number()
});

export const PressForecast = Type.Object({
	at: Type.Integer(),
	stepSeconds: Type.Integer(),
	quality: Quality,
	/** Null where there is a forecast. */
	unknown: Type.Union([NoForecast, Type.Null()]),
	basis: Type.Union([ForecastBasis, Type.Null()]),
	/** Without the press, and with it. */
	before: Type.Union([RoomOutlook, Type.Null()]),
	after: Type.Union([RoomOutlook, Type.Null()]),
	accuracy: ForecastAccuracy,
	mark: Mark
});
export type PressForecast = Static<typeof PressForecast>;

/** What was pressed, or `regular`: nothing was, the forecast is made now and then to be judged. */
export const forecastReasons = ['rate', 'level', 'mode', 'regular'] as const;
export type ForecastReason = (typeof forecastReasons)[number];

/** A forecast that was kept, and how it went; errors null until it is judged, or when nothing could be compared. */
export const KeptForecast = Type.Object({
	at: Type.Integer(),
	reason: Type.Enum(forecastReasons),
	/** Up to here it is judged: another press ends it. */
	until: Type.Integer(),
	stepSeconds: Type.Integer(),
	waiting: Type.Array(Type.Number()),
	admittedPerSecond: Type.Array(Type.Number()),
	judgedAt: NumberOrNull,
	points: Type.Integer(),
	waitingError: NumberOrNull,
	waitingShare: NumberOrNull,
	waitingBias: NumberOrNull,
	admittedError: NumberOrNull
});
export type KeptForecast = Static<typeof KeptForecast>;

/** GET /api/v1/forecast/kept: newest first. */
export const KeptForecasts = Type.Object({
	kept: Type.Array(KeptForecast),
	accuracy: ForecastAccuracy,
	mark: Mark
});
export type KeptForecasts = Static<typeof KeptForecasts>;
