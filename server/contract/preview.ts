import { Type, type Static } from 'typebox';
import { AdapterName, CounterMapping, DecoderName } from './adapters.ts';
import { LocalText, NumberOrNull } from './quality.ts';
import { RejectReason } from './readings.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/**
 * Body of POST /api/v1/sensors/preview: how would this payload be read? Nothing is stored or counted. With a `device`
 * of the site file its topic, decoder and mapping are used, unless the request brings its own.
 */
export const PreviewRequest = Type.Object(
	{
		adapter: AdapterName,
		device: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
		/** The MQTT topic the payload came on; without one it is read as if it had come by HTTP. */
		topic: Type.Optional(Type.String({ maxLength: 1_000 })),
		/** The channel that a message by HTTP would name. */
		channel: Type.Optional(Type.String({ maxLength: 120 })),
		contentType: Type.Optional(Type.String({ maxLength: 200 })),
		decoder: Type.Optional(DecoderName),
		mapping: Type.Optional(CounterMapping),
		payload: Type.String({ maxLength: 400_000 }),
		encoding: Type.Optional(Type.Union([Type.Literal('text'), Type.Literal('hex'), Type.Literal('base64')]))
	},
	{ additionalProperties: false }
);
export type PreviewRequest = Static<typeof PreviewRequest>;

/** One number as it would be counted. `in` and `out` of deltas and totals, `value` of the other kinds. */
export const PreviewReading = Type.Object({
	kind: Type.Union([
		Type.Literal('delta'),
		Type.Literal('total'),
		Type.Literal('present'),
		Type.Literal('density'),
		Type.Literal('presence'),
		Type.Literal('heat'),
		Type.Literal('reset')
	]),
	channel: TextOrNull,
	in: NumberOrNull,
	out: NumberOrNull,
	/** People, people per square metre, degrees Celsius; 1 and 0 for somebody and nobody. */
	value: NumberOrNull,
	/** Interval of a delta and the time of the number by the device's clock, epoch ms. */
	from: NumberOrNull,
	at: NumberOrNull,
	clock: Type.Union([
		Type.Literal('device'),
		Type.Literal('network'),
		Type.Literal('bad'),
		Type.Literal('none')
	]),
	/** What tells it from others: the vendor's key, or session and sequence. */
	key: TextOrNull,
	sequence: NumberOrNull,
	modulus: NumberOrNull,
	historical: Type.Boolean(),
	doubtful: Type.Boolean(),
	simulated: Type.Boolean(),
	/** The counters of the site file that would take it; empty when the site names none for this channel and kind. */
	counters: Type.Array(Type.String())
});
export type PreviewReading = Static<typeof PreviewReading>;

/** Answer of the preview. Values of the payload come back only where they are counted. */
export const PreviewAnswer = Type.Object({
	readings: Type.Array(PreviewReading),
	/** What the message says besides numbers: device or channel came or went, lives, is in trouble. */
	signs: Type.Array(
		Type.Object({
			kind: Type.Union([
				Type.Literal('online'),
				Type.Literal('offline'),
				Type.Literal('heartbeat'),
				Type.Literal('session'),
				Type.Literal('trouble')
			]),
			channel: TextOrNull,
			trouble: TextOrNull
		})
	),
	refused: Type.Array(Type.Object({ reason: RejectReason })),
	/** The topic is none that this adapter reads: the message is neither parsed nor kept. */
	ignored: Type.Boolean(),
	/** Names of keys that are not read and go no further; never their values. */
	droppedKeys: Type.Array(Type.String()),
	/** For a person: where the text is not what it should be ("line 3: a comment is not JSON"). */
	hint: Type.Union([LocalText, Type.Null()])
});
export type PreviewAnswer = Static<typeof PreviewAnswer>;
