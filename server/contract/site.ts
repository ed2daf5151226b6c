import { Type, type Static } from 'typebox';
import { AdapterName, CounterMapping, DecoderName } from './adapters.ts';
import { AlarmSettings } from './alarm-rules.ts';
import { prayerMethods } from './calendar/prayer.ts';
import { LocalText } from './quality.ts';

/** Identifier of a site, zone, gate, counter or device: safe in topics, URLs and file names. */
export const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });
export type Id = Static<typeof Id>;

const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 3 });
const PolygonGeometry = Type.Object({
	type: Type.Literal('Polygon'),
	coordinates: Type.Array(Type.Array(Position, { minItems: 4, maxItems: 500 }), { minItems: 1, maxItems: 20 })
});
const PointGeometry = Type.Object({ type: Type.Literal('Point'), coordinates: Position });
const LineGeometry = Type.Object({
	type: Type.Literal('LineString'),
	coordinates: Type.Array(Position, { minItems: 2, maxItems: 500 })
});

/** What a zone is used for: decides which level-of-service table applies. */
export const ZoneUse = Type.Union([
	Type.Literal('walkway'),
	Type.Literal('queue'),
	Type.Literal('stairs'),
	Type.Literal('open')
]);
export type ZoneUse = Static<typeof ZoneUse>;

/** The four capacities of a zone; the least of them binds. Numbers are people; signed by the site's competent person. */
export const ZoneCapacity = Type.Object(
	{
		holding: Type.Integer({ minimum: 1 }),
		entryPerHour: Type.Optional(Type.Integer({ minimum: 1 })),
		exitPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
		/** Within how many minutes everybody must be able to leave; 8 where nothing is said. Times `exitPerMinute`: the exit capacity. */
		exitMinutes: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 60 })),
		emergency: Type.Optional(Type.Integer({ minimum: 1 })),
		/** Name of the competent person; in both languages where it is written differently. */
		signedBy: Type.Union([Type.String({ minLength: 1, maxLength: 120 }), LocalText]),
		signedOn: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
	},
	{ additionalProperties: false }
);

/** What a step asks of people. Physical steps are proposed to a person, never done by the system. */
export const StepAsk = Type.Union([
	Type.Literal('watch'),
	Type.Literal('meter'),
	Type.Literal('divert'),
	Type.Literal('one-in-one-out'),
	Type.Literal('hold'),
	Type.Literal('dispatch'),
	Type.Literal('stop')
]);
export type StepAsk = Static<typeof StepAsk>;

/**
 * One predetermined action step. It is reached by the share of capacity, or by the density, or by the time to
 * capacity, whichever comes first; a step without the last two goes by the share alone.
 */
export const ActionStep = Type.Object(
	{
		/** Share of capacity, per cent. */
		percent: Type.Integer({ minimum: 1, maximum: 200 }),
		/** People per square metre from which on the step is reached, too. */
		density: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 20 })),
		/** Reached, too, once the zone may be full within so many seconds. */
		timeToCapacitySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
		action: LocalText,
		/** Who does it. */
		who: Type.Optional(LocalText),
		asks: Type.Optional(StepAsk)
	},
	{ additionalProperties: false }
);
export type ActionStep = Static<typeof ActionStep>;

const ZoneProperties = Type.Object(
	{
		kind: Type.Literal('zone'),
		id: Id,
		name: LocalText,
		use: ZoneUse,
		capacity: ZoneCapacity,
		areaSquareMetres: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
		feeds: Type.Optional(Type.Array(Id, { maxItems: 40 })),
		/** Zones and corridors whose people are committed to enter this one: nothing on their way turns them round. */
		approach: Type.Optional(Type.Array(Id, { maxItems: 40 })),
		/** How long it takes to close what feeds it, from the decision to the last person in; 120 where nothing is said. */
		closeSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })),
		/** Once a day, at this time of the site, the zone is known to hold so many people: counting starts there anew. */
		anchor: Type.Optional(
			Type.Object(
				{
					at: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
					present: Type.Integer({ minimum: 0, maximum: 10_000_000 })
				},
				{ additionalProperties: false }
			)
		),
		/** Under the sky: heat counts here. */
		openAir: Type.Optional(Type.Boolean()),
		/** Gates and corridors of its exit routes: kept free from the first step on. */
		release: Type.Optional(Type.Array(Id, { maxItems: 40 })),
		steps: Type.Optional(Type.Array(ActionStep, { maxItems: 12 })),
		floor: Type.Optional(Type.Integer()),
		sourcePolicy: Type.Optional(Type.Union([Type.Literal('sum'), Type.Literal('max')]))
	},
	{ additionalProperties: false }
);
const GateProperties = Type.Object(
	{
		kind: Type.Literal('gate'),
		id: Id,
		name: LocalText,
		lanes: Type.Integer({ minimum: 1, maximum: 200 }),
		direction: Type.Union([Type.Literal('in'), Type.Literal('out')]),
		zone: Id,
		/** The zone in front of it, where the crowd waits while it is held. */
		outside: Type.Optional(Id),
		/** The longest a hold may last; 600 where nothing is said. */
		holdSecondsMax: Type.Optional(Type.Integer({ minimum: 10, maximum: 14_400 })),
		/** The counter that its scanners feed: what was scanned at the gate is its count. */
		scans: Type.Optional(Id),
		/** Counters at its doors. Either these have authority or `scans` has: a boundary has one. */
		counters: Type.Optional(Type.Array(Id, { maxItems: 200 })),
		/** In how many steps it opens again after a hold; 3 where nothing is said. */
		reopenSteps: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 }))
	},
	{ additionalProperties: false }
);
const CorridorProperties = Type.Object(
	{
		kind: Type.Literal('corridor'),
		id: Id,
		name: Type.Optional(LocalText),
		from: Id,
		to: Id,
		/** As walked; measured on the drawing where nothing is said. */
		lengthMetres: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
		/** At its narrowest. */
		widthMetres: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 })),
		/** A wheelchair can take it. */
		stepFree: Type.Optional(Type.Boolean())
	},
	{ additionalProperties: false }
);
const CounterProperties = Type.Object(
	{
		kind: Type.Literal('counter'),
		id: Id,
		adapter: AdapterName,
		/** The device that sends: one device may carry several counters, told apart by `channel`. */
		device: Type.String({ minLength: 1, maxLength: 64 }),
		channel: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
		/** Cameras behind it, as they name themselves: when one of them says it is gone, the count is known no more. */
		cameras: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 120 }), { maxItems: 40 })),
		/** Topic pattern it claims, with `+` for one level, where the adapter's own topics are free text. */
		topic: Type.Optional(Type.String({ minLength: 1, maxLength: 250 })),
		/** Byte table of a LoRaWAN device behind `chirpstack` or `tts`. */
		decoder: Type.Optional(DecoderName),
		/** Where its number stands in a message (`generic`, and decoded LoRaWAN payloads). */
		mapping: Type.Optional(CounterMapping),
		/** Which series decides where a device sends both running totals and counts of a period; the other is a check. */
		series: Type.Optional(Type.Union([Type.Literal('total'), Type.Literal('period')])),
		/** Calibration: counted people are taken times this, 1.05 where five in a hundred are missed. */
		factor: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2 })),
		measures: Type.Union([
			Type.Literal('crossing'),
			Type.Literal('present'),
			Type.Literal('density'),
			/** Somebody is there or not: never a count, a check only. */
			Type.Literal('presence'),
			/** Wet-bulb globe temperature of the zone, degrees Celsius. */
			Type.Literal('heat')
		]),
		/** A crossing joins two zones (`in` moves people from `from` to `to`); null is outside the site. */
		from: Type.Union([Id, Type.Null()]),
		to: Type.Union([Id, Type.Null()]),
		periodSeconds: Type.Number({ exclusiveMinimum: 0, maximum: 86400 }),
		/** Whether this counter decides occupancy; the others are checks. */
		authority: Type.Boolean(),
		/** The most people that can pass it in a second: a bigger jump is held and flagged. */
		peoplePerSecondMax: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
		/** Where a running total rolls over (65536 for a 16-bit register). */
		modulus: Type.Optional(Type.Integer({ minimum: 2 })),
		/** Counts when it speaks and is not missed while it is silent: a hand tally, a recorded series. */
		optional: Type.Optional(Type.Boolean())
	},
	{ additionalProperties: false }
);
const PlaceProperties = Type.Object(
	{
		kind: Type.Literal('place'),
		id: Id,
		name: LocalText,
		zones: Type.Array(Id, { maxItems: 100 }),
		gates: Type.Array(Id, { maxItems: 100 })
	},
	{ additionalProperties: false }
);

const feature = <
	P extends Parameters<typeof Type.Object>[0][string],
	G extends Parameters<typeof Type.Object>[0][string]
>(
	properties: P,
	geometry: G
) => Type.Object({ type: Type.Literal('Feature'), properties, geometry });

/** The site file: a GeoJSON FeatureCollection with a `marsad` member. See docs for an example. */
export const SiteFile = Type.Object({
	type: Type.Literal('FeatureCollection'),
	marsad: Type.Object(
		{
			version: Type.Literal(1),
			site: Id,
			name: LocalText,
			timeZone: Type.String({ minLength: 1, maxLength: 60 }),
			/** Delays, deadbands and limits of alarms, where the site wants others than the house. */
			alarms: Type.Optional(AlarmSettings),
			/** How prayer times are reckoned: by Umm al-Qura in the middle of the site where nothing is said. */
			prayer: Type.Optional(
				Type.Object(
					{
						method: Type.Optional(Type.Enum(prayerMethods)),
						/** When the afternoon prayer begins. */
						asr: Type.Optional(Type.Union([Type.Literal('shafi'), Type.Literal('hanafi')])),
						/** Where the sun is looked at, degrees: longitude, latitude. */
						at: Type.Optional(
							Type.Tuple([
								Type.Number({ minimum: -180, maximum: 180 }),
								Type.Number({ minimum: -90, maximum: 90 })
							])
						)
					},
					{ additionalProperties: false }
				)
			)
		},
		{ additionalProperties: false }
	),
	features: Type.Array(
		Type.Union([
			feature(ZoneProperties, PolygonGeometry),
			feature(GateProperties, PointGeometry),
			feature(CorridorProperties, LineGeometry),
			feature(CounterProperties, PointGeometry),
			feature(PlaceProperties, Type.Union([PointGeometry, PolygonGeometry]))
		]),
		{ minItems: 1, maxItems: 5000 }
	)
});
export type SiteFile = Static<typeof SiteFile>;
export type ZoneProperties = Static<typeof ZoneProperties>;
export type GateProperties = Static<typeof GateProperties>;
export type CorridorProperties = Static<typeof CorridorProperties>;
export type CounterProperties = Static<typeof CounterProperties>;
export type PlaceProperties = Static<typeof PlaceProperties>;

/** The predetermined actions used where a zone brings none. Densities are for standing crowds under the sky. */
export const defaultSteps: readonly ActionStep[] = [
	{
		percent: 60,
		density: 2,
		action: { ar: 'راقب المنطقة', en: 'Watch the zone' },
		who: { ar: 'غرفة التحكم', en: 'Control room' },
		asks: 'watch'
	},
	{
		percent: 75,
		density: 3,
		timeToCapacitySeconds: 600,
		action: { ar: 'إدخال على دفعات من المنطقة المغذّية', en: 'Meter the feed' },
		who: { ar: 'مشرف المنطقة المغذّية', en: 'Supervisor of the feeding zone' },
		asks: 'meter'
	},
	{
		percent: 85,
		density: 3.5,
		timeToCapacitySeconds: 420,
		action: { ar: 'تحويل القادمين، فريق احتياط جاهز', en: 'Divert, team on stand-by' },
		who: { ar: 'مشرفو المسارات والفريق الاحتياطي', en: 'Route stewards and the stand-by team' },
		asks: 'divert'
	},
	{
		percent: 90,
		density: 4,
		timeToCapacitySeconds: 240,
		action: { ar: 'واحد يخرج وواحد يدخل، افتح مسار الخروج', en: 'One in, one out, release route open' },
		who: { ar: 'مشرفو البوابات', en: 'Gate stewards' },
		asks: 'one-in-one-out'
	},
	{
		percent: 95,
		density: 4.5,
		timeToCapacitySeconds: 120,
		action: { ar: 'إيقاف التفويج، توجيه فريق', en: 'Hold the feed, dispatch a team' },
		who: { ar: 'مشرفو البوابات وفريق الميدان', en: 'Gate stewards and a field team' },
		asks: 'hold'
	},
	{
		percent: 100,
		density: 5,
		action: { ar: 'أوقف البرنامج', en: 'Stop the programme' },
		who: { ar: 'المدير المناوب', en: 'Duty manager' },
		asks: 'stop'
	}
];

/** A moving crowd is critical at a density that a standing one bears: one person per square metre less. */
const movingSteps: readonly ActionStep[] = defaultSteps.map((step) => ({
	...step,
	density: (step.density ?? 6) - 1
}));

/** The predetermined actions of a zone that brings none. */
export function defaultStepsOf(use: ZoneUse): readonly ActionStep[] {
	return use === 'walkway' || use === 'stairs' ? movingSteps : defaultSteps;
}
