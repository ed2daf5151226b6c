import type { CounterHint, Quality, Zone } from '../../../contract/index.ts';
import { counterHints, isHeard, type Counter } from '../sensors/index.ts';
import type { SiteZone } from '../site/index.ts';

/** An unheard zone is unknown after this long, however short the periods of its sources. */
const unknownAfterMs = 60_000;

/** The counters of a zone: those that decide its occupancy, and those at its boundary. */
export interface ZoneSources {
	/** How its people are known: counted at the boundary, or seen inside. */
	mode: 'crossing' | 'present';
	/** Counters with authority over its occupancy. */
	deciding: readonly Counter[];
	/** Counters at its boundary; `in` of one leads into the zone when `inwards` is true. */
	boundary: readonly { counter: Counter; inwards: boolean }[];
	/** Cameras that see people inside, with authority or only as a check. */
	views: readonly Counter[];
	heat: readonly Counter[];
}

/** Where anything with authority sees people inside, that decides; else the boundary does. */
export function findSources(zone: SiteZone, counters: Iterable<Counter>): ZoneSources {
	const all = [...counters];
	const withAuthority = all.filter(({ properties }) => properties.authority);
	const isView = ({ properties: { measures, to } }: Counter) =>
		(measures === 'present' || measures === 'density') && to === zone.id;
	const inside = withAuthority.filter(isView);
	const boundary = withAuthority
		.filter(
			({ properties: { measures, from, to } }) =>
				measures === 'crossing' && (from === zone.id || to === zone.id)
		)
		.map((counter) => ({ counter, inwards: counter.properties.to === zone.id }));
	const mode = inside.length > 0 ? 'present' : 'crossing';
	return {
		mode,
		boundary,
		deciding: mode === 'present' ? inside : boundary.map(({ counter }) => counter),
		views: mode === 'present' ? inside : all.filter(isView),
		heat: all.filter(({ properties: { measures, to } }) => measures === 'heat' && to === zone.id)
	};
}

/** Cumulative people into and out of the zone through its boundary. */
export function boundaryFlow(sources: ZoneSources): { in: number; out: number } {
	const flow = { in: 0, out: 0 };
	for (const { counter, inwards } of sources.boundary) {
		const { totalIn, totalOut } = counter.state;
		flow.in += inwards ? totalIn : totalOut;
		flow.out += inwards ? totalOut : totalIn;
	}
	return flow;
}

/** What of that flow passed long before it was known: it belongs to the level, and to no rate of now. */
export function lateFlow(sources: ZoneSources): { in: number; out: number } {
	const flow = { in: 0, out: 0 };
	for (const { counter, inwards } of sources.boundary) {
		flow.in += inwards ? counter.late.in : counter.late.out;
		flow.out += inwards ? counter.late.out : counter.late.in;
	}
	return flow;
}

/** People seen inside by all sources that ever spoke; null when none did. Overlapping views take the largest. */
export function peopleInside(sources: Pick<ZoneSources, 'deciding'>, zone: SiteZone): number | null {
	return sumViews(sources.deciding, zone);
}

/** The same by the cameras that are heard now, to be held against the doors; null when one of them is missing. */
export function peopleSeen({ views }: ZoneSources, zone: SiteZone, now: number): number | null {
	return views.length > 0 && views.every((view) => isHeard(view, now)) ? sumViews(views, zone) : null;
}

function sumViews(views: readonly Counter[], zone: SiteZone): number | null {
	const values = views.flatMap(({ state, properties }) => {
		const value = properties.measures === 'density' ? state.density : state.present;
		return value === null ? [] : [{ value, isDensity: properties.measures === 'density' }];
	});
	const counted = values.filter(({ isDensity }) => !isDensity).map(({ value }) => value);
	if (counted.length > 0)
		return zone.sourcePolicy === 'max' ? Math.max(...counted) : counted.reduce((a, b) => a + b, 0);
	if (values.length === 0) return null;
	// Densities of several spots stand for the whole zone by their mean.
	const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
	return Math.round(mean * zone.areaSquareMetres);
}

/** The hottest of the zone's heat sensors that are heard. */
export function heatOf({ heat }: ZoneSources, now: number): Zone['heat'] {
	const heard = heat.flatMap((counter) => {
		const { wbgtCelsius, valueAt } = counter.state;
		return wbgtCelsius !== null && valueAt !== null && isHeard(counter, now)
			? [{ wbgtCelsius, at: valueAt }]
			: [];
	});
	return heard.reduce<Zone['heat']>(
		(hottest, next) => (hottest === null || next.wbgtCelsius > hottest.wbgtCelsius ? next : hottest),
		null
	);
}

/** So many people more out than in, and so many times more, are one-sided. */
const oneSidedPeople = 50;
const oneSidedTimes = 5;

/** What looks wrong with the counters of a zone. Directions are doubted only where the zone fell below 0 by them. */
export function hintsOf(sources: ZoneSources, isFarBelow: boolean, now: number): CounterHint[] {
	const counters = new Set([
		...sources.boundary.map(({ counter }) => counter),
		...sources.views,
		...sources.heat
	]);
	const hints = [...counters].flatMap((counter) => counterHints(counter, now));
	if (!isFarBelow) return hints;
	for (const { counter, inwards } of sources.boundary) {
		const { totalIn, totalOut, heardAt } = counter.state;
		const [into, outOf] = inwards ? [totalIn, totalOut] : [totalOut, totalIn];
		if (outOf - into >= oneSidedPeople && outOf >= oneSidedTimes * into)
			hints.push({ counter: counter.properties.id, kind: 'direction-suspect', since: heardAt ?? now });
	}
	return hints;
}

/** How many sources are heard, when the newest spoke, and what that is worth. */
export interface Hearing {
	heard: number;
	expected: number;
	/** Epoch ms; null when none ever spoke. */
	newestAt: number | null;
	quality: Quality;
	/** Share of the boundary that nobody counts now (all of it where no counter hangs), and since when the longest. */
	silentShare: number;
	silentSince: number | null;
}

/**
 * A source is heard for three of its periods. The zone is partial while some are missing, stale when none is heard,
 * and unknown after a minute of that, or at once when every source has said that it is gone.
 */
export function hear(sources: ZoneSources, now: number): Hearing {
	const isExpected = (counter: Counter) => !counter.properties.optional || isHeard(counter, now);
	const expected = sources.deciding.filter(isExpected);
	const heard = expected.filter((counter) => isHeard(counter, now)).length;
	const newestAt = newest(sources.deciding);
	const silent = sources.boundary
		.map(({ counter }) => counter)
		.filter((counter) => isExpected(counter) && !isHeard(counter, now));
	const since = silent.map(({ state }) => state.heardAt ?? 0);
	return {
		heard,
		expected: expected.length,
		newestAt,
		quality: judge(sources.deciding, heard, expected.length, newestAt, now),
		silentShare: sources.boundary.length === 0 ? 1 : silent.length / sources.boundary.length,
		silentSince: since.length === 0 ? null : Math.min(...since)
	};
}

function judge(
	deciding: readonly Counter[],
	heard: number,
	expected: number,
	newestAt: number | null,
	now: number
): Quality {
	if (newestAt === null) return 'unknown';
	if (heard > 0) return heard < expected ? 'partial' : 'live';
	const allGone = deciding.every(
		({ state, brokenAt }) => state.heardAt === null || (brokenAt !== null && brokenAt >= state.heardAt)
	);
	const longestPeriodMs = Math.max(0, ...deciding.map(({ rule }) => rule.periodSeconds * 1_000));
	return allGone || now - newestAt > Math.max(unknownAfterMs, 3 * longestPeriodMs) ? 'unknown' : 'stale';
}

function newest(counters: readonly Counter[]): number | null {
	return counters.reduce<number | null>(
		(latest, { state }) =>
			state.heardAt !== null && (latest === null || state.heardAt > latest) ? state.heardAt : latest,
		null
	);
}
