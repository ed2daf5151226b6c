/** Refusals around one permit. */
export const permitErrors = {
	permit_replaced: {
		status: 409,
		en: 'This permit was changed for another one, which is valid. Cancel that one.',
		ar: 'استُبدل هذا التصريح بتصريح آخر ساري المفعول. ألغِ ذلك التصريح.'
	},
	not_valid: {
		status: 409,
		en: 'This permit is not valid any more.',
		ar: 'لم يعد هذا التصريح سارياً.'
	}
} as const;

/** Refusals around the keys and lists of permits. */
export const permitKeyErrors = {
	no_key_list: {
		status: 503,
		en: 'The list of permit keys has not been signed by a root yet.',
		ar: 'لم تُوقَّع قائمة مفاتيح التصاريح بمفتاح أساس بعد.'
	},
	root_refused: {
		status: 422,
		en: 'This root key cannot be pinned.',
		ar: 'لا يمكن تثبيت مفتاح الأساس هذا.'
	},
	key_list_refused: {
		status: 422,
		en: 'This is not the key list that waits to be signed, or no pinned root signed it.',
		ar: 'ليست هذه قائمة المفاتيح المنتظرة للتوقيع، أو لم يوقّعها مفتاح أساس مثبّت.'
	},
	key_in_use: {
		status: 409,
		en: 'Permits are still signed under this key.',
		ar: 'ما زالت تصاريح موقّعة بهذا المفتاح.'
	},
	key_waiting: {
		status: 409,
		en: 'A next key waits already.',
		ar: 'يوجد مفتاح تالٍ في الانتظار.'
	}
} as const;

/** Refusals to gate scanners. */
export const scannerErrors = {
	scanner_unknown: {
		status: 401,
		en: 'This scanner is not known here. Ask the administrator for a new token.',
		ar: 'هذا الماسح غير معروف هنا. اطلب رمزاً جديداً من مسؤول النظام.'
	},
	scanner_revoked: {
		status: 403,
		en: 'This scanner was revoked. Its entries are not taken any more.',
		ar: 'أُلغي هذا الماسح ولم تعد قيوده مقبولة.'
	}
} as const;
