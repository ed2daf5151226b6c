import type { EligibilitySteering } from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PersonAttributes } from '../permits/index.ts';
import { EligibilityLimitedError, type EligibilityCheck } from './eligibility.ts';

/** The check of demo and laboratory: a timer, which a story can slow down, let fail or limit. */
export interface SimulatedEligibility {
	check: EligibilityCheck;
	steer(steering: EligibilitySteering): void;
	steering(): Required<EligibilitySteering>;
}

/** The first letters of a holder decide who somebody is: the same every time. */
const simulatedPeople = {
	country: ['SA', 'ID', 'PK', 'IN', 'TR', 'EG', 'NG', 'FR'],
	provider: ['north', 'south', 'sea'],
	category: ['pilgrim', 'pilgrim', 'pilgrim', 'companion']
} as const;

/** @param options.delayMs how long a check takes until it is steered otherwise */
export function createSimulatedEligibility(options: {
	clock: Clock;
	delayMs: number;
	random: () => number;
}): SimulatedEligibility {
	const { clock } = options;
	let steering: Required<EligibilitySteering> = {
		delayMs: options.delayMs,
		failShare: 0,
		limitPerSecond: null,
		retryAfterSeconds: 1
	};
	/** Checks of the second that began at `startMs`. */
	let second = { startMs: -Infinity, checks: 0 };
	const isLimited = () => {
		const { limitPerSecond } = steering;
		const nowMs = clock.elapsedMs();
		if (nowMs - second.startMs >= 1_000) second = { startMs: nowMs, checks: 0 };
		second.checks += 1;
		return limitPerSecond !== null && second.checks > limitPerSecond;
	};
	return {
		async check(holder) {
			if (isLimited()) throw new EligibilityLimitedError(steering.retryAfterSeconds * 1_000);
			const { delayMs, failShare } = steering;
			await clock.sleep(delayMs);
			if (failShare > 0 && options.random() < failShare) throw new Error('the simulated check failed');
			return { eligible: true, attributes: simulatedAttributes(holder) };
		},
		steer(next) {
			steering = { ...steering, ...next };
		},
		steering: () => ({ ...steering })
	};
}

function simulatedAttributes(holder: string): PersonAttributes {
	const pick = (values: readonly string[], letter: number) =>
		values[(holder.charCodeAt(letter) || 0) % values.length] ?? null;
	return {
		country: pick(simulatedPeople.country, 0),
		provider: pick(simulatedPeople.provider, 1),
		category: pick(simulatedPeople.category, 2)
	};
}
