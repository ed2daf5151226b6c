import type { LocalText, QuotaBlock } from '../../../contract/index.ts';
import type { BlockingLevel } from './quotas.ts';

const names: Record<QuotaBlock['level'], LocalText> = {
	country: { en: 'your country', ar: 'بلدك' },
	provider: { en: 'your provider', ar: 'مقدّم الخدمة الذي تتبع له' },
	category: { en: 'your category', ar: 'فئتك' }
};

/** The level that stands in the way, in words: which one it is, and whether another slot could help. */
export function blockOf({ dimension, scope, why }: BlockingLevel): QuotaBlock {
	// A slot's own places are no level of their own to a person: such a slot is called full.
	const level = dimension === 'slot' ? 'category' : dimension;
	const name = names[level];
	const where =
		scope === 'slot'
			? { en: ' in this slot', ar: ' في هذه النافذة الزمنية' }
			: { en: ' in this season', ar: ' في هذا الموسم' };
	const text =
		why === 'full'
			? {
					en: `The places for ${name.en}${where.en} are taken.`,
					ar: `اكتملت حصة ${name.ar}${where.ar}.`
				}
			: {
					en: `No places are foreseen for ${name.en}${where.en}, or it is not known.`,
					ar: `لا توجد حصة مخصصة باسم ${name.ar}${where.ar}، أو أنها غير معروفة.`
				};
	return { level, scope, why, text };
}
