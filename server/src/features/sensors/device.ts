import type {
	AdapterName,
	CounterHint,
	CounterProperties,
	RejectReason,
	SensorState
} from '../../../contract/index.ts';
import { newCounterState, type CounterState } from './counter-state.ts';
import {
	countReading,
	defaultPeoplePerSecondMax,
	type Counted,
	type CountingFlag,
	type CountingRule
} from './counting.ts';
import { clockOffsetMs, clockState, newDeviceClock, sampleClock, type DeviceClock } from './device-clock.ts';
import type { Reading, ReadingKind } from './reading.ts';
import {
	countMissed,
	markKey,
	markSeen,
	markTime,
	wasSeen,
	wasTimeSeen,
	type Seen,
	type SeenTimes
} from './seen.ts';

/** One counter of the site file with what it has counted. */
export interface Counter {
	properties: CounterProperties;
	rule: CountingRule;
	state: CounterState;
	/** What was true before this moment is true no more until the counter speaks again (offline, we were away). */
	brokenAt: number | null;
	/** People in its totals who passed long before they were known: they change the level, and are no flow. Since the start. */
	late: { in: number; out: number };
}

/** One device with its counters. Everything but `counters` and the broken moments is kept in the store. */
export interface Device {
	name: string;
	adapter: AdapterName;
	onChangeOnly: boolean;
	counters: Counter[];
	readings: number;
	rejects: Partial<Record<RejectReason, number>>;
	online: boolean | null;
	lastReadingAt: number | null;
	clock: DeviceClock;
	seen: Seen;
	/** Messages without a sequence, by channel and device time. */
	seenTimes: SeenTimes;
	/** Messages known by the vendor's own key, oldest first. */
	seenKeys: Set<string>;
	/** What it said is wrong with it, newest first. */
	troubles: { trouble: string; at: number }[];
	simulated: boolean;
}

/** What came of one reading: people by counter, flags, and a reason when nothing was counted. */
export interface Taken {
	accepted: number;
	flags: CountingFlag[];
	reason: RejectReason | null;
	moved: { counter: Counter; in: number; out: number }[];
	/** The key to be stored with it, for messages that no sequence tells apart. */
	messageKey: string | null;
}

export function newDevice(
	name: string,
	counters: readonly CounterProperties[],
	onChangeOnly: boolean
): Device {
	return {
		name,
		adapter: counters[0]?.adapter ?? 'own',
		onChangeOnly,
		counters: counters.map((properties) => ({
			properties,
			rule: {
				measures: properties.measures,
				periodSeconds: properties.periodSeconds,
				peoplePerSecondMax: properties.peoplePerSecondMax ?? defaultPeoplePerSecondMax,
				modulus: properties.modulus ?? null,
				series: properties.series ?? null,
				factor: properties.factor ?? 1
			},
			state: newCounterState(),
			brokenAt: null,
			late: { in: 0, out: 0 }
		})),
		readings: 0,
		rejects: {},
		online: null,
		lastReadingAt: null,
		clock: newDeviceClock(),
		seen: [],
		seenTimes: new Map(),
		seenKeys: new Set(),
		troubles: [],
		simulated: false
	};
}

/** Back to what a device is before anything of it was loaded: the store knows better than this memory. */
export function resetDevice(device: Device): void {
	const counters = device.counters.map(({ properties }) => properties);
	const { counters: fresh, ...rest } = newDevice(device.name, counters, device.onChangeOnly);
	Object.assign(device, rest);
	for (const [index, counter] of device.counters.entries()) {
		counter.state = fresh[index]?.state ?? newCounterState();
		counter.brokenAt = null;
		counter.late = { in: 0, out: 0 };
	}
}

export function reject(device: Device, reason: RejectReason): void {
	device.rejects[reason] = (device.rejects[reason] ?? 0) + 1;
}

/** Takes one reading: each message once, each count by the rules of its counter. Pure but for `device`. */
export function takeReading(device: Device, reading: Reading, rules: { simulatedAllowed: boolean }): Taken {
	const refuse = (reason: RejectReason): Taken => {
		reject(device, reason);
		return { accepted: 0, flags: [], reason, moved: [], messageKey: null };
	};
	if (reading.simulated && !rules.simulatedAllowed) return refuse('simulated_not_allowed');
	const meant = device.counters.filter(
		({ properties, rule }) =>
			isMeant(rule.measures, reading) &&
			((properties.channel ?? null) === reading.channel ||
				(reading.value.kind === 'reset' && reading.channel === null))
	);
	if (meant.length === 0) return refuse('unknown_channel');
	if (wasTaken(device, reading)) return refuse('duplicate');
	const results = meant.map((counter) => ({
		counter,
		result: countReading(counter.state, reading, counter.rule, device.clock)
	}));
	// Marked also when it was held or late: the same message again is no confirmation.
	const messageKey = reading.retained ? null : markTaken(device, reading);
	// What was stored for hours says nothing of the clock now.
	if (!reading.retained && !reading.historical)
		sampleClock(device.clock, reading.deviceAt, reading.receivedAt, reading.clock === 'bad');
	return { ...conclude(device, reading, results), messageKey };
}

function wasTaken(device: Device, { channel, value: { kind }, key, order, deviceAt }: Reading): boolean {
	if (key !== null) return device.seenKeys.has(vendorKey(channel, kind, key));
	if (order) return wasSeen(device.seen, messageBoot(channel, kind, order.session), order.seq);
	return deviceAt !== null && wasTimeSeen(device.seenTimes, messageChannel(channel, kind), deviceAt);
}

/** @returns the key to be stored; null for a sequence, which the device's own row holds, and for what has none */
function markTaken(device: Device, reading: Reading): string | null {
	const { channel, key, order, deviceAt } = reading;
	const { kind } = reading.value;
	if (key !== null) {
		const text = vendorKey(channel, kind, key);
		markKey(device.seenKeys, text);
		return vendorKeyMark + text;
	}
	if (order) {
		markSeen(device.seen, messageBoot(channel, kind, order.session), order.seq);
		return null;
	}
	if (deviceAt === null) return null;
	const of = messageChannel(channel, kind);
	markTime(device.seenTimes, of, deviceAt);
	return `${of}|${deviceAt}`;
}

/** What stands before a stored key of the vendor's own. */
const vendorKeyMark = '#';
const vendorKey = (channel: string | null, kind: ReadingKind, key: string) =>
	`${messageChannel(channel, kind)}\n${key}`;

/** Takes back a key that was stored, in the order of their arrival. */
export function restoreMessageKey(device: Device, stored: string): void {
	if (stored.startsWith(vendorKeyMark)) return markKey(device.seenKeys, stored.slice(vendorKeyMark.length));
	const bar = stored.lastIndexOf('|');
	markTime(device.seenTimes, stored.slice(0, bar), Number(stored.slice(bar + 1)));
}

/** One message can hold several readings: each is known by its channel and by what it measures. */
function messageChannel(channel: string | null, kind: ReadingKind): string {
	return kind === 'delta' ? (channel ?? '') : `${channel ?? ''}\n${kind}`;
}

function messageBoot(channel: string | null, kind: ReadingKind, session: string): string {
	const of = messageChannel(channel, kind);
	return of === '' ? session : `${of}\n${session}`;
}

function isMeant(measures: CountingRule['measures'], { value: { kind } }: Reading): boolean {
	return measures === 'crossing'
		? kind === 'delta' || kind === 'total' || kind === 'reset'
		: kind === measures;
}

function conclude(
	device: Device,
	reading: Reading,
	results: { counter: Counter; result: Counted }[]
): Omit<Taken, 'messageKey'> {
	const accepted = results.filter(({ result }) => result.refused === null);
	const reason = results.find(({ result }) => result.refused !== null)?.result.refused ?? null;
	if (reason !== null) reject(device, reason);
	if (accepted.length > 0) {
		device.readings += 1;
		device.lastReadingAt = reading.receivedAt;
		device.simulated = reading.simulated;
		if (device.onChangeOnly) keepAlive(device, reading.receivedAt);
		if (device.online === false) device.online = true;
	}
	return {
		accepted: accepted.length,
		flags: [...new Set(accepted.flatMap(({ result }) => result.flags))],
		reason: accepted.length > 0 ? null : reason,
		moved: accepted.map(({ counter, result }) => ({ counter, in: result.in, out: result.out }))
	};
}

/**
 * The device, or one channel of it, came or went. Going makes every value of it untrue at once; coming back does not
 * make them true: that takes a new value.
 */
export function takeState(device: Device, channel: string | null, online: boolean, at: number): void {
	if (channel === null) device.online = online;
	if (online) {
		if (channel === null) keepAlive(device, at);
		return;
	}
	for (const counter of device.counters) {
		const { channel: own, cameras = [] } = counter.properties;
		if (channel === null || own === channel || cameras.includes(channel)) counter.brokenAt = at;
	}
}

/** Its numbering starts anew: what follows has lower numbers and is neither late nor known. */
export function takeSession(device: Device): void {
	device.seen = [];
	for (const { state } of device.counters) state.seq = null;
}

const troublesMax = 5;

/** What the device says of itself; the same again moves to the front. */
export function takeTrouble(device: Device, trouble: string, at: number): void {
	const others = device.troubles.filter((known) => known.trouble !== trouble);
	device.troubles = [{ trouble: trouble.slice(0, 60), at }, ...others].slice(0, troublesMax);
}

/** A device that speaks only on change vouches, by any sign of life, for the values it sent since it last came. */
export function keepAlive(device: Device, at: number): void {
	if (!device.onChangeOnly) return;
	for (const counter of device.counters) if (isRenewed(counter)) counter.state.heardAt = at;
}

/** Whether the counter has spoken since its values were last broken. */
function isRenewed({ state, brokenAt }: Counter): boolean {
	return state.valueAt !== null && (brokenAt === null || state.valueAt > brokenAt);
}

/** Messages may have been lost: what a device says only on change is unknown until it says it again. */
export function breakOnChangeOnly(device: Device, at: number): void {
	if (device.onChangeOnly) for (const counter of device.counters) counter.brokenAt = at;
}

/** Whether a counter speaks within three of its periods and was not broken since. */
export function isHeard({ state, rule, brokenAt }: Counter, now: number): boolean {
	if (state.heardAt === null || (brokenAt !== null && state.heardAt <= brokenAt)) return false;
	return now - state.heardAt <= 3 * rule.periodSeconds * 1_000;
}

/** One device as the sensor page shows it. */
export function describeDevice(
	device: Device,
	now: number,
	totals?: { in: number; out: number }
): SensorState {
	const silent = device.counters.filter((counter) => !isHeard(counter, now));
	const heard = device.counters.length - silent.length;
	const silentSince = silent.reduce<number | null>(
		(oldest, { state }) => (state.heardAt === null ? oldest : Math.min(oldest ?? Infinity, state.heardAt)),
		null
	);
	const never = device.lastReadingAt === null;
	const state =
		device.online === false
			? 'offline'
			: never
				? 'never'
				: heard < device.counters.length
					? 'stale'
					: 'online';
	const sum = (pick: (state: CounterState) => number) =>
		device.counters.reduce((total, { state }) => total + pick(state), 0);
	return {
		device: device.name,
		adapter: device.adapter,
		counters: device.counters.map(({ properties }) => properties.id),
		zones: [...new Set(device.counters.flatMap(({ properties }) => [properties.from, properties.to]))].filter(
			(zone) => zone !== null
		),
		state,
		heard,
		silentSince,
		optional: device.counters.every(({ properties }) => properties.optional === true),
		lastReadingAt: device.lastReadingAt,
		ageSeconds: device.lastReadingAt === null ? null : Math.max(0, (now - device.lastReadingAt) / 1_000),
		readings: device.readings,
		rejects: { ...device.rejects } as Record<string, number>,
		missed: countMissed(device.seen),
		clockOffsetMs: clockOffsetMs(device.clock),
		clock: clockState(device.clock),
		hints: device.counters.flatMap((counter) => counterHints(counter, now)),
		troubles: [...device.troubles],
		simulated: device.simulated,
		totals: totals ?? { in: sum(({ totalIn }) => totalIn), out: sum(({ totalOut }) => totalOut) }
	};
}

/** A number above 0 that has not moved for so long is a picture that stands still, or a phantom. */
const flatMs = 2 * 3_600_000;
/** For so long after it a counter is said to have been re-based. */
const rebasedMs = 24 * 3_600_000;

/** What looks wrong with one counter by itself. */
export function counterHints({ properties: { id: counter }, state }: Counter, now: number): CounterHint[] {
	const { present, changedAt, heardAt, heldAt, rebasedAt } = state;
	const hints: CounterHint[] = [];
	if (present && changedAt !== null && heardAt !== null && heardAt - changedAt >= flatMs)
		hints.push({ counter, kind: 'flat', since: changedAt });
	if (heldAt !== null) hints.push({ counter, kind: 'held', since: heldAt });
	if (rebasedAt !== null && now - rebasedAt < rebasedMs)
		hints.push({ counter, kind: 're-based', since: rebasedAt });
	return hints;
}
