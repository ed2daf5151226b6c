import {
	civilDayAt,
	dayOfText,
	noonOf,
	textOfDay,
	ummAlQura,
	type KnownSpike,
	type SeasonDays,
	type SeasonPlan
} from '@marsad/server/contract';

const hourMs = 3_600_000;

function spike(over: Partial<KnownSpike> & Pick<KnownSpike, 'id' | 'names'>): KnownSpike {
	return {
		...{ version: 1, by: 'Duty manager', at: 0, kind: 'opening', night: false, from: '10:00', minutes: 120 },
		...{ day: { calendar: 'gregorian', date: '2027-03-01' }, expectedPeople: 2_000_000, place: null },
		...{ startsAt: null, endsAt: null, hijri: null, nightPart: null, calculated: null, tentative: null },
		...{ inPrayer: null, overlaps: [] },
		...over
	};
}

/** A season around the start of the fixture: an opening within a prayer, a night with an open sighting. */
export function seasonNow(startedAt: number): SeasonPlan {
	const opens = startedAt + 6 * 24 * hourMs;
	const night = startedAt + 40 * 24 * hourMs;
	const around = (from: number, until: number) => ({ window: { from, until } });
	const head = { version: 1, by: 'Duty manager', at: startedAt };
	const span = { spike: 'night', beforeMinutes: 2_880, afterMinutes: 1_440 };
	return {
		...{ at: startedAt, mark: 'simulated', timeZone: 'Asia/Riyadh', prayerMethod: 'umm-al-qura' },
		spikes: [
			spike({
				...{ id: 'opening', names: { ar: 'فتح التسجيل', en: 'Registration opens' } },
				...{ startsAt: opens, endsAt: opens + 2 * hourMs, inPrayer: 'dhuhr' },
				hijri: ummAlQura.dateOf(civilDayAt(opens, 'Asia/Riyadh'))
			}),
			spike({
				...{ id: 'night', names: { ar: 'ليلة 27', en: '27th night' }, kind: 'night', night: true },
				...{ from: null, minutes: null, startsAt: night, endsAt: night + 11 * hourMs, nightPart: 'evening' },
				hijri: ummAlQura.dateOf(civilDayAt(night, 'Asia/Riyadh') + 1),
				tentative: { startsAt: night - 24 * hourMs, endsAt: night - 13 * hourMs },
				...{ expectedPeople: 96_000, place: 'north' }
			})
		],
		freezes: [
			{
				...{ ...head, id: 'freeze', names: { ar: 'تجميد ليلة 27', en: '27th night freeze' }, span },
				...{ covers: ['deploys', 'plans'], ...around(night - 48 * hourMs, night + 35 * hourMs) }
			}
		],
		orders: [
			{
				...{ ...head, id: 'order', names: { ar: 'مضاعفة خوادم الحجز', en: 'Booking servers doubled' }, span },
				...{ place: null, signedBy: 'Duty manager', signedOn: '2026-11-01', state: 'planned' },
				...around(startedAt - hourMs, night + 35 * hourMs)
			}
		],
		roster: [],
		sightings: []
	};
}

/** Days with prayer times that are only made up. */
export function seasonDays(query: URLSearchParams): SeasonDays {
	const first = dayOfText(query.get('from') ?? '') ?? 0;
	const days = Array.from({ length: Number(query.get('count') ?? 1) }, (_, index) => {
		const midnight = noonOf(first + index) - 15 * hourMs;
		const at = (hours: number) => midnight + hours * hourMs;
		return {
			...{ date: textOfDay(first + index), hijri: ummAlQura.dateOf(first + index), calculated: null },
			prayers: {
				...{
					fajr: at(5.2),
					sunrise: at(6.5),
					dhuhr: at(12.1),
					asr: at(15.4),
					maghrib: at(18.2),
					isha: at(19.7)
				}
			}
		};
	});
	return { days };
}
