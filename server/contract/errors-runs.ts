/** Refusals around spike runs. */
export const runErrors = {
	run_not_now: {
		status: 409,
		en: 'No spike run just now.',
		ar: 'لا يمكن بدء اختبار الذروة الآن.'
	},
	run_too_large: {
		status: 422,
		en: 'This run is larger than any run may be.',
		ar: 'هذا الاختبار أكبر من الحد المسموح.'
	},
	run_over: { status: 410, en: 'This run is over.', ar: 'انتهى هذا الاختبار.' },
	run_only_simulated: {
		status: 422,
		en: 'Only demo and laboratory can slow a dependency or make up confirmations.',
		ar: 'إبطاء خدمة خارجية أو محاكاة التأكيدات متاح في العرض والمختبر فقط.'
	}
} as const;
