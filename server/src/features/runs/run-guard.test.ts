import { describe, expect, it } from 'vitest';
import { profileFacts, type SeasonPlan } from '../../../contract/index.ts';
import { checkBounds, refusalOf, type Situation } from './run-guard.ts';

const now = 1_000_000_000;
const minutes = (count: number) => now + count * 60_000;
const window = (from: number, until: number) =>
	({ window: { from, until } }) as SeasonPlan['freezes'][number];
const spike = (startsAt: number, endsAt: number) => ({ startsAt, endsAt }) as SeasonPlan['spikes'][number];
const calm: Situation = {
	...{ now, plan: { freezes: [], spikes: [] }, level: 0, exercise: false, people: 0, simulated: false }
};
const run = { seconds: 1_200, profile: 'five-stages' } as const;

describe('when a run may begin', () => {
	it.each([
		['nothing is the matter', {}, null],
		['a spike is on', { plan: { freezes: [], spikes: [spike(minutes(-10), minutes(10))] } }, 'spike'],
		[
			'a spike would begin within it',
			{ plan: { freezes: [], spikes: [spike(minutes(19), minutes(60))] } },
			'spike'
		],
		['a spike begins later', { plan: { freezes: [], spikes: [spike(minutes(21), minutes(60))] } }, null],
		['a freeze holds', { plan: { freezes: [window(minutes(-1), minutes(1))], spikes: [] } }, 'freeze'],
		['a freeze is over', { plan: { freezes: [window(minutes(-9), minutes(-1))], spikes: [] } }, null],
		['a level is in force', { level: 1 }, 'level-in-force'],
		['a drill runs', { level: 1, exercise: true }, 'level-in-force'],
		['people wait', { people: 3 }, 'people-waiting'],
		['simulated people wait', { people: 3, simulated: true }, null],
		['nobody knows who waits', { people: null, simulated: true }, 'no-figures']
	] as const)('%s', (_name, change, refusal) => {
		expect(refusalOf({ ...calm, ...change } as Situation, run)).toBe(refusal);
	});

	it('lets the level drill run beside its drill', () => {
		const drill = { ...calm, level: 1, exercise: true };
		expect(refusalOf(drill, { ...run, profile: 'level-drill' })).toBeNull();
	});

	it('is bounded in number and time, and slows only what is simulated', () => {
		const plain = profileFacts['five-stages'].defaults;
		expect(() => checkBounds(plain, false)).not.toThrow();
		expect(() => checkBounds({ ...plain, holdSeconds: 3_600, peakPerSecond: 5_000 }, true)).toThrow(
			'run_too_large'
		);
		expect(() => checkBounds({ ...plain, holdSeconds: 3_600, recoverySeconds: 3_600 }, true)).toThrow(
			'run_too_large'
		);
		const slow = profileFacts['slow-dependency'].defaults;
		expect(() => checkBounds(slow, true)).not.toThrow();
		expect(() => checkBounds(slow, false)).toThrow('run_only_simulated');
	});
});
