import type { Team } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { changeOf, draftOf, emptyDraft, faultsOf, requestOf } from './team-draft.ts';

const team: Team = {
	...{ id: 'a', version: 3, names: { ar: 'فريق 1', en: 'Team 1' }, channel: 'TG 1', phone: '555-0101' },
	...{
		leaders: [{ id: 'l1', name: 'Layla' }],
		members: 6,
		home: 'core',
		shift: { from: '20:00', to: '04:00' }
	},
	...{ place: { zone: null, at: null, quality: 'unknown' }, offDuty: false, state: 'free', jobs: [] },
	reservedFrom: null
};
const known = [
	{ id: 'l1', name: 'Layla', email: 'layla@example.org' },
	{ id: 'l2', name: 'Omar', email: 'omar@example.org' }
];

test('a team goes into the form and out again as it was', () => {
	const draft = draftOf(team, known);
	expect(faultsOf(draft)).toEqual([]);
	expect(changeOf(draft, team)).toEqual({
		...{ names: team.names, channel: 'TG 1', phone: '555-0101', members: 6, home: 'core' },
		...{ leaders: ['layla@example.org'], shift: team.shift, expectedVersion: 3 }
	});
	expect(changeOf(draft, team, true)).toMatchObject({ retired: true, expectedVersion: 3 });
});

test('an empty form says what is missing, and half a shift is none', () => {
	expect(faultsOf(emptyDraft())).toEqual(['nameAr', 'nameEn', 'channel', 'phone', 'members']);
	const draft = draftOf(team, known);
	for (const shift of [{ shiftTo: '' }, { shiftFrom: '24:00' }, { shiftFrom: '04:00' }])
		expect(faultsOf({ ...draft, ...shift })).toEqual(['shift']);
	for (const members of [0, 1.5, 201, null]) expect(faultsOf({ ...draft, members })).toEqual(['members']);
	expect(requestOf({ ...draft, shiftFrom: '', shiftTo: '', home: '' })).toMatchObject({
		shift: null,
		home: null
	});
});
