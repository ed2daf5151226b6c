import type { SpikeNow } from '../../../contract/index.ts';
import type { Metrics } from '../../platform/metrics.ts';

/**
 * The main figures for Prometheus, once a second; a figure that nobody knows is NaN there, not 0. Of several
 * instances each tells the room and the work of all, so take one of them (or the greatest), never the sum.
 */
export function createGauges(metrics: Metrics): (now: SpikeNow, checkP95Ms: number | null) => void {
	const setRoom = roomGauges(metrics);
	const setRate = rateGauges(metrics);
	const setWork = workGauges(metrics);
	const setParts = partGauges(metrics);
	const setStorm = stormGauges(metrics);
	return (now, checkP95Ms) => {
		setRoom(now);
		setRate(now);
		setWork(now, checkP95Ms);
		setParts(now);
		setStorm(now);
	};
}

const seconds = (ms: number | null) => (ms === null ? NaN : ms / 1_000);
const orNaN = (value: number | null) => value ?? NaN;

function roomGauges(metrics: Metrics): (now: SpikeNow) => void {
	const people = metrics.gauge('marsad_waiting_room_people', 'People in the waiting room by state', [
		'state'
	]);
	const inflow = metrics.gauge(
		'marsad_waiting_room_inflow_per_second',
		'First joins a second over the last 60 s'
	);
	const outflow = metrics.gauge(
		'marsad_waiting_room_outflow_per_second',
		'Passes issued a second over the last 60 s'
	);
	const oldest = metrics.gauge(
		'marsad_waiting_room_oldest_wait_seconds',
		'How long the person who waits longest has waited'
	);
	const expected = metrics.gauge(
		'marsad_waiting_room_expected_wait_seconds',
		'Time until the last person now waiting is in; the nearer and the farther end',
		['end']
	);
	const places = metrics.gauge(
		'marsad_waiting_room_places_max',
		'Cap on people called and inside at the same time'
	);
	const noShow = metrics.gauge('marsad_waiting_room_no_show_ratio', 'Share of called people who do not come');
	const pending = metrics.gauge(
		'marsad_waiting_room_pending_people',
		'People whose join or claim waits for its commit'
	);
	return ({ at, room }) => {
		people.set({ state: 'waiting' }, room.depth);
		people.set({ state: 'called' }, room.called);
		people.set({ state: 'admitted' }, room.active);
		inflow.set(room.joinedPerSecond);
		outflow.set(room.admittedPerSecond);
		oldest.set(orNaN(room.oldestSeconds));
		const wait = (end: 0 | 1) => seconds(room.emptiesAt && Math.max(0, room.emptiesAt[end] - at));
		const none = room.depth === 0 ? 0 : null;
		expected.set({ end: 'least' }, none ?? wait(0));
		expected.set({ end: 'most' }, none ?? wait(1));
		places.set(orNaN(room.placesMax));
		noShow.set(orNaN(room.noShow));
		pending.set(room.pending);
	};
}

function rateGauges(metrics: Metrics): (now: SpikeNow) => void {
	const rate = metrics.gauge('marsad_admission_rate_per_second', 'People a second who may be let in');
	const limit = metrics.gauge(
		'marsad_admission_limit_per_second',
		'Each limit on the admission rate; NaN where there is none',
		['source']
	);
	const limitedBy = metrics.gauge(
		'marsad_admission_limited_by',
		'1 for what holds the admission rate down now',
		['reason']
	);
	const health = metrics.gauge('marsad_health_ratio', 'Health by which the rate is held down, 0 to 1');
	const blind = metrics.gauge('marsad_blind', '1 while a health signal is missing and the rate is held');
	const level = metrics.gauge('marsad_level', 'Degradation level in force, 0 normal to 4 verification only');
	return ({ rate: now, level: current }) => {
		rate.set(now.perSecond);
		limit.set({ source: 'manager' }, now.managerPerSecond);
		limit.set({ source: 'level' }, orNaN(now.levelCapPerSecond));
		limit.set({ source: 'narrowest-part' }, orNaN(now.narrowestPerSecond));
		limitedBy.reset();
		limitedBy.set({ reason: now.limitedBy }, 1);
		health.set(now.health);
		blind.set(Number(now.blind));
		level.set(current);
	};
}

function workGauges(metrics: Metrics): (now: SpikeNow, checkP95Ms: number | null) => void {
	const ratio = metrics.gauge('marsad_drain_inflow_ratio', 'Drain over inflow of the last 60 s', ['of']);
	const latency = metrics.gauge('marsad_booking_latency_seconds', 'Booking latency of the last 60 s', [
		'percentile'
	]);
	const check = metrics.gauge(
		'marsad_eligibility_latency_seconds',
		'95th percentile of the eligibility check over the last 60 s'
	);
	const depth = metrics.gauge('marsad_queue_depth', 'People or messages in each queue behind the door', [
		'queue'
	]);
	const age = metrics.gauge('marsad_queue_oldest_seconds', 'Age of the oldest in each queue', ['queue']);
	return (now, checkP95Ms) => {
		ratio.set({ of: 'work' }, orNaN(now.work.ratio));
		ratio.set({ of: 'room' }, orNaN(now.room.ratio));
		latency.set({ percentile: '50' }, seconds(now.booking.p50Ms));
		latency.set({ percentile: '95' }, seconds(now.booking.p95Ms));
		latency.set({ percentile: '99' }, seconds(now.booking.p99Ms));
		check.set(seconds(checkP95Ms));
		for (const queue of now.queues) {
			depth.set({ queue: queue.name }, queue.depth);
			age.set({ queue: queue.name }, orNaN(queue.oldestSeconds));
		}
	};
}

function partGauges(metrics: Metrics): (now: SpikeNow) => void {
	const pool = metrics.gauge('marsad_database_pool_connections', 'Database connections', ['state']);
	const wait = metrics.gauge(
		'marsad_database_pool_wait_seconds',
		'95th percentile of the wait for a database connection'
	);
	const part = metrics.gauge('marsad_part_up', '1 when a part answers, 0 when not, NaN when nobody knows', [
		'part'
	]);
	const breaker = metrics.gauge(
		'marsad_breaker_open_ratio',
		'Breaker in front of a part: 0 closed, 0.5 half open, 1 open',
		['part']
	);
	const loop = metrics.gauge('marsad_event_loop_p99_seconds', '99th percentile of the event-loop delay');
	const sockets = metrics.gauge('marsad_live_sockets', 'Screens connected');
	const handshakes = metrics.gauge('marsad_live_handshakes_per_second', 'Screens that connected in a second');
	const polls = metrics.gauge('marsad_status_polls_per_second', 'Status calls a second over the last 10 s');
	return (now) => {
		pool.set({ state: 'in-use' }, now.pool.inUse);
		pool.set({ state: 'open' }, now.pool.size);
		pool.set({ state: 'waiting-for-one' }, now.pool.waitingForOne);
		wait.set(seconds(now.pool.waitP95Ms));
		for (const { name, state, breaker: own } of now.dependencies) {
			part.set({ part: name }, state === 'unknown' ? NaN : Number(state !== 'down'));
			if (own !== null) breaker.set({ part: name }, { closed: 0, 'half-open': 0.5, open: 1 }[own]);
		}
		loop.set(seconds(now.process.eventLoopP99Ms));
		sockets.set(now.process.sockets);
		handshakes.set(now.process.reconnectsPerSecond);
		polls.set(now.process.pollsPerSecond);
	};
}

function stormGauges(metrics: Metrics): (now: SpikeNow) => void {
	const connected = metrics.gauge('marsad_connections', 'Connections by kind', ['kind']);
	const breaker = metrics.gauge(
		'marsad_sync_breaker_open_ratio',
		'Breaker in front of the unified pull: 0 closed, 0.5 half open, 1 open'
	);
	const failures = metrics.gauge(
		'marsad_sync_failure_ratio',
		'Share of pulls that failed in the last minute'
	);
	const spread = metrics.gauge(
		'marsad_reconnect_spread_seconds',
		'Window in which clients come back after a server was lost'
	);
	return ({ storm }) => {
		if (!storm) return;
		connected.reset();
		for (const { kind, count } of storm.connected) connected.set({ kind }, count);
		breaker.set({ closed: 0, 'half-open': 0.5, open: 1 }[storm.breaker]);
		failures.set(orNaN(storm.failureShare));
		spread.set(storm.reconnectSpreadMs / 1_000);
	};
}
