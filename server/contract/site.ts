import { Type, type Static } from 'typebox';
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

/** The four capacities of a zone; the least of them binds. Numbers are people; signed by the site's competent person. */
export const ZoneCapacity = Type.Object(
	{
		holding: Type.Integer({ minimum: 1 }),
		entryPerHour: Type.Optional(Type.Integer({ minimum: 1 })),
		exitPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
		emergency: Type.Optional(Type.Integer({ minimum: 1 })),
		/** Name of the competent person; in both languages where it is written differently. */
		signedBy: Type.Union([Type.String({ minLength: 1, maxLength: 120 }), LocalText]),
		signedOn: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
	},
	{ additionalProperties: false }
);

/** One predetermined action step: from this share of capacity (percent) on, this is what is done. */
export const ActionStep = Type.Object(
	{ percent: Type.Integer({ minimum: 1, maximum: 200 }), action: LocalText },
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
		zone: Id
	},
	{ additionalProperties: false }
);
const CorridorProperties = Type.Object(
	{ kind: Type.Literal('corridor'), id: Id, name: Type.Optional(LocalText), from: Id, to: Id },
	{ additionalProperties: false }
);
const CounterProperties = Type.Object(
	{
		kind: Type.Literal('counter'),
		id: Id,
		adapter: Type.Union([Type.Literal('own'), Type.Literal('frigate')]),
		/** The device that sends: one device may carry several counters, told apart by `channel`. */
		device: Type.String({ minLength: 1, maxLength: 64 }),
		channel: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
		measures: Type.Union([Type.Literal('crossing'), Type.Literal('present'), Type.Literal('density')]),
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
			timeZone: Type.String({ minLength: 1, maxLength: 60 })
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

/** The predetermined actions used where a zone brings none (percent of capacity). */
export const defaultSteps: readonly ActionStep[] = [
	{ percent: 60, action: { ar: 'راقب المنطقة', en: 'Watch the zone' } },
	{ percent: 75, action: { ar: 'إدخال على دفعات من المنطقة المغذّية', en: 'Meter the feed' } },
	{ percent: 85, action: { ar: 'تحويل القادمين، فريق احتياط جاهز', en: 'Divert, team on stand-by' } },
	{
		percent: 90,
		action: { ar: 'واحد يخرج وواحد يدخل، افتح مسار الخروج', en: 'One in, one out, release route open' }
	},
	{ percent: 95, action: { ar: 'إيقاف التفويج، توجيه فريق', en: 'Hold the feed, dispatch a team' } },
	{ percent: 100, action: { ar: 'أوقف البرنامج', en: 'Stop the programme' } }
];
