import type { Mark, Provenance, Quality, SpikeNow } from '../../../contract/index.ts';
import type { Decision } from '../../conductor/decide.ts';
import type { PoolFigures } from '../../platform/database/database.ts';
import type { BookingFigures } from '../booking/index.ts';
import type { RoomFigures } from '../waiting-room/index.ts';
import type { WindowSum } from './samples.ts';

/** A figure and when its part last said it (epoch ms); null when it never did. */
export interface Heard<T> {
	value: T | null;
	at: number | null;
}

export interface NowInput {
	at: number;
	mark: Mark;
	level: number;
	decision: Decision;
	room: Heard<RoomFigures>;
	booking: Heard<BookingFigures>;
	pool: Heard<PoolFigures>;
	process: { eventLoopP99Ms: number; sockets: number; reconnectsPerSecond: number; memoryMb: number };
	dependencies: SpikeNow['dependencies'];
	window: WindowSum;
	belowOneSeconds: number;
}

/** A figure is told every second; after three it is stale. */
const staleAfterMs = 3_000;
/** A window that misses more than a few of its seconds is partial. */
const wholeWindowSeconds = 55;

export function qualityOf(at: number | null, now: number, windowSeconds = wholeWindowSeconds): Quality {
	if (at === null) return 'unknown';
	if (now - at > staleAfterMs) return 'stale';
	return windowSeconds < wholeWindowSeconds ? 'partial' : 'live';
}

/** Puts the newest second together: every group with its time, quality and mark. */
export function buildSpikeNow(input: NowInput): SpikeNow {
	const { at, mark, window } = input;
	const from = (heardAt: number | null, windowSeconds?: number): Provenance => ({
		at: heardAt ?? at,
		quality: qualityOf(heardAt, at, windowSeconds),
		mark
	});
	const workFrom = from(input.booking.at, window.workSeconds);
	return {
		at,
		room: { ...roomGroup(input), ...from(input.room.at, window.roomSeconds) },
		work: {
			offered: window.offered,
			served: window.served,
			ratio: window.workRatio,
			belowOneSeconds: input.belowOneSeconds,
			...workFrom
		},
		booking: {
			p50Ms: window.p50Ms,
			p95Ms: window.p95Ms,
			p99Ms: window.p99Ms,
			count: window.count,
			...workFrom
		},
		outcomes: { ...window.outcomes, ...workFrom },
		pool: {
			...(input.pool.value ?? { inUse: 0, size: 0, waitingForOne: 0, waitP95Ms: null }),
			...from(input.pool.at)
		},
		rate: { ...rateGroup(input), ...from(input.decision.at) },
		process: {
			...input.process,
			pollsPerSecond: round(input.room.value?.pollsPerSecond ?? 0, 1),
			...from(at)
		},
		dependencies: input.dependencies,
		queues: queuesOf(input),
		level: input.level,
		mark
	};
}

function roomGroup({ room: { value: room }, window }: NowInput) {
	const seconds = Math.max(1, window.roomSeconds);
	return {
		joinedPerSecond: round(window.joined / seconds, 2),
		admittedPerSecond: round(window.admitted / seconds, 2),
		joined: window.joined,
		admitted: window.admitted,
		ratio: window.roomRatio,
		depth: room?.waiting ?? 0,
		called: room?.called ?? 0,
		active: room?.active ?? 0,
		oldestSeconds: room?.oldestSeconds ?? null,
		emptiesAt: room?.emptiesAt ?? null
	};
}

function rateGroup({ decision, room: { value: room } }: NowInput) {
	const bound = room?.boundBy ?? null;
	return {
		// Nobody is called in at all, whatever the conductor would allow.
		perSecond: round(bound === 'mode' || bound === 'level' ? 0 : decision.ratePerSecond, 2),
		managerPerSecond: decision.managerPerSecond,
		levelCapPerSecond: decision.levelCapPerSecond,
		narrowestPerSecond: decision.narrowestPerSecond,
		health: round(decision.health, 3),
		limitedBy: bound ?? decision.limitedBy,
		measured: room?.measured ?? false,
		blind: decision.blind
	};
}

/** Every queue behind the door: its depth, the age of its oldest, its drain. */
function queuesOf({
	room: { value: room },
	booking: { value: booking },
	window
}: NowInput): SpikeNow['queues'] {
	const admittedPerSecond = round(window.admitted / Math.max(1, window.roomSeconds), 2);
	return [
		...(room
			? [
					{
						name: 'waiting-room',
						depth: room.waiting,
						oldestSeconds: room.oldestSeconds,
						drainPerSecond: admittedPerSecond
					}
				]
			: []),
		...(booking
			? [{ name: 'booking', ...booking.buffer, drainPerSecond: round(booking.buffer.drainPerSecond, 2) }]
			: [])
	];
}

function round(value: number, digits: number): number {
	return Math.round(value * 10 ** digits) / 10 ** digits;
}
