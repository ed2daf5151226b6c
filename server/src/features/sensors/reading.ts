import type {
	AdapterName,
	CounterMapping,
	CounterProperties,
	DecoderName,
	RejectReason
} from '../../../contract/index.ts';

/**
 * The number of one reading, and what it means. These are different things and never turn into one another: which it
 * is stands fixed in the adapter or in the site file's mapping. A direction that is null was not reported; 0 was.
 */
export type Value =
	/** People since the report before. `from` is the start of the interval, epoch ms by the device; its end is `deviceAt`. */
	| { kind: 'delta'; in: number | null; out: number | null; from: number | null }
	/**
	 * Running totals of the device. `epoch` names the start they run from, where the device tells: another one is
	 * another start. `modulus` is where the register rolls over, where the format fixes it.
	 */
	| { kind: 'total'; in: number | null; out: number | null; epoch: string | null; modulus: number | null }
	/** People there now. Signed: a device that counts by difference can say fewer than nobody. */
	| { kind: 'present'; people: number }
	| { kind: 'density'; peoplePerSquareMetre: number }
	/** Somebody is there, or a timer says nobody is: never a count. */
	| { kind: 'presence'; occupied: boolean }
	/** Wet-bulb globe temperature. */
	| { kind: 'heat'; wbgtCelsius: number }
	/** The device says that its totals start anew: the next ones are a new start. Channel null: all its counters. */
	| { kind: 'reset' };

export type ReadingKind = Value['kind'];

/**
 * One number of one channel, in one shape for all adapters. One message can hold several; where it holds totals and
 * deltas of the same channel, totals stand first, and counting takes one series only.
 */
export interface Reading {
	device: string;
	/** Which of a device's counters; null for a device with one. */
	channel: string | null;
	value: Value;
	/**
	 * What tells the reading from others of this device, channel and kind, for good: the same again changes nothing.
	 * `key` is the vendor's own (message id, interval); else `order`; else `deviceAt`; with none of them every message
	 * is new.
	 */
	key: string | null;
	/**
	 * Place in the device's own count of messages; a lower `seq` in the same session is late. Another session (boot,
	 * network join) says nothing about totals.
	 */
	order: { session: string; seq: number } | null;
	/** The device's clock, epoch ms; never believed, but it tells messages apart. Of a delta: the end of its interval. */
	deviceAt: number | null;
	/** Whose clock `deviceAt` is; `bad` when what was sent cannot be a time (deviceAt is null then), `none` when nothing was. */
	clock: 'device' | 'network' | 'bad' | 'none';
	/** When a replayed count was first observed, epoch ms. Only simulated readings carry it. */
	recordedAt: number | null;
	receivedAt: number;
	retained: boolean;
	/** The device says it sends what it could not send before: totals hold it already, and it is no news of now. */
	historical: boolean;
	/** The device itself says the number may be wrong: samples missing, blocked, stopped. Counted, and said. */
	doubtful: boolean;
	simulated: boolean;
}

/** What an adapter makes of one thing in a message. */
export type Message =
	| { kind: 'reading'; reading: Reading }
	/** The device, or one channel of it, came or went. A channel that was deleted has gone, too. */
	| { kind: 'state'; device: string; channel: string | null; online: boolean }
	/** The device lives; says nothing about counts. */
	| { kind: 'heartbeat'; device: string }
	/** The device's numbering of messages starts anew (a network join): lower numbers that follow are not late. */
	| { kind: 'session'; device: string }
	/** The device lives and says that something is wrong with it; `trouble` is a short stable word. */
	| { kind: 'trouble'; device: string; channel: string | null; trouble: string }
	| { kind: 'refused'; device: string; reason: RejectReason };

/** Where and when a message came in. */
export interface Arrival {
	receivedAt: number;
	retained: boolean;
	/** Of a message by HTTP. */
	contentType?: string | undefined;
	/** Told the names of keys that are not read; only somebody who looks at a payload wants to know. */
	onDropped?: ((key: string) => void) | undefined;
}

/** What the site file says about the device that a message is from. */
export interface Source {
	device: string;
	/** The byte table of its frames. */
	decoder: DecoderName | null;
	counters: readonly {
		channel: string | null;
		measures: CounterProperties['measures'];
		mapping: CounterMapping | null;
	}[];
}

/** One vendor's or the product's own format: its topics, its shape, the meaning of its numbers. */
export interface Adapter {
	name: AdapterName;
	/** True when a device speaks only when its number changes: a heartbeat then keeps the last value true. */
	onChangeOnly: boolean;
	/** Topic filters of a device for which the site file claims none; none where the format has no topics of its own. */
	topics(site: string, device: string): string[];
	/** One filter for all devices of the site, instead of one for each; the device then stands in the topic. */
	topicsOfAll?(site: string): string[];
	/** What a device may publish beside that: everything its software sends, read here or not. */
	mayPublish(site: string, device: string): string[];
	/** What one machine publishes that speaks for all devices of this adapter; it signs in with the adapter's name. */
	bridgeTopics?: readonly string[];
	/** Never throws, whatever the bytes. Nothing in the list: none of our business, neither read further nor kept. */
	parse(topic: string, payload: Uint8Array, arrival: Arrival, source: Source): Message[];
	/** The topic that a message sent by HTTP would have had; empty where the format needs none. */
	httpTopic(site: string, device: string, channel: string | undefined): string;
}

export function refusal(device: string, reason: RejectReason): Message[] {
	return [{ kind: 'refused', device, reason }];
}

/**
 * Whether a message is an old one that a broker kept. Its own time says so better than the mark of the broker: some
 * deliver live messages with it, too.
 */
export function isOldRetained({ retained, receivedAt }: Arrival, deviceAt: number | null): boolean {
	return retained && !(deviceAt !== null && Math.abs(receivedAt - deviceAt) <= retainedFreshMs);
}

const retainedFreshMs = 30_000;

/** A reading of which the adapter says only what its format has. */
export function newReading(
	device: string,
	channel: string | null,
	value: Value,
	arrival: Pick<Arrival, 'receivedAt' | 'retained'>,
	more: Partial<Reading> = {}
): Reading {
	const deviceAt = more.deviceAt ?? null;
	return {
		device,
		channel,
		value,
		key: null,
		order: null,
		deviceAt,
		clock: deviceAt === null ? 'none' : 'device',
		recordedAt: null,
		receivedAt: arrival.receivedAt,
		retained: arrival.retained,
		historical: false,
		doubtful: false,
		simulated: false,
		...more
	};
}
