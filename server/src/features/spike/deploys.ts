import type { Deploy } from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { limits } from '../../limits.ts';
import { insertBuild, newestBuilds } from './builds-store.ts';

/** Which builds began to serve, and when: a line that bends just then has its first suspect. */
export interface Deploys {
	/** Newest last; none before the first reading. */
	list(): readonly Deploy[];
	/** Puts this process's build down where it is another one than the newest, and reads them. */
	start(): Promise<void>;
	stop(): void;
}

export function createDeploys(deps: { db: Db; clock: Clock; log: Log; build: Promise<string> }): Deploys {
	const { db, clock, log } = deps;
	let known: readonly Deploy[] = [];
	let stopTimer = () => {};
	const read = async () => {
		known = (await newestBuilds(db, limits.spike.deploysShown)).toReversed();
	};
	return {
		list: () => known,
		async start() {
			await read();
			const build = await deps.build;
			if (known.at(-1)?.build !== build) await insertBuild(db, { at: clock.now(), build });
			await read();
			const again = () => void read().catch((error: unknown) => log.debug({ err: error }, 'builds unread'));
			stopTimer = clock.setInterval(again, limits.spike.deploysReadMs);
		},
		stop: () => stopTimer()
	};
}
