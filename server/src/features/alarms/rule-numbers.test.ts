import { describe, expect, it } from 'vitest';
import { alarmRules, type AlarmRuleKey } from '../../../contract/index.ts';
import { houseDefinitions } from './definitions.ts';
import { gateDefinitions } from './gate-definitions.ts';
import { definitionsOf, numbersOf } from './rule-numbers.ts';

const settable = houseDefinitions.filter((one) => !gateDefinitions.includes(one));

describe('the numbers of the rules', () => {
	it('are known for every rule of the house but those of gates, and none besides', () =>
		expect(Object.keys(alarmRules).sort()).toEqual(settable.map(({ key }) => key).sort()));

	it('are as many as the contract says, from mild to bad', () => {
		for (const [key, own] of Object.entries(numbersOf().limits) as [AlarmRuleKey, readonly number[]][]) {
			expect(own, key).toHaveLength(alarmRules[key].limits);
			const sorted = [...own].sort((a, b) => (alarmRules[key].worse === 'higher' ? a - b : b - a));
			expect(own).toEqual(sorted);
		}
	});

	it('are those of the site where it says any, one by one, and of the house where it says none', () => {
		const settings = {
			'zone-density': { limits: [3, 4], deadband: 0.5 },
			'zone-step': { onDelaySeconds: 5, deadband: 2 },
			'work-ratio': { offDelaySeconds: 30 }
		};
		const numbers = numbersOf(settings);
		expect(numbers.limits['zone-density']).toEqual([3, 4]);
		expect([numbers.deadbands['zone-density'], numbers.deadbands['zone-step']]).toEqual([0.5, 2]);
		expect(numbers.limits['zone-heat']).toEqual([28, 32]);
		const own = new Map(definitionsOf(settings).map((one) => [one.key, one]));
		expect(own.get('zone-step')).toMatchObject({ onDelaySeconds: 5, offDelaySeconds: 60, deadband: 2 });
		expect(own.get('work-ratio')).toMatchObject({ onDelaySeconds: [120, 0], offDelaySeconds: 30 });
	});
});
