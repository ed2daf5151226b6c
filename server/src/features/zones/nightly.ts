import type { SiteZone } from '../site/index.ts';

/** So long after its time a nightly anchor may still be set: later the zone has people in it again. */
const graceMinutes = 10;

/** An anchor that is due: the night it belongs to names it, so that it is set once. */
export interface DueAnchor {
	zone: string;
	present: number;
	/** Date of the site, as in 2026-03-01. */
	night: string;
	/** When it was due, epoch ms. */
	dueAt: number;
}

/** Which zones are to start counting anew now, by the site's own time. Pure. */
export function dueAnchors(zones: Iterable<SiteZone>, timeZone: string, now: number): DueAnchor[] {
	const due: DueAnchor[] = [];
	for (const { id: zone, anchor } of zones) {
		if (!anchor) continue;
		const late = minutesSince(anchor.at, timeZone, now);
		if (late >= graceMinutes) continue;
		const dueAt = Math.floor(now / 60_000) * 60_000 - late * 60_000;
		due.push({ zone, present: anchor.present, night: dateOf(dueAt, timeZone), dueAt });
	}
	return due;
}

/** Minutes since this time of day was last passed at the site. */
function minutesSince(at: string, timeZone: string, now: number): number {
	const { hour = '0', minute = '0' } = partsOf(now, timeZone);
	const [atHour = 0, atMinute = 0] = at.split(':').map(Number);
	return (Number(hour) * 60 + Number(minute) - atHour * 60 - atMinute + 1_440) % 1_440;
}

function dateOf(at: number, timeZone: string): string {
	const { year, month, day } = partsOf(at, timeZone);
	return `${year}-${month}-${day}`;
}

/** Making a format costs more than a hundred uses of it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(at: number, timeZone: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
	const format =
		formats.get(timeZone) ??
		new Intl.DateTimeFormat('en-US-u-ca-gregory', {
			...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
			...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
		});
	formats.set(timeZone, format);
	return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}
