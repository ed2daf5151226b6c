import type pg from 'pg';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Log } from '../log.ts';
import { listen, notify } from './notices-store.ts';

/** Short words between instances, through PostgreSQL. They may be lost: whoever relies on one looks for itself, too. */
export interface Notices {
	/** Told to all instances, this one too; within a transaction when it commits, and never if it does not. */
	send(db: Db | Tx, kind: string, body: unknown): Promise<void>;
	on(kind: string, listener: (body: unknown) => void): void;
	/** Called after every connection that was made: what was said before may have been missed. */
	onConnect(listener: () => void): void;
	start(): Promise<void>;
	stop(): Promise<void>;
}

const mendEveryMs = 1_000;

/** Listens on a connection of its own, past any pooler; a lost one is made again. */
export function createNotices({
	database,
	log
}: {
	database: Pick<Database, 'connectDirect'>;
	log: Log;
}): Notices {
	const listeners = new Map<string, ((body: unknown) => void)[]>();
	const connectListeners: (() => void)[] = [];
	let client: pg.Client | null = null;
	let connecting = false;
	let stopped = true;
	let timer: NodeJS.Timeout | undefined;

	const hear = (payload: string) => {
		try {
			const { kind, body } = JSON.parse(payload) as { kind: string; body: unknown };
			for (const listener of listeners.get(kind) ?? []) listener(body);
		} catch (error) {
			log.warn({ err: error }, 'a notice could not be taken');
		}
	};
	const connect = async () => {
		if (stopped || client || connecting) return;
		connecting = true;
		let next: pg.Client | null = null;
		try {
			next = await database.connectDirect('notices');
			const own = next;
			own.on('end', () => {
				if (client === own) client = null;
			});
			await listen(own, hear);
			client = own;
			for (const listener of connectListeners) listener();
		} catch (error) {
			await next?.end().catch(() => undefined);
			log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'notices do not arrive');
		} finally {
			connecting = false;
		}
	};

	return {
		send: (db, kind, body) => notify(db, JSON.stringify({ kind, body })),
		on(kind, listener) {
			listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
		},
		onConnect: (listener) => void connectListeners.push(listener),
		async start() {
			stopped = false;
			// Real time: a lost connection has nothing to do with the laboratory's clock.
			timer = setInterval(() => void connect(), mendEveryMs);
			await connect();
		},
		async stop() {
			stopped = true;
			clearInterval(timer);
			const last = client;
			client = null;
			await last?.end().catch(() => undefined);
		}
	};
}
