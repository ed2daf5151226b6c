import { describe, expect, it } from 'vitest';
import { dayOfText } from '../../contract/index.ts';
import { nightOf } from './night.ts';
import { sunOf } from './prayer-times.ts';

const mecca = { latitude: 21.4225, longitude: 39.8262 };
const zone = 'Asia/Riyadh';
const at = (text: string) => Date.parse(`${text}+03:00`);
const window = (from: string, to: string) => ({ startsAt: at(from), endsAt: at(to) });

describe('the sun', () => {
	it.each([
		['2027-03-05', '18:26'],
		['2026-06-21', '19:06'],
		['2026-12-21', '17:44']
	] as const)('sets over Mecca on %s at about %s', (day, time) => {
		const { sunset } = sunOf(dayOfText(day)!, mecca);
		expect(Math.abs(sunset! - at(`${day}T${time}`))).toBeLessThan(4 * 60_000);
	});
});

describe('a religious night', () => {
	it('belongs to the evening before its date', () => {
		expect(nightOf(window('2027-03-05T21:00', '2027-03-05T22:00'), mecca, zone)).toEqual({
			...{ namedAfter: Date.parse('2027-03-06T12:00:00Z'), part: 'evening' }
		});
		expect(nightOf(window('2027-03-05T23:30', '2027-03-06T01:00'), mecca, zone)?.part).toBe('evening');
	});

	it('goes on after midnight, until dawn', () => {
		expect(nightOf(window('2027-03-06T01:00', '2027-03-06T02:00'), mecca, zone)).toEqual({
			...{ namedAfter: Date.parse('2027-03-06T12:00:00Z'), part: 'before-dawn' }
		});
		expect(nightOf(window('2027-03-06T05:00', '2027-03-06T07:00'), mecca, zone)).toBeNull();
	});

	it('is not named for a window of the day, or across sunset, or where the sun stays up', () => {
		expect(nightOf(window('2027-03-05T10:00', '2027-03-05T11:00'), mecca, zone)).toBeNull();
		expect(nightOf(window('2027-03-05T18:00', '2027-03-05T19:00'), mecca, zone)).toBeNull();
		const north = { latitude: 78, longitude: 15 };
		expect(nightOf(window('2026-06-21T23:00', '2026-06-21T23:30'), north, 'Europe/Oslo')).toBeNull();
	});
});
