import type { EntryConflict } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { FoundConflict } from './judge-use.ts';

/**
 * Writes down what was found about permits whose trails are locked. One conflict a permit: a later finding widens it and
 * is to be looked at again. What names no permit stands for itself. @returns those that nobody has seen as they are now
 */
export async function saveConflicts(
	tx: Tx,
	season: string,
	found: readonly (FoundConflict & { id: string; permit: string | null })[],
	at: number
): Promise<EntryConflict[]> {
	const written: EntryConflict[] = [];
	for (const one of [...found].sort((a, b) => ((a.permit ?? '') < (b.permit ?? '') ? -1 : 1))) {
		const facts = {
			...{ kind: one.kind, gates: one.gates, people: one.people, party: one.party, offline: one.offline },
			...{ first_at: new Date(one.firstAt), last_at: new Date(one.lastAt) }
		};
		const row = await tx
			.insertInto('entry_conflicts')
			.values({
				...{ id: one.id, season, permit: one.permit, ...facts, raised_at: new Date(at) },
				...{ seen_by: null, seen_at: null, seen_reason: null }
			})
			.onConflict((conflict) =>
				conflict
					.columns(['season', 'permit'])
					.doUpdateSet({ ...facts, seen_by: null, seen_at: null, seen_reason: null })
					.where((eb) =>
						eb.or([
							eb('entry_conflicts.people', '<>', one.people),
							eb('entry_conflicts.kind', '<>', one.kind)
						])
					)
			)
			.returningAll()
			.executeTakeFirst();
		if (row) written.push(toConflict(row));
	}
	return written;
}

/** Newest first, those that nobody has seen before the others. */
export async function listConflicts(db: Db | Tx, season: string, limit: number): Promise<EntryConflict[]> {
	const rows = await db
		.selectFrom('entry_conflicts')
		.selectAll()
		.where('season', '=', season)
		.orderBy((eb) => eb('seen_at', 'is not', null))
		.orderBy('raised_at', 'desc')
		.orderBy('id')
		.limit(limit)
		.execute();
	return rows.map(toConflict);
}

/** How many that nobody has seen stand at each gate. */
export async function countOpenConflicts(db: Db | Tx, season: string): Promise<Map<string, number>> {
	const rows = await db
		.selectFrom('entry_conflicts')
		.select('gates')
		.where('season', '=', season)
		.where('seen_at', 'is', null)
		.execute();
	const open = new Map<string, number>();
	for (const { gates } of rows) for (const gate of gates) open.set(gate, (open.get(gate) ?? 0) + 1);
	return open;
}

/** @returns undefined when there is none; null when it was seen before */
export async function markSeen(
	tx: Tx,
	season: string,
	id: string,
	seen: { by: string; at: number; reason: string }
): Promise<EntryConflict | null | undefined> {
	const row = await tx
		.selectFrom('entry_conflicts')
		.selectAll()
		.where('season', '=', season)
		.where('id', '=', id)
		.forUpdate()
		.executeTakeFirst();
	if (!row) return undefined;
	if (row.seen_at) return null;
	const next = await tx
		.updateTable('entry_conflicts')
		.set({ seen_by: seen.by, seen_at: new Date(seen.at), seen_reason: seen.reason })
		.where('id', '=', id)
		.returningAll()
		.executeTakeFirstOrThrow();
	return toConflict(next);
}

function toConflict(row: Row<'entry_conflicts'>): EntryConflict {
	return {
		...{ id: row.id, kind: row.kind, permit: row.permit, gates: row.gates },
		...{ people: row.people, party: row.party, offline: row.offline },
		...{ firstAt: row.first_at.getTime(), lastAt: row.last_at.getTime() },
		raisedAt: row.raised_at.getTime(),
		seen:
			row.seen_at === null
				? null
				: { by: row.seen_by ?? '', at: row.seen_at.getTime(), reason: row.seen_reason ?? '' }
	};
}
