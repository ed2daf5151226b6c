/** Where a place lies, degrees. */
export interface Location {
	latitude: number;
	longitude: number;
}

/** A religious night, which belongs to the evening before its date. */
export interface Night {
	/** Noon (UTC) of the civil day whose Hijri date names the night. */
	namedAfter: number;
	/** The window lies before or after midnight. */
	part: 'evening' | 'before-dawn';
}

const dayMs = 86_400_000;
/** Of the sun's centre from the zenith: at sunset, and at the first light (18° below the horizon). */
const sunsetZenith = 90.833;
const dawnZenith = 108;

/** The night that a window lies in as a whole, from sunset to dawn at the place; null for a window of the day. */
export function nightOf(
	window: { startsAt: number; endsAt: number },
	location: Location,
	timeZone: string
): Night | null {
	const noon = noonOf(window.startsAt, timeZone);
	const sunset = sunMoment(noon, location, sunsetZenith, 'evening');
	const dawn = sunMoment(noon, location, dawnZenith, 'morning');
	const nextDawn = sunMoment(noon + dayMs, location, dawnZenith, 'morning');
	if (window.endsAt <= dawn) return { namedAfter: noon, part: 'before-dawn' };
	if (window.startsAt >= sunset && window.endsAt <= nextDawn)
		return { namedAfter: noon + dayMs, part: 'evening' };
	return null;
}

/** Noon (UTC) of the civil day at the place. */
function noonOf(at: number, timeZone: string): number {
	const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', calendar: 'gregory' }).format(
		at
	);
	return Date.parse(`${day}T12:00:00Z`);
}

/**
 * When the sun passes an angle from the zenith, to about a minute (NOAA's short equations); NaN where it does not that
 * day, and then nothing is compared as true.
 */
export function sunMoment(
	noon: number,
	{ latitude, longitude }: Location,
	zenith: number,
	side: 'morning' | 'evening'
): number {
	const radians = Math.PI / 180;
	const midnight = noon - dayMs / 2;
	const yearStart = Date.UTC(new Date(noon).getUTCFullYear(), 0, 1);
	const g = ((2 * Math.PI) / 365) * ((midnight - yearStart) / dayMs);
	const equation =
		229.18 *
		(0.000_075 +
			0.001_868 * Math.cos(g) -
			0.032_077 * Math.sin(g) -
			0.014_615 * Math.cos(2 * g) -
			0.040_849 * Math.sin(2 * g));
	const declination =
		0.006_918 -
		0.399_912 * Math.cos(g) +
		0.070_257 * Math.sin(g) -
		0.006_758 * Math.cos(2 * g) +
		0.000_907 * Math.sin(2 * g) -
		0.002_697 * Math.cos(3 * g) +
		0.001_48 * Math.sin(3 * g);
	const lat = latitude * radians;
	const hour =
		Math.acos(
			Math.cos(zenith * radians) / (Math.cos(lat) * Math.cos(declination)) -
				Math.tan(lat) * Math.tan(declination)
		) / radians;
	const minutes = 720 - 4 * (longitude + (side === 'morning' ? hour : -hour)) - equation;
	return midnight + minutes * 60_000;
}
