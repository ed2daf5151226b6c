import type { KeptForecast, KeptForecasts, PressForecast, RoomOutlook } from '@marsad/server/contract';

const accuracy = {
	...{ judged: 12, waitingError: 240, waitingShare: 0.04, admittedError: 1.2, waitingBias: -35 }
};
const outlook = (from: number, perStep: number, now: number): RoomOutlook => {
	const waiting = Array.from({ length: 180 }, (_, step) => Math.max(0, from + perStep * (step + 1)));
	const empty = waiting.indexOf(0);
	return {
		emptiesAt: empty === -1 ? null : now + (empty + 1) * 10_000,
		waitingMost: Math.max(from, ...waiting),
		waitingAtEnd: waiting.at(-1)!,
		oldestSecondsAtEnd: 600,
		waiting,
		admittedPerSecond: waiting.map(() => 180)
	};
};

/** What would come of a press: more a second empties the room, a level lets it grow. */
export function pressForecastNow(now: number, query: URLSearchParams): PressForecast {
	const perSecond = Number(query.get('perSecond') ?? 100);
	return {
		...{ at: now, stepSeconds: 10, quality: 'live', unknown: null, accuracy, mark: 'simulated' },
		basis: { joinedPerSecond: 210, waiting: 61_480, capacityPerSecond: null, noShow: 0.08 },
		before: outlook(61_480, 300, now),
		after: outlook(61_480, (210 - perSecond) * 10, now)
	};
}

export function keptForecastsNow(now: number): KeptForecasts {
	const kept = (minutes: number, change: Partial<KeptForecast>): KeptForecast => ({
		...{ at: now - minutes * 60_000, reason: 'regular', until: now - (minutes - 10) * 60_000 },
		...{ stepSeconds: 10, waiting: [], admittedPerSecond: [], judgedAt: now, points: 60 },
		...{ waitingError: 240, waitingShare: 0.04, waitingBias: -35, admittedError: 1.2, ...change }
	});
	return {
		kept: [
			kept(4, { reason: 'rate', judgedAt: null, waitingError: null }),
			kept(14, { reason: 'level', waitingError: 1_830, waitingShare: 0.11, waitingBias: 1_700 }),
			kept(24, {}),
			kept(34, { waitingError: null, waitingShare: null, waitingBias: null })
		],
		accuracy,
		mark: 'simulated'
	};
}
