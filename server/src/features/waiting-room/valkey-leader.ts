import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Leader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import { faultOf } from '../../platform/valkey/valkey.ts';
import { writeRoom, writeTickets } from './ledger-store.ts';
import type { QueueRules } from './queue.ts';
import { createRoundTimer } from './round-timer.ts';
import type { ValkeyRoom } from './valkey-room.ts';
import { ScriptRefused } from './valkey-scripts.ts';
import { readStored } from './valkey-tickets.ts';
import type { RoomKey } from './waiting-room-store.ts';

/** Releases and expiries are looked at so often; a second's release is spread over ten of these. */
const sliceMs = 100;
const { valkeyBatchMax, journalBatchMax, journalEveryMs } = limits.waitingRoom;
const aliveEveryMs = 1_000;
/** A rate that stands for "no limit"; Lua has no use for Infinity. */
const unlimited = 1_000_000_000;

/** What one of several instances does for the room: rounds in Valkey, and the copy in PostgreSQL. */
export interface RoomLeader {
	start(): void;
	/** One round now, if this instance leads. Never throws. */
	round(): Promise<void>;
	/** Copies everything that has changed. Never throws. */
	journal(): Promise<void>;
	stop(): Promise<void>;
}

export function createRoomLeader(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	key: RoomKey;
	room: ValkeyRoom;
	rules: QueueRules;
	leader: Pick<Leader, 'term'>;
}): RoomLeader {
	const { db, clock, log, key, room, rules, leader } = deps;
	/** Rounds before this one failed: the time until now is added to what was left to everybody. */
	let resumed = false;
	let wroteRoom = '';
	let stops: StopTimer[] = [];

	const round = async () => {
		const term = leader.term();
		if (term === null) return;
		if (room.state() !== 'ready') {
			resumed = true;
			return;
		}
		const now = clock.now();
		const { passesPerSecond, turnsPerSecond, placesMax } = rules.rates(now);
		const args = [passesPerSecond, turnsPerSecond, placesMax].map((value) => Math.min(unlimited, value));
		try {
			await room.call('round', term, ...args, rules.claimWindowMs, valkeyBatchMax, resumed ? 1 : 0);
			resumed = false;
		} catch (error) {
			if (error instanceof ScriptRefused)
				log.warn({ room: key.room, term, inForce: error.inForce }, 'another instance leads the queue');
			else resumed = true;
		}
	};

	const copyOnce = async (): Promise<boolean> => {
		const epoch = room.epoch();
		const [, stopped, frozen, stopTimes, origins, ...stored] = await room.call('journal', journalBatchMax);
		const tickets = [];
		for (let at = 0; at < stored.length; at += 2) tickets.push(readStored(stored[at], stored[at + 1]));
		const now = clock.now();
		if (tickets.length > 0) await writeTickets(db, key, epoch, tickets, now);
		const lists = origins as string[];
		const clocks = {
			...{ stoppedMs: Number(stopped), stops: String(stopTimes) },
			frozenSince: Number(frozen) === 0 ? null : Number(frozen)
		};
		const state = JSON.stringify([epoch, clocks, Math.floor(now / aliveEveryMs)]);
		if (state !== wroteRoom || lists.length > 0)
			await writeRoom(db, key, epoch, { ...clocks, aliveAt: now }, lists);
		wroteRoom = state;
		if (tickets.length + lists.length > 0) {
			const versions = tickets.flatMap(({ number, version }) => [number, version]);
			await room.call('journalled', lists.length, ...lists, ...versions);
		}
		return tickets.length === journalBatchMax;
	};
	const journal = async () => {
		if (leader.term() === null || room.state() !== 'ready') return;
		try {
			while (await copyOnce());
		} catch (error) {
			log.warn({ room: key.room, error: faultOf(error) }, 'the queue could not be copied to PostgreSQL');
		}
	};
	const rounds = createRoundTimer(clock, () => round().then(() => null));
	const copies = createRoundTimer(clock, () => journal().then(() => null));

	return {
		start() {
			stops = [
				clock.setInterval(() => rounds.wake(0), sliceMs),
				clock.setInterval(() => copies.wake(0), journalEveryMs)
			];
		},
		round: () => rounds.serial(round),
		journal: () => copies.serial(journal),
		async stop() {
			for (const stop of stops) stop();
			await rounds.stop();
			await copies.stop();
		}
	};
}
