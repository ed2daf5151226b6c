import {
	alarmRules,
	type AlarmRuleKey,
	type AlarmRuleSettings,
	type SiteFile
} from '../../../contract/index.ts';
import { fault, warning, type Finding } from './finding.ts';

const isRule = (key: string): key is AlarmRuleKey => Object.hasOwn(alarmRules, key);
/** Nobody waits longer than that to hear of a crowd. */
const slowSeconds = 120;

/** What the alarm numbers of a site say that cannot be meant. Pure. */
export function alarmRuleFaults({ marsad }: SiteFile): Finding[] {
	return Object.entries(marsad.alarms ?? {}).flatMap(([key, settings]) => {
		if (!isRule(key)) {
			const known = Object.keys(alarmRules).join(', ');
			return [
				fault(
					`"alarms" names the rule "${key}", which does not exist; there are ${known}.`,
					`تذكر "alarms" القاعدة "${key}" وهي غير موجودة؛ والقواعد: ${known}.`
				)
			];
		}
		return [...limitFaults(key, settings), ...deadbandFaults(key, settings)];
	});
}

/** Numbers that may be meant, and are worth a second look. */
export function alarmRuleWarnings({ marsad }: SiteFile): Finding[] {
	return Object.entries(marsad.alarms ?? {}).flatMap(([key, { onDelaySeconds = 0 }]) =>
		key.startsWith('zone-') && onDelaySeconds > slowSeconds
			? [
					warning(
						`The alarm "${key}" waits ${onDelaySeconds} seconds before it rings: a crowd is dense long before.`,
						`ينتظر الإنذار "${key}" ${onDelaySeconds} ثانية قبل أن يُطلق: يكتظ الحشد قبل ذلك بكثير.`
					)
				]
			: []
	);
}

function limitFaults(key: AlarmRuleKey, { limits }: AlarmRuleSettings): Finding[] {
	if (limits === undefined) return [];
	const rule = alarmRules[key];
	if (rule.limits === 0)
		return [
			fault(
				`The alarm "${key}" has no limits to be set: they stand with each zone, or it is on or off.`,
				`الإنذار "${key}" بلا حدود تُضبط: هي في كل منطقة، أو هو قائم أو غير قائم.`
			)
		];
	if (limits.length !== rule.limits)
		return [
			fault(
				`The alarm "${key}" has ${rule.limits} limits, mildest first; the file gives ${limits.length}.`,
				`للإنذار "${key}" حدود عددها ${rule.limits}، أخفّها أولاً؛ وفي الملف ${limits.length}.`
			)
		];
	const isWorse = (limit: number, before: number) =>
		rule.worse === 'higher' ? limit > before : limit < before;
	return limits.every((limit, index) => index === 0 || isWorse(limit, limits[index - 1]!))
		? []
		: [
				fault(
					`The limits of the alarm "${key}" (${limits.join(', ')}) must go from mild to bad: each one ${rule.worse} than the one before.`,
					`حدود الإنذار "${key}" (${limits.join('، ')}) يجب أن تتدرّج من الأخف إلى الأشد: كل حدّ ${rule.worse === 'higher' ? 'أعلى' : 'أدنى'} من سابقه.`
				)
			];
}

/** A band that reaches down to nothing would never let go. */
function deadbandFaults(key: AlarmRuleKey, { limits, deadband }: AlarmRuleSettings): Finding[] {
	const [mildest] = limits ?? [];
	if (deadband === undefined || mildest === undefined || alarmRules[key].worse === 'lower') return [];
	return deadband < mildest
		? []
		: [
				fault(
					`The deadband of the alarm "${key}" (${deadband}) reaches below its first limit (${mildest}): it would never be over.`,
					`نطاق الرجوع للإنذار "${key}" (${deadband}) يتجاوز حدّه الأول (${mildest}): فلن ينتهي أبداً.`
				)
			];
}
