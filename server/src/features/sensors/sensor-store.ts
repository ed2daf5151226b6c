import { sql } from 'kysely';
import type { RejectReason } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { isDataFault } from '../../platform/database/faults.ts';
import { newCounterState, type CounterState } from './counter-state.ts';
import { restoreMessageKey, type Device } from './device.ts';
import type { DeviceClock } from './device-clock.ts';
import type { Seen } from './seen.ts';

/** People that one counter brought in one minute, to be added to what is stored. */
export interface Flow {
	device: string;
	counter: string;
	/** Start of the minute, epoch ms. */
	minute: number;
	in: number;
	out: number;
	readings: number;
}

/** All that one flush writes, as it stood when the flush began: later readings must not slip in half. */
export interface Batch {
	/** Rows of `sensor_devices` and `sensor_counters`, as JSON text. */
	deviceRows: string;
	counterRows: string;
	flows: Flow[];
	messageKeys: { device: string; key: string; at: number }[];
}

/** What a counter that left the site file had counted. */
export interface RetiredCounter {
	fromZone: string | null;
	toZone: string | null;
	totalIn: number;
	totalOut: number;
}

/** The state of devices and their counters as text, taken in one moment. */
export function printRows(devices: readonly Device[]): Pick<Batch, 'deviceRows' | 'counterRows'> {
	const deviceRows = devices.map((device) => ({
		device: device.name,
		readings: device.readings,
		rejects: device.rejects,
		online: device.online,
		last_reading_at: device.lastReadingAt === null ? null : new Date(device.lastReadingAt),
		clock: device.clock,
		seen: device.seen,
		simulated: device.simulated
	}));
	const counterRows = devices
		.flatMap((device) => device.counters)
		.map(({ properties, state: { totalIn, totalOut, ...state } }) => ({
			device: properties.device,
			counter: properties.id,
			from_zone: properties.from,
			to_zone: properties.to,
			total_in: totalIn,
			total_out: totalOut,
			state
		}));
	return { deviceRows: JSON.stringify(deviceRows), counterRows: JSON.stringify(counterRows) };
}

/** Writes a batch. One statement a table, rows as one JSON parameter: the batch costs four round trips. */
export async function saveBatch(tx: Tx, site: string, batch: Batch): Promise<void> {
	await saveDevices(tx, site, batch.deviceRows);
	await saveCounters(tx, site, batch.counterRows);
	await addFlows(tx, site, batch.flows);
	if (batch.messageKeys.length > 0) {
		const rows = JSON.stringify(
			batch.messageKeys.map(({ device, at, key }) => ({
				device,
				key,
				at: new Date(at)
			}))
		);
		await sql`insert into sensor_message_keys (site, device, key, at)
			select ${site}, device, key, at from jsonb_to_recordset(${rows}::jsonb) as r(device text, key text, at timestamptz)
			on conflict do nothing`.execute(tx);
	}
}

/**
 * Writes a batch device by device, each under its own savepoint: one device whose state the database refuses for
 * what it holds must not hold up the counting of all the others.
 * @returns devices that were left out; their counts of this batch are lost, and said to be
 */
export async function saveApart(tx: Tx, site: string, batch: Batch): Promise<string[]> {
	const leftOut: string[] = [];
	for (const [device, part] of splitByDevice(batch)) {
		await sql`savepoint one_device`.execute(tx);
		try {
			await saveBatch(tx, site, part);
			await sql`release savepoint one_device`.execute(tx);
		} catch (error) {
			if (!isDataFault(error)) throw error;
			await sql`rollback to savepoint one_device`.execute(tx);
			leftOut.push(device);
		}
	}
	return leftOut;
}

function splitByDevice(batch: Batch): Map<string, Batch> {
	const counterRows = JSON.parse(batch.counterRows) as { device: string }[];
	const parts = new Map<string, Batch>();
	for (const row of JSON.parse(batch.deviceRows) as { device: string }[]) {
		const { device } = row;
		parts.set(device, {
			deviceRows: JSON.stringify([row]),
			counterRows: JSON.stringify(counterRows.filter((counter) => counter.device === device)),
			flows: batch.flows.filter((flow) => flow.device === device),
			messageKeys: batch.messageKeys.filter((key) => key.device === device)
		});
	}
	return parts;
}

async function saveDevices(tx: Tx, site: string, rows: string): Promise<void> {
	await sql`insert into sensor_devices (site, device, readings, rejects, online, last_reading_at, clock, seen, simulated)
		select ${site}, device, readings, rejects, online, last_reading_at, clock, seen, simulated
		from jsonb_to_recordset(${rows}::jsonb) as r(device text, readings bigint, rejects jsonb,
			online boolean, last_reading_at timestamptz, clock jsonb, seen jsonb, simulated boolean)
		on conflict (site, device) do update set readings = excluded.readings, rejects = excluded.rejects,
			online = excluded.online, last_reading_at = excluded.last_reading_at, clock = excluded.clock,
			seen = excluded.seen, simulated = excluded.simulated`.execute(tx);
}

async function saveCounters(tx: Tx, site: string, rows: string): Promise<void> {
	await sql`insert into sensor_counters (site, counter, from_zone, to_zone, total_in, total_out, state)
		select ${site}, counter, from_zone, to_zone, total_in, total_out, state
		from jsonb_to_recordset(${rows}::jsonb) as r(counter text, from_zone text, to_zone text,
			total_in bigint, total_out bigint, state jsonb)
		on conflict (site, counter) do update set from_zone = excluded.from_zone, to_zone = excluded.to_zone,
			total_in = excluded.total_in, total_out = excluded.total_out, state = excluded.state`.execute(tx);
}

async function addFlows(tx: Tx, site: string, flows: readonly Flow[]): Promise<void> {
	if (flows.length === 0) return;
	const rows = flows.map(({ minute, ...flow }) => ({ ...flow, minute: new Date(minute) }));
	await sql`insert into sensor_flows as f (site, device, counter, minute, people_in, people_out, readings)
		select ${site}, device, counter, minute, "in", "out", readings
		from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(device text, counter text, minute timestamptz,
			"in" bigint, "out" bigint, readings integer)
		on conflict (site, counter, minute) do update set people_in = f.people_in + excluded.people_in,
			people_out = f.people_out + excluded.people_out, readings = f.readings + excluded.readings`.execute(tx);
}

/**
 * Fills the devices of the site with what is stored, and returns what counters that are no longer in the file had
 * counted: their people are still inside. Which messages were taken is left out where nothing is counted.
 */
export async function loadDevices(
	db: Db,
	site: string,
	devices: ReadonlyMap<string, Device>,
	{ forCounting }: { forCounting: boolean } = { forCounting: true }
): Promise<RetiredCounter[]> {
	for (const row of await db.selectFrom('sensor_devices').selectAll().where('site', '=', site).execute()) {
		const device = devices.get(row.device);
		if (!device) continue;
		device.readings = row.readings;
		device.rejects = row.rejects as Partial<Record<RejectReason, number>>;
		device.online = row.online;
		device.lastReadingAt = row.last_reading_at?.getTime() ?? null;
		device.clock = row.clock as DeviceClock;
		device.seen = row.seen as Seen;
		device.simulated = row.simulated;
		device.seenTimes = new Map();
		device.seenKeys = new Set();
	}
	if (!forCounting) return loadCounters(db, site, devices);
	const keys = db
		.selectFrom('sensor_message_keys')
		.select(['device', 'key'])
		.where('site', '=', site)
		.orderBy('at');
	for (const { device: name, key } of await keys.execute()) {
		const device = devices.get(name);
		if (device) restoreMessageKey(device, key);
	}
	return loadCounters(db, site, devices);
}

async function loadCounters(
	db: Db,
	site: string,
	devices: ReadonlyMap<string, Device>
): Promise<RetiredCounter[]> {
	const counters = new Map(
		[...devices.values()]
			.flatMap((device) => device.counters)
			.map((counter) => [counter.properties.id, counter])
	);
	const retired: RetiredCounter[] = [];
	for (const row of await db.selectFrom('sensor_counters').selectAll().where('site', '=', site).execute()) {
		const counter = counters.get(row.counter);
		if (counter)
			counter.state = {
				...newCounterState(),
				...(row.state as CounterState),
				totalIn: row.total_in,
				totalOut: row.total_out
			};
		else
			retired.push({
				fromZone: row.from_zone,
				toZone: row.to_zone,
				totalIn: row.total_in,
				totalOut: row.total_out
			});
	}
	return retired;
}

/** People by device that arrived in [from, to), whole minutes. */
export async function sumFlows(
	db: Db,
	site: string,
	period: { from: number; to: number }
): Promise<Map<string, { in: number; out: number }>> {
	const rows = await db
		.selectFrom('sensor_flows')
		.select((eb) => [
			'device',
			eb.fn.sum<number>('people_in').as('in'),
			eb.fn.sum<number>('people_out').as('out')
		])
		.where('site', '=', site)
		.where('minute', '>=', new Date(Math.floor(period.from / 60_000) * 60_000))
		.where('minute', '<', new Date(period.to))
		.groupBy('device')
		.execute();
	return new Map(rows.map((row) => [row.device, { in: Number(row.in), out: Number(row.out) }]));
}

/** The same by counter, for these alone. */
export async function sumCounterFlows(
	db: Db,
	site: string,
	counters: readonly string[],
	period: { from: number; to: number }
): Promise<Map<string, { in: number; out: number }>> {
	if (counters.length === 0) return new Map();
	const rows = await db
		.selectFrom('sensor_flows')
		.select((eb) => [
			'counter',
			eb.fn.sum<number>('people_in').as('in'),
			eb.fn.sum<number>('people_out').as('out')
		])
		.where('site', '=', site)
		.where('counter', 'in', [...counters])
		.where('minute', '>=', new Date(period.from))
		.where('minute', '<', new Date(period.to))
		.groupBy('counter')
		.execute();
	return new Map(rows.map((row) => [row.counter, { in: Number(row.in), out: Number(row.out) }]));
}

/** Deletes message keys and flows older than they are needed; returns how many rows went. */
export async function forgetOld(db: Db, before: { keys: number; flows: number }): Promise<number> {
	const keys = await db
		.deleteFrom('sensor_message_keys')
		.where('at', '<', new Date(before.keys))
		.executeTakeFirst();
	const flows = await db
		.deleteFrom('sensor_flows')
		.where('minute', '<', new Date(before.flows))
		.executeTakeFirst();
	return Number(keys.numDeletedRows) + Number(flows.numDeletedRows);
}
