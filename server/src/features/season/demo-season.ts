import { randomUUID } from 'node:crypto';
import { civilDayAt, textOfDay, ummAlQura } from '../../../contract/index.ts';
import type { Db } from '../../platform/database/database.ts';
import type { People } from '../people/index.ts';
import { hasEntries, insertEntry, lockSeason, type Scope } from './season-store.ts';
import type { StoredEntry } from './stored.ts';

const by = 'Marsad';

/** A season for the demo: what opens soon, and the next 27th night with what hangs on it. Once; then it is as people left it. */
export async function ensureDemoSeason(
	db: Db,
	given: {
		scope: Scope;
		now: number;
		timeZone: string;
		place: string | null;
		people: Pick<People, 'peopleOfRole'>;
	}
): Promise<void> {
	const { scope, now } = given;
	const [manager, second] = await given.people.peopleOfRole('duty-manager');
	await db.transaction().execute(async (tx) => {
		await lockSeason(tx, scope);
		if (await hasEntries(tx, scope)) return;
		const today = civilDayAt(now, given.timeZone);
		const year = (ummAlQura.dateOf(today)?.year ?? 0) + 1;
		const night = [year - 1, year].find(
			(each) => (ummAlQura.dayOf({ year: each, month: 9, day: 27 }) ?? 0) > today + 1
		);
		if (night === undefined) return;
		const nightId = randomUUID();
		const around = (days: number, after: number) => ({
			...{ spike: nightId, beforeMinutes: days * 1_440, afterMinutes: after * 1_440 }
		});
		const lines: Pick<StoredEntry, 'kind' | 'body'>[] = [
			{
				kind: 'spike',
				body: {
					names: { ar: 'فتح التسجيل', en: 'Registration opens' },
					...{ kind: 'opening', day: { calendar: 'gregorian', date: textOfDay(today + 6) }, night: false },
					...{ from: '10:00', minutes: 120, expectedPeople: 2_000_000, place: null }
				}
			},
			{
				kind: 'freeze',
				body: {
					names: { ar: 'تجميد ليلة 27', en: '27th night freeze' },
					covers: ['deploys', 'plans'],
					span: around(2, 1)
				}
			},
			{
				kind: 'order',
				body: {
					names: { ar: 'مضاعفة خوادم الحجز', en: 'Booking servers doubled' },
					...{ place: null, span: around(7, 1), signedBy: 'Duty manager', signedOn: textOfDay(today) },
					state: 'planned'
				}
			},
			...[manager, second].flatMap((person, index): Pick<StoredEntry, 'kind' | 'body'>[] =>
				person
					? [
							{
								kind: 'duty',
								body: {
									...{ account: person.id, name: person.name, span: around(0, 0) },
									seat: index === 0 ? 'duty-manager' : 'second-person'
								}
							}
						]
					: []
			)
		] as Pick<StoredEntry, 'kind' | 'body'>[];
		const nightLine = {
			kind: 'spike',
			body: {
				names: { ar: 'ليلة 27', en: '27th night' },
				...{ kind: 'night', day: { calendar: 'hijri', year: night, month: 9, day: 27 }, night: true },
				...{ from: null, minutes: null, expectedPeople: 96_000, place: given.place }
			}
		} as Pick<StoredEntry, 'kind' | 'body'>;
		await insertEntry(tx, scope, { ...nightLine, id: nightId, version: 1, by, at: now } as StoredEntry);
		for (const [index, line] of lines.entries())
			await insertEntry(tx, scope, {
				...line,
				id: randomUUID(),
				version: 1,
				by,
				at: now + index
			} as StoredEntry);
	});
}
