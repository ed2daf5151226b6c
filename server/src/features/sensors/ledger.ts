import type { AdapterName, CounterProperties, RejectReason } from '../../../contract/index.ts';
import {
	breakOnChangeOnly,
	keepAlive,
	newDevice,
	reject,
	resetDevice,
	takeReading,
	takeSession,
	takeState,
	takeTrouble,
	type Counter,
	type Device,
	type Taken
} from './device.ts';
import type { Message } from './reading.ts';
import { countScans, type ScanTotals } from './scan-totals.ts';
import { printRows, type Batch, type Flow, type RetiredCounter } from './sensor-store.ts';

/** A batch, and the devices it came from. */
export type LedgerBatch = Batch & { touched: ReadonlySet<Device> };

const unknownDevicesMax = 200;

/** What came of one message. */
export type Outcome = Pick<Taken, 'accepted' | 'flags' | 'reason'>;

/**
 * All devices of the site in memory: messages are folded here first, and what changed waits for the next commit.
 * Pure: no clock, no store.
 */
export interface Ledger {
	devices: ReadonlyMap<string, Device>;
	counters: ReadonlyMap<string, Counter>;
	/** Counters that left the site file; their people are still counted. */
	retired: readonly RetiredCounter[];
	/** Names that spoke and are not in the site file. */
	unknownDevices: ReadonlyMap<string, number>;
	/** How many messages were folded here: another number, and something may have changed. */
	revision(): number;
	take(message: Message, at: number): Outcome;
	/** Running totals of what was scanned at a gate, for the counter that stands for its scanners. */
	takeScans(counter: string, scans: ScanTotals, at: number): void;
	/** Hands over what changed since the last call, ready to be written. */
	takeBatch(): LedgerBatch | null;
	/** A batch that could not be written waits again, together with what came since. */
	putBack(batch: LedgerBatch): void;
	/** What devices say on change only is unknown until they say it again: we were away, or they were. */
	breakOnChangeOnly(at: number): void;
	setRetired(retired: RetiredCounter[]): void;
	/** Forgets everything, to be loaded again: another instance may have counted meanwhile. */
	reset(): void;
}

export function createLedger(
	countersByDevice: ReadonlyMap<string, readonly CounterProperties[]>,
	options: { simulatedAllowed: boolean; isOnChangeOnly: (adapter: AdapterName) => boolean }
): Ledger {
	const devices = new Map(
		[...countersByDevice].map(([name, counters]) => [
			name,
			newDevice(name, counters, options.isOnChangeOnly(counters[0]?.adapter ?? 'own'))
		])
	);
	const counters = new Map(
		[...devices.values()]
			.flatMap((device) => device.counters)
			.map((counter) => [counter.properties.id, counter])
	);
	const unknownDevices = new Map<string, number>();
	let revision = 0;
	let retired: readonly RetiredCounter[] = [];
	let dirty = emptyDirty();

	const note = (device: Device, taken: Taken, at: number) => {
		for (const moved of taken.moved) addFlow(dirty.flows, device, moved, at);
		if (taken.messageKey !== null) dirty.messageKeys.push({ device: device.name, key: taken.messageKey, at });
	};

	const takeUnknown = (name: string): Outcome => {
		if (unknownDevices.has(name) || unknownDevices.size < unknownDevicesMax)
			unknownDevices.set(name, (unknownDevices.get(name) ?? 0) + 1);
		return refused('unknown_device');
	};

	return {
		devices,
		counters,
		get retired() {
			return retired;
		},
		unknownDevices,
		revision: () => revision,
		take(message, at) {
			revision += 1;
			const name = message.kind === 'reading' ? message.reading.device : message.device;
			const device = devices.get(name);
			if (!device) return takeUnknown(name.slice(0, 64));
			dirty.devices.add(device);
			if (message.kind === 'reading') {
				const taken = takeReading(device, message.reading, options);
				note(device, taken, at);
				return taken;
			}
			if (message.kind === 'refused') {
				reject(device, message.reason);
				return refused(message.reason);
			}
			if (message.kind === 'state') takeState(device, message.channel, message.online, at);
			else {
				if (message.kind === 'session') takeSession(device);
				if (message.kind === 'trouble') takeTrouble(device, message.trouble, at);
				keepAlive(device, at);
			}
			return { accepted: 0, flags: [], reason: null };
		},
		takeScans(id, scans, at) {
			const device = [...devices.values()].find((one) => one.counters.some(isCounter(id)));
			const counter = device?.counters.find(isCounter(id));
			if (!device || !counter) return;
			const moved = countScans(counter, scans);
			if (counter.state.heardAt === scans.heardAt && moved === null) return;
			revision += 1;
			dirty.devices.add(device);
			counter.state.heardAt = scans.heardAt;
			device.lastReadingAt = scans.heardAt;
			device.simulated = scans.simulated;
			if (!moved) return;
			device.readings += 1;
			if (moved.in + moved.out > 0) addFlow(dirty.flows, device, { counter, ...moved }, at);
		},
		takeBatch() {
			if (dirty.devices.size === 0) return null;
			const { devices: touched, flows, messageKeys } = dirty;
			dirty = emptyDirty();
			return {
				touched,
				flows: [...flows.values()].flatMap((ofMinute) => [...ofMinute.values()]),
				messageKeys,
				...printRows([...touched])
			};
		},
		putBack(batch) {
			for (const device of batch.touched) dirty.devices.add(device);
			for (const flow of batch.flows) mergeFlow(dirty.flows, flow);
			dirty.messageKeys.unshift(...batch.messageKeys);
		},
		breakOnChangeOnly(at) {
			for (const device of devices.values()) breakOnChangeOnly(device, at);
		},
		setRetired: (next) => (retired = next),
		reset() {
			for (const device of devices.values()) resetDevice(device);
			dirty = emptyDirty();
		}
	};
}

const isCounter = (id: string) => (counter: Counter) => counter.properties.id === id;

interface Dirty {
	devices: Set<Device>;
	/** By minute and counter. */
	flows: Map<number, Map<string, Flow>>;
	messageKeys: Batch['messageKeys'];
}

const emptyDirty = (): Dirty => ({ devices: new Set(), flows: new Map(), messageKeys: [] });
const refused = (reason: RejectReason): Outcome => ({ accepted: 0, flags: [], reason });

function addFlow(flows: Dirty['flows'], device: Device, moved: Taken['moved'][number], at: number): void {
	const counter = moved.counter.properties.id;
	const minute = Math.floor(at / 60_000) * 60_000;
	const known = flows.get(minute)?.get(counter);
	if (!known) {
		mergeFlow(flows, { device: device.name, counter, minute, in: moved.in, out: moved.out, readings: 1 });
		return;
	}
	known.in += moved.in;
	known.out += moved.out;
	known.readings += 1;
}

function mergeFlow(flows: Dirty['flows'], flow: Flow): void {
	const ofMinute = flows.get(flow.minute) ?? new Map<string, Flow>();
	flows.set(flow.minute, ofMinute);
	const known = ofMinute.get(flow.counter);
	if (!known) {
		ofMinute.set(flow.counter, { ...flow });
		return;
	}
	known.in += flow.in;
	known.out += flow.out;
	known.readings += flow.readings;
}
