import { Type, type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

/**
 * One reading in the product's own format, topic `marsad/{site}/{device}/reading`.
 * `in`/`out` are deltas unless `total` is true. Known by (device, boot, seq), else by (device, ts).
 */
export const OwnReading = Type.Object(
	{
		/** Time by the device's clock: ISO 8601 with offset, or epoch milliseconds. */
		ts: Type.Union([Type.String({ minLength: 10, maxLength: 40 }), Type.Integer({ minimum: 0 })]),
		boot: Type.Optional(
			Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Integer({ minimum: 0 })])
		),
		seq: Type.Optional(Type.Integer({ minimum: 0 })),
		channel: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
		in: Type.Optional(Count),
		out: Type.Optional(Count),
		present: Type.Optional(Count),
		/** People per square metre. */
		density: Type.Optional(Type.Number({ minimum: 0, maximum: 50 })),
		/** Wet-bulb globe temperature, degrees Celsius. */
		wbgtCelsius: Type.Optional(Type.Number({ minimum: -60, maximum: 80 })),
		total: Type.Optional(Type.Boolean()),
		sim: Type.Optional(Type.Boolean()),
		/** When a recorded count was first observed (replay re-stamps `ts`, and keeps the original here). */
		recordedAt: Type.Optional(Type.String({ maxLength: 40 }))
	},
	{ additionalProperties: false }
);
export type OwnReading = Static<typeof OwnReading>;

/** Why a message was not counted. Counted per device, shown to the operator, never in the totals. */
export const rejectReasons = [
	'too_large',
	'bad_utf8',
	'bad_json',
	'bad_xml',
	'bad_shape',
	'bad_number',
	'bad_time',
	/** The frame ends in the middle of a number. */
	'truncated',
	/** A part of the frame that the decoder does not know: what follows cannot be read, and is not zero. */
	'undecodable',
	/** The site file names no decoder, or no mapping, for what this device sends. */
	'no_decoder',
	/** A number that stands for a failed read (-1, FFFF), or that no such device can count. */
	'implausible',
	'unknown_device',
	'unknown_channel',
	'duplicate',
	'late',
	'retained',
	'held_jump',
	'simulated_not_allowed',
	'not_a_count',
	'rate_limited'
] as const;
export type RejectReason = (typeof rejectReasons)[number];
export const RejectReason = Type.Unsafe<RejectReason>(
	Type.Union(rejectReasons.map((reason) => Type.Literal(reason)))
);

/** Why a counter is not to be trusted as it stands; it counts on until a person decides. */
export const CounterHint = Type.Object({
	counter: Type.String(),
	kind: Type.Union([
		/** Only out and never in, or the zone fell far below 0 by it: its directions may be swapped. */
		Type.Literal('direction-suspect'),
		/** The same number above 0 for hours, while others move: a picture that stands still, a phantom. */
		Type.Literal('flat'),
		/** It jumped by more people than can pass; the new level was taken as base without counting them. */
		Type.Literal('re-based'),
		/** A jump or a dip is held: it counts only when the next readings make sense of it. */
		Type.Literal('held')
	]),
	/** Epoch ms. */
	since: Type.Integer()
});
export type CounterHint = Static<typeof CounterHint>;

/** One device as the sensor page shows it. Ages in seconds; null when it was never heard. */
export const SensorState = Type.Object({
	device: Type.String(),
	adapter: Type.String(),
	counters: Type.Array(Type.String()),
	zones: Type.Array(Type.String()),
	state: Type.Union([
		Type.Literal('online'),
		Type.Literal('offline'),
		Type.Literal('stale'),
		Type.Literal('never')
	]),
	/** How many of its counters are heard now; a device that speaks can carry silent ones. */
	heard: Type.Integer(),
	/** When its longest silent counter last spoke, epoch ms; null when none is silent, or that one never spoke. */
	silentSince: Type.Union([Type.Integer(), Type.Null()]),
	/** All its counters count only when they speak (a recorded series): it is not missed while it is silent. */
	optional: Type.Boolean(),
	lastReadingAt: Type.Union([Type.Integer(), Type.Null()]),
	ageSeconds: Type.Union([Type.Number(), Type.Null()]),
	readings: Type.Integer(),
	rejects: Type.Record(Type.String(), Type.Integer()),
	/** Messages that never came, by the gaps in the device's own numbering since it started; 0 where it has none. */
	missed: Type.Integer(),
	/** Device clock minus server clock, milliseconds (median of recent readings); null when unknown. */
	clockOffsetMs: Type.Union([Type.Number(), Type.Null()]),
	/** `skewed` is off by more than 60 s, `bad` sends what can be no time: it counts all the same, by arrival. */
	clock: Type.Union([
		Type.Literal('good'),
		Type.Literal('skewed'),
		Type.Literal('bad'),
		Type.Literal('none')
	]),
	/** What looks wrong with its counters. */
	hints: Type.Array(CounterHint),
	/** What the device itself says, or the broker sees, is wrong with it (short stable words), newest first. */
	troubles: Type.Array(Type.Object({ trouble: Type.String(), at: Type.Integer() })),
	simulated: Type.Boolean(),
	/** People counted in and out: since the device was first heard, or in the period asked for. */
	totals: Type.Object({ in: Type.Integer(), out: Type.Integer() })
});
export type SensorState = Static<typeof SensorState>;

/** Answer of GET /api/v1/sensors. `from` and `to` (epoch ms) restrict `totals` to a period. */
export const SensorsAnswer = Type.Object({
	sensors: Type.Array(SensorState),
	summary: Type.Object({
		devices: Type.Integer(),
		online: Type.Integer(),
		offline: Type.Integer(),
		stale: Type.Integer(),
		never: Type.Integer(),
		readings: Type.Integer(),
		rejected: Type.Integer(),
		/** Names that spoke and that the site file does not know, with how often. */
		unknownDevices: Type.Array(Type.Object({ device: Type.String(), messages: Type.Integer() }))
	})
});
export type SensorsAnswer = Static<typeof SensorsAnswer>;

/** Answer of POST /api/v1/readings/:adapter/:device: how many counts were understood and kept. */
export const ReadingAccepted = Type.Object({
	accepted: Type.Integer(),
	flags: Type.Array(Type.String())
});

/** Body of POST /api/v1/sensors/:device/credential: the secret a device signs in with; only its hash is kept. */
export const CredentialRequest = Type.Object(
	{
		secret: Type.String({ minLength: 24, maxLength: 200 }),
		reason: Type.String({ minLength: 3, maxLength: 400 })
	},
	{ additionalProperties: false }
);
export type CredentialRequest = Static<typeof CredentialRequest>;
