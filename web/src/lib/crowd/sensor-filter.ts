import type { SensorState } from '@marsad/server/contract';
import { clockOffMs } from './sensors.ts';

export const sensorFilters = [
	'all',
	'trouble',
	'online',
	'stale',
	'offline',
	'never',
	'rejects',
	'clock'
] as const;
export type SensorFilter = (typeof sensorFilters)[number];

const rejectsOf = (sensor: SensorState) =>
	Object.values(sensor.rejects).reduce((sum, count) => sum + count, 0);

/** Whether its clock deserves a word. */
export const isClockOff = (sensor: SensorState): boolean =>
	sensor.clock === 'skewed' || sensor.clock === 'bad' || Math.abs(sensor.clockOffsetMs ?? 0) > clockOffMs;

/** Whether anything about a device needs a person. A door that counts only when it speaks is not missed. */
export function hasTrouble(sensor: SensorState): boolean {
	const isMissed = sensor.state !== 'online' && !sensor.optional;
	const isPartlySilent = !sensor.optional && sensor.heard < sensor.counters.length;
	return (
		isMissed || isPartlySilent || isClockOff(sensor) || sensor.hints.length > 0 || sensor.troubles.length > 0
	);
}

function passes(sensor: SensorState, filter: SensorFilter): boolean {
	switch (filter) {
		case 'all':
			return true;
		case 'trouble':
			return hasTrouble(sensor);
		case 'rejects':
			return rejectsOf(sensor) > 0;
		case 'clock':
			return isClockOff(sensor);
		default:
			return sensor.state === filter;
	}
}

/** How many devices each choice would show. */
export function countByFilter(sensors: readonly SensorState[]): Record<SensorFilter, number> {
	return Object.fromEntries(
		sensorFilters.map((filter) => [filter, sensors.filter((each) => passes(each, filter)).length])
	) as Record<SensorFilter, number>;
}

/**
 * The devices that a person asked for, those in trouble first, the longest silent before.
 * @param text found in the device, its counters, its adapter, or the names of its zones
 */
export function filterSensors(
	sensors: readonly SensorState[],
	filter: SensorFilter,
	text: string,
	zoneName: (id: string) => string
): SensorState[] {
	const words = text.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
	const matches = (sensor: SensorState) => {
		const all = [
			sensor.device,
			sensor.adapter,
			...sensor.counters,
			...sensor.zones,
			...sensor.zones.map(zoneName)
		]
			.join(' ')
			.toLocaleLowerCase();
		return words.every((word) => all.includes(word));
	};
	const since = ({ silentSince }: SensorState) => silentSince ?? Infinity;
	return sensors
		.filter((sensor) => passes(sensor, filter) && matches(sensor))
		.sort(
			(a, b) =>
				Number(hasTrouble(b)) - Number(hasTrouble(a)) ||
				Math.sign(since(a) - since(b)) ||
				a.device.localeCompare(b.device, 'en', { numeric: true })
		);
}

/** Rejected readings of one device, most first. */
export function reasonsOf(sensor: SensorState): [reason: string, count: number][] {
	return Object.entries(sensor.rejects)
		.filter(([, count]) => count > 0)
		.sort((a, b) => b[1] - a[1]);
}
