import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { faultOf, type Valkey } from '../../platform/valkey/valkey.ts';
import { openLedger, type LedgerRoom } from './ledger-store.ts';
import type { QueueFigures } from './queue.ts';
import { restoreRoom } from './valkey-restore.ts';
import { createQueueScripts, ScriptRefused, type ScriptName } from './valkey-scripts.ts';
import type { RateSource, RoomKey } from './waiting-room-store.ts';

/** What was counted in this epoch; the figures only grow. */
export interface RoomTotals {
	joined: number;
	called: number;
	claimed: number;
	missed: number;
	passes: number;
}

/** A copy of the room's figures, at most a moment old. */
export interface RoomCopy extends Omit<QueueFigures, 'pending' | 'ready' | 'epoch'> {
	/** Numbers that may be given out before a block must be reserved. */
	numbersLeft: number;
	/** Epoch ms, since when the clocks stand still; 0: they run. */
	frozenSince: number;
	stops: readonly (readonly [from: number, to: number])[];
	/** How long the clocks stood still in all, until they last ran again. */
	stoppedMs: number;
	/** Passes given back before they ran out, `number:holder`. */
	gone: ReadonlySet<string>;
	/** Add it to this machine's clock for Valkey's. */
	skewMs: number;
	totals: RoomTotals;
}

/** The connection of one instance to the room in Valkey: calls, and what is known of it. */
export interface ValkeyRoom {
	epoch(): number;
	/** `away`: Valkey cannot be reached, or does not have the room whole. */
	state(): 'stopped' | 'ready' | 'away';
	copy(): RoomCopy;
	/** Runs a script of the room in this epoch. @throws AppError `busy`, `not_ready`, `old_epoch` */
	call(name: ScriptName, ...args: (string | number)[]): Promise<unknown[]>;
	/** Runs one without epoch and time. */
	callPlain(name: ScriptName, ...args: (string | number)[]): Promise<unknown[]>;
	/** Looks at the room now; restores it where it is not whole. Never throws. */
	look(): Promise<void>;
	open(): Promise<LedgerRoom>;
	setEpoch(epoch: number): void;
	close(): void;
}

const goneMax = 20_000;
const none = {
	counts: { waiting: 0, called: 0, admitted: 0, done: 0, expired: 0, left: 0 },
	totals: { joined: 0, called: 0, claimed: 0, missed: 0, passes: 0 }
};

export function createValkeyRoom(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	valkey: Valkey;
	key: RoomKey;
	first: { ratePerSecond: number; rateSource: RateSource };
	/** After every look: what was counted since the one before, in the same epoch. */
	onLook: (since: RoomTotals, at: number) => void;
	onNewEpoch: () => void;
}): ValkeyRoom {
	const { clock, log, db, key } = deps;
	const run = createQueueScripts(deps.valkey, key);
	let epoch = 0;
	let state: 'stopped' | 'ready' | 'away' = 'stopped';
	let copy = emptyCopy();
	let gone = new Set<string>();
	let seen = 0;
	let lookedBefore = false;
	let looking: Promise<void> | null = null;

	const forget = (next: number) => {
		epoch = next;
		copy = emptyCopy();
		gone = new Set();
		seen = 0;
		lookedBefore = false;
	};
	const lose = (error: unknown) => {
		if (state !== 'ready') return;
		state = 'away';
		log.warn({ room: key.room, error: faultOf(error) }, 'the queue in Valkey is away');
	};
	/** PostgreSQL decides on the epoch: Valkey follows where it is behind, this instance where it is. */
	const follow = async (inForce: number) => {
		if (inForce < epoch) return void (await run('reset', epoch, clock.aheadMs()));
		forget(inForce);
		deps.onNewEpoch();
	};
	const openRoom = () => openLedger(db, key, deps.first, clock.now());

	const lookOnce = async (): Promise<void> => {
		if (epoch === 0) forget((await openRoom()).epoch);
		try {
			take(await run('look', epoch, clock.aheadMs(), seen));
		} catch (error) {
			if (!(error instanceof ScriptRefused)) throw error;
			lose(error);
			if (error.reason === 'epoch') return follow(error.inForce);
			if (!(await restoreRoom({ db, key, clock, run, room: openRoom }))) return;
			log.info({ room: key.room }, 'the queue in Valkey is whole');
			const { epoch: stored } = await openRoom();
			if (stored !== epoch) forget(stored);
			take(await run('look', epoch, clock.aheadMs(), seen));
		}
	};
	const take = (reply: unknown[]) => {
		const next = readLook(reply, clock.now());
		for (const name of next.gone) gone.add(name);
		for (const name of gone) {
			if (gone.size <= goneMax) break;
			gone.delete(name);
		}
		seen = next.seen;
		const since = lookedBefore ? subtract(next.copy.totals, copy.totals) : none.totals;
		lookedBefore = true;
		copy = { ...next.copy, gone };
		if (state === 'away') state = 'ready';
		deps.onLook(since, clock.now() + copy.skewMs);
	};

	return {
		epoch: () => epoch,
		state: () => state,
		copy: () => copy,
		async call(name, ...args) {
			if (state === 'stopped') throw new AppError('not_ready', {}, 5);
			if (state === 'away') throw new AppError('busy', {}, 3);
			const asked = epoch;
			try {
				return await run(name, asked, clock.aheadMs(), ...args);
			} catch (error) {
				if (error instanceof ScriptRefused && error.reason === 'term') throw error;
				if (error instanceof ScriptRefused && error.reason === 'epoch') {
					if (error.inForce > asked && epoch === asked) await follow(error.inForce);
					throw new AppError('old_epoch', { rejoin: true });
				}
				lose(error);
				throw new AppError('busy', {}, 3);
			}
		},
		callPlain: run,
		look() {
			if (state === 'stopped') return Promise.resolve();
			looking ??= lookOnce()
				.catch((error: unknown) => lose(error))
				.finally(() => (looking = null));
			return looking;
		},
		async open() {
			const room = await openRoom();
			forget(room.epoch);
			state = 'away';
			return room;
		},
		setEpoch: forget,
		close() {
			state = 'stopped';
		}
	};
}

function emptyCopy(): RoomCopy {
	return {
		...{ issued: 0, released: 0, passes: 0, counts: none.counts, oldestJoinedAt: null, frozen: false },
		...{
			numbersLeft: 0,
			frozenSince: 0,
			stops: [],
			stoppedMs: 0,
			gone: new Set(),
			skewMs: 0,
			totals: none.totals
		}
	};
}

function subtract(now: RoomTotals, before: RoomTotals): RoomTotals {
	const more = (name: keyof RoomTotals) => Math.max(0, now[name] - before[name]);
	return {
		joined: more('joined'),
		called: more('called'),
		claimed: more('claimed'),
		missed: more('missed'),
		passes: more('passes')
	};
}

/** Reads the reply of lua/look.lua. */
function readLook(reply: unknown[], now: number) {
	const at = (index: number) => Number(reply[index]);
	const stops = String(reply[18])
		.split(',')
		.filter(Boolean)
		.map((stop) => stop.split('-').map(Number) as [number, number]);
	const oldest = at(11);
	return {
		seen: at(19),
		gone: reply[20] as string[],
		copy: {
			issued: at(2),
			released: at(3),
			numbersLeft: at(4) - at(2),
			counts: {
				...{ waiting: at(5), called: at(6), admitted: at(7) },
				...{ done: at(8), expired: at(9), left: at(10) }
			},
			oldestJoinedAt: oldest === 0 ? null : oldest,
			frozenSince: at(12),
			frozen: at(12) > 0,
			passes: at(17),
			stops,
			stoppedMs: at(21),
			skewMs: at(1) - now,
			totals: { joined: at(13), called: at(14), claimed: at(15), missed: at(16), passes: at(17) }
		}
	};
}
