import { describe, expect, it } from 'vitest';
import { createHijriCalendar, dayOfText, textOfDay, ummAlQura } from '../../contract/index.ts';
import { prayerAt, prayerTimesOf, type PrayerRule } from './prayer-times.ts';
import { momentAt } from './site-time.ts';

const zone = 'Asia/Riyadh';
const day = (text: string) => dayOfText(text)!;
const mecca: PrayerRule = {
	...{ location: { latitude: 21.4225, longitude: 39.8262 }, method: 'umm-al-qura', asr: 'shafi' }
};
const clock = (at: number) =>
	new Date(at).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
const minutes = (from: number, to: number) => Math.round((to - from) / 60_000);

describe('prayer times by Umm al-Qura', () => {
	it('are those of Mecca on the civil day there, wherever the machine stands', () => {
		const times = prayerTimesOf(day('2027-03-05'), mecca);
		expect(Object.values(times).map(clock)).toEqual(['05:22', '06:38', '12:32', '15:55', '18:26', '20:26']);
	});

	it('give Isha 90 minutes after sunset, and 120 in Ramadan', () => {
		const between = (text: string, calendar = ummAlQura) => {
			const { maghrib, isha } = prayerTimesOf(day(text), mecca, calendar);
			return minutes(maghrib, isha);
		};
		expect(between('2027-02-07')).toBe(90);
		expect(between('2027-02-08')).toBe(120);
		expect(between('2027-03-09')).toBe(90);
		// Ramadan as it was announced, not as it was calculated.
		const early = createHijriCalendar([{ year: 1448, month: 9, firstDay: '2027-02-07' }]);
		expect(between('2027-02-07', early)).toBe(120);
	});

	it('are there, and in order, where twilight lasts all night and where the sun does not set', () => {
		for (const latitude of [51.5, 60, 66, 70, 78, -70]) {
			for (const text of ['2026-06-21', '2026-12-21', '2026-03-20']) {
				const rule: PrayerRule = {
					...mecca,
					method: 'muslim-world-league',
					location: { latitude, longitude: 15 }
				};
				const times = Object.values(prayerTimesOf(day(text), rule));
				expect(times.every(Number.isFinite), `${latitude} ${text}`).toBe(true);
			}
		}
	});
});

describe('a moment within a prayer', () => {
	const lengths = { minutes: 30, fridayMinutes: 60 };
	it('is named; Friday at noon is longer', () => {
		const times = prayerTimesOf(day('2027-03-05'), mecca);
		const at = (time: string) => momentAt(day('2027-03-05'), time, zone);
		expect(prayerAt(at('18:25'), times, { isFriday: true, ...lengths })).toBeNull();
		expect(prayerAt(at('18:30'), times, { isFriday: true, ...lengths })).toBe('maghrib');
		expect(prayerAt(at('13:20'), times, { isFriday: true, ...lengths })).toBe('dhuhr');
		expect(prayerAt(at('13:20'), times, { isFriday: false, ...lengths })).toBeNull();
	});
});

describe('a time of the site', () => {
	it('is that of its own clock, in winter and summer', () => {
		expect(new Date(momentAt(day('2027-03-05'), '21:00', zone)).toISOString()).toBe(
			'2027-03-05T18:00:00.000Z'
		);
		expect(new Date(momentAt(day('2026-07-01'), '21:00', 'Europe/London')).toISOString()).toBe(
			'2026-07-01T20:00:00.000Z'
		);
		// 01:30 does not exist on the night of the change.
		expect(new Date(momentAt(day('2026-03-29'), '01:30', 'Europe/London')).toISOString()).toBe(
			'2026-03-29T01:30:00.000Z'
		);
	});
	it('keeps days as they are written', () => {
		expect(textOfDay(day('2027-12-31') + 1)).toBe('2028-01-01');
	});
});
