import type { ModelChange } from '../../../contract/model/index.ts';
import { decide, type Decision, type RateLimit } from '../../conductor/decide.ts';

/** What is in force for the rate, or would be after a press. People a second. */
export interface RateSetting {
	managerPerSecond: number;
	levelCapPerSecond: number | null;
}

/** Rates closer than this are one. */
const samePerSecond = 0.05;

/**
 * The rate over the next seconds, as the conductor itself would decide it if nothing else changed: at once when it
 * falls, step by step when it rises. As changes of the model.
 */
export function ratePath(
	now: Decision,
	setting: RateSetting,
	seconds: number,
	stepSeconds: number
): ModelChange[] {
	const { managerPerSecond, levelCapPerSecond } = setting;
	const limits: RateLimit[] = [{ source: 'manager', perSecond: managerPerSecond }];
	if (levelCapPerSecond !== null) limits.push({ source: 'level', perSecond: levelCapPerSecond });
	if (now.narrowestPerSecond !== null)
		limits.push({ source: 'narrowest-part', perSecond: now.narrowestPerSecond });
	// One signal that stays as it is: what health is now, it is taken to stay.
	const value = 1 - now.health;
	const changes: ModelChange[] = [];
	let decision = now;
	let last = NaN;
	for (let second = 0; second < seconds; second += stepSeconds) {
		const at = now.at + (second + 1) * 1_000;
		decision = decide({
			...{ at, limits, previous: decision },
			health: [{ name: 'health', value, good: 0, limit: 1, at }]
		});
		const { ratePerSecond: perSecond } = decision;
		if (Math.abs(perSecond - last) < samePerSecond) continue;
		changes.push({ second, kind: 'rate', perSecond });
		last = perSecond;
	}
	return changes;
}
