import {
	holdSecondsMaxDefault,
	reopenStepsDefault,
	type CrowdOutside,
	type GateProperties,
	type GateStateName
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';

/** What the site file says of a gate, as far as its state is concerned. */
export interface GateRules {
	id: string;
	direction: 'in' | 'out';
	/** People a minute that its lanes can scan at the most. */
	fullRatePerMinute: number;
	holdSecondsMax: number;
	reopenSteps: number;
}

/** What a gate is told to be; times are epoch ms. */
export interface GateSetting {
	state: GateStateName;
	/** Set while metered. */
	ratePerMinute: number | null;
	/** Set while held. */
	hold: { since: number; until: number } | null;
	/** Set while it opens again in steps. */
	reopening: { step: number; steps: number } | null;
}

/** A gate as it stands in the store. */
export interface StoredGate extends GateSetting {
	id: string;
	direction: 'in' | 'out';
	version: number;
	revision: number;
	by: string | null;
	reason: string | null;
	at: number;
	confirmed: { state: GateStateName; version: number; at: number; by: string; byRadio: boolean } | null;
}

/** What somebody wants of a gate. */
export type GateWish =
	| {
			kind: 'state';
			state: GateStateName;
			ratePerMinute?: number | undefined;
			holdSeconds?: number | undefined;
	  }
	| { kind: 'advance'; reason: string | null }
	| { kind: 'evacuate' };

/** What a decision stands on beside the gate itself. */
export interface GateContext {
	now: number;
	/** The gate is in the scope of an evacuation in force. */
	evacuating: boolean;
	outside: Pick<CrowdOutside, 'people' | 'quality'> | null;
}

/** @see limits.booking.peoplePerLaneHourMax */
export function rulesOf(gate: GateProperties): GateRules {
	return {
		id: gate.id,
		direction: gate.direction,
		fullRatePerMinute: Math.floor((gate.lanes * limits.booking.peoplePerLaneHourMax) / 60),
		holdSecondsMax: gate.holdSecondsMax ?? holdSecondsMaxDefault,
		reopenSteps: gate.reopenSteps ?? reopenStepsDefault
	};
}

/** Whether the command in force is the one that the steward confirmed. */
export function isConfirmed({ confirmed, version, state }: StoredGate): boolean {
	return confirmed !== null && confirmed.version === version && confirmed.state === state;
}

/** The rate of a re-opening step: rising evenly to just below what the lanes can scan. */
export function reopenRate(fullRatePerMinute: number, step: number, steps: number): number {
	return Math.max(1, Math.round((fullRatePerMinute * step) / (steps + 1)));
}

/**
 * The one place where every state that a gate may take is decided, commanded or confirmed, whoever asks: an exit is
 * open, and nothing else.
 * @throws AppError `exit_cannot_close`
 */
export function refuseForExit(rules: Pick<GateRules, 'id' | 'direction'>, state: GateStateName): void {
	if (rules.direction === 'out' && state !== 'open')
		throw new AppError('exit_cannot_close', { gate: rules.id });
}

/**
 * What a gate is told to be next. Pure.
 * @throws AppError when it may not be so
 */
export function decideGate(
	rules: GateRules,
	current: StoredGate,
	wish: GateWish,
	context: GateContext
): GateSetting {
	const next = wishedSetting(rules, current, wish, context);
	refuseForExit(rules, next.state);
	if (context.evacuating && wish.kind !== 'evacuate' && rules.direction === 'in' && next.state !== 'closed')
		throw new AppError('evacuation_running', { gate: rules.id });
	return next;
}

function wishedSetting(
	rules: GateRules,
	current: StoredGate,
	wish: GateWish,
	context: GateContext
): GateSetting {
	if (wish.kind === 'evacuate') return rules.direction === 'in' ? closed : open;
	if (wish.kind === 'advance') return advanced(rules, current, wish.reason);
	refuseForExit(rules, wish.state);
	switch (wish.state) {
		case 'open':
			return opened(rules, current, context.outside);
		case 'metered':
			return metered(rules, wish.ratePerMinute ?? Math.max(1, Math.floor(rules.fullRatePerMinute / 2)));
		case 'held':
			return held(rules, current, wish.holdSeconds, context.now);
		case 'closed':
			return closed;
	}
}

const plain = { ratePerMinute: null, hold: null, reopening: null };
const open: GateSetting = { ...plain, state: 'open' };
const closed: GateSetting = { ...plain, state: 'closed' };

function metered(rules: GateRules, ratePerMinute: number): GateSetting {
	const { fullRatePerMinute } = rules;
	if (ratePerMinute > fullRatePerMinute) throw new AppError('rate_too_high', { fullRatePerMinute });
	return { ...plain, state: 'metered', ratePerMinute };
}

/** A hold that is held on keeps its beginning: its maximum counts from there. */
function held(
	rules: GateRules,
	current: StoredGate,
	holdSeconds: number | undefined,
	now: number
): GateSetting {
	const { holdSecondsMax } = rules;
	const since = current.hold?.since ?? now;
	const latest = since + holdSecondsMax * 1_000;
	const until = holdSeconds === undefined ? latest : now + holdSeconds * 1_000;
	if (until > latest) {
		const secondsLeft = Math.max(0, Math.floor((latest - now) / 1_000));
		throw new AppError('hold_too_long', { holdSecondsMax, secondsLeft });
	}
	return { ...plain, state: 'held', hold: { since, until } };
}

/** After a hold, or with people waiting before a closed gate, opening at once would let a surge in: it goes in steps. */
function opened(rules: GateRules, current: StoredGate, outside: GateContext['outside']): GateSetting {
	if (current.reopening) throw new AppError('reopens_in_steps', { ...current.reopening });
	if (rules.direction === 'out' || current.state === 'open' || current.state === 'metered') return open;
	const isClear =
		outside?.quality === 'live' &&
		outside.people !== null &&
		outside.people <= reopenRate(rules.fullRatePerMinute, 1, rules.reopenSteps);
	if (current.state === 'closed' && isClear) return open;
	return reopenStep(rules, 1, rules.reopenSteps);
}

/** The next step, confirmed at the gate before, or with a reason. */
function advanced(rules: GateRules, current: StoredGate, reason: string | null): GateSetting {
	if (!current.reopening) throw new AppError('not_reopening', { gate: rules.id });
	if (!isConfirmed(current) && reason === null) throw new AppError('reason_needed', { gate: rules.id });
	const { step, steps } = current.reopening;
	return step >= steps ? open : reopenStep(rules, step + 1, steps);
}

function reopenStep(rules: GateRules, step: number, steps: number): GateSetting {
	const ratePerMinute = reopenRate(rules.fullRatePerMinute, step, steps);
	return { ...plain, state: 'metered', ratePerMinute, reopening: { step, steps } };
}
