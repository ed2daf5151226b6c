import type { Broker, MessageInfo } from '../../platform/broker/broker.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Leader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ledger, Outcome } from './ledger.ts';
import type { Adapter, Message } from './reading.ts';
import { forgetOld, loadDevices, saveBatch } from './sensor-store.ts';

/** Takes messages from broker and HTTP, folds them at once, and answers when they are committed. */
export interface Ingest {
	/** @returns what was understood, after the commit */
	take(message: Message): Promise<Outcome>;
	/** Writes what waits. Used by the timer, at the end, and by tests. */
	flush(): Promise<void>;
	/** Registers on the broker; from now on nothing may be lost. */
	subscribe(): void;
	/** Whether this instance leads and has loaded what was stored. */
	isReady(): boolean;
	onElected(): void;
	onLost(): void;
	start(): void;
	stop(): Promise<void>;
}

interface Waiter {
	done: () => void;
	failed: (error: Error) => void;
}

export function createIngest(options: {
	site: string;
	ledger: Ledger;
	adapters: readonly { adapter: Adapter; filters: string[] }[];
	broker: Pick<Broker, 'subscribe' | 'onState'>;
	leader: () => Pick<Leader, 'check' | 'term'>;
	database: Database;
	clock: Clock;
	log: Log;
	count: (outcome: Outcome) => void;
	onReady: () => void;
}): Ingest {
	const { site, ledger, broker, database, clock, log } = options;
	let waiters: Waiter[] = [];
	let flushing: Promise<void> | null = null;
	let ready = false;
	let whenReady = newGate();
	const stopTimers: StopTimer[] = [];

	const fold = (message: Message): Outcome => {
		const outcome = ledger.take(message, clock.now());
		options.count(outcome);
		return outcome;
	};

	const committed = () =>
		new Promise<void>((done, failed) => {
			waiters.push({ done, failed });
		});

	/** Resolves when a commit that holds everything folded so far has succeeded. */
	const flushOnce = async (): Promise<void> => {
		if (!ready) return;
		const batch = ledger.takeBatch();
		const acknowledged = waiters;
		waiters = [];
		if (!batch) {
			for (const waiter of acknowledged) waiter.done();
			return;
		}
		try {
			await database.db.transaction().execute(async (tx) => {
				await options.leader().check(tx);
				await saveBatch(tx, site, batch);
			});
			for (const waiter of acknowledged) waiter.done();
		} catch (error) {
			log.error(
				{ error: error instanceof Error ? error.message : 'unknown' },
				'readings could not be written yet'
			);
			ledger.putBack(batch);
			waiters = [...acknowledged, ...waiters];
		}
	};

	const flush = (): Promise<void> =>
		(flushing ??= flushOnce().finally(() => {
			flushing = null;
		}));

	const handle = (adapter: Adapter) => async (topic: string, payload: Buffer, info: MessageInfo) => {
		while (!ready) await whenReady.opened;
		fold(adapter.parse(topic, payload, { receivedAt: info.receivedAt, retained: info.retained }));
		if (info.qos > 0) await committed();
	};

	const load = async (): Promise<void> => {
		try {
			ledger.reset();
			ledger.setRetired(await loadDevices(database.db, site, ledger.devices));
			ledger.breakOnChangeOnly(clock.now());
			if (options.leader().term() === null) return;
			ready = true;
			whenReady.open();
			options.onReady();
		} catch (error) {
			log.error(
				{ error: error instanceof Error ? error.message : 'unknown' },
				'stored counts could not be loaded yet'
			);
			stopTimers.push(clock.setTimeout(() => void load(), 1_000));
		}
	};

	const forget = async (): Promise<void> => {
		const now = clock.now();
		const before = now - limits.readings.duplicateWindowHours * 3_600_000;
		await forgetOld(database.db, { keys: before, flows: now - limits.readings.keepHours * 3_600_000 }).catch(
			() => undefined
		);
	};

	broker.onState(({ connected }) => {
		// What was said while the link was down is lost where it is said once.
		if (!connected) ledger.breakOnChangeOnly(clock.now());
	});

	return {
		async take(message) {
			if (!ready) throw new AppError('not_ready');
			if (waiters.length >= limits.readings.bufferMax) throw new AppError('busy');
			const outcome = fold(message);
			await committed();
			return outcome;
		},
		async flush() {
			await flushing;
			await flush();
		},
		subscribe() {
			for (const { adapter, filters } of options.adapters)
				for (const filter of filters)
					broker
						.subscribe(filter, handle(adapter))
						.catch((error: unknown) => log.error({ filter, err: error }, 'a subscription failed'));
		},
		isReady: () => ready,
		onElected: () => void load(),
		onLost() {
			ready = false;
			whenReady = newGate();
			for (const waiter of waiters) waiter.failed(new Error('no longer the leader'));
			waiters = [];
		},
		start() {
			// Real time: a commit must not be more than a second behind, however fast the laboratory's clock runs.
			const timer = setInterval(() => void flush(), limits.readings.flushEveryMs);
			stopTimers.push(
				() => clearInterval(timer),
				clock.setInterval(() => void forget(), 3_600_000)
			);
		},
		async stop() {
			await flushing;
			await flush();
			for (const stop of stopTimers.splice(0)) stop();
			ready = false;
			for (const waiter of waiters) waiter.failed(new Error('the server stops'));
			waiters = [];
		}
	};
}

function newGate(): { opened: Promise<void>; open: () => void } {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { opened: promise, open: resolve };
}
