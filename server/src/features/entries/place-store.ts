import { trailRoles, type EntryPolicy, type PlaceEntrySettings } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

/** How a place lets people in; without the names, which the site file has. */
export type StoredPlace = Omit<PlaceEntrySettings, 'placeNames' | Later> &
	Required<Pick<PlaceEntrySettings, Later>>;
/** What older servers do not say. */
type Later = 'movedGraceSeconds' | 'trailViewers';

/** Of a place nobody has set anything for. */
export function defaultPlace(place: string): StoredPlace {
	const { earlySeconds, lateSeconds, trailHours, movedGraceSeconds } = limits.entries;
	return {
		place,
		policy: 'single',
		earlySeconds,
		lateSeconds,
		slots: [],
		trailHours,
		movedGraceSeconds,
		trailViewers: [...trailRoles],
		version: 0
	};
}

export async function listPlaceSettings(db: Db | Tx, season: string): Promise<Map<string, StoredPlace>> {
	const rows = await db.selectFrom('entry_places').selectAll().where('season', '=', season).execute();
	return new Map(
		rows.map((row) => [
			row.place,
			{
				...{ place: row.place, policy: row.policy as EntryPolicy, version: row.version },
				...{ earlySeconds: row.early_seconds, lateSeconds: row.late_seconds },
				...{ slots: row.slots as StoredPlace['slots'], trailHours: row.trail_hours },
				movedGraceSeconds: row.moved_grace_seconds,
				trailViewers: row.trail_viewers as StoredPlace['trailViewers']
			}
		])
	);
}

/** Puts settings in place of those of the version before; false when somebody was faster. */
export async function savePlaceSettings(tx: Tx, season: string, next: StoredPlace): Promise<boolean> {
	const values = {
		...{ policy: next.policy, early_seconds: next.earlySeconds, late_seconds: next.lateSeconds },
		...{ slots: JSON.stringify(next.slots), trail_hours: next.trailHours, version: next.version },
		moved_grace_seconds: next.movedGraceSeconds,
		trail_viewers: next.trailViewers
	};
	const result = await tx
		.insertInto('entry_places')
		.values({ season, place: next.place, ...values })
		.onConflict((conflict) =>
			conflict
				.columns(['season', 'place'])
				.doUpdateSet(values)
				.where('entry_places.version', '=', next.version - 1)
		)
		.executeTakeFirst();
	return (result.numInsertedOrUpdatedRows ?? 0n) === 1n;
}
