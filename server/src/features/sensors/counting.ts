import type { CounterProperties, RejectReason } from '../../../contract/index.ts';
import { isOldByClock, type DeviceClock } from './device-clock.ts';
import type { Reading, Value } from './reading.ts';

/** What the counting of one counter remembers; kept in the store, in the same commit as the messages' keys. */
export interface CounterState {
	/** People counted in and out since the counter was first heard. */
	totalIn: number;
	totalOut: number;
	/** Running totals of the device that were last believed. */
	base: { in: number | null; out: number | null } | null;
	/** A level that is not believed yet, and how many readings confirm it. */
	held: { in: number | null; out: number | null; confirmations: number } | null;
	present: number | null;
	density: number | null;
	/** When `present` or `density` was last reported, epoch ms by our clock. */
	valueAt: number | null;
	/** When the counter was last believed, epoch ms by our clock. */
	heardAt: number | null;
	/** Newest place in the device's own order. */
	boot: string | null;
	seq: number | null;
	deviceAt: number | null;
	recordedAt: number | null;
	/** Earlier boots: what still comes from them is late. */
	pastBoots: string[];
}

/** What the site file says about a counter, as far as counting goes. */
export interface CountingRule {
	measures: CounterProperties['measures'];
	periodSeconds: number;
	peoplePerSecondMax: number;
	modulus: number | null;
}

export type CountingFlag = 'baseline' | 'reset' | 'wrap' | 'rebased' | 'gap' | 'late';

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

export function newCounterState(): CounterState {
	return {
		totalIn: 0,
		totalOut: 0,
		base: null,
		held: null,
		present: null,
		density: null,
		valueAt: null,
		heardAt: null,
		boot: null,
		seq: null,
		deviceAt: null,
		recordedAt: null,
		pastBoots: []
	};
}

/** Takes one reading that is known to be no duplicate. Changes `state`; touches no clock and no store. */
export function countReading(
	state: CounterState,
	reading: Reading,
	rule: CountingRule,
	clock: DeviceClock
): Counted {
	const late = isLate(state, reading, clock);
	if (reading.retained) return takeRetained(state, reading, rule);
	if (rule.measures !== 'crossing') return takeValue(state, reading, rule, late);
	if (reading.value.kind === 'total') return takeTotals(state, reading, reading.value, rule, late);
	return reading.value.kind === 'delta'
		? takeDelta(state, reading, reading.value, rule, late)
		: refused('not_a_count');
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

function setValue(state: CounterState, { value }: Reading): void {
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
	const people = { in: value.in ?? 0, out: value.out ?? 0 };
	const most = mostPeople(state, reading, rule);
	if (people.in > most || people.out > most) return refused('held_jump');
	state.totalIn += people.in;
	state.totalOut += people.out;
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
	if (!base) {
		state.base = level;
		remember(state, reading);
		return counted({ in: 0, out: 0 }, ['baseline']);
	}
	const most = mostPeople(state, reading, rule);
	const newBoot = reading.order !== null && state.boot !== null && reading.order.session !== state.boot;
	const into = judge(base.in, level.in, most, newBoot, rule.modulus);
	const outOf = judge(base.out, level.out, most, newBoot, rule.modulus);
	if (into === null || outOf === null) return holdLevel(state, reading, level, most);
	const gap = hasGap(state, reading, rule);
	state.base = level;
	state.held = null;
	state.totalIn += into.people;
	state.totalOut += outOf.people;
	remember(state, reading);
	const flags = [into.flag, outOf.flag].filter(
		(flag, index, all) => flag !== null && all.indexOf(flag) === index
	);
	return counted({ in: into.people, out: outOf.people }, [
		...(flags as CountingFlag[]),
		...(gap ? ['gap' as const] : [])
	]);
}

/** People between two running totals of one direction; null when the new one is not believed. */
function judge(
	last: number | null,
	value: number | null,
	most: number,
	newBoot: boolean,
	modulus: number | null
): { people: number; flag: 'reset' | 'wrap' | null } | null {
	if (value === null) return { people: 0, flag: null };
	if (last === null) return { people: 0, flag: null };
	if (value >= last && value - last <= most) return { people: value - last, flag: null };
	const wrapped = modulus === null ? Infinity : value + modulus - last;
	if (value < last && wrapped <= most) return { people: wrapped, flag: 'wrap' };
	const fellFar = last - value > Math.max(dipPeople, last * dipShare);
	const isReset = newBoot || (value < last && (value === 0 || fellFar));
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
		return refused('held_jump');
	}
	state.base = level;
	state.held = null;
	remember(state, reading);
	return counted({ in: 0, out: 0 }, ['rebased']);
}

/** The most people that can have passed since the counter was last believed. */
function mostPeople(state: CounterState, reading: Reading, rule: CountingRule): number {
	return rule.peoplePerSecondMax * coveredSeconds(state, reading, rule) + slackPeople;
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
		since(reading.deviceAt, state.deviceAt),
		recorded
	);
	return Math.min(covered, elapsedSecondsMax);
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
	if (reading.deviceAt !== null) state.deviceAt = reading.deviceAt;
	if (reading.recordedAt !== null) state.recordedAt = reading.recordedAt;
}
