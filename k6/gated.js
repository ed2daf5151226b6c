// @ts-check
// Everybody joins the waiting room in the same second, waits, and books when admitted. Against a laboratory:
// LAB=1 npm start, then
//   k6 run k6/gated.js                  pages ask with jitter
//   JITTER=0 k6 run k6/gated.js         pages ask in step, on the same beat
// POLL_MS is the pace (1000; 0: as the server says), WAIT_MAX_SECONDS (240) the patience; BASE_URL, PEOPLE, SLOTS,
// RETRY, RESET, SUMMARY as in no-gate.js. Valid from k6 0.47 to 2.x.
import { sleep } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { book, bookingThresholds, checkTotals, faults, gaveUp } from './lib/booking.js';
import { designedStatuses, numberFrom, openingSecond, resetLaboratory } from './lib/people.js';
import { join, waitForPass } from './lib/room.js';
import { summarise, trendStats } from './lib/summary.js';

http.setResponseCallback(designedStatuses);

const jitter = __ENV.JITTER !== '0';
const pollMs = numberFrom('POLL_MS', 1000);
const waitMaxSeconds = numberFrom('WAIT_MAX_SECONDS', 240);
const waitTime = new Trend('wait_time', true);

/** @type {import('k6/options').Options} */
export const options = {
	scenarios: { opening: openingSecond },
	thresholds: bookingThresholds,
	summaryTrendStats: trendStats
};

export function setup() {
	resetLaboratory();
}

/**
 * Waits until the page asks again: on the common beat, or at a moment of its own.
 * @param {number} toldMs what the server said
 */
function waitToAsk(toldMs) {
	if (pollMs === 0) sleep(toldMs / 1000);
	else if (jitter) sleep((pollMs * (0.5 + Math.random())) / 1000);
	else sleep((pollMs - (Date.now() % pollMs)) / 1000);
}

export default function () {
	const user = 'k6-' + __VU + '-' + __ITER;
	const startedAt = Date.now();
	const joined = join(user);
	const token = joined === null ? null : joined.token || waitForPass(user, joined, waitMaxSeconds, waitToAsk);
	if (token === null) {
		faults.add(0);
		gaveUp.add(1);
		return;
	}
	waitTime.add(Date.now() - startedAt);
	book(user, __VU, token);
}

export function teardown() {
	checkTotals();
}

/** @param {import('./lib/summary.js').SummaryData} data */
export function handleSummary(data) {
	const pace = jitter ? 'with jitter' : 'in step';
	return summarise('The opening second through the waiting room, pages asking ' + pace, data);
}
