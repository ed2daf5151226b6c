// @ts-check
// A person's way through the waiting room, from joining to the pass.
import { Counter } from 'k6/metrics';
import { refusals } from './booking.js';
import { bodyOf, comeBackLater, get, post } from './people.js';

const polls = new Counter('status_polls');

/**
 * Joins, trying again as told while the door is closed. Null when it gave up.
 * @param {string} user
 */
export function join(user) {
	for (let turn = 0; turn < 20; turn++) {
		const response = post('/queue/join', { user: user }, 'join');
		if (response.status === 200) return bodyOf(response);
		if (response.status !== 503 && response.status !== 429) break;
		refusals.add(1);
		comeBackLater(response);
	}
	return null;
}

/**
 * Waits for the turn and returns the pass; null when it never came.
 * @param {string} user
 * @param {Record<string, any>} joined
 * @param {number} waitMaxSeconds the patience
 * @param {(toldMs: number) => void} waitToAsk waits until the page asks again
 * @returns {string | null}
 */
export function waitForPass(user, joined, waitMaxSeconds, waitToAsk) {
	const endsAt = Date.now() + waitMaxSeconds * 1000;
	const path =
		'/queue/status?user=' + encodeURIComponent(user) + '&ticket=' + encodeURIComponent(joined.ticket);
	let toldMs = joined.pollAfterMs;
	while (Date.now() < endsAt) {
		waitToAsk(toldMs);
		const response = get(path, 'status');
		polls.add(1);
		const body = bodyOf(response);
		if (response.status === 429 || response.status === 503) comeBackLater(response);
		else if (response.status !== 200) return null;
		else if (body.admitted && body.token) return body.token;
		else if (body.admitted) {
			const claimed = post('/queue/claim', { user: user, ticket: joined.ticket }, 'claim');
			if (claimed.status === 200) return bodyOf(claimed).token;
			if (claimed.status !== 429 && claimed.status !== 503) return null;
			comeBackLater(claimed);
		} else toldMs = body.pollAfterMs;
	}
	return null;
}
