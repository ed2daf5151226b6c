import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { createLeader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import type { Valkey } from '../../platform/valkey/valkey.ts';
import { createPostgresQueue } from './postgres-queue.ts';
import type { Queue, QueueRules } from './queue.ts';
import { createValkeyQueue } from './valkey-queue.ts';
import type { RateSource, RoomKey } from './waiting-room-store.ts';

/** What several instances that share a room stand on. */
export interface SharedRoom {
	valkey: Valkey;
	database: Database;
}

/** One process keeps the room itself, in PostgreSQL; several keep it in Valkey, and one of them runs its rounds. */
export function chooseQueue(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	key: RoomKey;
	rules: QueueRules;
	first: { ratePerSecond: number; rateSource: RateSource };
	shared?: SharedRoom | null | undefined;
	instance?: string | undefined;
}): Queue {
	const { clock, log, key, shared } = deps;
	if (!shared) return createPostgresQueue(deps);
	const leader = createLeader({
		name: `waiting-room ${key.season} ${key.room}`,
		instance: deps.instance ?? 'unnamed',
		...{ database: shared.database, clock, log }
	});
	const queue = createValkeyQueue({ ...deps, valkey: shared.valkey, leader });
	return {
		...queue,
		async start() {
			leader.start();
			return queue.start();
		},
		async stop() {
			await queue.stop();
			await leader.stop();
		}
	};
}
