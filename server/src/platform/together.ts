import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import { createLeader, type Leader } from './leader/leader.ts';
import type { Log } from './log.ts';
import { createNotices, type Notices } from './notices/notices.ts';
import type { Hub } from './realtime/hub.ts';
import { mirroredTopics, type OpenTopic } from './realtime/mirror.ts';
import { createRelay, type Relay } from './realtime/relay.ts';
import { openValkey, type Valkey } from './valkey/valkey.ts';

/** What several instances stand on to behave as one. */
export interface Together {
	/** Who decides, and runs the rounds of the queue. */
	leader: Leader;
	relay: Relay;
	notices: Notices;
	openTopic: OpenTopic;
	/** Hears the others from now on. */
	start(): Promise<void>;
	/** May lead from now on: whoever has not started yet has nothing to decide. */
	lead(): void;
	stop(): Promise<void>;
}

export function joinOthers(deps: {
	valkey: Valkey;
	valkeyUrl: string;
	database: Database;
	hub: Hub;
	clock: Clock;
	log: Log;
	instance: string;
	/** Names the deployment among others on the same servers. */
	scope: string;
}): Together {
	const { valkey, database, hub, clock, log, instance, scope } = deps;
	const reader = openValkey({ url: deps.valkeyUrl, log });
	const relay = createRelay({ valkey, reader, scope, clock, log });
	const notices = createNotices({ database, log });
	const leader = createLeader({ name: `conductor ${scope}`, instance, database, clock, log });
	return {
		leader,
		relay,
		notices,
		openTopic: mirroredTopics({ hub, relay, clock }),
		async start() {
			relay.start();
			await notices.start();
		},
		lead: leader.start,
		async stop() {
			await leader.stop();
			await relay.stop();
			await notices.stop();
			await reader.close();
		}
	};
}
