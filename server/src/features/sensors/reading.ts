import type { RejectReason } from '../../../contract/index.ts';

/** What one message says, in one shape for all adapters. A count that is absent is not 0: it says nothing. */
export interface Reading {
	device: string;
	/** Which of a device's counters; null for a device with one. */
	channel: string | null;
	counts: { in?: number; out?: number; present?: number; density?: number };
	/** True when `in` and `out` are running totals, false when they are what came since the last message. */
	total: boolean;
	/** Identity and order by the device's own count; both or neither. */
	order: { boot: string; seq: number } | null;
	/** The device's clock, epoch ms; never believed, but it tells messages apart. */
	deviceAt: number | null;
	/** When a replayed count was first observed, epoch ms. Only simulated readings carry it. */
	recordedAt: number | null;
	receivedAt: number;
	retained: boolean;
	simulated: boolean;
}

/** What an adapter makes of one message. */
export type Message =
	| { kind: 'reading'; reading: Reading }
	/** The device, or one channel of it, came or went. */
	| { kind: 'state'; device: string; channel: string | null; online: boolean }
	/** The device lives; says nothing about counts. */
	| { kind: 'heartbeat'; device: string }
	/** A message that is none of our business: never parsed, never kept. */
	| { kind: 'ignored' }
	| { kind: 'refused'; device: string; reason: RejectReason };

/** Where and when a message came in. */
export interface Arrival {
	receivedAt: number;
	retained: boolean;
}

/** One vendor's or the product's own format: its topics, its shape, the meaning of its numbers. */
export interface Adapter {
	name: 'own' | 'frigate';
	/** True when a device speaks only when its number changes: a heartbeat then keeps the last value true. */
	onChangeOnly: boolean;
	/** Topic filters for the devices that the site file gives to this adapter. */
	filters(site: string, devices: readonly string[]): string[];
	parse(topic: string, payload: Uint8Array, arrival: Arrival): Message;
	/** The topic that a message sent by HTTP would have had. */
	httpTopic(site: string, device: string, channel: string | undefined): string;
}
