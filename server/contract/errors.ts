import { gateErrors } from './errors-gates.ts';
import { handoverErrors } from './errors-handover.ts';
import { levelErrors } from './errors-levels.ts';
import { permitErrors, permitKeyErrors, scannerErrors } from './errors-permits.ts';
import { reductionErrors } from './errors-reductions.ts';
import { runErrors } from './errors-runs.ts';
import { seasonErrors } from './errors-season.ts';
import { syncErrors } from './errors-sync.ts';

/** Stable codes of every refusal, with the HTTP status and the title in both languages of the staff screens. */
export const errorCodes = {
	bad_request: { status: 400, en: 'The request is not as it should be.', ar: 'الطلب غير صحيح.' },
	bad_json: { status: 400, en: 'The body is not valid JSON.', ar: 'محتوى الطلب ليس JSON صالحاً.' },
	too_large: { status: 413, en: 'The message is too large.', ar: 'الرسالة أكبر من المسموح.' },
	not_signed_in: { status: 401, en: 'Sign in first.', ar: 'سجّل الدخول أولاً.' },
	wrong_credentials: {
		status: 401,
		en: 'E-mail or password is wrong.',
		ar: 'البريد أو كلمة المرور غير صحيحة.'
	},
	link_gone: {
		status: 410,
		en: 'This link is no longer good. Restart the server for a new one.',
		ar: 'انتهت صلاحية هذا الرابط. أعد تشغيل الخادم للحصول على رابط جديد.'
	},
	forbidden: { status: 403, en: 'Your role may not do this.', ar: 'دورك لا يسمح بهذا الإجراء.' },
	cross_site: { status: 403, en: 'The request came from another site.', ar: 'جاء الطلب من موقع آخر.' },
	recount_doubtful: {
		status: 422,
		en: 'This is far over the capacity of the zone. Send it again if it is right.',
		ar: 'هذا العدد يفوق سعة المنطقة بكثير. أرسله مرة أخرى إن كان صحيحاً.'
	},
	not_yours: {
		status: 403,
		en: 'This place belongs to somebody else, or does not exist.',
		ar: 'هذا الدور لا يخصك أو غير موجود.'
	},
	no_pass: { status: 403, en: 'It is not your turn to book yet.', ar: 'لم يحن دورك للحجز بعد.' },
	no_identity: { status: 401, en: 'It is not known who is asking.', ar: 'لم تُعرَف هوية صاحب الطلب.' },
	identity_not_configured: {
		status: 503,
		en: 'Nobody can be identified: no identity service is configured.',
		ar: 'لا يمكن التحقق من الهوية: لم تُضبط خدمة الهوية.'
	},
	identity_unavailable: {
		status: 503,
		en: 'The sign-in service does not answer just now. Try again shortly.',
		ar: 'خدمة تسجيل الدخول لا تجيب الآن. حاول بعد قليل.'
	},
	eligibility_not_configured: {
		status: 503,
		en: 'Booking is refused: no eligibility service is configured.',
		ar: 'الحجز متوقف: لم تُضبط خدمة الأهلية.'
	},
	not_eligible: { status: 403, en: 'Not eligible to book.', ar: 'غير مؤهل للحجز.' },
	not_found: { status: 404, en: 'Not found.', ar: 'غير موجود.' },
	account_needed: {
		status: 401,
		en: 'Show who you are to take your pass. Your place is kept.',
		ar: 'عرّف بنفسك لاستلام تصريح الدخول. دورك محفوظ.'
	},
	ready_invalid: {
		status: 401,
		en: 'This preparation is no longer valid. Prepare again.',
		ar: 'لم يعد هذا الاستعداد صالحاً. استعد من جديد.'
	},
	too_early_to_join: {
		status: 409,
		en: 'The waiting room is not open yet.',
		ar: 'لم تُفتح غرفة الانتظار بعد.'
	},
	room_closed: {
		status: 409,
		en: 'The waiting room has closed. No new places are given.',
		ar: 'أُغلقت غرفة الانتظار ولا تُعطى أدوار جديدة.'
	},
	draw_running: {
		status: 409,
		en: 'A draw is running: this cannot be changed now.',
		ar: 'القرعة جارية: لا يمكن تغيير ذلك الآن.'
	},
	ballot_closed: {
		status: 409,
		en: 'Registration for this ballot has closed.',
		ar: 'أُغلق التسجيل في هذه القرعة.'
	},
	draw_not_frozen: {
		status: 409,
		en: 'The list of this draw is not frozen yet.',
		ar: 'لم تُقفل قائمة هذه القرعة بعد.'
	},
	draw_settled: {
		status: 409,
		en: 'This draw already has its outside randomness.',
		ar: 'لهذه القرعة قيمة عشوائية خارجية بالفعل.'
	},
	nothing_to_draw: {
		status: 409,
		en: 'Nobody is to be drawn: plan a pre-queue and the time of its draw first.',
		ar: 'لا أحد ينتظر قرعة: حدّد أولاً موعد التسجيل المسبق وموعد القرعة.'
	},
	bad_schedule: {
		status: 422,
		en: 'The times of this schedule do not fit together.',
		ar: 'أوقات هذا الجدول غير متسقة.'
	},
	version_missing: {
		status: 428,
		en: 'Say which version this edit stands on (If-Match or expectedVersion).',
		ar: 'حدّد الإصدار الذي يستند إليه هذا التعديل (If-Match أو expectedVersion).'
	},
	version_changed: {
		status: 412,
		en: 'Somebody changed it meanwhile: look again.',
		ar: 'غيّره شخص آخر في هذه الأثناء: راجعه من جديد.'
	},
	turn_expired: { status: 410, en: 'Your turn has passed. Join again.', ar: 'انتهى وقت دورك. انضم من جديد.' },
	old_epoch: {
		status: 410,
		en: 'This waiting room was restarted. Join again.',
		ar: 'أُعيد تشغيل غرفة الانتظار. انضم من جديد.'
	},
	too_early: { status: 429, en: 'You are asking too often.', ar: 'أنت تسأل أسرع من اللازم.' },
	rate_limited: { status: 429, en: 'Too many requests.', ar: 'طلبات كثيرة جداً.' },
	slot_full: { status: 409, en: 'This slot is full.', ar: 'اكتملت هذه النافذة الزمنية.' },
	quota_full: {
		status: 409,
		en: 'The places foreseen for your group are taken.',
		ar: 'اكتملت الحصة المخصصة لفئتك.'
	},
	place_filling: {
		status: 503,
		en: 'This place is very full just now: bookings for the next hours there are slowed. Your place is kept.',
		ar: 'الموقع مزدحم جداً الآن، لذلك يُبطَّأ الحجز فيه للساعات القريبة. دورك محفوظ.'
	},
	too_late_to_change: {
		status: 409,
		en: 'This slot has begun: the permit cannot be changed any more.',
		ar: 'بدأت هذه النافذة الزمنية، فلم يعد تغيير التصريح ممكناً.'
	},
	plan_refused: {
		status: 422,
		en: 'This cannot be planned as it stands.',
		ar: 'لا يمكن اعتماد هذه الخطة كما هي.'
	},
	already_booked: { status: 409, en: 'You already have a permit.', ar: 'لديك تصريح بالفعل.' },
	no_such_slot: { status: 422, en: 'There is no such slot.', ar: 'لا توجد نافذة زمنية كهذه.' },
	bad_input: { status: 422, en: 'The booking is not as it should be.', ar: 'بيانات الحجز غير صحيحة.' },
	...permitErrors,
	...permitKeyErrors,
	key_reused: {
		status: 422,
		en: 'This Idempotency-Key was used for another request.',
		ar: 'استُخدم مفتاح التكرار هذا لطلب آخر.'
	},
	key_missing: {
		status: 400,
		en: 'A command needs an Idempotency-Key header.',
		ar: 'الأمر يحتاج مفتاح تكرار (Idempotency-Key).'
	},
	key_in_flight: {
		status: 409,
		en: 'The same request is still running.',
		ar: 'الطلب نفسه ما زال قيد التنفيذ.'
	},
	busy: { status: 503, en: 'Too busy just now. Your place is kept.', ar: 'ضغط مرتفع الآن. دورك محفوظ.' },
	queue_full: { status: 503, en: 'The waiting room is full.', ar: 'غرفة الانتظار ممتلئة.' },
	joins_closed: { status: 503, en: 'No new places are given out just now.', ar: 'لا تُعطى أدوار جديدة الآن.' },
	booking_closed: {
		status: 503,
		en: 'Booking is paused just now. Your place is kept.',
		ar: 'الحجز متوقف مؤقتاً. دورك محفوظ.'
	},
	feature_off: { status: 503, en: 'This is switched off just now.', ar: 'هذه الميزة متوقفة الآن.' },
	somebody_faster: {
		status: 409,
		en: 'Somebody was faster: look again before you switch.',
		ar: 'سبقك شخص آخر: راجع الحالة قبل التبديل.'
	},
	...levelErrors,
	too_old: {
		status: 409,
		en: 'This was pressed too long ago and was not sent. Look again, then press again.',
		ar: 'مضى على هذا الأمر وقت طويل ولم يُرسل. راجع الحالة ثم اضغط مرة أخرى.'
	},
	team_busy: {
		status: 409,
		en: 'This team already has a job. Send it all the same with a reason, or choose another.',
		ar: 'لدى هذا الفريق مهمة أخرى. وجّهه مع ذكر السبب أو اختر فريقاً غيره.'
	},
	wrong_step: {
		status: 409,
		en: 'This order is already further on: look again.',
		ar: 'تجاوز هذا التوجيه هذه الخطوة: راجع الحالة من جديد.'
	},
	not_your_team: {
		status: 403,
		en: 'Only the leader of this team or the control room may do this.',
		ar: 'هذا الإجراء لقائد الفريق أو لغرفة التحكم فقط.'
	},
	reason_needed: { status: 422, en: 'A reason is needed.', ar: 'يجب ذكر السبب.' },
	no_such_place: {
		status: 422,
		en: 'There is no such zone or gate on this site.',
		ar: 'لا توجد منطقة أو بوابة كهذه في هذا الموقع.'
	},
	no_such_team: { status: 422, en: 'There is no such team.', ar: 'لا يوجد فريق كهذا.' },
	no_such_leader: {
		status: 422,
		en: 'One of these accounts is not a team leader.',
		ar: 'أحد هذه الحسابات ليس لقائد فريق.'
	},
	claim_held: {
		status: 409,
		en: 'Somebody has this in hand. Take it over with a reason only.',
		ar: 'يتولى هذا شخص آخر الآن. لا يُنقل إليك إلا بذكر السبب.'
	},
	incident_closed: { status: 409, en: 'This incident is closed.', ar: 'أُغلق هذا البلاغ.' },
	personal_data: {
		status: 422,
		en: 'No names, numbers or addresses of persons here: say what and where.',
		ar: 'لا تُكتب هنا أسماء أو أرقام أو عناوين أشخاص: اذكر ماذا وأين فقط.'
	},
	alarm_over: {
		status: 409,
		en: 'This alarm is over already: nothing was changed.',
		ar: 'انتهى هذا الإنذار من قبل: لم يتغيّر شيء.'
	},
	not_shelvable: {
		status: 409,
		en: 'A critical crowd alarm is never shelved.',
		ar: 'إنذار الحشود الحرج لا يُعلَّق أبداً.'
	},
	not_shelved: { status: 409, en: 'This alarm is not shelved.', ar: 'هذا الإنذار غير معلّق.' },
	no_such_definition: {
		status: 422,
		en: 'There is no such alarm rule.',
		ar: 'لا توجد قاعدة إنذار كهذه.'
	},
	...gateErrors,
	...scannerErrors,
	...runErrors,
	...seasonErrors,
	...handoverErrors,
	...syncErrors,
	...reductionErrors,
	only_laboratory: { status: 404, en: 'Only in the laboratory.', ar: 'في المختبر فقط.' },
	reading_refused: { status: 422, en: 'The reading cannot be counted.', ar: 'تعذّر احتساب القراءة.' },
	no_such_zone: { status: 404, en: 'There is no such zone.', ar: 'لا توجد منطقة كهذه.' },
	no_such_device: { status: 404, en: 'There is no such device.', ar: 'لا يوجد جهاز كهذا.' },
	simulation_refused: {
		status: 403,
		en: 'Simulated sources are not allowed here.',
		ar: 'المصادر المحاكاة غير مسموحة هنا.'
	},
	not_ready: {
		status: 503,
		en: 'A part is not available. Try again shortly.',
		ar: 'جزء من النظام غير متاح. حاول بعد قليل.'
	},
	internal: { status: 500, en: 'Something failed on our side.', ar: 'حدث خطأ من جهتنا.' }
} as const satisfies Record<string, { status: number; en: string; ar: string }>;
export type ErrorCode = keyof typeof errorCodes;

/** A refusal as it travels: application/problem+json. `error` is short, stable, English. */
export interface Problem {
	type: 'about:blank';
	status: number;
	code: ErrorCode;
	error: string;
	title: string;
	/** Quoted to support; never the cause itself. */
	id?: string;
	[detail: string]: unknown;
}
