import { Type, type Static } from 'typebox';

/**
 * Rules whose numbers a site may set in its site file (`marsad.alarms`), with how many limits each has, mildest
 * first, and which way is worse. Rules that are not named here have no numbers: gates and orders say themselves when
 * they are on.
 */
export const alarmRules = {
	/** Its limits are the steps of each zone. */
	'zone-step': { limits: 0, worse: 'higher' },
	/** People per square metre: high, critical. */
	'zone-density': { limits: 2, worse: 'higher' },
	/** Its limit is the time that each zone needs to be closed. */
	'zone-fills': { limits: 0, worse: 'lower' },
	/** Share of capacity from which a silent zone matters more: medium, high, critical. */
	'zone-silent': { limits: 3, worse: 'higher' },
	/** So many silent devices of one zone are one alarm of the zone. */
	'zone-partial': { limits: 1, worse: 'higher' },
	'zone-disagrees': { limits: 0, worse: 'higher' },
	'zone-recount': { limits: 0, worse: 'higher' },
	/** WBGT in degrees Celsius: high, critical. */
	'zone-heat': { limits: 2, worse: 'higher' },
	'device-gone': { limits: 0, worse: 'higher' },
	/** Device clock against the server's, seconds. */
	'device-clock': { limits: 1, worse: 'higher' },
	'counter-suspect': { limits: 0, worse: 'higher' },
	/** Refused messages of one device in a minute. */
	'device-refused': { limits: 1, worse: 'higher' },
	/** Milliseconds: high, critical. */
	database: { limits: 2, worse: 'higher' },
	broker: { limits: 0, worse: 'higher' },
	counting: { limits: 0, worse: 'higher' },
	/** Drain ÷ inflow: losing ground, kill line. */
	'work-ratio': { limits: 2, worse: 'lower' },
	/** Seconds. */
	'booking-slow': { limits: 1, worse: 'higher' }
} as const satisfies Record<string, { limits: number; worse: 'higher' | 'lower' }>;
export type AlarmRuleKey = keyof typeof alarmRules;

const Delay = Type.Number({ minimum: 0, maximum: 3_600 });

/** What a site sets of one rule; what it leaves out stays as the house has it. */
export const AlarmRuleSettings = Type.Object(
	{
		/** For how long it must be true without a break before it rings, seconds. */
		onDelaySeconds: Type.Optional(Delay),
		/** For how long it must be gone without a break before it is over, seconds. */
		offDelaySeconds: Type.Optional(Delay),
		/** By how much a value must come back behind a limit, in the unit of the rule. */
		deadband: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
		/** All of the rule's limits, mildest first. */
		limits: Type.Optional(Type.Array(Type.Number({ minimum: 0, maximum: 1_000_000 }), { maxItems: 4 }))
	},
	{ additionalProperties: false }
);
export type AlarmRuleSettings = Static<typeof AlarmRuleSettings>;

/** By rule; names that are no rule are refused by the checker, in words. */
export const AlarmSettings = Type.Record(Type.String({ maxLength: 40 }), AlarmRuleSettings);
export type AlarmSettings = Static<typeof AlarmSettings>;
