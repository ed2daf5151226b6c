/** Refusals around the calendar of the season. */
export const seasonErrors = {
	no_such_day: {
		status: 422,
		en: 'This day does not exist in the calendar.',
		ar: 'لا يوجد هذا اليوم في التقويم.'
	},
	bad_span: {
		status: 422,
		en: 'The end must come after the beginning.',
		ar: 'يجب أن تكون النهاية بعد البداية.'
	},
	night_needs_hijri: {
		status: 422,
		en: 'A night is named by a Hijri date; a whole night needs no times.',
		ar: 'تُسمّى الليلة بتاريخ هجري، والليلة الكاملة لا تحتاج إلى وقت.'
	},
	no_such_spike: { status: 422, en: 'There is no such spike.', ar: 'لا توجد ذروة كهذه.' },
	spike_in_use: {
		status: 409,
		en: 'Freezes, orders or the roster hang on this spike: change them first.',
		ar: 'ترتبط بهذه الذروة فترات تجميد أو طلبات سعة أو مناوبات: غيّرها أولاً.'
	},
	not_of_seat: {
		status: 422,
		en: 'This account may not sit on this seat.',
		ar: 'لا يجوز لهذا الحساب أن يشغل هذا الموقع.'
	},
	sighting_impossible: {
		status: 422,
		en: 'A month cannot begin on this day: it is one day off at most, and every month has 29 or 30 days.',
		ar: 'لا يمكن أن يبدأ الشهر في هذا اليوم: الفرق يوم واحد على الأكثر، وكل شهر 29 أو 30 يوماً.'
	},
	sighting_gone: {
		status: 410,
		en: 'This announcement is no longer open.',
		ar: 'لم يعد هذا الإعلان قائماً.'
	},
	frozen: {
		status: 409,
		en: 'A freeze is in force: this is not changed now, or only with a reason of its own.',
		ar: 'فترة تجميد سارية: لا يُغيَّر هذا الآن، إلا بسبب خاص يُسجَّل.'
	}
} as const;
