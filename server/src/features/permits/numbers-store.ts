import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import { lockSeason } from './keys-store.ts';

export type NumberKind = Row<'permit_numbers'>['kind'];
/** A name in permits; `place` is empty but for gates. */
export interface Name {
	kind: NumberKind;
	place: string;
	name: string;
}
export type Numbered = Name & { number: number };

export async function readNumbers(db: Db | Tx, season: string): Promise<Numbered[]> {
	return db
		.selectFrom('permit_numbers')
		.select(['kind', 'place', 'name', 'number'])
		.where('season', '=', season)
		.orderBy('kind')
		.orderBy('place')
		.orderBy('number')
		.execute();
}

/** Gives numbers to names that have none: places and categories from 1, the gates of a place from 0. */
export async function addNumbers(db: Db, season: string, names: readonly Name[]): Promise<Numbered[]> {
	return db.transaction().execute(async (tx) => {
		await lockSeason(tx, season);
		const known = await readNumbers(tx, season);
		for (const { kind, place, name } of names) {
			const like = known.filter((one) => one.kind === kind && one.place === place);
			if (like.some((one) => one.name === name)) continue;
			const number = Math.max(kind === 'gate' ? -1 : 0, ...like.map((one) => one.number)) + 1;
			await tx.insertInto('permit_numbers').values({ season, kind, place, name, number }).execute();
			known.push({ kind, place, name, number });
		}
		return known;
	});
}
