import { describe, expect, it } from 'vitest';
import { nextSpike, type SeasonPlan } from '../../../contract/index.ts';
import type { PrayerRule } from '../../calendar/prayer-times.ts';
import { freezeOf } from './freeze-guard.ts';
import { showPlan } from './show-plan.ts';
import type { EntryOf, SpikeFields, StoredPlan, StoredSighting } from './stored.ts';

const rule: PrayerRule = {
	...{ location: { latitude: 21.4225, longitude: 39.8262 }, method: 'umm-al-qura', asr: 'shafi' }
};
const context = { at: 0, mark: 'none' as const, timeZone: 'Asia/Riyadh', rule };
const riyadh = (text: string) => Date.parse(`${text}+03:00`);

const night27: SpikeFields = {
	names: { ar: 'ليلة 27', en: '27th night' },
	...{ kind: 'night', day: { calendar: 'hijri', year: 1448, month: 9, day: 27 }, night: true },
	...{ from: '21:00', minutes: 300, expectedPeople: 96_000, place: null }
};
const spike = (id: string, body: SpikeFields): EntryOf<'spike'> => ({
	...{ id, kind: 'spike', version: 1, body, by: 'Duty manager', at: 0 }
});
const sighting = (over: Partial<StoredSighting>): StoredSighting => ({
	...{ id: 's', year: 1448, month: 9, firstDay: '2027-02-07', source: 'Supreme Court', state: 'confirmed' },
	...{
		by: 'Duty manager',
		byId: 'a',
		reason: 'seen',
		at: 0,
		decidedBy: null,
		decidedAt: null,
		decidedReason: null
	},
	...over
});
const show = (stored: Partial<StoredPlan>): SeasonPlan =>
	showPlan({ entries: [], sightings: [], ...stored }, context);
const first = (plan: SeasonPlan) => plan.spikes[0]!;

describe('a night', () => {
	it('of 27 Ramadan 1448 is the evening of 2027-03-05', () => {
		const shown = first(show({ entries: [spike('a', night27)] }));
		expect(shown).toMatchObject({
			...{ startsAt: riyadh('2027-03-05T21:00'), endsAt: riyadh('2027-03-06T02:00'), nightPart: 'evening' },
			...{ hijri: { year: 1448, month: 9, day: 27 }, calculated: null, tentative: null }
		});
	});

	it('goes on after midnight under the same name, and as a whole lasts from sunset to dawn', () => {
		const late = first(show({ entries: [spike('a', { ...night27, from: '01:30', minutes: 60 })] }));
		expect(late).toMatchObject({ startsAt: riyadh('2027-03-06T01:30'), nightPart: 'before-dawn' });
		const whole = first(show({ entries: [spike('a', { ...night27, from: null, minutes: null })] }));
		expect(whole).toMatchObject({ startsAt: riyadh('2027-03-05T18:26'), endsAt: riyadh('2027-03-06T05:22') });
	});
});

describe('a month that was announced', () => {
	const span = { spike: 'a', beforeMinutes: 1_440, afterMinutes: 60 };
	const freeze: EntryOf<'freeze'> = {
		...{ id: 'f', kind: 'freeze', version: 1, by: 'Duty manager', at: 0 },
		body: { names: { ar: 'تجميد', en: 'Freeze' }, covers: ['plans'], span }
	};
	const match = spike('m', {
		...night27,
		...{ kind: 'match', day: { calendar: 'gregorian', date: '2027-03-05' }, night: false }
	});

	it('moves what hangs on its dates by a day, and both are told; a Gregorian date stays', () => {
		const plan = show({ entries: [spike('a', night27), freeze, match], sightings: [sighting({})] });
		const [moved, stays] = [
			plan.spikes.find(({ id }) => id === 'a'),
			plan.spikes.find(({ id }) => id === 'm')
		];
		expect(moved).toMatchObject({
			startsAt: riyadh('2027-03-04T21:00'),
			calculated: { startsAt: riyadh('2027-03-05T21:00'), endsAt: riyadh('2027-03-06T02:00') }
		});
		expect(plan.freezes[0]?.window).toEqual({
			from: riyadh('2027-03-03T21:00'),
			until: riyadh('2027-03-05T03:00')
		});
		expect(stays).toMatchObject({ startsAt: riyadh('2027-03-05T21:00'), calculated: null });
		expect(plan.sightings[0]).toMatchObject({ firstDay: '2027-02-07', calculated: '2027-02-08' });
	});

	it('moves nothing while it is tentative: what would move is told', () => {
		const plan = show({ entries: [spike('a', night27)], sightings: [sighting({ state: 'tentative' })] });
		expect(first(plan)).toMatchObject({
			...{ startsAt: riyadh('2027-03-05T21:00'), calculated: null },
			tentative: { startsAt: riyadh('2027-03-04T21:00'), endsAt: riyadh('2027-03-05T02:00') }
		});
		const gone = show({ entries: [spike('a', night27)], sightings: [sighting({ state: 'withdrawn' })] });
		expect(first(gone).tentative).toBeNull();
	});

	it('may take a day away: the spike, and what hangs on it, has no time, and none is guessed', () => {
		const last = spike('a', { ...night27, day: { calendar: 'hijri', year: 1448, month: 8, day: 30 } });
		const plan = show({ entries: [last, freeze], sightings: [sighting({})] });
		expect(first(plan)).toMatchObject({ startsAt: null, endsAt: null, hijri: null });
		expect(first(plan).calculated).not.toBeNull();
		expect(plan.freezes[0]?.window).toEqual({ from: null, until: null });
		expect(nextSpike(plan.spikes, 0)).toBeNull();
	});
});

describe('the next spike', () => {
	it('is the one that runs, then the nearest', () => {
		const other = spike('b', { ...night27, day: { calendar: 'hijri', year: 1448, month: 9, day: 29 } });
		const { spikes } = show({ entries: [other, spike('a', night27)] });
		expect(nextSpike(spikes, riyadh('2027-03-01T00:00'))?.id).toBe('a');
		expect(nextSpike(spikes, riyadh('2027-03-06T01:59'))?.id).toBe('a');
		expect(nextSpike(spikes, riyadh('2027-03-06T02:00'))?.id).toBe('b');
		expect(nextSpike(spikes, riyadh('2027-03-09T00:00'))).toBeNull();
	});
});

describe('warnings', () => {
	const opening = (from: string): SpikeFields => ({
		...night27,
		...{
			kind: 'opening',
			day: { calendar: 'gregorian', date: '2027-03-05' },
			night: false,
			from,
			minutes: 60
		}
	});
	it('name the prayer that an opening falls into, and spikes at the same time', () => {
		const plan = show({
			entries: [spike('a', opening('18:30')), spike('b', opening('19:00')), spike('c', opening('20:05'))]
		});
		expect(plan.spikes.map(({ id, inPrayer, overlaps }) => ({ id, inPrayer, overlaps }))).toEqual([
			{ id: 'a', inPrayer: 'maghrib', overlaps: ['b'] },
			{ id: 'b', inPrayer: null, overlaps: ['a'] },
			{ id: 'c', inPrayer: null, overlaps: [] }
		]);
	});
});

describe('a freeze', () => {
	const plan = (covers: ('deploys' | 'plans' | 'settings')[]) =>
		show({
			entries: [
				{
					...{ id: 'f', kind: 'freeze', version: 1, by: 'Duty manager', at: 0 },
					body: {
						names: { ar: 'تجميد', en: 'Freeze' },
						...{ covers, span: { from: '2027-03-05T18:00', until: '2027-03-06T06:00' } }
					}
				}
			]
		});
	const call = 'PUT /api/v1/booking/slots';
	it('covers its calls from its beginning until its end, and never what keeps people safe', () => {
		expect(freezeOf(plan(['plans']), call, riyadh('2027-03-05T17:59'))).toBeNull();
		expect(freezeOf(plan(['plans']), call, riyadh('2027-03-05T18:00'))?.id).toBe('f');
		expect(freezeOf(plan(['plans']), call, riyadh('2027-03-06T06:00'))).toBeNull();
		expect(freezeOf(plan(['deploys']), call, riyadh('2027-03-05T20:00'))).toBeNull();
		const all = plan(['deploys', 'plans', 'settings']);
		for (const safe of [
			...['POST /api/v1/levels/current', 'PUT /api/v1/queue/rate', 'POST /api/v1/gates/:id/state'],
			...['POST /api/v1/evacuation', 'POST /api/v1/permits/keys/:kid/compromised']
		])
			expect(freezeOf(all, safe, riyadh('2027-03-05T20:00'))).toBeNull();
	});
});
