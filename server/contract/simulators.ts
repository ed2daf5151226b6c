import { Type, type Static } from 'typebox';

/** Answer of POST /api/v1/simulators/session (demo and laboratory only): how a simulator on this machine may write. */
export const SimulatorSession = Type.Object({
	site: Type.String(),
	mqttUrl: Type.String(),
	username: Type.String(),
	password: Type.String(),
	/** The site file, so that a simulator knows zones and counters. */
	siteFile: Type.Unknown()
});
export type SimulatorSession = Static<typeof SimulatorSession>;

/** Body of POST /api/v1/simulators/eligibility (demo and laboratory only): how the simulated check behaves from now on. */
export const EligibilitySteering = Type.Object(
	{
		delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
		/** Share of checks that fail, 0 to 1. */
		failShare: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
		/** Beyond so many checks a second it says that it is limited, as 429 would; null: it never does. */
		limitPerSecond: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 100_000 }), Type.Null()])),
		/** How long it then asks to be left alone. */
		retryAfterSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 600 }))
	},
	{ additionalProperties: false }
);
export type EligibilitySteering = Static<typeof EligibilitySteering>;

/** Body of POST /api/v1/simulators/session: a crowd that starts says how many people stand where. */
export const SimulatorSessionRequest = Type.Object(
	{
		present: Type.Optional(
			Type.Record(Type.String({ maxLength: 64 }), Type.Integer({ minimum: 0, maximum: 10_000_000 }))
		)
	},
	{ additionalProperties: false }
);
export type SimulatorSessionRequest = Static<typeof SimulatorSessionRequest>;
