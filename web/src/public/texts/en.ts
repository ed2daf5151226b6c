import type { Texts } from './texts.ts';

export const english: Texts = {
	language: 'en',
	direction: 'ltr',
	page: {
		title: 'Permit booking',
		simulated: 'SIMULATED: this is not a real booking',
		loading: 'One moment…',
		noScript: [
			'The waiting room needs JavaScript, which is off in this browser, so a place cannot be taken from here.',
			'Switch JavaScript on in the browser’s settings and open this page again, or open it on another phone.',
			'If you cannot, ask for help at the organiser’s information desk.'
		],
		start: {
			heading: 'Join the waiting room to book',
			expectations: [
				'You get a place that is kept for you, even if the connection drops or you close this page.',
				'When it is your turn this page tells you, and you have a few minutes to start booking.',
				'You choose one time slot and get your permit here.'
			],
			party: 'How many people are you booking for?',
			partyHint: 'A party enters together on one permit.',
			join: 'Join the waiting room'
		},
		waiting: {
			heading: 'You are in the waiting room and your place is kept',
			progress: 'How far your place has come',
			expectedTime: 'Estimated wait',
			keep: 'You need not refresh this page. If the connection drops or you close the page, your place is kept. When your turn comes you have a few minutes to start booking.',
			number: 'Ticket number',
			updated: 'Updated'
		},
		called: {
			heading: 'It is your turn',
			lead: 'Start booking within',
			claim: 'Start booking',
			late: 'If the time runs out before you start, you will need to join again.'
		},
		choosing: {
			heading: 'Choose your time slot',
			lead: 'Press a slot to book it.',
			timeLeft: 'Finish booking within',
			none: 'There are no slots just now. We look again by ourselves.'
		},
		booked: {
			heading: 'Booked: this is your permit',
			place: 'Place',
			day: 'Day',
			hours: 'Hours',
			party: 'Party',
			id: 'Permit number',
			qr: 'Code of the permit, for the scanner at the gate',
			keep: 'Show this code at the gate. You can come back to this page, or print the permit.',
			print: 'Print the permit',
			cancel: 'Cancel the booking'
		},
		cancel: {
			heading: 'Cancel this booking?',
			lead: 'Your place goes back to others and this permit will not let you in. To book again you join the waiting room.',
			yes: 'Yes, cancel the booking',
			no: 'No, keep the booking'
		},
		ended: { join: 'Join again' }
	},
	live: {
		locale: 'en-GB-u-nu-latn',
		titles: {
			start: 'Permit booking',
			waiting: 'Waiting',
			called: '✔ It is your turn',
			choosing: 'Choose your time slot',
			booked: 'Your permit',
			ended: 'Your place has ended'
		},
		ahead: 'Ahead of you',
		aheadAbout: 'Ahead of you, about',
		people: { one: 'person', other: 'people' },
		nobodyAhead: 'Nobody is ahead of you: you are next',
		unknownTime: 'not known just now',
		almostNow: 'less than a minute',
		lessThan: 'less than {high}',
		about: 'about {high}',
		between: '{low} to {high}',
		oneToTwoMinutes: '1 to 2 minutes',
		oneToTwoHours: '1 to 2 hours',
		minutes: { one: '1 minute', other: '{n} minutes' },
		hours: { one: '1 hour', other: '{n} hours' },
		rose: 'The estimated wait rose by {by} {why}',
		roseLittle: 'The estimated wait rose a little {why}',
		slowedBy: {
			level: 'because we lightened the load so that booking stays open to everybody.',
			health: 'because we slowed entry so that booking stays fast.',
			manager: 'because the operating team slowed entry.',
			full: 'because those whose turn came are still booking.',
			other: 'because fewer people a second are being let in to book.'
		},
		standing: {
			paused: 'Entry to booking is paused for a while. Your place is kept.',
			closed: 'Booking is paused for a while. Your place is kept.'
		},
		retryIn: 'We try again in {n}.',
		retryNow: 'Trying now…',
		seconds: { one: '1 second', other: '{n} seconds' },
		notices: {
			offline: 'Connection lost. Your place is kept and you need not refresh.',
			busy: 'Too busy just now. Your place is kept.',
			'queue-full': 'The waiting room is full just now.',
			'joins-closed': 'No new places are given out just now.',
			'booking-closed': 'Booking is paused for a while. Your place is kept.',
			'slot-full':
				'This slot filled up before it could be booked for you. Choose another: it is still your turn.',
			'already-booked': 'You already have a permit: this one.',
			'not-eligible':
				'You cannot be booked: the eligibility check did not accept the request. Ask the organiser.',
			'no-identity':
				'We do not know who is booking. Sign in with the organiser and open this page from there.',
			cancelled: 'The booking is cancelled and the place went back to others.',
			'pass-turn': 'Your pass is issued in a moment.',
			failed: 'Something failed on our side. Your place is kept.'
		},
		endings: {
			'turn-expired': {
				heading: 'Your turn has passed',
				text: 'Your turn came and booking was not started in time. Join again to get another place.'
			},
			'pass-expired': {
				heading: 'The time to book has run out',
				text: 'The time ran out before the booking was finished. Join again to get another place.'
			},
			restarted: {
				heading: 'The waiting room was restarted',
				text: 'The earlier place is no longer valid. Join again to get a place.'
			},
			'not-yours': {
				heading: 'This place does not belong to this browser',
				text: 'The place kept here is somebody else’s, or no longer exists. Join to get your own.'
			}
		},
		placesLeft: { one: '1 place left', other: '{n} places left' },
		full: 'full',
		hoursFromTo: '{from} to {to}',
		gregorian: '{date} (Gregorian)',
		hijri: '{date} (Hijri, Umm al-Qura)',
		partyOf: { one: '1 person', other: '{n} people' },
		working: 'One moment…'
	}
};
