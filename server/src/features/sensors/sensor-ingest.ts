import type { Broker, MessageInfo } from '../../platform/broker/broker.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import { isDataFault } from '../../platform/database/faults.ts';
import type { Leader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { createCommitQueue, type CommitQueue } from './commit-queue.ts';
import type { Ledger, Outcome } from './ledger.ts';
import type { Claim, Route } from './claims.ts';
import type { Message } from './reading.ts';
import { forgetOld, loadDevices, saveApart, saveBatch } from './sensor-store.ts';

/** Takes messages from broker and HTTP, folds them at once, and answers when they are committed. */
export interface Ingest {
	/** @returns what was understood, after the commit. @throws AppError not_ready or busy */
	take(messages: readonly Message[]): Promise<Outcome>;
	/** Folds what is no reading and needs no answer; nothing where another instance counts. */
	note(message: Message): void;
	/** Writes what waits. Used by the timer, at the end, and by tests. */
	flush(): Promise<void>;
	/** Registers on the broker; from now on nothing may be lost. */
	subscribe(): void;
	/** Whether this instance leads and has loaded what was stored. */
	isReady(): boolean;
	/** Loads what another instance has stored, to be looked at; where this one counts nothing happens. */
	refresh(): Promise<void>;
	onElected(): void;
	onLost(): void;
	start(): void;
	stop(): Promise<void>;
}

export interface IngestOptions {
	site: string;
	ledger: Ledger;
	routes: readonly Route[];
	broker: Pick<Broker, 'subscribe' | 'onState'>;
	leader: () => Pick<Leader, 'check' | 'term'>;
	database: Database;
	clock: Clock;
	log: Log;
	count: (outcome: Outcome) => void;
	onReady: () => void;
}

export function createIngest(options: IngestOptions): Ingest {
	const { site, ledger, broker, database, clock, log } = options;
	const gate = createGate();
	const stopTimers: StopTimer[] = [];
	const queue = createCommitQueue({
		ledger,
		mayWrite: gate.isOpen,
		async write(batch) {
			try {
				await inTerm((tx) => saveBatch(tx, site, batch));
			} catch (error) {
				if (!isDataFault(error)) throw error;
				const leftOut = await inTerm((tx) => saveApart(tx, site, batch));
				log.error({ devices: leftOut, error: textOf(error) }, 'counts of these devices cannot be stored');
			}
		},
		onError: (error) => log.error({ error: textOf(error) }, 'readings could not be written yet')
	});

	const inTerm = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
		database.db.transaction().execute(async (tx) => {
			await options.leader().check(tx);
			return run(tx);
		});

	const takeOne = (message: Message): Outcome => {
		const outcome = ledger.take(message, clock.now());
		options.count(outcome);
		return outcome;
	};

	const fold = (messages: readonly Message[]): Outcome => {
		const [only] = messages;
		if (messages.length === 1 && only) return takeOne(only);
		const outcomes = messages.map(takeOne);
		const accepted = outcomes.reduce((sum, outcome) => sum + outcome.accepted, 0);
		const reasons = outcomes.map(({ reason }) => reason).filter((reason) => reason !== null);
		return {
			accepted,
			flags: [...new Set(outcomes.flatMap(({ flags }) => flags))],
			reason: accepted > 0 ? null : (reasons[0] ?? null)
		};
	};

	const handle = (claims: readonly Claim[]) => {
		const takeNow = (topic: string, payload: Buffer, info: MessageInfo): Promise<void> | undefined => {
			const arrival = { receivedAt: info.receivedAt, retained: info.retained };
			for (const { adapter, source } of claims) fold(adapter.parse(topic, payload, arrival, source));
			return info.qos > 0 ? queue.committed() : undefined;
		};
		const takeLater = async (topic: string, payload: Buffer, info: MessageInfo): Promise<void> => {
			while (!gate.isOpen()) await gate.whenOpen();
			await takeNow(topic, payload, info);
		};
		return (topic: string, payload: Buffer, info: MessageInfo) =>
			gate.isOpen() ? takeNow(topic, payload, info) : takeLater(topic, payload, info);
	};

	const look = async (): Promise<void> => {
		if (gate.isOpen() || options.leader().term() !== null) return;
		ledger.setRetired(await loadDevices(database.db, site, ledger.devices, { forCounting: false }));
	};
	/** One load after the other: they fill the same memory. */
	let loading: Promise<void> = Promise.resolve();
	const inTurn = (run: () => Promise<void>): Promise<void> => {
		const next = loading.then(run);
		loading = next.catch(() => undefined);
		return next;
	};

	const load = async (): Promise<void> => {
		try {
			ledger.reset();
			ledger.setRetired(await loadDevices(database.db, site, ledger.devices));
			ledger.breakOnChangeOnly(clock.now());
			if (options.leader().term() === null) return;
			gate.open();
			options.onReady();
		} catch (error) {
			log.error({ error: textOf(error) }, 'stored counts could not be loaded yet');
			stopTimers.push(clock.setTimeout(() => void inTurn(load), 1_000));
		}
	};

	broker.onState(({ connected }) => {
		// What was said while the link was down is lost where it is said once.
		if (!connected) ledger.breakOnChangeOnly(clock.now());
	});

	return {
		async take(messages) {
			if (!gate.isOpen()) throw new AppError('not_ready');
			if (queue.waiting() >= limits.readings.bufferMax) throw new AppError('busy');
			const outcome = fold(messages);
			await queue.committed();
			return outcome;
		},
		note(message) {
			if (gate.isOpen()) takeOne(message);
		},
		flush: queue.flush,
		subscribe() {
			for (const { filter, claims } of options.routes)
				broker
					.subscribe(filter, handle(claims))
					.catch((error: unknown) => log.error({ filter, error: textOf(error) }, 'a subscription failed'));
		},
		isReady: gate.isOpen,
		refresh: () => inTurn(look),
		onElected: () => void inTurn(load),
		onLost() {
			gate.close();
			queue.fail('no longer the leader');
		},
		start() {
			// Real time: a commit must not be more than a second behind, however fast the laboratory's clock runs.
			const timer = setInterval(createFlushPace(queue), flushLookMs);
			const forget = () => void forgetOldReadings(options).catch(() => undefined);
			stopTimers.push(() => clearInterval(timer), clock.setInterval(forget, 3_600_000));
		},
		async stop() {
			await queue.flush();
			for (const stop of stopTimers.splice(0)) stop();
			gate.close();
			queue.fail('the server stops');
		}
	};
}

/** How often it is looked whether to write. */
const flushLookMs = 25;

/**
 * When to write. Nobody waits: once a second, which is as far as the store may be behind. Somebody waits: four times
 * a second; or at once, when all has come that they sent before they waited, for a broker may hand out only a few
 * messages before it wants to hear of them.
 */
function createFlushPace(queue: Pick<CommitQueue, 'flush' | 'waiting'>): () => void {
	let flushedMs = performance.now();
	let waitingBefore = 0;
	return () => {
		const waiting = queue.waiting();
		const sinceMs = performance.now() - flushedMs;
		const isDue = sinceMs >= (waiting > 0 ? limits.readings.flushEveryMs : limits.readings.flushIdleMs);
		const allWait = waiting > 0 && waiting === waitingBefore;
		waitingBefore = waiting;
		if (!isDue && !allWait) return;
		flushedMs = performance.now();
		waitingBefore = 0;
		void queue.flush();
	};
}

async function forgetOldReadings({ database, clock }: IngestOptions): Promise<void> {
	const hoursAgo = (hours: number) => clock.now() - hours * 3_600_000;
	await forgetOld(database.db, {
		keys: hoursAgo(limits.readings.duplicateWindowHours),
		flows: hoursAgo(limits.readings.keepHours)
	});
}

/** Closed until stored counts are loaded here, and again when another instance leads. */
function createGate() {
	let isOpen = false;
	let opening = Promise.withResolvers<void>();
	return {
		isOpen: () => isOpen,
		whenOpen: () => opening.promise,
		open() {
			isOpen = true;
			opening.resolve();
		},
		close() {
			if (isOpen) opening = Promise.withResolvers<void>();
			isOpen = false;
		}
	};
}

function textOf(error: unknown): string {
	return error instanceof Error ? error.message : 'unknown';
}
