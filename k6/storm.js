// @ts-check
// Screens whose connections are all cut at the same moment, and how they come back. Against a demo:
//   DEMO=1 DEMO_PASSWORD=… npm start, then
//   DEMO_PASSWORD=… k6 run k6/storm.js                   they come back as the server says
//   TEMPER=library DEMO_PASSWORD=… k6 run k6/storm.js    as the usual library does by itself
// SOCKETS (1000) screens open over OPEN_SECONDS (SOCKETS ÷ 100), hold for HOLD_SECONDS (10), are cut, and have
// BACK_SECONDS (180) to come back; SPREAD_MS takes the place of the window that the server names; BASE_URL, SUMMARY
// as in no-gate.js. One iteration is one screen: k6 wants about 3 MB of memory for each. Valid from k6 0.47 to 2.x.
import { check, sleep } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import ws from 'k6/ws';
import { baseUrl, bodyOf, getWith, numberFrom, post } from './lib/people.js';
import { count, line, milliseconds, summarise, trendStats } from './lib/summary.js';

const sockets = numberFrom('SOCKETS', 1000);
const openSeconds = numberFrom('OPEN_SECONDS', Math.max(1, sockets / 100));
const holdSeconds = numberFrom('HOLD_SECONDS', 10);
const backSeconds = numberFrom('BACK_SECONDS', 180);
const isObedient = __ENV.TEMPER !== 'library';
const ofOneTenant = 25;
const tenants = Math.ceil(sockets / ofOneTenant);
/** Below this many handshakes in a second nobody looks at the share. */
const peakAlways = 20;

const handshakes = new Counter('handshakes');
const refused = new Counter('handshakes_refused');
const unanswered = new Counter('handshakes_unanswered');
const back = new Counter('screens_back');
const lost = new Counter('screens_lost');
const backTime = new Trend('back_time', true);

/** @type {import('k6/options').Options} */
export const options = {
	scenarios: {
		screens: {
			executor: 'per-vu-iterations',
			vus: sockets,
			iterations: 1,
			maxDuration: Math.ceil(openSeconds + holdSeconds + backSeconds + 60) + 's'
		}
	},
	thresholds: {
		screens_back: ['count==' + sockets],
		screens_lost: ['count<1'],
		checks: ['rate==1']
	},
	summaryTrendStats: trendStats
};

/** @typedef {{ cookie: string, cutAt: number, endsAt: number }} Plan */

/** @returns {Plan} */
export function setup() {
	const body = { email: 'viewer@example.org', password: __ENV.DEMO_PASSWORD || '' };
	const response = post('/api/v1/session', body, 'session', { 'Idempotency-Key': 'k6-' + Date.now() });
	if (response.status !== 200)
		throw new Error('the viewer was refused: DEMO_PASSWORD names the password that the demo shows');
	const cookie = String(response.headers['Set-Cookie']).split(';')[0] || '';
	const cutAt = Date.now() + (openSeconds + holdSeconds) * 1000;
	return { cookie: cookie, cutAt: cutAt, endsAt: cutAt + backSeconds * 1000 };
}

/**
 * One connection, until it breaks, is refused, or `until` comes. A state that was seen is one that the screen shows.
 * @param {string} cookie
 * @param {number} until
 * @param {() => void} onLive
 */
function watch(cookie, until, onLive) {
	const seen = { live: false, retryAfterSeconds: 0, spreadMs: 0, isRefused: false };
	const url = baseUrl.replace(/^http/, 'ws') + '/socket.io/?EIO=4&transport=websocket';
	const auth = JSON.stringify({ simulatedTenant: 'k6-' + (__VU % tenants) });
	handshakes.add(1);
	const response = ws.connect(url, { headers: { Cookie: cookie } }, (socket) => {
		socket.setTimeout(() => socket.close(), Math.max(1, until - Date.now()));
		socket.on('error', () => socket.close());
		socket.on('message', (text) => {
			if (text === '2') socket.send('3');
			else if (text.charAt(0) === '0') socket.send('40/live,' + auth);
			else if (text.indexOf('40/live') === 0) socket.send('42/live,1["subscribe","overview"]');
			else if (text.indexOf('44/live,') === 0) {
				const refusal = JSON.parse(text.slice(8)).data || {};
				seen.isRefused = true;
				seen.retryAfterSeconds = Number(refusal.retryAfterSeconds) || 0;
				socket.close();
			} else if (text.indexOf('42/live,') === 0) {
				const message = JSON.parse(text.slice(8));
				if (message[0] === 'heartbeat') seen.spreadMs = Number(message[1].reconnectSpreadMs) || seen.spreadMs;
				if (message[0] !== 'snapshot' || seen.live) return;
				seen.live = check(message[1], {
					'a screen that is back shows a state': (body) =>
						body.topic === 'overview' && Boolean(body.state.bar)
				});
				if (seen.live) onLive();
			}
		});
	});
	if (seen.isRefused) refused.add(1);
	else if (!seen.live && (!response || response.status !== 101)) unanswered.add(1);
	return seen;
}

/**
 * Seconds until the next try: full jitter in the window of the server, and never less than it asked for.
 * @param {number} attempt 0 first
 * @param {number} spreadMs
 * @param {number} retryAfterSeconds
 */
function waitSeconds(attempt, spreadMs, retryAfterSeconds) {
	if (!isObedient) {
		const ms = 1000 * Math.pow(2, Math.min(attempt, 20));
		return Math.min(5000, ms * (0.5 + Math.random())) / 1000;
	}
	if (retryAfterSeconds > 0) return retryAfterSeconds * (1 + Math.random() / 2);
	const windowMs = Math.max(spreadMs, attempt === 0 ? 0 : Math.min(60000, 1000 * Math.pow(2, attempt)));
	return (Math.random() * windowMs) / 1000;
}

/** @param {Plan} plan */
export default function (plan) {
	// So that the counters exist, with 0, also when nothing went wrong.
	[refused, unanswered, lost].forEach((counter) => counter.add(0));
	const named = numberFrom('SPREAD_MS', 0);
	let spreadMs = named || 30000;
	sleep(Math.random() * openSeconds);
	while (Date.now() < plan.cutAt) {
		const seen = watch(plan.cookie, plan.cutAt, () => undefined);
		if (!named && seen.spreadMs > 0) spreadMs = seen.spreadMs;
		if (Date.now() < plan.cutAt) sleep(Math.min(2, (plan.cutAt - Date.now()) / 1000));
	}
	let isBack = false;
	let retryAfterSeconds = 0;
	for (let attempt = 0; Date.now() < plan.endsAt; attempt++) {
		const wait = waitSeconds(attempt, spreadMs, retryAfterSeconds);
		sleep(Math.min(wait, Math.max(0, (plan.endsAt - Date.now()) / 1000)));
		if (Date.now() >= plan.endsAt) break;
		const seen = watch(plan.cookie, plan.endsAt, () => {
			if (isBack) return;
			isBack = true;
			back.add(1);
			backTime.add(Date.now() - plan.cutAt);
		});
		retryAfterSeconds = seen.retryAfterSeconds;
	}
	if (!isBack) lost.add(1);
}

/** @param {Plan} plan */
export function teardown(plan) {
	const now = bodyOf(getWith('/api/v1/spike/now', 'spike', { Cookie: plan.cookie }));
	check(now, {
		'handshakes in any second: at most a tenth of the screens': (answer) =>
			!answer.storm || answer.storm.handshakesPeak <= Math.max(peakAlways, sockets / 10)
	});
}

/** @param {import('./lib/summary.js').SummaryData} data */
export function handleSummary(data) {
	return summarise(
		'Every connection cut at once, screens ' + (isObedient ? 'that obey' : 'like the library'),
		data,
		[
			line('screens back', count(data, 'screens_back')),
			line('screens lost', count(data, 'screens_lost')),
			line('handshakes', count(data, 'handshakes')),
			line('refused with a reason', count(data, 'handshakes_refused')),
			line('without an answer', count(data, 'handshakes_unanswered')),
			line('back after p50', milliseconds(data, 'back_time', 'med')),
			line('back after p95', milliseconds(data, 'back_time', 'p(95)')),
			line('back after, the last', milliseconds(data, 'back_time', 'max'))
		]
	);
}
