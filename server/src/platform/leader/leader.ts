import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Log } from '../log.ts';
import { beginTerm, endWhenSilent, holdsTerm, probe, tryLock } from './leader-store.ts';

const tryEveryMs = 500;
/** A holder that does not ask its session for so long is frozen: the database ends it, and another one follows. */
const silentMs = 8_000;
const probeTimeoutMs = 3_000;

/** Thrown inside a transaction of a leader whose term is over: a frozen holder that woke up is refused. */
export class TermOver extends Error {
	constructor(name: string) {
		super(`the term of ${name} is over`);
	}
}

/** One of several instances leads: it holds a session advisory lock and the newest term number. */
export interface Leader {
	/**
	 * The term in force here, or null while another instance leads; null, too, as soon as this process has slept for
	 * so long that another one may lead by now, whatever it has not heard yet.
	 */
	term(): number | null;
	/** Refuses the transaction when this instance no longer leads. Call it first in every write of the leader. */
	check(tx: Tx): Promise<void>;
	start(): void;
	stop(): Promise<void>;
}

/**
 * Follows within two seconds when the old leader's session ends: that of a killed process ends at once, that of a
 * frozen one when it was silent for too long.
 */
export function createLeader(options: {
	name: string;
	instance: string;
	database: Database;
	clock: Clock;
	log: Log;
	onElected?: (term: number) => void;
	onLost?: () => void;
}): Leader {
	const { name, clock, log } = options;
	let client: pg.Client | null = null;
	let term: number | null = null;
	/** When the session last was as good as ours: taken before it was asked. */
	let provenMs = -Infinity;
	let busy = false;
	let stopped = true;
	let stopTimer = () => {};

	const inTime = () => performance.now() - provenMs < silentMs;

	const lose = async () => {
		const old = client;
		client = null;
		if (term !== null) {
			term = null;
			log.warn({ name }, 'no longer the leader');
			options.onLost?.();
		}
		await old?.end().catch(() => undefined);
	};

	const connect = async () => {
		const next = await options.database.connectDirect(`leader ${name}`);
		next.on('end', () => void (client === next && lose()));
		try {
			await endWhenSilent(next, silentMs);
		} catch (error) {
			await next.end().catch(() => undefined);
			throw error;
		}
		return next;
	};

	const campaign = async () => {
		if (busy || stopped) return;
		busy = true;
		try {
			if (term !== null && !inTime()) await lose();
			const own = (client ??= await connect());
			const askedMs = performance.now();
			if (term === null) {
				if (await tryLock(own, name)) {
					const next = await beginTerm(own, name, options.instance, new Date(clock.now()));
					// The session may have ended, or been ended, meanwhile.
					if (client !== own) return;
					term = next;
					provenMs = askedMs;
					log.info({ name, term }, 'leads');
					options.onElected?.(term);
				}
			} else {
				const alive = await Promise.race([
					probe(own).then(() => true),
					sleepReal(probeTimeoutMs).then(() => false)
				]);
				if (alive) provenMs = askedMs;
				else await lose();
			}
		} catch (error) {
			log.warn({ name, error: error instanceof Error ? error.message : 'unknown' }, 'leader election failed');
			await lose();
		} finally {
			busy = false;
		}
	};

	return {
		term: () => (inTime() ? term : null),
		async check(tx) {
			if (term === null || !inTime() || !(await holdsTerm(tx, name, term))) throw new TermOver(name);
		},
		start() {
			stopped = false;
			// Real time, not the laboratory's: database sessions do not speed up.
			const timer = setInterval(() => void campaign(), tryEveryMs);
			stopTimer = () => clearInterval(timer);
			void campaign();
		},
		async stop() {
			stopped = true;
			stopTimer();
			const old = client;
			client = null;
			term = null;
			await old?.end().catch(() => undefined);
		}
	};
}

function sleepReal(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
