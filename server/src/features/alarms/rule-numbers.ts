import { alarmRules, type AlarmRuleKey, type AlarmSettings } from '../../../contract/index.ts';
import { houseDefinitions } from './definitions.ts';
import type { Definition } from './model.ts';

/** Limits and deadbands as they are in force: the house's, or what the site file says instead. */
export interface RuleNumbers {
	/** Mildest first; none where the rule has none. */
	limits: Readonly<Record<AlarmRuleKey, readonly number[]>>;
	deadbands: Readonly<Record<AlarmRuleKey, number>>;
}

const keys = Object.keys(alarmRules) as AlarmRuleKey[];

/** What the house takes where the site file says nothing. */
const houseLimits: Readonly<Partial<Record<AlarmRuleKey, readonly number[]>>> = {
	'zone-density': [4, 5],
	'zone-silent': [0.6, 0.85, 0.95],
	'zone-partial': [4],
	'zone-heat': [28, 32],
	'device-clock': [60],
	'device-refused': [60],
	database: [1_000, 5_000],
	'work-ratio': [1, 0.6],
	'booking-slow': [2]
};

/** The rules of the house with the delays and deadbands of this site. */
export function definitionsOf(settings: AlarmSettings = {}): Definition[] {
	return houseDefinitions.map((definition) => {
		const { onDelaySeconds, offDelaySeconds, deadband } = settings[definition.key] ?? {};
		return {
			...definition,
			onDelaySeconds: onDelaySeconds ?? definition.onDelaySeconds,
			offDelaySeconds: offDelaySeconds ?? definition.offDelaySeconds,
			deadband: deadband ?? definition.deadband
		};
	});
}

/** Limits and deadbands of this site. */
export function numbersOf(settings: AlarmSettings = {}): RuleNumbers {
	const deadbandOf = new Map(definitionsOf(settings).map(({ key, deadband }) => [key, deadband]));
	const each = <T>(pick: (key: AlarmRuleKey) => T) =>
		Object.fromEntries(keys.map((key) => [key, pick(key)])) as Record<AlarmRuleKey, T>;
	return {
		limits: each((key) => settings[key]?.limits ?? houseLimits[key] ?? []),
		deadbands: each((key) => deadbandOf.get(key) ?? 0)
	};
}
