/** Languages of the plain pages: those of the public page. */
export const plainLanguages = ['ar', 'en', 'ur', 'id', 'tr', 'bn', 'fr'] as const;
export type PlainLanguage = (typeof plainLanguages)[number];

/** Words of the pages that work without JavaScript. `{n}` and `{time}` are filled in. */
export interface PlainTexts {
	/** BCP 47 tag with the digits of the language. */
	locale: string;
	title: string;
	lead: string;
	party: string;
	join: string;
	look: string;
	leave: string;
	kept: string;
	ahead: string;
	number: string;
	wait: string;
	minutes: string;
	unknown: string;
	registered: string;
	turn: string;
	turnHow: string;
	gone: string;
	left: string;
	early: string;
	full: string;
	closed: string;
	signInOff: string;
	failed: string;
	back: string;
}

export const plainTexts: Readonly<Record<PlainLanguage, PlainTexts>> = {
	ar: {
		locale: 'ar-u-nu-latn',
		title: 'حجز التصاريح: الصفحة البسيطة',
		lead: 'تعمل هذه الصفحة من دون JavaScript، ولا تتغير إلا حين تضغط. خذ دوراً فيبقى محفوظاً في هذا المتصفح.',
		party: 'كم شخصاً تحجز لهم؟',
		join: 'انضم إلى غرفة الانتظار',
		look: 'انظر أين وصل دوري',
		leave: 'أتنازل عن دوري',
		kept: 'دورك محفوظ',
		ahead: 'أمامك: {n}',
		number: 'رقم الدور: {n}',
		wait: 'الوقت المتوقع: {time}',
		minutes: '{n} دقيقة',
		unknown: 'غير معروف الآن',
		registered: 'تم تسجيلك. يُحدَّد الترتيب بالقرعة: {time}',
		turn: 'حان دورك، ويبقى لك حتى {time}',
		turnHow:
			'إتمام الحجز يحتاج إلى تسجيل الدخول وإلى JavaScript. إن تعذّر عليك ذلك فأظهر هذه الصفحة في مكتب الاستعلامات لدى الجهة المنظّمة.',
		gone: 'لا يوجد دور محفوظ هنا، أو أنه انتهى. يمكنك أخذ دور جديد.',
		left: 'تنازلت عن دورك.',
		early: 'دورك محفوظ. انظر من جديد بعد {n} ثانية.',
		full: 'الضغط مرتفع أو غرفة الانتظار ممتلئة. حاول من جديد بعد {n} ثانية.',
		closed: 'لا تُعطى أدوار جديدة الآن.',
		signInOff: 'لم يُضبط تسجيل الدخول في هذا الموقع، فلا يمكن الحجز من هنا.',
		failed: 'حدث خطأ من جهتنا. حاول من جديد.',
		back: 'الصفحة الرئيسية'
	},
	en: {
		locale: 'en-GB-u-nu-latn',
		title: 'Permit booking: the plain page',
		lead: 'This page works without JavaScript and changes only when you press. Take a place: it is kept in this browser.',
		party: 'How many people are you booking for?',
		join: 'Join the waiting room',
		look: 'See how far my place has come',
		leave: 'Give up my place',
		kept: 'Your place is kept',
		ahead: 'Ahead of you: {n}',
		number: 'Ticket number: {n}',
		wait: 'Estimated wait: {time}',
		minutes: '{n} min',
		unknown: 'not known just now',
		registered: 'You are registered. The order is drawn by lot: {time}',
		turn: 'It is your turn, and it is kept for you until {time}',
		turnHow:
			'To book you sign in, and that needs JavaScript. If you cannot, show this page at the organiser’s information desk.',
		gone: 'No place is kept here, or it has ended. You can take a new one.',
		left: 'You gave up your place.',
		early: 'Your place is kept. Look again in {n} seconds.',
		full: 'Very busy, or the waiting room is full. Try again in {n} seconds.',
		closed: 'No new places are given out just now.',
		signInOff: 'Signing in is not set up on this site, so nothing can be booked here.',
		failed: 'Something failed on our side. Please try again.',
		back: 'The main page'
	},
	ur: {
		locale: 'ur-u-nu-latn',
		title: 'اجازت نامے کی بکنگ: سادہ صفحہ',
		lead: 'یہ صفحہ JavaScript کے بغیر کام کرتا ہے اور صرف آپ کے دبانے پر بدلتا ہے۔ باری لیں: وہ اس براؤزر میں محفوظ رہے گی۔',
		party: 'آپ کتنے افراد کے لیے بکنگ کر رہے ہیں؟',
		join: 'انتظار گاہ میں شامل ہوں',
		look: 'دیکھیں میری باری کہاں تک پہنچی',
		leave: 'اپنی باری چھوڑ دیں',
		kept: 'آپ کی باری محفوظ ہے',
		ahead: 'آپ سے آگے: {n}',
		number: 'باری نمبر: {n}',
		wait: 'متوقع انتظار: {time}',
		minutes: '{n} منٹ',
		unknown: 'ابھی معلوم نہیں',
		registered: 'آپ کا اندراج ہو گیا۔ ترتیب قرعہ اندازی سے طے ہوگی: {time}',
		turn: 'آپ کی باری آ گئی، اور {time} تک آپ کے لیے محفوظ ہے',
		turnHow:
			'بکنگ کے لیے سائن اِن اور JavaScript ضروری ہے۔ اگر ممکن نہ ہو تو یہ صفحہ منتظمین کے معلوماتی مرکز میں دکھائیں۔',
		gone: 'یہاں کوئی باری محفوظ نہیں، یا وہ ختم ہو گئی۔ آپ نئی باری لے سکتے ہیں۔',
		left: 'آپ نے اپنی باری چھوڑ دی۔',
		early: 'آپ کی باری محفوظ ہے۔ {n} سیکنڈ بعد دوبارہ دیکھیں۔',
		full: 'بہت رش ہے یا انتظار گاہ بھری ہوئی ہے۔ {n} سیکنڈ بعد دوبارہ کوشش کریں۔',
		closed: 'اس وقت نئی باریاں نہیں دی جا رہیں۔',
		signInOff: 'اس سائٹ پر سائن اِن کا انتظام نہیں کیا گیا، اس لیے یہاں بکنگ نہیں ہو سکتی۔',
		failed: 'ہماری طرف سے خرابی ہوئی۔ براہِ کرم دوبارہ کوشش کریں۔',
		back: 'مرکزی صفحہ'
	},
	id: {
		locale: 'id-u-nu-latn',
		title: 'Pemesanan izin: halaman sederhana',
		lead: 'Halaman ini berjalan tanpa JavaScript dan hanya berubah saat Anda menekan. Ambil giliran: giliran itu disimpan di peramban ini.',
		party: 'Anda memesan untuk berapa orang?',
		join: 'Bergabung di ruang tunggu',
		look: 'Lihat sampai mana giliran saya',
		leave: 'Lepaskan giliran saya',
		kept: 'Giliran Anda disimpan',
		ahead: 'Di depan Anda: {n}',
		number: 'Nomor giliran: {n}',
		wait: 'Perkiraan waktu tunggu: {time}',
		minutes: '{n} menit',
		unknown: 'belum diketahui saat ini',
		registered: 'Anda sudah terdaftar. Urutan diundi: {time}',
		turn: 'Giliran Anda tiba, dan disimpan untuk Anda sampai {time}',
		turnHow:
			'Untuk memesan Anda perlu masuk akun, dan itu memerlukan JavaScript. Jika tidak bisa, tunjukkan halaman ini di meja informasi penyelenggara.',
		gone: 'Tidak ada giliran yang disimpan di sini, atau sudah berakhir. Anda dapat mengambil yang baru.',
		left: 'Anda melepaskan giliran Anda.',
		early: 'Giliran Anda disimpan. Lihat lagi dalam {n} detik.',
		full: 'Sangat ramai, atau ruang tunggu penuh. Coba lagi dalam {n} detik.',
		closed: 'Saat ini tidak ada giliran baru.',
		signInOff: 'Masuk akun belum disiapkan di situs ini, sehingga tidak ada yang dapat dipesan di sini.',
		failed: 'Ada kesalahan di pihak kami. Silakan coba lagi.',
		back: 'Halaman utama'
	},
	tr: {
		locale: 'tr-u-nu-latn',
		title: 'İzin randevusu: sade sayfa',
		lead: 'Bu sayfa JavaScript olmadan çalışır ve yalnızca siz basınca değişir. Sıra alın: sıranız bu tarayıcıda saklanır.',
		party: 'Kaç kişi için randevu alıyorsunuz?',
		join: 'Bekleme odasına katıl',
		look: 'Sıram nereye geldi, bak',
		leave: 'Sıramdan vazgeç',
		kept: 'Sıranız saklanıyor',
		ahead: 'Önünüzde: {n}',
		number: 'Sıra numarası: {n}',
		wait: 'Tahmini bekleme: {time}',
		minutes: '{n} dakika',
		unknown: 'şu anda bilinmiyor',
		registered: 'Kaydoldunuz. Sıra kurayla belirlenir: {time}',
		turn: 'Sıranız geldi; şu saate kadar sizin: {time}',
		turnHow:
			'Randevu için oturum açmanız gerekir, bunun için de JavaScript. Yapamıyorsanız bu sayfayı düzenleyenin danışma masasında gösterin.',
		gone: 'Burada saklanan bir sıra yok ya da sona erdi. Yeni bir sıra alabilirsiniz.',
		left: 'Sıranızdan vazgeçtiniz.',
		early: 'Sıranız saklanıyor. {n} saniye sonra yeniden bakın.',
		full: 'Çok yoğun ya da bekleme odası dolu. {n} saniye sonra yeniden deneyin.',
		closed: 'Şu anda yeni sıra verilmiyor.',
		signInOff: 'Bu sitede oturum açma kurulmamış; bu yüzden buradan randevu alınamaz.',
		failed: 'Bizde bir hata oldu. Lütfen yeniden deneyin.',
		back: 'Ana sayfa'
	},
	bn: {
		locale: 'bn-u-nu-beng',
		title: 'অনুমতিপত্র বুকিং: সাধারণ পাতা',
		lead: 'এই পাতা JavaScript ছাড়াই চলে এবং শুধু আপনি চাপলে বদলায়। পালা নিন: তা এই ব্রাউজারে রাখা থাকবে।',
		party: 'আপনি কতজনের জন্য বুকিং করছেন?',
		join: 'অপেক্ষা কক্ষে যোগ দিন',
		look: 'দেখুন আমার পালা কত দূর এগোল',
		leave: 'আমার পালা ছেড়ে দিই',
		kept: 'আপনার পালা রাখা আছে',
		ahead: 'আপনার আগে: {n}',
		number: 'পালার নম্বর: {n}',
		wait: 'আনুমানিক অপেক্ষা: {time}',
		minutes: '{n} মিনিট',
		unknown: 'এখন জানা নেই',
		registered: 'আপনি নিবন্ধিত হয়েছেন। ক্রম লটারিতে ঠিক হবে: {time}',
		turn: 'আপনার পালা এসেছে, {time} পর্যন্ত আপনার জন্য রাখা আছে',
		turnHow:
			'বুকিংয়ের জন্য সাইন ইন দরকার, আর তার জন্য JavaScript লাগে। না পারলে এই পাতা আয়োজকদের তথ্যকেন্দ্রে দেখান।',
		gone: 'এখানে কোনো পালা রাখা নেই, অথবা শেষ হয়ে গেছে। আপনি নতুন পালা নিতে পারেন।',
		left: 'আপনি আপনার পালা ছেড়ে দিয়েছেন।',
		early: 'আপনার পালা রাখা আছে। {n} সেকেন্ড পরে আবার দেখুন।',
		full: 'খুব ভিড়, অথবা অপেক্ষা কক্ষ পূর্ণ। {n} সেকেন্ড পরে আবার চেষ্টা করুন।',
		closed: 'এখন নতুন পালা দেওয়া হচ্ছে না।',
		signInOff: 'এই সাইটে সাইন ইনের ব্যবস্থা করা হয়নি, তাই এখানে কিছু বুক করা যাবে না।',
		failed: 'আমাদের দিকে ত্রুটি হয়েছে। আবার চেষ্টা করুন।',
		back: 'মূল পাতা'
	},
	fr: {
		locale: 'fr-u-nu-latn',
		title: 'Réservation de permis : la page simple',
		lead: 'Cette page fonctionne sans JavaScript et ne change que quand vous appuyez. Prenez une place : elle est gardée dans ce navigateur.',
		party: 'Pour combien de personnes réservez-vous ?',
		join: 'Rejoindre la salle d’attente',
		look: 'Voir où en est ma place',
		leave: 'Abandonner ma place',
		kept: 'Votre place est gardée',
		ahead: 'Devant vous : {n}',
		number: 'Numéro de place : {n}',
		wait: 'Attente estimée : {time}',
		minutes: '{n} min',
		unknown: 'inconnue pour le moment',
		registered: 'Votre inscription est faite. L’ordre est tiré au sort : {time}',
		turn: 'C’est votre tour, et il vous est gardé jusqu’à {time}',
		turnHow:
			'Pour réserver, il faut se connecter, et cela demande JavaScript. Si ce n’est pas possible, montrez cette page au point d’information de l’organisateur.',
		gone: 'Aucune place n’est gardée ici, ou elle a pris fin. Vous pouvez en prendre une nouvelle.',
		left: 'Vous avez abandonné votre place.',
		early: 'Votre place est gardée. Regardez de nouveau dans {n} secondes.',
		full: 'Forte affluence, ou salle d’attente pleine. Réessayez dans {n} secondes.',
		closed: 'Aucune nouvelle place n’est donnée pour le moment.',
		signInOff: 'La connexion n’est pas mise en place sur ce site : rien ne peut être réservé ici.',
		failed: 'Une erreur s’est produite chez nous. Réessayez, s’il vous plaît.',
		back: 'La page principale'
	}
};
