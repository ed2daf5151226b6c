import { gateConditionKeys, type AlarmPriority, type LocalText } from '../../../contract/index.ts';
import type { Definition } from './model.ts';

const text = (ar: string, en: string): LocalText => ({ ar, en });

type GateKey = (typeof gateConditionKeys)[number];
const gateWords: Record<GateKey, { priority: AlarmPriority; respond: number; texts: readonly LocalText[] }> =
	{
		'gate-difference': {
			...{ priority: 'high', respond: 120 },
			texts: [
				text('لم يؤكَّد أمر البوابة', 'A gate is not as commanded'),
				text('لم يؤكد منظّم البوابة الأمر', 'Its steward has not confirmed the command'),
				text('قد تكون البوابة على حال أخرى', 'The gate may stand otherwise'),
				text('اتصل بمنظّم البوابة لاسلكياً', 'Call the steward by radio')
			]
		},
		'gate-hold-grows': {
			...{ priority: 'high', respond: 120 },
			texts: [
				text('الحشد يزداد أمام بوابة موقوفة', 'A crowd grows before a held gate'),
				text('مضى نصف زمن الإيقاف والحشد يزداد', 'Half of the hold is gone and the crowd grows'),
				text('خطر التدافع أمام البوابة', 'Danger of a crush before the gate'),
				text('حوّل القادمين أو ابدأ إعادة الفتح', 'Divert those who come, or begin to re-open')
			]
		},
		'gate-hold-ends': {
			...{ priority: 'high', respond: 60 },
			texts: [
				text('زمن إيقاف البوابة يوشك أن ينتهي', 'The hold of a gate is nearly over'),
				text('مضت أربعة أخماس زمن الإيقاف', 'Four fifths of its time are gone'),
				text('لا يجوز إيقافها أطول من ذلك', 'It may not be held for longer'),
				text('ابدأ إعادة الفتح على خطوات', 'Begin to re-open in steps')
			]
		},
		'gate-hold-over': {
			...{ priority: 'critical', respond: 30 },
			texts: [
				text('انتهى زمن إيقاف البوابة', 'The hold of a gate is over'),
				text('البوابة موقوفة أطول من الحد', 'The gate is held beyond its maximum'),
				text('خطر التدافع أمام البوابة', 'Danger of a crush before the gate'),
				text('أعد الفتح على خطوات الآن', 'Re-open in steps now')
			]
		},
		'gate-outside-full': {
			...{ priority: 'critical', respond: 60 },
			texts: [
				text(
					'تمتلئ الساحة أمام البوابة قبل انتهاء الإيقاف',
					'The place before a held gate fills before the hold ends'
				),
				text('الحشد أمام البوابة يزداد', 'The crowd before the gate grows'),
				text('خطر التدافع أمام البوابة', 'Danger of a crush before the gate'),
				text('أعد الفتح على خطوات أو حوّل القادمين', 'Re-open in steps, or divert those who come')
			]
		},
		'gate-outside-unknown': {
			...{ priority: 'high', respond: 120 },
			texts: [
				text('لا يُعرف عدد الواقفين أمام بوابة موقوفة', 'Nobody knows how many stand before a held gate'),
				text('لا عدّاد يرى الساحة أمام البوابة', 'No counter sees the place before the gate'),
				text('قد يزداد الحشد دون أن يُرى', 'A crowd may grow unseen'),
				text('اسأل منظّم البوابة لاسلكياً', 'Ask the steward by radio')
			]
		},
		evacuation: {
			...{ priority: 'critical', respond: 30 },
			texts: [
				text('إخلاء', 'Evacuation'),
				text('أُعلن الإخلاء', 'An evacuation is in force'),
				text('على الناس مغادرة المكان', 'People have to leave'),
				text('تابع البوابات والفرق حتى يُعلن انتهاؤه', 'Follow gates and teams until it is stood down')
			]
		},
		'evacuation-gates': {
			...{ priority: 'critical', respond: 60 },
			texts: [
				text('بوابات لم تؤكد الإخلاء', 'Gates have not confirmed the evacuation'),
				text('لم يؤكد منظّموها أنها مفتوحة للخروج', 'Their stewards have not confirmed'),
				text('قد يكون طريق الخروج مسدوداً', 'A way out may be blocked'),
				text('اتصل بالمنظّمين لاسلكياً', 'Call the stewards by radio')
			]
		}
	};

/** Rules about gates and the evacuation; the gates say themselves when they are on. */
export const gateDefinitions: readonly Definition[] = gateConditionKeys.map((key) => {
	const { priority, respond, texts } = gateWords[key];
	const [title, cause, consequence, action] = texts as [LocalText, LocalText, LocalText, LocalText];
	const isEvacuation = key.startsWith('evacuation');
	return {
		...{ key, kind: isEvacuation ? 'part' : 'gate', priorities: [priority], crowd: true, deadband: 0 },
		...{ unit: 'seconds', onDelaySeconds: 0, offDelaySeconds: isEvacuation ? 0 : 10 },
		...{ timeToRespondSeconds: respond, title, cause, consequence, action }
	};
});
