import { AppError } from '../../../errors.ts';
import { limits } from '../../../limits.ts';
import type { Clock, StopTimer } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { BallotPort } from '../../booking/index.ts';
import type { Beacon } from '../draw/beacon.ts';
import { publicState } from '../draw/draw-facts.ts';
import { createDrawLife } from '../draw/draw-life.ts';
import { findDraw, takeWork, type StoredDraw } from '../draw/draw-store.ts';
import { removeEntry } from '../draw/entries-store.ts';
import type { DrawKeys } from '../draw/entry.ts';
import type { Registrar } from '../draw/registrar.ts';
import { isRunning } from '../schedule.ts';
import type { RoomKey } from '../waiting-room-store.ts';
import { findBallot, saveRules, saveWishes, type StoredBallot } from './ballot-store.ts';
import { giveBallot } from './give.ts';
import { writeWishes, type Wishes } from './wishes.ts';

/** A ballot and its draw. */
export interface RunningBallot extends StoredBallot {
	draw: StoredDraw;
}

/** Registration over days, then one draw, then the walk: by the clock, on whichever instance is there. */
export interface BallotLife {
	start(): Promise<void>;
	stop(): Promise<void>;
	current(): RunningBallot | null;
	/** @throws AppError `ballot_closed`, `busy` */
	register(holder: string, party: number, wishes: Wishes): Promise<string>;
	leave(holder: string): Promise<boolean>;
	/** What a staff call has committed holds here at once. */
	refresh(): Promise<void>;
}

const refreshEveryMs = 2_000;

export function createBallotLife(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	key: RoomKey;
	worker: string;
	booking: BallotPort;
	registrar: Registrar;
	keysOf(draw: Pick<StoredDraw, 'nonce'>): DrawKeys;
	beacon: Beacon | null;
	simulated: boolean;
	pageSize?: number;
}): BallotLife {
	const { db, clock, key, worker } = deps;
	// An order is drawn, and nobody is given a number: slots are.
	const step = createDrawLife({ ...deps, queue: { place: async () => undefined, find: () => null } });
	let ballot: RunningBallot | null = null;
	let readAt = -Infinity;
	let stopTimer: StopTimer = () => {};
	let busy: Promise<void> | null = null;

	const refresh = async () => {
		const draw = await findDraw(db, key, 'ballot');
		const stored = draw && (await findBallot(db, draw.id));
		ballot = draw && stored ? { ...stored, draw } : null;
		readAt = clock.elapsedMs();
	};
	/** One step further; what there is to give is counted between the freeze and the root. */
	const advance = async ({ draw, closesAt, slots, rules, given }: RunningBallot): Promise<boolean> => {
		const hold = () => takeWork(db, draw.id, worker, clock.now(), limits.draw.workerMs);
		if (draw.state === 'frozen' && rules === null) {
			const levels = await deps.booking.listLevels();
			const chosen = levels.slots.filter(({ id }) => slots.includes(id));
			await saveRules(db, draw.id, { ...levels, slots: chosen });
			return true;
		}
		if (draw.state === 'closing' && given === null && rules !== null) {
			if (!(await hold())) return false;
			await giveBallot({ ...deps, draw: draw.id, rules, alive: hold });
			return true;
		}
		return step(draw, closesAt);
	};
	const work = async () => {
		if (clock.elapsedMs() - readAt >= refreshEveryMs) await refresh();
		while (ballot && isRunning(publicState(ballot.draw.state)) && clock.now() >= ballot.closesAt) {
			if (!(await advance(ballot))) return;
			await refresh();
		}
	};
	const tick = () => {
		busy ??= work()
			.catch((error: unknown) => {
				readAt = -Infinity;
				deps.log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'the ballot waits');
			})
			.finally(() => {
				busy = null;
			});
	};
	const open = (): RunningBallot => {
		if (!ballot || ballot.draw.state !== 'committed' || clock.now() >= ballot.closesAt)
			throw new AppError('ballot_closed');
		return ballot;
	};

	return {
		async start() {
			await refresh();
			stopTimer = clock.setInterval(tick, limits.draw.stepMs);
		},
		async stop() {
			stopTimer();
			await busy;
		},
		current: () => ballot,
		async register(holder, party, wishes) {
			const { draw } = open();
			if (draw.registered >= limits.ballot.entriesMax) throw new AppError('queue_full', {}, 60);
			const entry = deps.keysOf(draw).entryOf(holder);
			const text = writeWishes(wishes);
			const registration = { entry, holder, party, wishes: text, late: false };
			const answer = await deps.registrar.register(draw.id, registration);
			// Sent again, the newest wishes count.
			if (answer !== 'registered' || !(await saveWishes(db, draw.id, entry, party, text)))
				throw new AppError('ballot_closed');
			return entry;
		},
		async leave(holder) {
			const { draw } = open();
			return removeEntry(db, draw.id, deps.keysOf(draw).entryOf(holder));
		},
		refresh
	};
}
