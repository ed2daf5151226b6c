import type { SensorState } from '@marsad/server/contract';

/** A device's clock is worth a word beyond this, milliseconds. */
export const clockOffMs = 30_000;

export interface SensorSummary {
	/** Counters, not devices: one device may carry several. Those that count only when they speak are not missed. */
	counters: { heard: number; expected: number };
	devices: number;
	/** Devices with a silent counter. */
	silent: SensorState[];
	never: SensorState[];
	rejected: number;
	/** Rejected readings by reason, most first. */
	reasons: [reason: string, count: number][];
	clocksOff: number;
}

/** What a controller needs of five hundred devices: who is silent, what was not counted and why, whose clock is off. */
export function summarizeSensors(sensors: readonly SensorState[]): SensorSummary {
	const reasons = new Map<string, number>();
	for (const sensor of sensors) {
		for (const [reason, count] of Object.entries(sensor.rejects))
			reasons.set(reason, (reasons.get(reason) ?? 0) + count);
	}
	const missed = sensors.filter((each) => !each.optional || each.state === 'online');
	const since = ({ silentSince }: SensorState) => silentSince ?? -Infinity;
	return {
		counters: {
			heard: missed.reduce((sum, { heard }) => sum + heard, 0),
			expected: missed.reduce((sum, { counters }) => sum + counters.length, 0)
		},
		devices: missed.length,
		silent: missed
			.filter((each) => each.state === 'offline' || each.state === 'stale')
			.sort((a, b) => Math.sign(since(a) - since(b)) || a.device.localeCompare(b.device)),
		never: missed.filter((each) => each.state === 'never'),
		rejected: [...reasons.values()].reduce((sum, count) => sum + count, 0),
		reasons: [...reasons].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]),
		clocksOff: sensors.filter((each) => Math.abs(each.clockOffsetMs ?? 0) > clockOffMs).length
	};
}

/** Whether people in a zone grow, shrink or stay, from the net of a minute against its size. */
export function directionOf(netPerMinute: number | null, capacity: number): 'up' | 'down' | 'steady' | null {
	if (netPerMinute === null) return null;
	if (Math.abs(netPerMinute) < Math.max(3, capacity * 0.001)) return 'steady';
	return netPerMinute > 0 ? 'up' : 'down';
}
