import type { Deploy, Mark, Provenance, Quality, SpikeNow } from '../../../contract/index.ts';
import type { Decision } from '../../conductor/decide.ts';
import type { InstanceSeen } from './memory.ts';
import { boundBy, effectiveRate, type HeardParts } from './reader.ts';
import type { MachinePart, WindowSum } from './samples.ts';
import type { showStorm } from './storm-part.ts';

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
	heard: HeardParts;
	/** Pool, sockets and delays of all instances; null before the first second. */
	machine: MachinePart | null;
	/** Connections, pulls and pushes of all instances; null before the first second. */
	storm: ReturnType<typeof showStorm> | null;
	dependencies: SpikeNow['dependencies'];
	instances: readonly InstanceSeen[];
	deploys: readonly Deploy[];
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
	const { at, mark, window, machine } = input;
	const { room, booking, pool } = input.heard;
	const from = (heardAt: number | null, windowSeconds?: number): Provenance => ({
		at: heardAt ?? at,
		quality: qualityOf(heardAt, at, windowSeconds),
		mark
	});
	const workFrom = from(booking.at, window.workSeconds);
	return {
		at,
		room: { ...roomGroup(input), ...from(room.at, window.roomSeconds) },
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
			inUse: machine?.poolInUse ?? 0,
			size: machine?.poolSize ?? 0,
			waitingForOne: machine?.poolWaiting ?? 0,
			waitP95Ms: machine?.poolWaitP95Ms ?? null,
			...from(pool.at)
		},
		rate: { ...rateGroup(input), ...from(input.decision.at) },
		process: {
			eventLoopP99Ms: machine?.loopP99Ms ?? null,
			sockets: machine?.sockets ?? 0,
			reconnectsPerSecond: machine?.handshakes ?? 0,
			pollsPerSecond: machine?.polls ?? 0,
			memoryMb: machine?.memoryMb ?? 0,
			...from(machine ? at : null)
		},
		dependencies: input.dependencies,
		instances: input.instances.map(({ instance: id, at: heardAt, silent, leads, share }) => ({
			...{ id, at: heardAt, leads, share },
			quality: silent ? ('stale' as const) : ('live' as const)
		})),
		...(input.storm && { storm: { ...input.storm, ...from(at) } }),
		queues: queuesOf(input),
		deploys: [...input.deploys],
		level: input.level,
		mark
	};
}

function roomGroup({ heard, window }: NowInput) {
	const { value: room } = heard.room;
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
		emptiesAt: room?.emptiesAt ?? null,
		placesMax: room?.placesMax ?? null,
		noShow: room ? round(room.noShow, 3) : null,
		late: room?.late ?? null,
		pending: room?.pending ?? 0,
		mode: heard.mode
	};
}

function rateGroup({ decision, heard }: NowInput) {
	const { value: room } = heard.room;
	return {
		perSecond: effectiveRate(room, decision),
		managerPerSecond: decision.managerPerSecond,
		levelCapPerSecond: decision.levelCapPerSecond,
		narrowestPerSecond: decision.narrowestPerSecond,
		health: round(decision.health, 3),
		limitedBy: boundBy(room) ?? decision.limitedBy,
		measured: room?.measured ?? false,
		byHand: room?.rateByHand ?? false,
		blind: decision.blind,
		blindSince: decision.blindSince,
		missing: [...decision.missing],
		worstSignal: decision.worstSignal,
		worstValue: decision.worstValue
	};
}

/** Every queue behind the door: its depth, the age of its oldest, its drain. */
function queuesOf({ heard, window, storm }: NowInput): SpikeNow['queues'] {
	const { value: room } = heard.room;
	const { value: booking } = heard.booking;
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
			: []),
		...(storm
			? [
					{
						name: 'sync',
						...{ depth: storm.queue.depth, oldestSeconds: storm.queue.oldestSeconds },
						drainPerSecond: round(storm.pulls.served / 60, 2)
					}
				]
			: [])
	];
}

function round(value: number, digits: number): number {
	return Math.round(value * 10 ** digits) / 10 ** digits;
}
