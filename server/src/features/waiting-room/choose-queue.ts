import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Leader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import type { Valkey } from '../../platform/valkey/valkey.ts';
import { createPostgresQueue } from './postgres-queue.ts';
import type { Queue, QueueRules } from './queue.ts';
import { createValkeyQueue } from './valkey-queue.ts';
import type { RateSource, RoomKey } from './waiting-room-store.ts';

/** What several instances that share a room stand on. */
export interface SharedRoom {
	valkey: Valkey;
	/** Who decides the rate runs the rounds. */
	leader: Pick<Leader, 'term'>;
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
}): Queue {
	return deps.shared ? createValkeyQueue({ ...deps, ...deps.shared }) : createPostgresQueue(deps);
}
