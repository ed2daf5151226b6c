/** MQTT topics of the product's own format (see the interface page): one builder per topic. */
export const topics = {
	/** Readings of one device. */
	reading: (site: string, device: string) => `marsad/${site}/${device}/reading`,
	/** `online` or `offline`, retained, last will. */
	state: (site: string, device: string) => `marsad/${site}/${device}/state`,
	/** Out, retained: occupancy of a zone for signs and other systems. */
	zoneOccupancy: (site: string, zone: string) => `marsad/${site}/zone/${zone}/occupancy`,
	/** Out, retained: state of a gate for signs and other systems. */
	gateState: (site: string, gate: string) => `marsad/${site}/gate/${gate}/state`,
	/** Out, retained: stop and evacuate, for signs, scanners and other systems. */
	evacuation: (site: string) => `marsad/${site}/evacuation`,
	allReadings: (site: string) => `marsad/${site}/+/reading`,
	allStates: (site: string) => `marsad/${site}/+/state`
} as const;

/** Names that topics use themselves and that no device may bear. */
export const reservedDeviceNames: readonly string[] = ['zone', 'gate'];
