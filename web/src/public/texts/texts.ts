/** Forms of a counted noun by plural class (CLDR); `{n}` is the number. A missing class takes `other`. */
export type CountForms = { other: string } & Partial<Record<'zero' | 'one' | 'two' | 'few' | 'many', string>>;

/** Words that the build draws into the page of one language. */
export interface PageTexts {
	title: string;
	simulated: string;
	loading: string;
	noScript: string[];
	start: {
		heading: string;
		expectations: string[];
		party: string;
		partyHint: string;
		join: string;
	};
	waiting: {
		heading: string;
		progress: string;
		expectedTime: string;
		keep: string;
		number: string;
		updated: string;
	};
	called: { heading: string; lead: string; claim: string; late: string };
	choosing: { heading: string; lead: string; timeLeft: string; none: string };
	booked: {
		heading: string;
		place: string;
		day: string;
		hours: string;
		party: string;
		id: string;
		qr: string;
		keep: string;
		print: string;
		cancel: string;
	};
	cancel: { heading: string; lead: string; yes: string; no: string };
	ended: { join: string };
}

/** Why a page stands where it stands; each has its own words. */
export type Notice =
	| 'offline'
	| 'busy'
	| 'queue-full'
	| 'joins-closed'
	| 'booking-closed'
	| 'slot-full'
	| 'already-booked'
	| 'not-eligible'
	| 'no-identity'
	| 'cancelled'
	| 'pass-turn'
	| 'failed';

/** Why a place has come to its end; each has its own words. */
export type Ending = 'turn-expired' | 'pass-expired' | 'restarted' | 'not-yours';

/** Words that the script needs while the page lives. They travel in the page, one language at a time. */
export interface LiveTexts {
	/** BCP 47 tag with Latin digits; calendars are always named where dates are written. */
	locale: string;
	titles: Record<'start' | 'waiting' | 'called' | 'choosing' | 'booked' | 'ended', string>;
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
	rose: string;
	roseLittle: string;
	slowedBy: Record<'level' | 'health' | 'manager' | 'full' | 'other', string>;
	standing: Record<'paused' | 'closed', string>;
	retryIn: string;
	retryNow: string;
	seconds: CountForms;
	notices: Record<Notice, string>;
	endings: Record<Ending, { heading: string; text: string }>;
	placesLeft: CountForms;
	full: string;
	hoursFromTo: string;
	gregorian: string;
	hijri: string;
	partyOf: CountForms;
	working: string;
}

export interface Texts {
	language: 'ar' | 'en';
	direction: 'rtl' | 'ltr';
	page: PageTexts;
	live: LiveTexts;
}
