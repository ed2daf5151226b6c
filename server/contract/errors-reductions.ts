/** Refusals around slots that shrink or close. */
export const reductionErrors = {
	no_such_reduction: {
		status: 404,
		en: 'There is no such reduction.',
		ar: 'لا يوجد تخفيض كهذا.'
	},
	nothing_to_reduce: {
		status: 422,
		en: 'No slot would become smaller by this.',
		ar: 'لن تصغر أي نافذة زمنية بهذا الطلب.'
	},
	too_much_to_reduce: {
		status: 422,
		en: 'This affects more permits than one reduction may. Take a shorter span.',
		ar: 'يمس هذا عدداً من التصاريح يفوق حد التخفيض الواحد. اختر مدة أقصر.'
	},
	reduction_running: {
		status: 409,
		en: 'One of these slots is being reduced already: wait for its answers or withdraw it.',
		ar: 'إحدى هذه النوافذ قيد التخفيض بالفعل: انتظر الردود أو اسحب التخفيض السابق.'
	},
	more_affected: {
		status: 409,
		en: 'More people are affected by now than the preview said: look again.',
		ar: 'أصبح عدد المتأثرين أكبر مما ظهر في المعاينة: راجعها من جديد.'
	},
	reduction_decided: {
		status: 409,
		en: 'This reduction was decided already: look again.',
		ar: 'حُسم أمر هذا التخفيض من قبل: راجع الحالة.'
	},
	no_offer: {
		status: 409,
		en: 'There is no offer for this permit any more: look at your permit again.',
		ar: 'لم يعد هناك عرض لهذا التصريح: راجع تصريحك من جديد.'
	}
} as const;
