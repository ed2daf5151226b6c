/** Refusals around levels, rules and drills. */
export const levelErrors = {
	second_person_needed: {
		status: 403,
		en: 'Another person must confirm this.',
		ar: 'يجب أن يؤكد هذا شخص ثانٍ.'
	},
	proposal_gone: { status: 410, en: 'This proposal is no longer open.', ar: 'لم يعد هذا المقترح قائماً.' },
	no_such_level: { status: 422, en: 'There is no such level.', ar: 'لا يوجد مستوى كهذا.' },
	not_your_level: {
		status: 403,
		en: 'The levels file gives this level to another role.',
		ar: 'هذا المستوى من صلاحية دور آخر حسب ملف المستويات.'
	},
	undo_gone: {
		status: 410,
		en: 'It can no longer be taken back. Switch by hand.',
		ar: 'فات وقت التراجع. بدّل المستوى يدوياً.'
	},
	drill_not_now: {
		status: 409,
		en: 'No drill just now: the figures are beyond its guard, or not known.',
		ar: 'لا يمكن بدء التمرين الآن: الأرقام تتجاوز حدّ الأمان أو غير معروفة.'
	},
	drill_over: { status: 410, en: 'This drill is over.', ar: 'انتهى هذا التمرين.' },
	already_at_level: { status: 409, en: 'This level is already in force.', ar: 'هذا المستوى سارٍ بالفعل.' }
} as const;
