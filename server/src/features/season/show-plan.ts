import {
	announcedMonths,
	createHijriCalendar,
	textOfDay,
	ummAlQura,
	type HijriCalendar,
	type KnownSpike,
	type Mark,
	type SeasonPlan,
	type Sighting,
	type SpikeTimes
} from '../../../contract/index.ts';
import { dayOfSpike, partOfNight, prayerOf, timesOfSpike, windowOf, type SiteClock } from './spike-times.ts';
import { entriesOf, type EntryOf, type StoredPlan, type StoredSighting } from './stored.ts';

export interface ShowContext extends SiteClock {
	at: number;
	mark: Mark;
}

/** The calendar in force, and the one that would be if everything tentative were confirmed. */
export function calendarsOf(sightings: readonly StoredSighting[]): {
	inForce: HijriCalendar;
	tentative: HijriCalendar;
} {
	const shown = sightings.map(showSighting);
	const confirmed = announcedMonths(shown);
	const open = shown.filter(({ state }) => state === 'tentative');
	const rest = confirmed.filter(
		({ year, month }) => !open.some((other) => other.year === year && other.month === month)
	);
	return { inForce: createHijriCalendar(confirmed), tentative: createHijriCalendar([...rest, ...open]) };
}

/** The plan with all its times, by the months as they were announced. Pure. */
export function showPlan(stored: StoredPlan, context: ShowContext): SeasonPlan {
	const { inForce, tentative } = calendarsOf(stored.sightings);
	const spikes = entriesOf(stored, 'spike');
	const times = new Map(spikes.map(({ id, body }) => [id, timesOfSpike(body, inForce, context)]));
	const spanOf = (span: Parameters<typeof windowOf>[0]) =>
		windowOf(span, (spike) => times.get(spike) ?? null, context) ?? { from: null, until: null };
	const head = ({ id, version, by, at }: StoredPlan['entries'][number]) => ({ id, version, by, at });
	return {
		...{ at: context.at, mark: context.mark, timeZone: context.timeZone, prayerMethod: context.rule.method },
		spikes: spikes
			.map((entry) => showSpike(entry, { times, inForce, tentative, context }))
			.sort((a, b) => (a.startsAt ?? Infinity) - (b.startsAt ?? Infinity) || a.id.localeCompare(b.id)),
		freezes: entriesOf(stored, 'freeze').map((entry) => ({
			...{ ...head(entry), ...entry.body, window: spanOf(entry.body.span) }
		})),
		orders: entriesOf(stored, 'order').map((entry) => ({
			...{ ...head(entry), ...entry.body, window: spanOf(entry.body.span) }
		})),
		roster: entriesOf(stored, 'duty').map((entry) => ({
			...{ ...head(entry), ...entry.body, window: spanOf(entry.body.span) }
		})),
		sightings: stored.sightings.map(showSighting)
	};
}

function showSpike(
	{ id, version, by, at, body }: EntryOf<'spike'>,
	given: {
		times: ReadonlyMap<string, SpikeTimes | null>;
		inForce: HijriCalendar;
		tentative: HijriCalendar;
		context: ShowContext;
	}
): KnownSpike {
	const { times, inForce, tentative, context } = given;
	const own = times.get(id) ?? null;
	const unlessSame = (other: SpikeTimes | null) => (other && other.startsAt === own?.startsAt ? null : other);
	const day = dayOfSpike(body, inForce);
	const overlaps = [...times].flatMap(([other, theirs]) =>
		other !== id && own && theirs && own.startsAt < theirs.endsAt && theirs.startsAt < own.endsAt
			? [other]
			: []
	);
	return {
		...{ id, version, by, at, ...body },
		...{ startsAt: own?.startsAt ?? null, endsAt: own?.endsAt ?? null, overlaps },
		hijri: day === null ? null : inForce.dateOf(day),
		nightPart: partOfNight(body),
		calculated: unlessSame(timesOfSpike(body, ummAlQura, context)),
		tentative: unlessSame(timesOfSpike(body, tentative, context)),
		inPrayer: own && body.kind === 'opening' ? prayerOf(own.startsAt, inForce, context) : null
	};
}

export function showSighting(sighting: StoredSighting): Sighting {
	const day = ummAlQura.dayOf({ ...sighting, day: 1 });
	return { ...sighting, calculated: day === null ? sighting.firstDay : textOfDay(day) };
}
