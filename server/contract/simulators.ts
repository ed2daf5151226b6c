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
