import type { EligibilitySteering } from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EligibilityCheck } from './eligibility.ts';

/** The check of demo and laboratory: a timer, which a story can slow down or let fail. */
export interface SimulatedEligibility {
	check: EligibilityCheck;
	steer(steering: EligibilitySteering): void;
	steering(): Required<EligibilitySteering>;
}

/** @param options.delayMs how long a check takes until it is steered otherwise */
export function createSimulatedEligibility(options: {
	clock: Clock;
	delayMs: number;
	random: () => number;
}): SimulatedEligibility {
	let steering = { delayMs: options.delayMs, failShare: 0 };
	return {
		async check() {
			const { delayMs, failShare } = steering;
			await options.clock.sleep(delayMs);
			if (failShare > 0 && options.random() < failShare) throw new Error('the simulated check failed');
			return { eligible: true };
		},
		steer(next) {
			steering = { ...steering, ...next };
		},
		steering: () => ({ ...steering })
	};
}
