/** Everything that the page of the draw says, in one language. */
export interface DrawTexts {
	language: 'ar' | 'en';
	title: string;
	heading: string;
	lead: string;
	simulated: string;
	noScript: string;
	proves: { heading: string; lines: readonly string[] };
	facts: { heading: string; link: string; list: string; script: string };
	check: { heading: string; lead: string; button: string; command: string };
	mine: { heading: string; lead: string; button: string };
	back: string;
	live: LiveTexts;
}

/** What the script of the page says. */
export interface LiveTexts {
	locale: string;
	none: string;
	away: string;
	stuck: string;
	notYet: string;
	states: Record<'committed' | 'frozen' | 'drawn' | 'placed' | 'void', string>;
	names: Record<
		| 'state'
		| 'entries'
		| 'commitment'
		| 'committedAt'
		| 'frozenAt'
		| 'root'
		| 'round'
		| 'randomness'
		| 'source'
		| 'secret'
		| 'seed'
		| 'placedAt',
		string
	>;
	working: Record<'list' | 'root' | 'places' | 'host', string>;
	checks: Record<
		'drawn' | 'commitment' | 'count' | 'list' | 'root' | 'order of events' | 'seed' | 'host',
		string
	>;
	ok: string;
	bad: string;
	good: string;
	broken: string;
	place: string;
	notIn: string;
	/** In the list, but nothing is drawn yet. */
	listed: string;
	entry: string;
}

export const arabic: DrawTexts = {
	language: 'ar',
	title: 'القرعة',
	heading: 'كيف وُزعت الأدوار',
	lead: 'من سجّل قبل الافتتاح دخل القرعة بالتساوي: لا ميزة لمن جاء أبكر. كل ما استُخدم في القرعة منشور هنا، ويستطيع أي شخص أن يعيد حساب كل دور.',
	simulated: 'عرض تجريبي: القيمة العشوائية من صنع الخادم، وهذه ليست قرعة حقيقية.',
	noScript:
		'المتصفح لا يشغّل البرامج. يمكنك قراءة الحقائق والقائمة من الروابط أدناه، وإعادة الحساب بالأمر المذكور.',
	proves: {
		heading: 'ما الذي يثبته هذا',
		lines: [
			'نُشرت بصمة سر الخادم قبل أن يسجّل أحد، فلا يمكن تغيير السر بعدها.',
			'عند الافتتاح أُقفلت القائمة ونُشرت بصمتها، فلا يمكن إضافة أحد أو حذفه أو تغيير عدد مجموعته.',
			'بعد الإقفال جاءت قيمة عشوائية من خارج النظام لم يكن أحد هنا يعرفها.',
			'من هذه الثلاثة وحدها يُحسب ترتيب الجميع، ولا يدخل فيه وقت التسجيل.',
			'المجموعة تسجيل واحد ودور واحد. ومن جاء بعد الإقفال يقف خلف الجميع بحسب وصوله.'
		]
	},
	facts: {
		heading: 'الحقائق',
		link: 'الحقائق بصيغة JSON',
		list: 'القائمة المقفلة',
		script: 'برنامج التحقق'
	},
	check: {
		heading: 'أعد الحساب بنفسك',
		lead: 'يُحمّل متصفحك القائمة كلها ويعيد حساب كل دور فيها. وبالأمر نفسه من جهازك:',
		button: 'أعد حساب كل الأدوار',
		command: 'node verify-draw.mjs {host}'
	},
	mine: {
		heading: 'دوري',
		lead: 'إن كنت قد سجلت بهذا المتصفح فهنا تتحقق من وجودك في القائمة ومن دورك.',
		button: 'تحقق من دوري'
	},
	back: 'غرفة الانتظار',
	live: {
		locale: 'ar',
		none: 'لم تُعلن قرعة بعد.',
		away: 'تعذر تحميل المعلومات الآن. حاول بعد قليل.',
		stuck: 'أُقفلت القائمة ولم تصل القيمة العشوائية الخارجية بعد. لا يدخل أحد حتى تصل، ودورك محفوظ.',
		notYet: 'لم تُجر القرعة بعد. عد بعد الافتتاح.',
		states: {
			committed: 'التسجيل مفتوح',
			frozen: 'القائمة مقفلة',
			drawn: 'أُجريت القرعة',
			placed: 'أُجريت القرعة ووُزعت الأدوار',
			void: 'أُلغيت'
		},
		names: {
			state: 'الحالة',
			entries: 'عدد المسجلين',
			commitment: 'بصمة السر',
			committedAt: 'نُشرت البصمة',
			frozenAt: 'أُقفلت القائمة',
			root: 'بصمة القائمة',
			round: 'الجولة المعلنة مسبقاً',
			randomness: 'القيمة العشوائية',
			source: 'مصدرها',
			secret: 'السر',
			seed: 'البذرة',
			placedAt: 'وُزعت الأدوار'
		},
		working: {
			list: 'تحميل القائمة…',
			root: 'حساب بصمة القائمة: {done} من {of}',
			places: 'حساب الأدوار: {done} من {of}',
			host: 'مقارنة بأدوار الخادم…'
		},
		checks: {
			drawn: 'أُجريت القرعة ونُشر كل ما يخصها',
			commitment: 'السر هو نفسه الذي التُزم به قبل التسجيل',
			count: 'عدد المسجلين كما أُعلن',
			list: 'لا يتكرر أحد في القائمة',
			root: 'القائمة هي نفسها التي أُقفلت',
			'order of events': 'جاءت القيمة الخارجية بعد إقفال القائمة',
			seed: 'البذرة من السر والقائمة والقيمة الخارجية وحدها',
			host: 'الأدوار المعطاة هي المحسوبة هنا'
		},
		ok: 'صحيح',
		bad: 'غير صحيح',
		good: 'أُعيد حساب {count} دور كلها في متصفحك. كل شيء سليم.',
		broken: 'هناك ما ليس سليماً. احفظ هذه الصفحة وأبلغ الجهة المنظمة.',
		place: 'دورك {place} من {of}',
		notIn: 'لا يوجد تسجيل بهذا المتصفح في القائمة المقفلة.',
		listed: 'أنت في القائمة. يظهر دورك بعد القرعة.',
		entry: 'رمزك في القائمة'
	}
};

export const english: DrawTexts = {
	language: 'en',
	title: 'The draw',
	heading: 'How the places were given',
	lead: 'Everybody who registered before the opening was in the draw as an equal: coming early gave no advantage. All that the draw used is published here, and anybody can compute every place again.',
	simulated: 'Demonstration: the randomness was made by the server itself. This is not a real draw.',
	noScript:
		'This browser runs no scripts. The facts and the list can be read by the links below, and the command computes every place again.',
	proves: {
		heading: 'What this proves',
		lines: [
			'The fingerprint of the server’s secret was published before anybody registered: the secret cannot have been changed since.',
			'At the opening the list was frozen and its fingerprint published: nobody can have been added, taken out, or given a larger party since.',
			'After that a random value came from outside, which nobody here could know.',
			'The order of everybody follows from these three alone. When somebody registered has no part in it.',
			'A party is one entry with one place. Who came after the freeze stands behind everybody, first come first served.'
		]
	},
	facts: {
		heading: 'The facts',
		link: 'The facts as JSON',
		list: 'The frozen list',
		script: 'The checking program'
	},
	check: {
		heading: 'Compute it yourself',
		lead: 'Your browser loads the whole list and computes every place in it again. The same from your own machine:',
		button: 'Compute every place again',
		command: 'node verify-draw.mjs {host}'
	},
	mine: {
		heading: 'My place',
		lead: 'If you registered with this browser, this checks that you are in the list, and at which place.',
		button: 'Check my place'
	},
	back: 'Waiting room',
	live: {
		locale: 'en-GB',
		none: 'No draw has been announced yet.',
		away: 'The facts cannot be loaded just now. Try again shortly.',
		stuck:
			'The list is frozen and the random value from outside has not come yet. Nobody goes in until it does, and your place is kept.',
		notYet: 'The draw has not taken place yet. Come back after the opening.',
		states: {
			committed: 'Registration is open',
			frozen: 'The list is frozen',
			drawn: 'Drawn',
			placed: 'Drawn, and every place is given',
			void: 'Cancelled'
		},
		names: {
			state: 'State',
			entries: 'Entries',
			commitment: 'Fingerprint of the secret',
			committedAt: 'Fingerprint published',
			frozenAt: 'List frozen',
			root: 'Fingerprint of the list',
			round: 'Round named beforehand',
			randomness: 'Random value',
			source: 'Its source',
			secret: 'Secret',
			seed: 'Seed',
			placedAt: 'Places given'
		},
		working: {
			list: 'Loading the list…',
			root: 'Fingerprint of the list: {done} of {of}',
			places: 'Places: {done} of {of}',
			host: 'Comparing with the places of the server…'
		},
		checks: {
			drawn: 'The draw has taken place and everything about it is published',
			commitment: 'The secret is the one committed to before anybody registered',
			count: 'The list has as many entries as were said',
			list: 'Nobody stands in the list twice',
			root: 'The list is the one that was frozen',
			'order of events': 'The random value came after the list was frozen',
			seed: 'The seed is made of secret, list and random value, and of nothing else',
			host: 'The places given are those computed here'
		},
		ok: 'Right',
		bad: 'Wrong',
		good: 'All {count} places were computed again in your browser. Everything is as it should be.',
		broken: 'Something is not as it should be. Keep this page and tell the organiser.',
		place: 'Your place is {place} of {of}',
		notIn: 'No registration of this browser is in the frozen list.',
		listed: 'You are in the list. Your place shows after the draw.',
		entry: 'Your entry in the list'
	}
};
