import type { CounterProperties, RejectReason } from '../../../contract/index.ts';
import type { CounterState } from './counter-state.ts';
import { isBelievable, isOldByClock, type DeviceClock } from './device-clock.ts';
import type { Reading, Value } from './reading.ts';

/** What the site file says about a counter, as far as counting goes. */
export interface CountingRule {
	measures: CounterProperties['measures'];
	periodSeconds: number;
	peoplePerSecondMax: number;
	modulus: number | null;
	/** Which series decides; null: totals as soon as the device sends any. */
	series: 'total' | 'period' | null;
	/** Counted people are taken times this. */
	factor: number;
}

/** What an operator may want to know of a reading that was counted; `history` and `check` added nobody. */
export type CountingFlag =
	'baseline' | 'reset' | 'wrap' | 'rebased' | 'gap' | 'late' | 'history' | 'check' | 'doubtful';

/** What one reading did: people to add, flags for the operator, or the reason why it was not counted. */
export interface Counted {
	in: number;
	out: number;
	flags: CountingFlag[];
	refused: RejectReason | null;
}

/** Where the site file says nothing: a wide gate at the capacity of level walkways, 82 people/m/min over 20 m. */
export const defaultPeoplePerSecondMax = 28;
/** People beyond the rate that one reading may bring: the last moment of the period before. */
const slackPeople = 5;
/** What a counter may have gathered before it was ever heard. */
const firstPeriodSeconds = 3_600;
const elapsedSecondsMax = 48 * 3_600;
const confirmationsNeeded = 3;
const pastBootsMax = 8;
/** A fall of less than this share, or of so few, is jitter; a reset falls further. */
const dipShare = 0.1;
const dipPeople = 10;

/** Takes one reading that is known to be no duplicate. Changes `state`; touches no clock and no store. */
export function countReading(
	state: CounterState,
	reading: Reading,
	rule: CountingRule,
	clock: DeviceClock
): Counted {
	const late = isLate(state, reading, clock);
	if (reading.retained) return takeRetained(state, reading, rule);
	const result = takeNews(state, reading, rule, late);
	if (reading.doubtful && result.refused === null) result.flags.push('doubtful');
	return result;
}

function takeNews(state: CounterState, reading: Reading, rule: CountingRule, late: boolean): Counted {
	const { value } = reading;
	if (value.kind === 'reset') return takeReset(state, reading, late);
	if (rule.measures !== 'crossing') {
		// What was so earlier is no news of now, and a number of people is nothing to add.
		return reading.historical ? counted(nobody(), ['history']) : takeValue(state, reading, rule, late);
	}
	if (value.kind === 'total') {
		if (rule.series === 'period') return check(state, reading);
		return reading.historical
			? counted(nobody(), ['history'])
			: takeTotals(state, reading, value, rule, late);
	}
	if (value.kind !== 'delta') return refused('not_a_count');
	if (rule.series === 'total' || hasTotals(state, reading, rule))
		return reading.historical ? counted(nobody(), ['history']) : check(state, reading);
	return takeDelta(state, reading, value, rule, late);
}

const nobody = () => ({ in: 0, out: 0 });

/** The other series of a device whose people are counted already: it lives, and adds nobody. */
function check(state: CounterState, reading: Reading): Counted {
	state.heardAt = Math.max(state.heardAt ?? 0, reading.receivedAt);
	return counted(nobody(), ['check']);
}

/** Totals lead as long as they come; a device that has gone over to periods is believed after three of them. */
function hasTotals(state: CounterState, reading: Reading, rule: CountingRule): boolean {
	if (state.base === null || rule.series === 'period') return false;
	if (reading.historical) return true;
	return state.totalAt !== null && reading.receivedAt - state.totalAt <= 3 * rule.periodSeconds * 1_000;
}

/** The device said that its registers are at 0: what they show next was counted since. */
function takeReset(state: CounterState, reading: Reading, late: boolean): Counted {
	if (late) return refused('late');
	if (state.base)
		state.base = { in: state.base.in === null ? null : 0, out: state.base.out === null ? null : 0 };
	state.held = state.heldAt = null;
	remember(state, reading);
	return counted(nobody(), ['reset']);
}

const counted = (people: { in: number; out: number }, flags: CountingFlag[]): Counted => ({
	...people,
	flags,
	refused: null
});
const refused = (reason: RejectReason): Counted => ({ in: 0, out: 0, flags: [], refused: reason });

/** Whether a newer message of this counter was taken before. Order by sequence, else by a clock that can be followed. */
function isLate(state: CounterState, reading: Reading, clock: DeviceClock): boolean {
	if (reading.order) {
		if (state.pastBoots.includes(reading.order.session)) return true;
		return reading.order.session === state.boot && state.seq !== null && reading.order.seq < state.seq;
	}
	if (reading.deviceAt === null || state.deviceAt === null || reading.deviceAt >= state.deviceAt)
		return false;
	// A clock that cannot be right orders nothing: what arrives is the newest.
	if (!isBelievable(reading.deviceAt, reading.receivedAt)) return false;
	return isOldByClock(clock, reading.deviceAt, reading.receivedAt);
}

/** What a broker kept may be hours old: it is a last known value where there is none, and never movement. */
function takeRetained(state: CounterState, reading: Reading, rule: CountingRule): Counted {
	if (rule.measures !== 'crossing' && state.valueAt === null && reading.deviceAt !== null) {
		setValue(state, reading);
		state.valueAt = Math.min(reading.deviceAt, reading.receivedAt);
		state.heardAt = state.valueAt;
	}
	return refused('retained');
}

function takeValue(state: CounterState, reading: Reading, rule: CountingRule, late: boolean): Counted {
	if (late) return refused('late');
	setValue(state, reading);
	state.valueAt = reading.receivedAt;
	const gap = hasGap(state, reading, rule);
	remember(state, reading);
	return counted({ in: 0, out: 0 }, gap ? ['gap'] : []);
}

function setValue(state: CounterState, { value, receivedAt }: Reading): void {
	if (value.kind === 'present' && value.people !== state.present) state.changedAt = receivedAt;
	if (value.kind === 'presence') state.presence = value.occupied;
	if (value.kind === 'heat') state.wbgtCelsius = value.wbgtCelsius;
	if (value.kind === 'present') state.present = value.people;
	if (value.kind === 'density') state.density = value.peoplePerSquareMetre;
}

/** Late deltas are real people: they count once, whenever they come. */
function takeDelta(
	state: CounterState,
	reading: Reading,
	value: Extract<Value, { kind: 'delta' }>,
	rule: CountingRule,
	late: boolean
): Counted {
	const raw = { in: value.in ?? 0, out: value.out ?? 0 };
	const most = mostPeople(state, reading, rule, value.from);
	if (raw.in > most || raw.out > most) return refused('held_jump');
	// Totals that come again hold these people already.
	const { base } = state;
	if (base) state.base = { in: add(base.in, raw.in), out: add(base.out, raw.out) };
	const people = addPeople(state, raw, rule);
	if (late) {
		state.heardAt = reading.receivedAt;
		return counted(people, ['late']);
	}
	const gap = hasGap(state, reading, rule);
	remember(state, reading);
	return counted(people, gap ? ['gap'] : []);
}

function takeTotals(
	state: CounterState,
	reading: Reading,
	value: Extract<Value, { kind: 'total' }>,
	rule: CountingRule,
	late: boolean
): Counted {
	if (late) return refused('late');
	const { base } = state;
	const level = { in: value.in ?? base?.in ?? null, out: value.out ?? base?.out ?? null };
	const restarted = isOtherStart(state, reading, value);
	state.totalAt = reading.receivedAt;
	if (!base) {
		state.base = level;
		state.epoch = value.epoch ?? state.epoch;
		remember(state, reading);
		return counted({ in: 0, out: 0 }, ['baseline']);
	}
	const most = mostPeople(state, reading, rule);
	const newBoot = reading.order !== null && state.boot !== null && reading.order.session !== state.boot;
	const modulus = rule.modulus ?? value.modulus;
	const into = judge(base.in, value.in, most, { newBoot, restarted }, modulus);
	const outOf = judge(base.out, value.out, most, { newBoot, restarted }, modulus);
	if (into === null || outOf === null) return holdLevel(state, reading, level, most);
	const gap = hasGap(state, reading, rule);
	state.base = level;
	state.held = state.heldAt = null;
	state.epoch = value.epoch ?? state.epoch;
	const people = addPeople(state, { in: into.people, out: outOf.people }, rule);
	remember(state, reading);
	const flags = [into.flag, outOf.flag].filter(
		(flag, index, all) => flag !== null && all.indexOf(flag) === index
	);
	return counted(people, [...(flags as CountingFlag[]), ...(gap ? ['gap' as const] : [])]);
}

const add = (register: number | null, people: number) => (register === null ? null : register + people);

/** Adds counted people, calibrated; what is less than a person waits for the next. */
function addPeople(
	state: CounterState,
	raw: { in: number; out: number },
	{ factor }: CountingRule
): { in: number; out: number } {
	if (factor === 1) {
		state.totalIn += raw.in;
		state.totalOut += raw.out;
		return raw;
	}
	const exact = { in: raw.in * factor + state.rest.in, out: raw.out * factor + state.rest.out };
	const people = { in: Math.floor(exact.in), out: Math.floor(exact.out) };
	state.rest = { in: exact.in - people.in, out: exact.out - people.out };
	state.totalIn += people.in;
	state.totalOut += people.out;
	return people;
}

/**
 * Whether the device names another start of its totals. Where the name is only that of its boot, its registers may
 * have outlived it.
 */
function isOtherStart(state: CounterState, { order }: Reading, { epoch }: { epoch: string | null }): boolean {
	return epoch !== null && state.epoch !== null && epoch !== state.epoch && epoch !== order?.session;
}

/** People between two running totals of one direction; null when the new one is not believed. */
function judge(
	last: number | null,
	value: number | null,
	most: number,
	start: { newBoot: boolean; restarted: boolean },
	modulus: number | null
): { people: number; flag: 'reset' | 'wrap' | null } | null {
	if (value === null) return { people: 0, flag: null };
	if (last === null) return { people: 0, flag: null };
	if (start.restarted) return value <= most ? { people: value, flag: 'reset' } : null;
	if (value >= last && value - last <= most) return { people: value - last, flag: null };
	const wrapped = modulus === null ? Infinity : value + modulus - last;
	if (value < last && wrapped <= most) return { people: wrapped, flag: 'wrap' };
	const fellFar = last - value > Math.max(dipPeople, last * dipShare);
	const isReset = start.newBoot || (value < last && (value === 0 || fellFar));
	return isReset && value <= most ? { people: value, flag: 'reset' } : null;
}

/** A hold must have an end: a level that three readings in a row confirm is the new base, without counting anybody. */
function holdLevel(
	state: CounterState,
	reading: Reading,
	level: { in: number | null; out: number | null },
	most: number
): Counted {
	const { held } = state;
	const confirms =
		held !== null &&
		(
			[
				[held.in, level.in],
				[held.out, level.out]
			] as const
		).every(([before, now]) => before === null || now === null || (now >= before && now - before <= most));
	const confirmations = confirms ? held.confirmations + 1 : 1;
	if (confirmations < confirmationsNeeded) {
		state.held = { ...level, confirmations };
		state.heldAt ??= reading.receivedAt;
		return refused('held_jump');
	}
	state.base = level;
	state.held = state.heldAt = null;
	state.rebasedAt = reading.receivedAt;
	if (reading.value.kind === 'total') state.epoch = reading.value.epoch ?? state.epoch;
	remember(state, reading);
	return counted({ in: 0, out: 0 }, ['rebased']);
}

/** The most people that can have passed since the counter was last believed. */
function mostPeople(
	state: CounterState,
	reading: Reading,
	rule: CountingRule,
	from: number | null = null
): number {
	const interval = from === null || reading.deviceAt === null ? 0 : (reading.deviceAt - from) / 1_000;
	const seconds = Math.max(coveredSeconds(state, reading, rule), Math.min(interval, elapsedSecondsMax));
	return rule.peoplePerSecondMax * seconds + slackPeople;
}

/** How long a reading can cover: its period, or the silence before it by our clock, the device's or the recording's. */
function coveredSeconds(state: CounterState, reading: Reading, rule: CountingRule): number {
	const since = (at: number | null, before: number | null) =>
		at === null || before === null ? 0 : (at - before) / 1_000;
	const recorded = since(reading.recordedAt, state.recordedAt);
	const isFirst = state.heardAt === null || (reading.recordedAt !== null && recorded <= 0);
	const covered = Math.max(
		rule.periodSeconds,
		isFirst ? firstPeriodSeconds : 0,
		since(reading.receivedAt, state.heardAt),
		since(believed(reading), state.deviceAt),
		recorded
	);
	return Math.min(covered, elapsedSecondsMax);
}

/** The device's time, where it can be one. */
function believed({ deviceAt, receivedAt }: Reading): number | null {
	return deviceAt !== null && isBelievable(deviceAt, receivedAt) ? deviceAt : null;
}

function hasGap(state: CounterState, reading: Reading, rule: CountingRule): boolean {
	if (state.heardAt === null) return false;
	return reading.receivedAt - state.heardAt > 3 * rule.periodSeconds * 1_000;
}

function remember(state: CounterState, reading: Reading): void {
	state.heardAt = reading.receivedAt;
	if (reading.order) {
		if (state.boot !== null && state.boot !== reading.order.session) {
			state.pastBoots.push(state.boot);
			if (state.pastBoots.length > pastBootsMax) state.pastBoots.shift();
		}
		state.boot = reading.order.session;
		state.seq = reading.order.seq;
	}
	state.deviceAt = believed(reading) ?? state.deviceAt;
	if (reading.recordedAt !== null) state.recordedAt = reading.recordedAt;
}
