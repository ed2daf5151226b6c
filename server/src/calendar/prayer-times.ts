import {
	CalculationMethod,
	Coordinates,
	HighLatitudeRule,
	Madhab,
	PolarCircleResolution,
	PrayerTimes,
	type CalculationParameters
} from 'adhan';
import {
	textOfDay,
	ummAlQura,
	type CivilDay,
	type HijriCalendar,
	type PrayerMethod,
	type PrayerName,
	type PrayerTimesOfDay
} from '../../contract/index.ts';

/** Where a place lies, degrees. */
export interface Location {
	latitude: number;
	longitude: number;
}

/** How a site reckons its prayer times. */
export interface PrayerRule {
	location: Location;
	method: PrayerMethod;
	/** When the afternoon prayer begins. */
	asr: 'shafi' | 'hanafi';
}

const methods: Readonly<Record<PrayerMethod, () => CalculationParameters>> = {
	'umm-al-qura': CalculationMethod.UmmAlQura,
	'muslim-world-league': CalculationMethod.MuslimWorldLeague,
	egyptian: CalculationMethod.Egyptian,
	karachi: CalculationMethod.Karachi,
	dubai: CalculationMethod.Dubai,
	kuwait: CalculationMethod.Kuwait,
	qatar: CalculationMethod.Qatar,
	singapore: CalculationMethod.Singapore,
	turkey: CalculationMethod.Turkey,
	'north-america': CalculationMethod.NorthAmerica
};
/** Umm al-Qura: Isha is 90 minutes after sunset, and 120 in Ramadan. */
const ramadanIshaMinutes = 30;

/**
 * The times of one civil day at the site, epoch ms. In high latitudes twilight may last all night, and near the poles
 * the sun may not set: then the library's own rules give times that people there go by, and none is missing.
 */
export function prayerTimesOf(
	day: CivilDay,
	rule: PrayerRule,
	calendar: HijriCalendar = ummAlQura
): PrayerTimesOfDay {
	const coordinates = new Coordinates(rule.location.latitude, rule.location.longitude);
	const parameters = methods[rule.method]();
	parameters.madhab = rule.asr === 'hanafi' ? Madhab.Hanafi : Madhab.Shafi;
	parameters.highLatitudeRule = HighLatitudeRule.recommended(coordinates);
	parameters.polarCircleResolution = PolarCircleResolution.AqrabYaum;
	if (rule.method === 'umm-al-qura' && calendar.dateOf(day)?.month === 9)
		parameters.adjustments.isha = ramadanIshaMinutes;
	const { fajr, sunrise, dhuhr, asr, maghrib, isha } = new PrayerTimes(coordinates, asDate(day), parameters);
	const [a, b, c, d, e, f] = [fajr, sunrise, dhuhr, asr, maghrib, isha].map((time) => time.getTime());
	return { fajr: a!, sunrise: b!, dhuhr: c!, asr: d!, maghrib: e!, isha: f! };
}

/** When the sun sets and when the day dawns (the moment of Fajr) as it is: null where it does not. */
export function sunOf(day: CivilDay, location: Location): { sunset: number | null; dawn: number | null } {
	const parameters = CalculationMethod.UmmAlQura();
	parameters.polarCircleResolution = PolarCircleResolution.Unresolved;
	const coordinates = new Coordinates(location.latitude, location.longitude);
	const { sunset, fajr } = new PrayerTimes(coordinates, asDate(day), parameters);
	const known = (time: Date) => (Number.isNaN(time.getTime()) ? null : time.getTime());
	return { sunset: known(sunset), dawn: known(fajr) };
}

/** The library reads the day from the machine's own fields of a date. */
function asDate(day: CivilDay): Date {
	const [year = 0, month = 1, ofMonth = 1] = textOfDay(day).split('-').map(Number);
	return new Date(year, month - 1, ofMonth);
}

/**
 * The prayer that a moment falls into: from its time on for `minutes`, on Friday at noon for `fridayMinutes`.
 * Null: none.
 */
export function prayerAt(
	at: number,
	times: PrayerTimesOfDay,
	{ isFriday, minutes, fridayMinutes }: { isFriday: boolean; minutes: number; fridayMinutes: number }
): PrayerName | null {
	const names: readonly PrayerName[] = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'];
	const lasts = (name: PrayerName) => (name === 'dhuhr' && isFriday ? fridayMinutes : minutes) * 60_000;
	return names.find((name) => at >= times[name] && at < times[name] + lasts(name)) ?? null;
}
