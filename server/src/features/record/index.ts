import type { RecordEntry } from '../../../contract/index.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { limits } from '../../limits.ts';
import { forgetAnswers } from './command-store.ts';
import { createRunCommand, type RunCommand } from './commands.ts';
import { recordRoutes } from './record-routes.ts';
import { entriesSince, insertEntry, newestEntries, readPage, type NewEntry } from './record-store.ts';

export type { CommandAnswer, RunCommand } from './commands.ts';

/** The one append-only record, and the way every staff command runs. */
export interface Record extends Feature {
	/** Writes one line in the action's own transaction. */
	append(tx: Tx, entry: Omit<NewEntry, 'at'>): Promise<void>;
	runCommand: RunCommand;
	/** The newest lines since a moment (epoch ms), newest first, but for these actions. */
	since(query: { at: number; without: readonly string[]; limit: number }): Promise<RecordEntry[]>;
	/**
	 * Lines after this one (an id), oldest first; the last page where it is null or too far back. A line stands in it
	 * only when no earlier one can come any more.
	 */
	page(query: { after: number | null; limit: number }): Promise<{
		lines: { id: number; value: RecordEntry }[];
		hasMore: boolean;
		reset: boolean;
	}>;
	/** The newest lines of these actions about one subject, newest first. */
	newest(query: { actions: readonly string[]; subject: string; limit: number }): Promise<RecordEntry[]>;
}

export function createRecord({ db, clock }: { db: Db; clock: Clock }): Record {
	let stopTimer: StopTimer = () => {};
	return {
		name: 'record',
		append: (tx, entry) => insertEntry(tx, { at: clock.now(), ...entry }),
		runCommand: createRunCommand({ db, clock }),
		since: (query) => entriesSince(db, query),
		newest: (query) => newestEntries(db, query),
		async page(query) {
			const { logBehindMax: behindMax, logSettleMs } = limits.sync;
			const page = await readPage(db, { ...query, behindMax, settledBefore: clock.now() - logSettleMs });
			return { ...page, lines: page.lines.map((value) => ({ id: value.id, value })) };
		},
		staffRoutes: (app) => recordRoutes(app, db),
		async start() {
			const forget = () =>
				void forgetAnswers(db, clock.now() - limits.commands.keepHours * 3_600_000).catch(() => undefined);
			stopTimer = clock.setInterval(forget, 3_600_000);
		},
		async stop() {
			stopTimer();
		}
	};
}
