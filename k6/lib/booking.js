// @ts-check
// One person's booking, and what is counted about it.
import { check } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import { bodyOf, comeBackLater, get, people, post, slots } from './people.js';

export const booked = new Counter('people_booked');
export const gaveUp = new Counter('people_gave_up');
export const refusals = new Counter('designed_refusals');
export const faults = new Counter('faults');
export const bookingTime = new Trend('booking_time', true);

/** What must hold in every run; k6 ends with an error when one does not. */
export const bookingThresholds = {
	people_booked: ['count==' + people],
	people_gave_up: ['count<1'],
	faults: ['count<1'],
	checks: ['rate==1'],
	http_req_failed: ['rate==0']
};

const triesMax = 20;

/**
 * Books one slot and comes back after each 503 or 429 as told. True when it worked.
 * @param {string} user
 * @param {number} number counts people from 0, so that they spread over the slots
 * @param {string | null} token the pass, or null without the waiting room
 */
export function book(user, number, token) {
	// So that the counters exist, with 0, also when nothing went wrong.
	faults.add(0);
	gaveUp.add(0);
	const obey = __ENV.RETRY !== '0';
	for (let turn = 0; turn < triesMax; turn++) {
		const slot = 1 + ((number + turn * 7) % slots);
		const response = post(
			'/book',
			token === null ? { user: user, slot: slot } : { user: user, slot: slot, gated: 1 },
			'book',
			token === null ? {} : { 'X-Token': token }
		);
		const body = bodyOf(response);
		if (response.status === 200) {
			bookingTime.add(response.timings.duration);
			check(body, {
				'a booking names its permit': (answer) => typeof answer.permit === 'string' && answer.ok === true
			});
			booked.add(1);
			return true;
		}
		if (response.status === 503 || response.status === 429) {
			refusals.add(1);
			check(response, {
				'a refusal says when to come back': (answer) => Number(answer.headers['Retry-After']) > 0
			});
			if (!obey) break;
			comeBackLater(response);
		} else if (response.status !== 409 || body.code !== 'slot_full') {
			faults.add(1);
			break;
		}
	}
	gaveUp.add(1);
	return false;
}

/** After the run: what the server itself counted. */
export function checkTotals() {
	const stats = bodyOf(get('/stats', 'stats'));
	check(stats, {
		'everybody is booked, none twice': (answer) => answer.bookings === people,
		'never oversold': (answer) => answer.booked <= answer.capacity
	});
}
