import type { Texts } from './texts.ts';

export const english: Texts = {
	language: 'en',
	page: {
		title: 'Permit booking',
		skip: 'Skip to the content',
		languages: 'Languages',
		simulated: 'SIMULATED: this is not a real booking',
		loading: 'One moment…',
		noScript: {
			lines: [
				'JavaScript is off in this browser, so this page cannot follow your place by itself.',
				'You can take and keep a place without it: on the plain page you press a button to see how far it has come.',
				'If you cannot go on, ask for help at the organiser’s information desk.'
			],
			link: 'Go on without JavaScript'
		},
		start: {
			expectations: [
				'You get a place that is kept for you, even if the connection drops or you close this page.',
				'When it is your turn this page tells you, and you have a few minutes to start booking.',
				'You choose one time slot and get your permit here.'
			],
			party: 'How many people are you booking for?',
			partyHint: 'A party enters together on one permit.',
			prepare: 'Prepare now',
			signInHint: 'You can sign in now, or when your turn comes.'
		},
		signIn: 'Sign in',
		signOut: 'Sign out',
		registered: {
			opens: 'The order is drawn',
			keep: 'You need not stay on this page or refresh it. Your registration is kept in this browser.',
			recheck: 'How anybody can check the draw'
		},
		waiting: {
			heading: 'You are in the waiting room and your place is kept',
			progress: 'How far your place has come',
			expectedTime: 'Estimated wait',
			keep: 'You need not refresh this page. If the connection drops or you close the page, your place is kept. When your turn comes you have a few minutes to start booking.',
			number: 'Ticket number',
			updated: 'Updated'
		},
		leave: 'Give up my place',
		called: {
			heading: 'It is your turn',
			lead: 'Start booking within',
			claim: 'Start booking',
			late: 'If the time runs out before you start, join again: you then come before new arrivals.'
		},
		choosing: {
			timeLeft: 'Finish booking within',
			none: 'There are no slots just now. We look again by ourselves.',
			back: 'Keep my booking as it is'
		},
		booked: {
			heading: 'Booked: this is your permit',
			place: 'Place',
			day: 'Day',
			hours: 'Hours',
			party: 'Party',
			id: 'Permit number',
			picture: 'Sketch of the place',
			qr: 'Code of the permit, for the scanner at the gate',
			keep: 'Show this code at the gate. You can come back to this page, or print the permit.',
			print: 'Print the permit',
			change: 'Change the slot',
			cancel: 'Cancel the booking'
		},
		off: {
			images: 'Pictures are switched off for a while. Your permit is shown as always.',
			recommendations: 'Other slots are not suggested for a while: choose from the list.',
			'places-left': 'The number of places left is not shown for a while; full slots are marked.',
			'fast-polls': 'This page refreshes less often for a while. Your place is kept.',
			'change-slot': 'Slots cannot be changed for a while. Your booking stays, and you can cancel it.',
			'slot-search': 'This list may be a few seconds old for a while.'
		},
		ended: { join: 'Join again' }
	},
	live: {
		locale: 'en-GB-u-nu-latn',
		placeNames: 'en',
		titles: {
			start: 'Permit booking',
			registered: 'Registered',
			waiting: 'Waiting',
			called: '✔ It is your turn',
			choosing: 'Choose your time slot',
			booked: 'Your permit',
			ended: 'Your place has ended'
		},
		headings: {
			open: 'Join the waiting room to book',
			countdown: 'Booking has not opened yet',
			drawing: 'The order is being drawn',
			closed: 'The waiting room is closed',
			registered: 'You are registered',
			'registered-late': 'You are registered, after the list was closed',
			choosing: 'Choose your time slot',
			changing: 'Choose another time slot'
		},
		choosingLead: 'Press a slot to book it.',
		changingLead: 'Your booking stays as it is until the new slot is yours.',
		join: 'Join the waiting room',
		register: 'Register for the draw',
		opensAt: '{date}, {time} by your clock',
		opensIn: 'in {n}',
		equalChance:
			'Everybody who registers before then has the same chance: the order is drawn by lot. Coming early gives no advantage.',
		firstCome: 'Places are given from that time on. You need not wait on this page.',
		registeredCount: { one: '1 person has registered', other: '{n} people have registered' },
		registeredLate:
			'You come after those in the draw, in the order in which you registered. Your place is kept.',
		drawing: 'This takes a short while. Your place then shows here by itself.',
		prepared: 'You are prepared: we know who you are when your turn comes.',
		notPrepared: 'You are not prepared yet. Prepare now, so that booking is quick when your turn comes.',
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
		days: { one: '1 day', other: '{n} days' },
		soon: 'Your turn is near. Keep this page in view.',
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
		soldOut: 'All places are taken just now. A place that is given back shows here.',
		otherDays: 'There are still places on: {days}.',
		retryIn: 'We try again in {n}.',
		retryNow: 'Trying now…',
		seconds: { one: '1 second', other: '{n} seconds' },
		notices: {
			offline: 'Connection lost. Your place is kept and you need not refresh.',
			busy: 'Too busy just now. Your place is kept.',
			'queue-full': 'The waiting room is full just now.',
			'joins-closed': 'No new places are given out just now. Whoever has a place keeps it.',
			'booking-closed': 'Booking is paused for a while. Your place is kept.',
			verification:
				'Only permits are being checked at the gates just now. Your place is kept, and your permit is good.',
			'not-open-yet': 'The waiting room is not open yet.',
			closed: 'The waiting room has closed and gives out no new places.',
			'slot-full':
				'This slot filled up before it could be booked for you. Choose another: it is still your turn.',
			'quota-full':
				'The places foreseen for your group in this slot are taken. Choose another: it is still your turn.',
			'place-filling':
				'This place is very full just now, so bookings for the next hours there are slowed. Choose another slot, or try again a little later.',
			'already-booked': 'You already have a permit: this one.',
			'not-eligible':
				'You cannot be booked: the eligibility check did not accept the request. Ask the organiser.',
			'no-identity':
				'We do not know who is booking. Sign in with the organiser and open this page from there.',
			'sign-in-off':
				'Signing in is not set up on this site, so nothing can be booked here. Please tell the organiser.',
			'sign-in-away':
				'Signing in does not answer just now. You can take a place and sign in when your turn comes.',
			'sign-in-first': 'Please sign in first.',
			'sign-in-failed': 'Signing in did not work. Please try once more.',
			'signed-out': 'Your sign-in has run out. Your place is kept: please sign in again.',
			'no-storage':
				'This browser keeps nothing. Your place lives only as long as this page: leave it open, or use an ordinary window.',
			cancelled: 'The booking is cancelled and the place went back to others.',
			changed: 'Your booking was changed. The old permit is no longer good.',
			'change-off': 'Changing is not possible just now. Your booking stays as it is.',
			left: 'You gave up your place.',
			'pass-turn': 'Your pass is issued in a moment.',
			failed: 'Something failed on our side. Your place is kept.'
		},
		reason: 'Reason given: {reason}',
		endings: {
			'turn-expired': {
				heading: 'Your turn has passed',
				text: 'Your turn came and booking was not started in time. Join again: you then come before new arrivals.'
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
		questions: {
			cancel: {
				heading: 'Cancel this booking?',
				lead: 'Your place goes back to others and this permit will not let you in. To book again you join the waiting room.',
				yes: 'Yes, cancel the booking',
				no: 'No, keep the booking'
			},
			leave: {
				heading: 'Give up your place?',
				lead: 'Your place cannot be had back. If you join again later, you start at the end.',
				yes: 'Yes, give it up',
				no: 'No, keep my place'
			},
			change: {
				heading: 'Change to this slot?',
				lead: '{slot}. You get a new permit, and the present one is no longer good.',
				yes: 'Yes, change to it',
				no: 'No, go back'
			}
		},
		placesLeft: { one: '1 place left', other: '{n} places left' },
		full: 'full',
		offered: 'free instead',
		hoursFromTo: '{from} to {to}',
		gregorian: '{date} (Gregorian)',
		hijri: '{date} (Hijri, Umm al-Qura)',
		partyOf: { one: '1 person', other: '{n} people' },
		working: 'One moment…'
	}
};
