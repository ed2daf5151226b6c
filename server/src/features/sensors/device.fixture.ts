import type { CounterProperties } from '../../../contract/index.ts';
import { newDevice, takeReading, type Device, type Taken } from './device.ts';
import type { Reading } from './reading.ts';

export const startAt = Date.UTC(2026, 2, 1, 10);

/** A device with one counter, 5 s, at most 10 people a second, into the hall. */
export function oneCounter(more: Partial<CounterProperties> = {}): Device {
	const properties: CounterProperties = {
		kind: 'counter',
		id: 'door-1',
		adapter: 'own',
		device: 'door-1',
		measures: 'crossing',
		from: null,
		to: 'hall',
		periodSeconds: 5,
		authority: true,
		peoplePerSecondMax: 10,
		...more
	};
	return newDevice('door-1', [properties], properties.adapter === 'frigate');
}

export function reading(
	secondsLater: number,
	counts: Reading['counts'],
	more: Partial<Reading> = {}
): Reading {
	const receivedAt = startAt + secondsLater * 1_000;
	return {
		device: 'door-1',
		channel: null,
		counts,
		total: false,
		order: null,
		deviceAt: receivedAt,
		recordedAt: null,
		receivedAt,
		retained: false,
		simulated: false,
		...more
	};
}

export function takeAll(device: Device, readings: readonly Reading[]): Taken[] {
	return readings.map((one) => takeReading(device, one, { simulatedAllowed: true }));
}

export function totalsOf(device: Device): { in: number; out: number } {
	const state = device.counters[0]?.state;
	return { in: state?.totalIn ?? NaN, out: state?.totalOut ?? NaN };
}
