import type { SpikeNow } from '../../../contract/index.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** The main figures for Prometheus; a figure that nobody knows is NaN there, not 0. */
export function createGauges(metrics: Metrics): (now: SpikeNow) => void {
	const people = metrics.gauge('marsad_waiting_room_people', 'People in the waiting room by state', [
		'state'
	]);
	const rate = metrics.gauge('marsad_admission_rate_per_second', 'People a second who may be let in');
	const health = metrics.gauge('marsad_health_ratio', 'Health by which the rate is held down, 0 to 1');
	const ratio = metrics.gauge('marsad_drain_inflow_ratio', 'Drain over inflow of the last 60 s', ['of']);
	const latency = metrics.gauge('marsad_booking_latency_seconds', 'Booking latency of the last 60 s', [
		'percentile'
	]);
	const pool = metrics.gauge('marsad_database_pool_connections', 'Database connections', ['state']);
	const level = metrics.gauge('marsad_level', 'Degradation level in force, 0 normal to 4 verification only');
	const seconds = (ms: number | null) => (ms === null ? NaN : ms / 1_000);
	return (now) => {
		people.set({ state: 'waiting' }, now.room.depth);
		people.set({ state: 'called' }, now.room.called);
		people.set({ state: 'admitted' }, now.room.active);
		rate.set(now.rate.perSecond);
		health.set(now.rate.health);
		ratio.set({ of: 'work' }, now.work.ratio ?? NaN);
		ratio.set({ of: 'room' }, now.room.ratio ?? NaN);
		latency.set({ percentile: '50' }, seconds(now.booking.p50Ms));
		latency.set({ percentile: '95' }, seconds(now.booking.p95Ms));
		latency.set({ percentile: '99' }, seconds(now.booking.p99Ms));
		pool.set({ state: 'in-use' }, now.pool.inUse);
		pool.set({ state: 'waiting-for-one' }, now.pool.waitingForOne);
		level.set(now.level);
	};
}
