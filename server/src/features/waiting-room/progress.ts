import type { DrawFacts, Mark, Progress, RoomState } from '../../../contract/index.ts';
import type { RoomSchedule } from './schedule.ts';

/** The public document as bytes: the same for everybody, so it is written once and sent many times. */
export interface ProgressDocument {
	bytes(): Buffer;
	/** Something in it has changed: the next reader gets a new one. */
	touch(): void;
}

const rebuildAfterMs = 1_000;

export function createProgressDocument(now: () => number, build: () => Progress): ProgressDocument {
	let bytes: Buffer | null = null;
	let builtAt = 0;
	return {
		bytes() {
			const at = now();
			if (!bytes || at - builtAt >= rebuildAfterMs || at < builtAt) {
				bytes = Buffer.from(JSON.stringify(build()));
				builtAt = at;
			}
			return bytes;
		},
		touch() {
			bytes = null;
		}
	};
}

/** Puts the document together. A rate of 0 means that nobody can know; numbers up to `released` are no longer waiting. */
export function buildProgress(input: {
	room: string;
	queue: { epoch: number; issued: number; released: number; counts: { waiting: number } };
	mode: Progress['mode'];
	ratePerSecond: number;
	now: number;
	level: number;
	off: readonly string[];
	flags: { joins: boolean; booking: boolean; fastPolls: boolean };
	slowedBy: Progress['slowedBy'];
	life: {
		state: RoomState;
		schedule: Pick<
			RoomSchedule,
			'preQueueOpensAt' | 'opensAt' | 'closesAt' | 'anonymousPlaces' | 'noticeSeconds'
		>;
		draw: DrawFacts | null;
	};
	soldOut: Pick<Progress, 'soldOut' | 'otherDays'>;
	mark: Mark;
}): Progress {
	const { queue, flags, life } = input;
	const { preQueueOpensAt, opensAt, closesAt, anonymousPlaces, noticeSeconds } = life.schedule;
	const early = life.state === 'countdown' && input.now < (preQueueOpensAt ?? opensAt ?? 0);
	const scheduled = !early && life.state !== 'closed';
	return {
		room: input.room,
		epoch: queue.epoch,
		mode: input.mode,
		issued: queue.issued,
		released: queue.released,
		waiting: queue.counts.waiting,
		ratePerSecond: Math.round(input.ratePerSecond * 100) / 100,
		serverTime: input.now,
		level: input.level,
		joinsOpen: flags.joins && input.mode !== 'reject' && (scheduled || input.mode === 'passthrough'),
		bookingOpen: flags.booking,
		pollFactor: flags.fastPolls ? 1 : 2,
		off: [...input.off],
		slowedBy: input.slowedBy,
		draw: life.draw,
		state: life.state,
		...{ preQueueOpensAt, opensAt, closesAt },
		registered: preQueueOpensAt === null ? null : (life.draw?.entries ?? 0),
		anonymousPlaces,
		...input.soldOut,
		noticeSeconds,
		mark: input.mark
	};
}
