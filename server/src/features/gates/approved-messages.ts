import type { ApprovedMessage } from '../../../contract/index.ts';

/** Texts of stop and evacuate, approved before the day, word for word: nobody writes them while it happens. */
export const evacuationMessages: readonly ApprovedMessage[] = [
	{
		key: 'evacuate-inside',
		audience: 'inside',
		text: {
			ar: 'حفاظاً على سلامتكم، توجّهوا بهدوء إلى أقرب مخرج واتّبعوا تعليمات المنظّمين. لا تركضوا ولا تعودوا لأخذ أغراضكم.',
			en: 'For your safety, walk calmly to the nearest exit and follow the stewards. Do not run, and do not go back for your belongings.'
		}
	},
	{
		key: 'evacuate-coming',
		audience: 'coming',
		text: {
			ar: 'الدخول متوقف حالياً. يُرجى عدم التوجّه إلى الموقع، وتصريحكم محفوظ وسنبلغكم بالموعد الجديد.',
			en: 'Entry has stopped. Please do not come to the site. Your permit is kept, and you will be told when to come.'
		}
	},
	{
		key: 'evacuate-stewards',
		audience: 'stewards',
		text: {
			ar: 'إخلاء: أوقفوا الدخول، وافتحوا المخارج كلها، وعدّوا الخارجين، وأكّدوا حالة بوابتكم الآن.',
			en: 'Evacuation: stop all entry, open every exit, count people out, and confirm the state of your gate now.'
		}
	},
	{ key: 'evacuate-signs', audience: 'signs', text: { ar: 'مخرج', en: 'EXIT' } }
];
