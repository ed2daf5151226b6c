/** Refusals around connections and the unified pull. */
export const syncErrors = {
	unknown_kind: {
		status: 422,
		en: 'There is no such kind of thing.',
		ar: 'لا يوجد نوع كهذا من البيانات.'
	},
	too_many_connections: {
		status: 429,
		en: 'Too many connections of this account or gate. Close some, or come back later.',
		ar: 'عدد الاتصالات لهذا الحساب أو هذه البوابة كبير. أغلق بعضها أو عُد لاحقاً.'
	},
	sync_paused: {
		status: 503,
		en: 'Too many pulls failed in the last minute: pulling is paused. Come back later.',
		ar: 'تعذّر كثير من طلبات المزامنة في الدقيقة الأخيرة، فأُوقفت مؤقتاً. عُد لاحقاً.'
	}
} as const;
