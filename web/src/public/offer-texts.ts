import type { Language } from './texts/texts.ts';

/** What stands on the offer of another slot; a script of its own, for few people ever see it. */
export interface OfferTexts {
	heading: string;
	/** The slot holds fewer people, or is closed. */
	smaller: string;
	closed: string;
	/** Before the slot that is held. */
	held: string;
	/** Nothing is free. */
	waiting: string;
	/** `{time}`: by when to answer, and what happens then. */
	move: string;
	revoke: string;
	keep: string;
	accept: string;
	decline: string;
	question: { heading: string; lead: string; yes: string; no: string };
}

export const offerTexts: Readonly<Record<Language, OfferTexts>> = {
	ar: {
		heading: 'تعذّر الإبقاء على موعدك',
		smaller: 'لم يعد الموقع يتسع للجميع في الموعد الذي حجزته.',
		closed: 'أُغلق الموقع في الموعد الذي حجزته.',
		held: 'حُجز لك هذا الموعد بدلاً منه:',
		waiting: 'لا موعد آخر متاح الآن. نواصل البحث، ويظهر هنا ما يتوفر.',
		move: 'أجب قبل {time}. إن لم تُجب أصبح الموعد الجديد لك.',
		revoke: 'إن لم يتغير شيء حتى {time} انتهى تصريحك.',
		keep: 'إن لم يتغير شيء حتى {time} بقي تصريحك كما هو.',
		accept: 'أقبل هذا الموعد',
		decline: 'أتخلى عن تصريحي',
		question: {
			heading: 'هل تتخلى عن تصريحك؟',
			lead: 'لن يبقى لك تصريح، ويعود المكان المحجوز لك إلى غيرك.',
			yes: 'نعم، أتخلى عنه',
			no: 'لا، أحتفظ به'
		}
	},
	en: {
		heading: 'Your time cannot be kept',
		smaller: 'The place can no longer take everybody at the time you booked.',
		closed: 'The place is closed at the time you booked.',
		held: 'This time is held for you instead:',
		waiting: 'No other time is free just now. We keep looking; what comes free is shown here.',
		move: 'Answer by {time}. If you do not, the new time becomes yours.',
		revoke: 'If nothing changes by {time}, your permit ends.',
		keep: 'If nothing changes by {time}, your permit stays as it is.',
		accept: 'Take this time',
		decline: 'Give up my permit',
		question: {
			heading: 'Give up your permit?',
			lead: 'You will have no permit, and the place held for you goes to others.',
			yes: 'Yes, give it up',
			no: 'No, keep it'
		}
	},
	fr: {
		heading: 'Votre horaire ne peut être maintenu',
		smaller: 'Le lieu ne peut plus accueillir tout le monde à l’heure réservée.',
		closed: 'Le lieu est fermé à l’heure réservée.',
		held: 'Cet horaire vous est gardé à la place :',
		waiting: 'Aucun autre horaire n’est libre. Nous continuons de chercher ; ce qui se libère s’affiche ici.',
		move: 'Répondez avant {time}. Sans réponse, le nouvel horaire est le vôtre.',
		revoke: 'Si rien ne change avant {time}, votre permis prend fin.',
		keep: 'Si rien ne change avant {time}, votre permis reste tel quel.',
		accept: 'Prendre cet horaire',
		decline: 'Renoncer à mon permis',
		question: {
			heading: 'Renoncer à votre permis ?',
			lead: 'Vous n’aurez plus de permis, et la place gardée ira à d’autres.',
			yes: 'Oui, y renoncer',
			no: 'Non, le garder'
		}
	},
	id: {
		heading: 'Waktu Anda tidak dapat dipertahankan',
		smaller: 'Tempat ini tidak lagi dapat menampung semua orang pada waktu yang Anda pesan.',
		closed: 'Tempat ini ditutup pada waktu yang Anda pesan.',
		held: 'Waktu ini disimpan untuk Anda sebagai gantinya:',
		waiting: 'Belum ada waktu lain yang kosong. Kami terus mencari; yang tersedia akan tampil di sini.',
		move: 'Jawab sebelum {time}. Jika tidak, waktu baru menjadi milik Anda.',
		revoke: 'Jika tidak ada perubahan sampai {time}, izin Anda berakhir.',
		keep: 'Jika tidak ada perubahan sampai {time}, izin Anda tetap seperti semula.',
		accept: 'Ambil waktu ini',
		decline: 'Lepaskan izin saya',
		question: {
			heading: 'Lepaskan izin Anda?',
			lead: 'Anda tidak akan memiliki izin, dan tempat yang disimpan diberikan kepada orang lain.',
			yes: 'Ya, lepaskan',
			no: 'Tidak, simpan'
		}
	},
	tr: {
		heading: 'Saatiniz korunamıyor',
		smaller: 'Yer, ayırttığınız saatte artık herkesi alamıyor.',
		closed: 'Yer, ayırttığınız saatte kapalı.',
		held: 'Yerine sizin için bu saat tutuldu:',
		waiting: 'Şu anda boş başka saat yok. Aramayı sürdürüyoruz; boşalan burada görünür.',
		move: '{time} saatine kadar yanıtlayın. Yanıtlamazsanız yeni saat sizin olur.',
		revoke: '{time} saatine kadar bir şey değişmezse izniniz sona erer.',
		keep: '{time} saatine kadar bir şey değişmezse izniniz olduğu gibi kalır.',
		accept: 'Bu saati al',
		decline: 'İznimden vazgeç',
		question: {
			heading: 'İzninizden vazgeçiyor musunuz?',
			lead: 'İzniniz kalmaz ve sizin için tutulan yer başkalarına verilir.',
			yes: 'Evet, vazgeç',
			no: 'Hayır, kalsın'
		}
	},
	ur: {
		heading: 'آپ کا وقت برقرار نہیں رکھا جا سکتا',
		smaller: 'آپ کے بک کیے ہوئے وقت پر اس جگہ میں اب سب کی گنجائش نہیں رہی۔',
		closed: 'آپ کے بک کیے ہوئے وقت پر یہ جگہ بند ہے۔',
		held: 'اس کے بجائے یہ وقت آپ کے لیے محفوظ ہے:',
		waiting: 'اس وقت کوئی دوسرا وقت خالی نہیں۔ تلاش جاری ہے، جو ملے گا یہاں نظر آئے گا۔',
		move: '{time} تک جواب دیں۔ جواب نہ دیا تو نیا وقت آپ کا ہو جائے گا۔',
		revoke: 'اگر {time} تک کچھ نہ بدلا تو آپ کا اجازت نامہ ختم ہو جائے گا۔',
		keep: 'اگر {time} تک کچھ نہ بدلا تو آپ کا اجازت نامہ ویسا ہی رہے گا۔',
		accept: 'یہ وقت لے لوں',
		decline: 'اپنا اجازت نامہ چھوڑ دوں',
		question: {
			heading: 'کیا آپ اپنا اجازت نامہ چھوڑ رہے ہیں؟',
			lead: 'آپ کے پاس اجازت نامہ نہیں رہے گا اور محفوظ جگہ دوسروں کو مل جائے گی۔',
			yes: 'ہاں، چھوڑ دوں',
			no: 'نہیں، رکھوں'
		}
	},
	bn: {
		heading: 'আপনার সময়টি রাখা যাচ্ছে না',
		smaller: 'আপনার বুক করা সময়ে জায়গাটিতে আর সবার স্থান হচ্ছে না।',
		closed: 'আপনার বুক করা সময়ে জায়গাটি বন্ধ।',
		held: 'এর বদলে এই সময়টি আপনার জন্য রাখা আছে:',
		waiting: 'এখন আর কোনো সময় খালি নেই। খোঁজা চলছে; খালি হলে এখানে দেখা যাবে।',
		move: '{time} এর মধ্যে উত্তর দিন। না দিলে নতুন সময়টি আপনার হবে।',
		revoke: '{time} পর্যন্ত কিছু না বদলালে আপনার অনুমতিপত্র শেষ হবে।',
		keep: '{time} পর্যন্ত কিছু না বদলালে আপনার অনুমতিপত্র আগের মতোই থাকবে।',
		accept: 'এই সময়টি নিন',
		decline: 'অনুমতিপত্র ছেড়ে দিন',
		question: {
			heading: 'অনুমতিপত্র ছেড়ে দেবেন?',
			lead: 'আপনার আর অনুমতিপত্র থাকবে না, আর রাখা জায়গাটি অন্যরা পাবে।',
			yes: 'হ্যাঁ, ছেড়ে দিন',
			no: 'না, রাখুন'
		}
	}
};
