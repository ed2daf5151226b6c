// @ts-check
// A spike in five phases: people arrive as planned and wait for nobody's answer, join, wait for their turn and book.
// Against a laboratory:
//   LAB=1 npm start, then
//   k6 run k6/spike.js                               the five stages, at their default size
//   PROFILE=opening-second k6 run k6/spike.js        everybody in the same second
// PROFILE is one of k6/lib/profiles.js, whose names are those of the board; BASE and PEAK are arrivals a second,
// BASELINE_SECONDS, RAMP_SECONDS, HOLD_SECONDS, DROP_SECONDS and RECOVERY_SECONDS the phases; WAIT_MAX_SECONDS (240) the
// patience, VUS_MAX how many may be under way; BASE_URL, SLOTS, RESET, SUMMARY as in no-gate.js. k6 cannot slow a
// dependency, cut screens or tell a server how a run goes: that is what `npm run sim -- spike` does. A run that drops
// more than 0.5 % of its arrivals says nothing about the server, and fails. Valid from k6 0.47 to 2.x.
import { sleep } from 'k6';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { book, faults, gaveUp } from './lib/booking.js';
import { designedStatuses, numberFrom, resetLaboratory } from './lib/people.js';
import { peopleOf, phaseAt, profiles, stagesOf } from './lib/profiles.js';
import { join, waitForPass } from './lib/room.js';
import { count, line, milliseconds, summarise, trendStats } from './lib/summary.js';

http.setResponseCallback(designedStatuses);

const name = __ENV.PROFILE || 'five-stages';
const own = profiles[name];
if (!own) throw new Error('PROFILE is one of ' + Object.keys(profiles).join(', '));
const plan = {
	base: numberFrom('BASE', own.base),
	peak: numberFrom('PEAK', own.peak),
	baseline: numberFrom('BASELINE_SECONDS', own.baseline),
	ramp: numberFrom('RAMP_SECONDS', own.ramp),
	hold: numberFrom('HOLD_SECONDS', own.hold),
	drop: numberFrom('DROP_SECONDS', own.drop),
	recovery: numberFrom('RECOVERY_SECONDS', own.recovery),
	curve: own.curve
};
const waitMaxSeconds = numberFrom('WAIT_MAX_SECONDS', 240);
const arrivals = peopleOf(plan);
const vus = numberFrom('VUS_MAX', Math.min(20000, Math.max(50, arrivals)));
/** A larger share that could not be offered makes a run invalid. */
const droppedMax = Math.floor(arrivals * 0.005);

const arrived = new Counter('people_arrived');
const waitTime = new Trend('wait_time', true);

/** The same second for everybody is one start a person; anything longer is arrivals that wait for nobody. */
const isOneSecond = name === 'opening-second';

/** @type {import('k6/options').Options} */
export const options = {
	scenarios: {
		spike: isOneSecond
			? {
					executor: 'per-vu-iterations',
					vus: Math.max(1, Math.round(plan.peak * plan.hold)),
					iterations: 1,
					startTime: plan.baseline + 's',
					maxDuration: Math.ceil(plan.recovery + waitMaxSeconds + 60) + 's'
				}
			: {
					executor: 'ramping-arrival-rate',
					startRate: Math.round(plan.base),
					timeUnit: '1s',
					preAllocatedVUs: Math.min(vus, 500),
					maxVUs: vus,
					stages: stagesOf(plan),
					gracefulStop: Math.ceil(waitMaxSeconds) + 's'
				}
	},
	thresholds: {
		dropped_iterations: ['count<=' + droppedMax],
		faults: ['count<1'],
		booking_time: ['p(95)<=2000'],
		http_req_failed: ['rate==0'],
		checks: ['rate==1']
	},
	summaryTrendStats: trendStats
};

export function setup() {
	resetLaboratory();
	return { startedAt: Date.now() };
}

/** @param {{ startedAt: number }} data */
export default function (data) {
	const startedAt = Date.now();
	const phase = isOneSecond ? 'hold' : phaseAt(plan, (startedAt - data.startedAt) / 1000);
	const user = 'k6-' + __VU + '-' + __ITER + '-' + startedAt;
	arrived.add(1, { phase: phase });
	const joined = join(user);
	const token =
		joined === null
			? null
			: joined.token || waitForPass(user, joined, waitMaxSeconds, (toldMs) => sleep(toldMs / 1000));
	if (token === null) {
		faults.add(0);
		gaveUp.add(1);
		return;
	}
	waitTime.add(Date.now() - startedAt, { phase: phase });
	book(user, __VU + __ITER, token);
}

/** @param {import('./lib/summary.js').SummaryData} data */
export function handleSummary(data) {
	return summarise('Spike run, profile ' + name, data, [
		line('arrivals planned', String(arrivals)),
		line('arrived', count(data, 'people_arrived')),
		line('booked', count(data, 'people_booked')),
		line('gave up', count(data, 'people_gave_up')),
		line('refused as designed', count(data, 'designed_refusals')),
		line('waited p95', milliseconds(data, 'wait_time', 'p(95)')),
		line('booking p95', milliseconds(data, 'booking_time', 'p(95)'))
	]);
}
