import type { Db, Tx } from '../../platform/database/database.ts';
import type { Scope } from './levels-store.ts';

/** What was written in Unleash for one flag; `writtenAt` null: it is still to be written. */
export interface WrittenFlag {
	flag: string;
	enabled: boolean;
	writtenAt: number | null;
}

export async function readWritten(db: Db, { season, room }: Scope): Promise<WrittenFlag[]> {
	const rows = await db
		.selectFrom('flag_mirror')
		.select(['flag', 'enabled', 'written_at'])
		.where('season', '=', season)
		.where('room', '=', room)
		.execute();
	return rows.map(({ flag, enabled, written_at }) => ({
		flag,
		enabled,
		writtenAt: written_at?.getTime() ?? null
	}));
}

export async function saveWritten(db: Db, { season, room }: Scope, written: WrittenFlag): Promise<void> {
	const { flag, enabled } = written;
	const written_at = written.writtenAt === null ? null : new Date(written.writtenAt);
	await db
		.insertInto('flag_mirror')
		.values({ season, room, flag, enabled, written_at })
		.onConflict((conflict) =>
			conflict.columns(['season', 'room', 'flag']).doUpdateSet({ enabled, written_at })
		)
		.execute();
}

/** These are to be written again, whatever was written before. */
export async function forgetWritten(
	tx: Tx,
	{ season, room }: Scope,
	flags: readonly string[]
): Promise<void> {
	await tx
		.updateTable('flag_mirror')
		.set({ written_at: null })
		.where('season', '=', season)
		.where('room', '=', room)
		.where('flag', 'in', flags)
		.execute();
}
