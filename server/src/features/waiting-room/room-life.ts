import type { DrawFacts, RoomState } from '../../../contract/index.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { limits } from '../../limits.ts';
import type { Beacon } from './draw/beacon.ts';
import { factsOf, publicState } from './draw/draw-facts.ts';
import { createDrawLife } from './draw/draw-life.ts';
import { findDraw, forgetDraws, type StoredDraw } from './draw/draw-store.ts';
import { removeEntry } from './draw/entries-store.ts';
import { deriveDrawKeys, type DrawKeys } from './draw/entry.ts';
import { createRegistrar } from './draw/registrar.ts';
import type { Queue } from './queue.ts';
import { forgetSchedule, readSchedule } from './schedule-store.ts';
import { isRunning, noSchedule, roomStateAt, type RoomSchedule } from './schedule.ts';
import type { RoomKey } from './waiting-room-store.ts';

/** What registering for the draw comes to. `over`: the draw takes in nobody any more, the room's own queue does. */
export type RegisterOutcome =
	{ kind: 'registered' | 'late'; draw: number; entry: string; opensAt: number } | { kind: 'over' };

/** The room between its first announcement and its end: schedule, pre-queue and draw. */
export interface RoomLife {
	start(): Promise<void>;
	stop(): Promise<void>;
	state(): RoomState;
	schedule(): RoomSchedule;
	/** False before T0 and until everybody drawn is placed: nobody's turn comes. */
	releases(): boolean;
	/** The room's draw in this epoch, as stored; null without one. */
	draw(): StoredDraw | null;
	facts(): DrawFacts | null;
	keysOf(draw: Pick<StoredDraw, 'nonce'>): DrawKeys;
	register(holder: string, party: number): Promise<RegisterOutcome>;
	/** Takes the holder's entry out, as long as that can be. */
	unregister(holder: string): Promise<boolean>;
	/** What a staff call has just committed holds here at once; other instances read it within a second. */
	adopt(stored: { schedule?: RoomSchedule; draw: StoredDraw | null }): void;
	/** Laboratory: no schedule, no draw. */
	forget(): Promise<void>;
}

const refreshEveryMs = 1_000;

export interface RoomLifeDeps {
	db: Db;
	clock: Clock;
	log: Log;
	key: RoomKey;
	secret: string;
	worker: string;
	queue: Queue;
	beacon: Beacon | null;
	/** Demo and laboratory. */
	simulated: boolean;
	onChange: () => void;
	onRefusal: () => void;
	pageSize?: number;
}

export function createRoomLife(deps: RoomLifeDeps): RoomLife {
	const { db, clock, log, key, queue } = deps;
	const keysOf = rememberKeys(deps.secret);
	const step = createDrawLife({ ...deps, keysOf });
	const registrar = createRegistrar(deps);
	let schedule: RoomSchedule = noSchedule;
	let draw: StoredDraw | null = null;
	let readAt = -Infinity;
	let adoptions = 0;
	let stopTimer: StopTimer = () => {};
	let busy: Promise<void> | null = null;

	/** A draw of an epoch that is over concerns nobody. */
	const current = () => (draw && draw.epoch === queue.figures().epoch ? draw : null);
	const state = () => {
		const own = current();
		return roomStateAt(schedule, own && publicState(own.state), clock.now());
	};
	const waitsForDraw = () => {
		const own = current();
		return own !== null && isRunning(publicState(own.state)) && schedule.preQueueOpensAt !== null;
	};

	const refresh = async () => {
		const before = JSON.stringify([schedule, draw]);
		const adopted = adoptions;
		const stored = [await readSchedule(db, key), await findDraw(db, key, 'opening')] as const;
		// What was committed meanwhile is newer than what was read.
		if (adopted !== adoptions) return;
		[schedule, draw] = stored;
		readAt = clock.elapsedMs();
		if (JSON.stringify([schedule, draw]) !== before) deps.onChange();
	};
	const work = async () => {
		const due = clock.elapsedMs() - readAt >= refreshEveryMs;
		if (due) await refresh();
		for (;;) {
			const own = current();
			if (!own || !waitsForDraw() || schedule.opensAt === null || clock.now() < schedule.opensAt) return;
			// What is stored counts: another instance may have gone on.
			if (!(await step(own, schedule.opensAt))) return;
			await refresh();
		}
	};
	const tick = () => {
		busy ??= work()
			.catch((error: unknown) => {
				readAt = -Infinity;
				log.warn(
					{ error: error instanceof Error ? error.message : 'unknown' },
					'the room waits for its draw'
				);
			})
			.finally(() => {
				busy = null;
			});
	};

	return {
		async start() {
			await refresh();
			stopTimer = clock.setInterval(tick, limits.draw.stepMs);
		},
		async stop() {
			stopTimer();
			await registrar.close();
			await busy;
		},
		state,
		schedule: () => schedule,
		releases: () => state() !== 'countdown' && !waitsForDraw(),
		draw: current,
		facts() {
			const own = current();
			return own && factsOf(own, clock.now());
		},
		keysOf,
		async register(holder, party) {
			const own = current();
			const { opensAt } = schedule;
			if (!own || opensAt === null || !waitsForDraw()) return { kind: 'over' };
			const entry = keysOf(own).entryOf(holder);
			const late = clock.now() >= opensAt;
			const kind = await registrar.register(own.id, { entry, holder, party, wishes: '', late });
			if (kind === 'over') {
				await refresh();
				return { kind };
			}
			return { kind, draw: own.id, entry, opensAt };
		},
		async unregister(holder) {
			const own = current();
			if (!own || !waitsForDraw()) return false;
			return removeEntry(db, own.id, keysOf(own).entryOf(holder));
		},
		adopt(stored) {
			adoptions += 1;
			schedule = stored.schedule ?? schedule;
			draw = stored.draw;
			deps.onChange();
		},
		async forget() {
			await forgetSchedule(db, key);
			await forgetDraws(db, key);
			await refresh();
		}
	};
}

/** Keys are derived once a draw. */
function rememberKeys(secret: string) {
	let last: { nonce: string; keys: DrawKeys } | null = null;
	return ({ nonce }: Pick<StoredDraw, 'nonce'>): DrawKeys => {
		const name = nonce.toString('hex');
		if (last?.nonce !== name) last = { nonce: name, keys: deriveDrawKeys(secret, nonce) };
		return last.keys;
	};
}
