/** Refusals around gates and evacuation. */
export const gateErrors = {
	no_such_gate: { status: 404, en: 'There is no such gate.', ar: 'لا توجد بوابة كهذه.' },
	exit_cannot_close: {
		status: 409,
		en: 'An exit is never closed, held or metered. Open it; if it is blocked, report an incident.',
		ar: 'المخرج لا يُغلق ولا يُوقف ولا يُقيَّد أبداً. افتحه، وإن كان مسدوداً فسجّل بلاغاً.'
	},
	hold_too_long: {
		status: 422,
		en: 'This hold is longer than this gate may be held.',
		ar: 'مدة الإيقاف أطول من الحد المسموح لهذه البوابة.'
	},
	rate_too_high: {
		status: 422,
		en: 'The lanes of this gate cannot take so many people a minute.',
		ar: 'مسارات هذه البوابة لا تستوعب هذا العدد في الدقيقة.'
	},
	not_reopening: {
		status: 409,
		en: 'This gate is not re-opening: look again.',
		ar: 'هذه البوابة ليست في مرحلة إعادة الفتح: راجع الحالة من جديد.'
	},
	reopens_in_steps: {
		status: 409,
		en: 'This gate re-opens in steps: confirm this one, then advance to the next.',
		ar: 'تُفتح هذه البوابة على مراحل: أكّد هذه المرحلة ثم انتقل إلى التالية.'
	},
	evacuation_running: {
		status: 409,
		en: 'An evacuation is in force here: entries stay closed until it is stood down.',
		ar: 'الإخلاء سارٍ هنا: تبقى المداخل مغلقة حتى يُعلن إنهاؤه.'
	},
	no_evacuation: { status: 409, en: 'No evacuation is in force.', ar: 'لا يوجد إخلاء سارٍ.' }
} as const;
