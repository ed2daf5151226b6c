// @ts-check
// Everybody books in the same second, without a waiting room. Against a laboratory: LAB=1 npm start, then
//   k6 run k6/no-gate.js
// BASE_URL (http://127.0.0.1:3000), PEOPLE (2000), SLOTS (50), RETRY=0 (give up at the first refusal), RESET=0
// (keep what is booked), SUMMARY=file.json. Valid from k6 0.47 to 2.x.
import http from 'k6/http';
import { book, bookingThresholds, checkTotals } from './lib/booking.js';
import { designedStatuses, openingSecond, resetLaboratory } from './lib/people.js';
import { summarise, trendStats } from './lib/summary.js';

http.setResponseCallback(designedStatuses);

/** @type {import('k6/options').Options} */
export const options = {
	scenarios: { opening: openingSecond },
	thresholds: bookingThresholds,
	summaryTrendStats: trendStats
};

export function setup() {
	resetLaboratory();
}

export default function () {
	book('k6-' + __VU + '-' + __ITER, __VU, null);
}

export function teardown() {
	checkTotals();
}

/** @param {import('./lib/summary.js').SummaryData} data */
export function handleSummary(data) {
	return summarise('The opening second without a waiting room', data);
}
