import {
	ruleKey,
	type CurrentLevel,
	type LevelsFile,
	type LocalText,
	type Mark
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Alarms, FedCondition, NewDefinition } from '../alarms/index.ts';
import { entryOf } from './levels-plan.ts';

const text = (ar: string, en: string): LocalText => ({ ar, en });

export const levelAlarms: readonly NewDefinition[] = [
	{
		...{ key: 'level-forgotten', kind: 'level', priority: 'high', timeToRespondSeconds: 300 },
		title: text('مستوى بقي سارياً ونُسي', 'A level was left in force'),
		cause: text('مضى موعد إنهائه أو الحد المكتوب له', 'Its planned end, or its written limit, has passed'),
		consequence: text(
			'يبقى الناس محرومين مما أُوقف دون حاجة',
			'People go without what may no longer need to be off'
		),
		action: text('أعد المستوى أو حدّد موعداً جديداً لإنهائه', 'Go back, or set it again with a new end')
	},
	{
		...{ key: 'level-break-glass', kind: 'level', priority: 'critical', timeToRespondSeconds: 60 },
		pagesEverybody: true,
		title: text('مستوى فُرض دون شخص ثانٍ', 'A level was put in force without a second person'),
		cause: text(
			'كسر زجاج الطوارئ شخص واحد أو قاعدة مسلّحة',
			'One person alone, or an armed rule, broke the glass'
		),
		consequence: text(
			'توقفت خدمات للجمهور بقرار لم يراجعه أحد',
			'Public services stopped by a decision nobody has checked'
		),
		action: text('راجع السبب الآن، ثم أبقه أو أعده', 'Check the reason now; keep it, or go back')
	},
	{
		...{ key: 'level-rule-acted', kind: 'level', priority: 'high', timeToRespondSeconds: 120 },
		title: text('قاعدة مسلّحة رفعت المستوى', 'An armed rule raised the level'),
		cause: text(
			'تجاوزت الإشارة حدّها المكتوب مدته كاملة',
			'Its signal was past its written limit for its whole time'
		),
		consequence: text('توقفت خدمات حسب الخطة', 'Services are off as written'),
		action: text('راجع الأرقام وتأكد أن المستوى كافٍ', 'Look at the figures: is the level enough?')
	}
];

/** One subject: there is one level in force. */
const subject = { kind: 'level' as const, id: 'current' };

/** What the level in force says to the alarms at this moment. Pure. */
export function levelConditions(
	file: LevelsFile,
	current: CurrentLevel,
	{ now, known, mark }: { now: number; known: boolean; mark: Mark }
): Map<string, FedCondition> {
	const entry = entryOf(file, current.level);
	const names = entry?.name ?? text(String(current.level), String(current.level));
	const seconds = Math.max(0, Math.round((now - current.since) / 1_000));
	const say = (on: boolean, value: number, limitMs: number): FedCondition => ({
		...{ state: known ? (on ? 'on' : 'off') : 'unknown', value, limit: Math.round(limitMs / 1_000) },
		...{ unit: 'seconds', names, mark }
	});
	const limitMs = entry?.forgottenAfterMinutes
		? entry.forgottenAfterMinutes * 60_000
		: limits.levels.forgottenMs;
	const endMs = current.until ?? current.since + limitMs;
	const isAway = current.level > 0 && !current.exercise;
	const ringsMs = limits.levels.breakGlassRingsMs;
	const rule = file.rules.find((one) => ruleKey(one) === current.rule);
	const isFresh = now - current.since < ringsMs;
	const byRule = isFresh && current.source === 'rule' && current.level > (current.from ?? 0);
	const glass = (isFresh && current.source === 'break-glass') || (byRule && rule?.breakGlass === true);
	return new Map([
		['level-forgotten', say(isAway && now >= endMs, seconds, endMs - current.since)],
		['level-break-glass', say(glass, seconds, ringsMs)],
		['level-rule-acted', say(byRule && !glass, seconds, ringsMs)]
	]);
}

export function feedLevelAlarms(
	alarms: Pick<Alarms, 'feed'>,
	conditions: ReadonlyMap<string, FedCondition>
): void {
	for (const [key, condition] of conditions) alarms.feed(key, subject, condition);
}
