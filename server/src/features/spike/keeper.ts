import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { foldCells } from './fold.ts';
import { createMemory, type Memory } from './memory.ts';
import { rollUp } from './roll-up.ts';
import type { SpikeSample } from './samples.ts';
import { forgetSamples, insertSamples, loadSamples, type SampleKey, type Step } from './spike-store.ts';

/** Keeps seconds: in memory for the glass, in the database for a season, rolled up as they grow old. */
export interface Keeper extends Pick<Memory, 'samples' | 'machine' | 'storm' | 'newest' | 'instances'> {
	/** A second of this instance. */
	keep(sample: SpikeSample): void;
	/** Stored samples of one step after `from` up to `to`, all instances together. */
	load(step: Step, from: number, to: number): Promise<SpikeSample[]>;
	/** Rolls up what is complete and forgets what is too old. */
	tidy(): Promise<void>;
	start(): Promise<void>;
	stop(): Promise<void>;
}

export interface KeeperDeps {
	db: Db;
	clock: Clock;
	log: Log;
	key: SampleKey;
	/** Names this process among instances. */
	instance: string;
	/** Several instances write: theirs are read every second, and ours are written as often. */
	shared: boolean;
}

const dayMs = 86_400_000;
const rollUpEveryMs = 30_000;
const forgetEveryMs = 600_000;
/** Rows of one statement, and statements of one turn: a long absence is caught up in several turns. */
const forgetRows = 5_000;
const forgetTurns = 40;
/** Others may be so late with a second. */
const lookBackMs = 15_000;

export function createKeeper(deps: KeeperDeps): Keeper {
	const { db, clock, log, key, instance, shared } = deps;
	const memory = createMemory();
	const stops: StopTimer[] = [];
	let unwritten: SpikeSample[] = [];
	let last: SpikeSample | null = null;
	/** Oldest second written since the last roll-up: one that was late is rolled up again. */
	let writtenSince = Infinity;
	const warn = (what: string) => (error: unknown) =>
		log.warn({ error: error instanceof Error ? error.message : 'unknown' }, what);

	const writeOut = async () => {
		const batch = unwritten;
		unwritten = [];
		try {
			await insertSamples(db, key, 1, instance, batch);
			writtenSince = Math.min(writtenSince, batch[0]?.at ?? Infinity);
		} catch (error) {
			unwritten = [...batch, ...unwritten].slice(-limits.spike.keepSecondsInMemory);
			warn('spike samples wait to be stored')(error);
		}
	};
	const flush = oneAfterTheOther(writeOut);
	const listen = oneAfterTheOther(async () => {
		const to = clock.now();
		const rows = await loadSamples(db, key, 1, { from: to - lookBackMs, to, except: instance });
		for (const row of rows) memory.add(row);
	});
	const roll = oneAfterTheOther(async () => {
		const from = writtenSince;
		writtenSince = Infinity;
		try {
			await rollUp(db, key, clock.now(), from);
		} catch (error) {
			writtenSince = Math.min(writtenSince, from);
			throw error;
		}
	});
	const forget = oneAfterTheOther(() => forgetOld(db, clock.now()));

	return {
		samples: memory.samples,
		machine: memory.machine,
		storm: memory.storm,
		newest: memory.newest,
		instances: memory.instances,
		keep(sample) {
			last = sample;
			memory.add({ instance, sample });
			unwritten.push(sample);
			// A database that is away for long costs old seconds, not memory.
			if (unwritten.length > limits.spike.keepSecondsInMemory) unwritten.shift();
			if (!shared) return;
			void flush();
			void listen().catch(warn('seconds of other instances could not be read'));
		},
		load: async (step, from, to) => foldCells(await loadSamples(db, key, step, { from, to }), step),
		async tidy() {
			await flush();
			await roll();
			await forget();
		},
		async start() {
			const now = clock.now();
			const from = now - limits.spike.keepSecondsInMemory * 1_000;
			// A laboratory clock may have run ahead: the future is not history.
			for (const row of await loadSamples(db, key, 1, { from, to: now })) memory.add(row);
			stops.push(
				clock.setInterval(() => void flush(), limits.spike.flushEveryMs),
				clock.setInterval(() => void roll().catch(warn('spike samples wait to be rolled up')), rollUpEveryMs),
				clock.setInterval(
					() => void forget().catch(warn('old spike samples could not be forgotten')),
					forgetEveryMs
				)
			);
		},
		async stop() {
			for (const stop of stops) stop();
			if (shared && last) unwritten.push({ ...noneOf(last), at: clock.now(), leaves: true });
			await flush();
		}
	};
}

/** The last word of an instance says nothing but that it leaves. */
const noneOf = (sample: SpikeSample): SpikeSample => ({
	...sample,
	room: null,
	work: null,
	machine: null,
	storm: null
});

/** Bounded: a season's rest goes in small pieces, so that nobody waits behind one long statement. */
async function forgetOld(db: Db, now: number): Promise<void> {
	const keepMs: Record<Step, number> = {
		1: limits.spike.keepHours * 3_600_000,
		10: limits.spike.keepTensDays * dayMs,
		60: limits.spike.keepMinutesDays * dayMs
	};
	for (const step of [1, 10, 60] as const) {
		for (let turn = 0; turn < forgetTurns; turn++)
			if ((await forgetSamples(db, step, now - keepMs[step], forgetRows)) < forgetRows) break;
	}
}

/** Runs never overlap, and of those that wait only one more is run. */
function oneAfterTheOther(run: () => Promise<void>): () => Promise<void> {
	let running: Promise<void> | null = null;
	let next: Promise<void> | null = null;
	const begin = () =>
		(running = run().finally(() => {
			running = null;
		}));
	return () => {
		if (!running) return begin();
		next ??= running
			.catch(() => undefined)
			.then(() => {
				next = null;
				return begin();
			});
		return next;
	};
}
