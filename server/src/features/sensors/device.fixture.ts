import type { CounterProperties } from '../../../contract/index.ts';
import { newDevice, takeReading, type Device, type Taken } from './device.ts';
import { newReading, type Reading, type Value } from './reading.ts';

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

/** What a message of the own format would say. */
export function reading(
	secondsLater: number,
	counts: { in?: number; out?: number; present?: number; density?: number },
	{ total = false, ...more }: Partial<Reading> & { total?: boolean } = {}
): Reading {
	const receivedAt = startAt + secondsLater * 1_000;
	const value = valueOf(counts, total, more.order?.session ?? null);
	return newReading(
		'door-1',
		null,
		value,
		{ receivedAt, retained: false },
		{ deviceAt: receivedAt, ...more }
	);
}

export function valueOf(
	counts: { in?: number; out?: number; present?: number; density?: number },
	total: boolean,
	epoch: string | null
): Value {
	if (counts.present !== undefined) return { kind: 'present', people: counts.present };
	if (counts.density !== undefined) return { kind: 'density', peoplePerSquareMetre: counts.density };
	const people = { in: counts.in ?? null, out: counts.out ?? null };
	return total
		? { kind: 'total', ...people, epoch, modulus: null }
		: { kind: 'delta', ...people, from: null };
}

export function takeAll(device: Device, readings: readonly Reading[]): Taken[] {
	return readings.map((one) => takeReading(device, one, { simulatedAllowed: true }));
}

export function totalsOf(device: Device): { in: number; out: number } {
	const state = device.counters[0]?.state;
	return { in: state?.totalIn ?? NaN, out: state?.totalOut ?? NaN };
}
