import type { DecoderName, RejectReason } from '../../../../contract/index.ts';
import type { Value } from '../reading.ts';

/** One thing that a frame says. Times are epoch ms. */
export type FrameItem =
	| { value: Value; channel: string | null; at?: number; historical?: true }
	| { trouble: string }
	/** Battery, versions, dwell times, settings: signs of life, no counts. */
	| 'alive';

/** `unread`: an unknown pair ended the reading; what stands before it is whole. */
export type Frame = { ok: true; items: FrameItem[]; unread: boolean } | { ok: false; reason: RejectReason };

/** One channel of a frame: how many bytes follow its two, and what they say. */
interface Field {
	bytes: number | ((bytes: DataView) => number);
	read(bytes: DataView): FrameItem[];
	/** The time of all numbers of the frame. */
	time?: (bytes: DataView) => number;
}
type Table = Readonly<Record<string, Field>>;

const u16Wide = 65_536;
const u32Wide = 4_294_967_296;
/** A counter of people never stands at its last number in one period: it is a failed read. */
const failedU16 = 0xffff;

/**
 * Milesight's counters on LoRaWAN (port 85): pairs of channel and type, then little-endian numbers of a length that
 * only the table knows. An unknown pair therefore ends the reading: what stands behind it is not zero, and it is
 * said. Nothing of a frame is taken that ends in the middle of a number.
 */
export function readMilesightFrame(decoder: DecoderName, frame: Uint8Array): Frame {
	const table = tables[decoder];
	const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
	const items: FrameItem[] = [];
	let at: number | null = null;
	let unread = false;
	for (let offset = 0; offset < frame.byteLength;) {
		if (offset + 2 > frame.byteLength) return { ok: false, reason: 'truncated' };
		const field: Field | undefined = table[view.getUint16(offset).toString(16).padStart(4, '0')];
		const rest = new DataView(frame.buffer, frame.byteOffset + offset + 2, frame.byteLength - offset - 2);
		const bytes = field ? lengthOf(field, rest) : null;
		if (!field || bytes === null) {
			unread = true;
			break;
		}
		if (bytes > rest.byteLength) return { ok: false, reason: 'truncated' };
		items.push(...field.read(rest));
		at = field.time ? field.time(rest) : at;
		offset += 2 + bytes;
	}
	const joined = joinDirections(items);
	if (joined.some(hasFailed)) return { ok: false, reason: 'implausible' };
	return { ok: true, unread, items: at === null ? joined : joined.map((item) => stamp(item, at)) };
}

/** @returns null when the field says itself of what kind it is, and the kind is unknown */
function lengthOf({ bytes }: Field, rest: DataView): number | null {
	if (typeof bytes === 'number') return bytes;
	const length = bytes(rest);
	return Number.isNaN(length) ? null : length;
}

/** Both directions of a line stand in channels of their own: together they are one number. */
function joinDirections(items: readonly FrameItem[]): FrameItem[] {
	const joined: FrameItem[] = [];
	for (const item of items) {
		const before = joined.findIndex((other) => isOtherHalf(other, item));
		const half = joined[before];
		if (!half || half === 'alive' || !('value' in half) || item === 'alive' || !('value' in item))
			joined.push(item);
		else if (half.value.kind === 'total' && item.value.kind === 'total')
			joined[before] = {
				...half,
				value: {
					...half.value,
					in: half.value.in ?? item.value.in,
					out: half.value.out ?? item.value.out
				}
			};
	}
	// Totals first: where a frame brings both series, that is the one which survives a lost frame.
	return joined.sort((a, b) => Number(isTotal(b)) - Number(isTotal(a)));
}

function isOtherHalf(a: FrameItem, b: FrameItem): boolean {
	if (a === 'alive' || b === 'alive' || !('value' in a) || !('value' in b)) return false;
	if (a.value.kind !== 'total' || b.value.kind !== 'total') return false;
	const halves =
		(a.value.in === null) === (b.value.out === null) && (a.value.in === null) !== (a.value.out === null);
	return halves && a.channel === b.channel && a.at === b.at;
}

const isTotal = (item: FrameItem): boolean =>
	item !== 'alive' && 'value' in item && item.value.kind === 'total';

/** Only what came since the last report can fail so: a total passes through every number. */
function hasFailed(item: FrameItem): boolean {
	if (item === 'alive' || !('value' in item) || item.value.kind !== 'delta') return false;
	return item.value.in === failedU16 || item.value.out === failedU16;
}

function stamp(item: FrameItem, at: number): FrameItem {
	return item !== 'alive' && 'value' in item && item.at === undefined ? { ...item, at } : item;
}

const u16 = (bytes: DataView, at: number) => bytes.getUint16(at, true);
const u32 = (bytes: DataView, at: number) => bytes.getUint32(at, true);
const seconds = (bytes: DataView, at = 0) => u32(bytes, at) * 1_000;

const delta = (bytes: DataView, at = 0): Value => ({
	kind: 'delta',
	in: u16(bytes, at),
	out: u16(bytes, at + 2),
	from: null
});
const total16 = (bytes: DataView, at = 0): Value => ({
	kind: 'total',
	in: u16(bytes, at),
	out: u16(bytes, at + 2),
	epoch: null,
	modulus: u16Wide
});
const total32 = (bytes: DataView, direction: 'in' | 'out', at = 0): Value => ({
	kind: 'total',
	in: direction === 'in' ? u32(bytes, at) : null,
	out: direction === 'out' ? u32(bytes, at) : null,
	epoch: null,
	modulus: u32Wide
});
const alive = (bytes: number): Field => ({ bytes, read: () => ['alive'] });
const counts = (bytes: number, value: (bytes: DataView) => Value, channel: string | null = null): Field => ({
	bytes,
	read: (view) => [{ value: value(view), channel }]
});
const regions = (first: number, many: number): Field => ({
	bytes: many,
	read: (bytes) =>
		Array.from({ length: many }, (_, index) => ({
			value: { kind: 'present', people: bytes.getUint8(index) },
			channel: `region_${first + index}`
		}))
});
const time: Field = { bytes: 4, read: () => [], time: (bytes) => seconds(bytes) };

/** What every model has: battery, versions, serial, power on, reset. */
const common: Table = {
	'0175': alive(1),
	ff01: alive(1),
	ff08: alive(6),
	ff09: alive(2),
	ff0a: alive(2),
	ff0b: alive(1),
	ff0f: alive(1),
	ff16: alive(8),
	ff1f: alive(4),
	fffe: { bytes: 1, read: () => [{ value: { kind: 'reset' }, channel: null }] },
	ffff: alive(2)
};

/** What was counted while the device could not send: interval alone, or with the totals of that moment. */
const history: Field = {
	bytes: (bytes) => {
		const type = bytes.byteLength > 4 ? bytes.getUint8(4) : 0;
		return type === 0 ? 9 : type === 1 ? 13 : NaN;
	},
	read: (bytes) => [{ value: delta(bytes, 5), channel: null, at: seconds(bytes), historical: true }]
};

const vs121: Table = {
	...common,
	'04c9': counts(4, (bytes) => ({ kind: 'present', people: bytes.getUint8(0) })),
	'05cc': counts(4, delta),
	// The most in the period, movements between four sides, dwell times.
	'06cd': alive(1),
	'07d5': regions(1, 8),
	'08d5': regions(9, 8),
	'09da': alive(8),
	'0ada': alive(8),
	'0bda': alive(8),
	'0cda': alive(8),
	'0dcc': counts(4, total16),
	'0ee4': alive(5),
	'0f85': time,
	'10f7': alive(4)
};

const vs132: Table = {
	...common,
	'03d2': counts(4, (bytes) => total32(bytes, 'in')),
	'04d2': counts(4, (bytes) => total32(bytes, 'out')),
	'05cc': counts(4, delta)
};

/** Four lines of three channels each; what is counted of children is part of it, and left out. */
const line = (number: number, first: number): Table => {
	const channel = `line_${number}`;
	const id = (offset: number, type: string) => `${(first + offset).toString(16).padStart(2, '0')}${type}`;
	return {
		[id(0, 'd2')]: counts(4, (bytes) => total32(bytes, 'in'), channel),
		[id(1, 'd2')]: counts(4, (bytes) => total32(bytes, 'out'), channel),
		[id(2, 'cc')]: counts(4, delta, channel),
		[id(14, 'd2')]: alive(4),
		[id(15, 'd2')]: alive(4),
		[id(16, 'cc')]: alive(4)
	};
};
const vs133: Table = {
	...common,
	...line(1, 0x03),
	...line(2, 0x06),
	...line(3, 0x09),
	...line(4, 0x0c),
	'0fe3': regions(1, 4),
	'10e4': alive(5),
	'1de3': alive(4),
	'1ee4': alive(5),
	'50fc': {
		bytes: 3,
		read: (bytes) => [bytes.getUint8(2) === 1 ? { trouble: 'occluded' } : 'alive']
	}
};

const vs350: Table = {
	...common,
	'0275': alive(1),
	'0367': alive(2),
	'03f4': {
		bytes: 2,
		read: (bytes) => [
			bytes.getUint8(1) === 1 ? { trouble: troubles[bytes.getUint8(0)] ?? 'unknown' } : 'alive'
		]
	},
	'04cc': counts(4, total16),
	'05cc': counts(4, delta),
	'0aef': time,
	'20ce': history,
	'81ee': alive(1),
	'8367': alive(3),
	'84cc': counts(5, total16),
	'85cc': counts(5, delta),
	ffcc: alive(1)
};
const troubles: readonly string[] = ['counting_anomaly', 'node_silent', 'misaligned'];

const tables: Readonly<Record<DecoderName, Table>> = {
	'milesight-vs121': vs121,
	'milesight-vs132': vs132,
	'milesight-vs133': vs133,
	'milesight-vs135': vs133,
	'milesight-vs350': vs350,
	'milesight-vs351': vs350,
	'milesight-vs360': vs350
};
