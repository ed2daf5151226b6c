import { Type, type Static } from 'typebox';

/** Formats of devices, one adapter each: the product's own, and vendors' as they are. */
export const adapterNames = [
	'own',
	'generic',
	'frigate',
	'onvif',
	'axis',
	'chirpstack',
	'tts',
	'milesight',
	'xovis',
	'hikvision',
	'irisys',
	'zigbee2mqtt',
	'waltti'
] as const;
export type AdapterName = (typeof adapterNames)[number];
export const AdapterName = Type.Unsafe<AdapterName>(
	Type.Union(adapterNames.map((name) => Type.Literal(name)))
);

/** Byte tables of LoRaWAN devices; `chirpstack` and `tts` carry their frames. */
export const decoderNames = [
	'milesight-vs121',
	'milesight-vs132',
	'milesight-vs133',
	'milesight-vs135',
	'milesight-vs350',
	'milesight-vs351',
	'milesight-vs360'
] as const;
export type DecoderName = (typeof decoderNames)[number];
export const DecoderName = Type.Unsafe<DecoderName>(
	Type.Union(decoderNames.map((name) => Type.Literal(name)))
);

/**
 * Where something stands in a message: a JSON Pointer (RFC 6901). The empty text is the whole message; a step `*`
 * stands for every element of a list or member of an object, and their numbers are added.
 */
const Pointer = Type.String({ pattern: '^(/[^/]*)*$', maxLength: 200 });

/**
 * How the `generic` adapter reads one counter out of a message, and how `chirpstack` and `tts` read what the network
 * server's own codec has decoded. What a number means stands here: it is never guessed.
 */
export const CounterMapping = Type.Object(
	{
		kind: Type.Union([
			Type.Literal('delta'),
			Type.Literal('total'),
			Type.Literal('present'),
			Type.Literal('density'),
			Type.Literal('presence'),
			Type.Literal('heat')
		]),
		/** Of `delta` and `total`: at least one of the two. */
		in: Type.Optional(Pointer),
		out: Type.Optional(Pointer),
		/** Of the other kinds. */
		value: Type.Optional(Pointer),
		/** Only messages in which all of these hold are read for this counter. */
		where: Type.Optional(
			Type.Array(
				Type.Object(
					{
						at: Pointer,
						equals: Type.Union([Type.String({ maxLength: 120 }), Type.Number(), Type.Boolean()])
					},
					{ additionalProperties: false }
				),
				{ maxItems: 8 }
			)
		),
		/** `zero` where the format leaves out what is 0; otherwise what is absent says nothing. */
		absent: Type.Optional(Type.Literal('zero')),
		/** Numbers that stand for a failed read: refused. -1 always does where counts are not signed. */
		failed: Type.Optional(Type.Array(Type.Number(), { maxItems: 8 })),
		/** The device's clock. Local time without an offset is nobody's time. */
		time: Type.Optional(
			Type.Object(
				{
					at: Pointer,
					unit: Type.Union([Type.Literal('iso'), Type.Literal('seconds'), Type.Literal('milliseconds')])
				},
				{ additionalProperties: false }
			)
		),
		/** The start of a delta's interval, written like `time`. */
		from: Type.Optional(Pointer),
		/** What tells one message from another for good: a message id, or several fields together. */
		key: Type.Optional(Type.Array(Pointer, { minItems: 1, maxItems: 6 })),
		/** The device's own count of its messages, and what it runs in (a boot, a recording). */
		sequence: Type.Optional(
			Type.Object({ at: Pointer, session: Type.Optional(Pointer) }, { additionalProperties: false })
		),
		/** What the totals run from: another value is another start. */
		epoch: Type.Optional(Pointer)
	},
	{ additionalProperties: false }
);
export type CounterMapping = Static<typeof CounterMapping>;
