/** Languages of the public page; the first is the root's. */
export const languages = ['ar', 'en', 'ur', 'id', 'tr', 'bn', 'fr'] as const;
export type Language = (typeof languages)[number];

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
	ar: 'العربية',
	en: 'English',
	ur: 'اردو',
	id: 'Indonesia',
	tr: 'Türkçe',
	bn: 'বাংলা',
	fr: 'Français'
};

export function directionOf(language: Language): 'rtl' | 'ltr' {
	return language === 'ar' || language === 'ur' ? 'rtl' : 'ltr';
}

/** Address of a language's page. */
export function pathOf(language: Language): string {
	return language === languages[0] ? '/' : `/${language}/`;
}

/** Forms of a counted noun by plural class (CLDR); `{n}` is the number. A missing class takes `other`. */
export type CountForms = { other: string } & Partial<Record<'zero' | 'one' | 'two' | 'few' | 'many', string>>;

/** Flags of which the page says that they are off. */
export const saidOff = [
	'images',
	'recommendations',
	'places-left',
	'fast-polls',
	'change-slot',
	'slot-search'
] as const;
export type SaidOff = (typeof saidOff)[number];

/** Words that the build draws into the page of one language. */
export interface PageTexts {
	title: string;
	skip: string;
	languages: string;
	simulated: string;
	loading: string;
	noScript: { lines: string[]; link: string };
	start: {
		expectations: string[];
		party: string;
		partyHint: string;
		prepare: string;
		signInHint: string;
	};
	signIn: string;
	signOut: string;
	registered: { opens: string; keep: string; recheck: string };
	waiting: {
		heading: string;
		progress: string;
		expectedTime: string;
		keep: string;
		number: string;
		updated: string;
	};
	leave: string;
	called: { heading: string; lead: string; claim: string; late: string };
	choosing: { timeLeft: string; none: string; back: string };
	booked: {
		heading: string;
		place: string;
		day: string;
		hours: string;
		party: string;
		id: string;
		qr: string;
		picture: string;
		keep: string;
		print: string;
		change: string;
		cancel: string;
	};
	/** What people notice while a level has switched a thing off; the page says nothing of what they do not notice. */
	off: Record<SaidOff, string>;
	ended: { join: string };
}

/** Why a page stands where it stands; each has its own words. */
export type Notice =
	| 'offline'
	| 'busy'
	| 'queue-full'
	| 'joins-closed'
	| 'booking-closed'
	| 'verification'
	| 'not-open-yet'
	| 'closed'
	| 'slot-full'
	| 'quota-full'
	| 'place-filling'
	| 'already-booked'
	| 'not-eligible'
	| 'no-identity'
	| 'sign-in-off'
	| 'sign-in-away'
	| 'sign-in-first'
	| 'sign-in-failed'
	| 'signed-out'
	| 'no-storage'
	| 'cancelled'
	| 'changed'
	| 'change-off'
	| 'left'
	| 'pass-turn'
	| 'failed';

/** Why a place has come to its end; each has its own words. */
export type Ending = 'turn-expired' | 'pass-expired' | 'restarted' | 'not-yours';

/** Where the room stands for somebody outside. */
export type Phase = 'open' | 'countdown' | 'drawing' | 'closed';

/** What is asked before something is given up. */
export interface Question {
	heading: string;
	lead: string;
	yes: string;
	no: string;
}

/** Words that the script needs while the page lives. They travel in the page, one language at a time. */
export interface LiveTexts {
	/** BCP 47 tag with the digits of the language; calendars are always named where dates are written. */
	locale: string;
	/** Which of the two names of a place is shown. */
	placeNames: 'ar' | 'en';
	titles: Record<'start' | 'registered' | 'waiting' | 'called' | 'choosing' | 'booked' | 'ended', string>;
	headings: Record<Phase | 'registered' | 'registered-late' | 'choosing' | 'changing', string>;
	choosingLead: string;
	changingLead: string;
	join: string;
	register: string;
	/** A date and a time of day, at the reader. */
	opensAt: string;
	/** How long until then. */
	opensIn: string;
	equalChance: string;
	firstCome: string;
	registeredCount: CountForms;
	registeredLate: string;
	drawing: string;
	prepared: string;
	notPrepared: string;
	ahead: string;
	aheadAbout: string;
	people: CountForms;
	nobodyAhead: string;
	unknownTime: string;
	almostNow: string;
	lessThan: string;
	about: string;
	/** Two numbers of one unit; the noun follows the second. */
	between: string;
	oneToTwoMinutes: string;
	oneToTwoHours: string;
	minutes: CountForms;
	hours: CountForms;
	days: CountForms;
	soon: string;
	rose: string;
	roseLittle: string;
	slowedBy: Record<'level' | 'health' | 'manager' | 'full' | 'other', string>;
	standing: Record<'paused' | 'closed', string>;
	soldOut: string;
	otherDays: string;
	retryIn: string;
	retryNow: string;
	seconds: CountForms;
	notices: Record<Notice, string>;
	reason: string;
	endings: Record<Ending, { heading: string; text: string }>;
	questions: Record<'cancel' | 'leave' | 'change', Question>;
	placesLeft: CountForms;
	full: string;
	offered: string;
	hoursFromTo: string;
	gregorian: string;
	hijri: string;
	partyOf: CountForms;
	working: string;
}

export interface Texts {
	language: Language;
	page: PageTexts;
	live: LiveTexts;
}
