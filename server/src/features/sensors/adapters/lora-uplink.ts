import { createHash } from 'node:crypto';
import { newReading, refusal, type Arrival, type Message, type Reading, type Source } from '../reading.ts';
import { readMapped } from '../mapping.ts';
import { readMilesightFrame, type FrameItem } from './milesight-frames.ts';

/** One frame of a LoRaWAN device as a network server hands it on. */
export interface Uplink {
	/** The frame; null when there was none. */
	bytes: Uint8Array | null;
	/** What the network server's own codec made of it. */
	decoded: unknown;
	/** Session and frame counter; null where older servers leave it out. */
	order: Reading['order'];
	/** The network's clock, epoch ms. */
	at: number | null;
}

const bytesMax = 512;

/** Base64 as network servers write it. @returns null when it is none */
export function readFrame(text: string | undefined): Uint8Array | null {
	if (text === undefined || text === '') return null;
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
	return Buffer.from(text, 'base64');
}

/** A frame is known by session and frame counter, else by its bytes and time; history by the time of its interval. */
export function readUplink(uplink: Uplink, arrival: Arrival, source: Source): Message[] {
	const { device } = source;
	if (source.decoder === null) return readDecoded(uplink, arrival, source);
	if (!uplink.bytes) return [{ kind: 'heartbeat', device }];
	if (uplink.bytes.byteLength > bytesMax) return refusal(device, 'too_large');
	const frame = readMilesightFrame(source.decoder, uplink.bytes);
	if (!frame.ok) return refusal(device, frame.reason);
	const messages = frame.items.map((item) => toMessage(item, uplink, arrival, source));
	if (frame.unread) messages.push(...refusal(device, 'undecodable'));
	return messages.length > 0 ? withoutRepeatedLife(messages) : [{ kind: 'heartbeat', device }];
}

function toMessage(item: FrameItem, uplink: Uplink, arrival: Arrival, { device }: Source): Message {
	if (item === 'alive') return { kind: 'heartbeat', device };
	if ('trouble' in item) return { kind: 'trouble', device, channel: null, trouble: item.trouble };
	const clock = item.at === undefined ? ('network' as const) : ('device' as const);
	const deviceAt = item.at ?? uplink.at;
	const historical = item.historical === true;
	const key = historical ? `history|${item.at}` : uplink.order ? null : frameKey(uplink);
	const reading = newReading(device, item.channel, item.value, arrival, {
		key,
		order: historical ? null : uplink.order,
		deviceAt,
		clock: deviceAt === null ? 'none' : clock,
		historical
	});
	return { kind: 'reading', reading };
}

function readDecoded(uplink: Uplink, arrival: Arrival, source: Source): Message[] {
	const mapped = source.counters.some(({ mapping }) => mapping !== null);
	if (!mapped) return refusal(source.device, 'no_decoder');
	if (uplink.decoded === undefined) return refusal(source.device, 'undecodable');
	return readMapped(uplink.decoded, arrival, source, {
		order: uplink.order,
		key: uplink.order ? null : frameKey(uplink),
		deviceAt: uplink.at,
		clock: uplink.at === null ? 'none' : 'network'
	});
}

function frameKey({ bytes, at }: Uplink): string {
	const hash = createHash('sha256')
		.update(bytes ?? '')
		.digest('base64url');
	return `${hash.slice(0, 22)}|${at ?? ''}`;
}

function withoutRepeatedLife(messages: readonly Message[]): Message[] {
	const others = messages.filter(({ kind }) => kind !== 'heartbeat');
	return others.length < messages.length ? [...others, ...messages.filter(isLife).slice(0, 1)] : others;
}

const isLife = ({ kind }: Message): boolean => kind === 'heartbeat';
