import { Type, type Static } from 'typebox';
import { hijriYearMax, hijriYearMin } from './calendar/hijri.ts';
import { prayerMethods, prayerNames } from './calendar/prayer.ts';
import { LocalText, Mark } from './quality.ts';
import type { Call } from './roles.ts';
import { Id } from './site.ts';

const At = Type.Integer();
const AtOrUnknown = Type.Union([At, Type.Null()]);
const Reason = Type.String({ minLength: 3, maxLength: 500 });
const CivilDate = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' });
const LocalMoment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d$' });
const HijriYear = Type.Integer({ minimum: hijriYearMin, maximum: hijriYearMax });
const HijriMonth = Type.Integer({ minimum: 1, maximum: 12 });
export const HijriDay = Type.Object(
	{ year: HijriYear, month: HijriMonth, day: Type.Integer({ minimum: 1, maximum: 30 }) },
	{ additionalProperties: false }
);

/** What a known surge is about. */
export const spikeKinds = ['opening', 'payment', 'night', 'match', 'other'] as const;
export type SpikeKind = (typeof spikeKinds)[number];

/** The day of a spike: one of the Hijri calendar moves with what is announced, one of the Gregorian never does. */
export const SpikeDay = Type.Union([
	Type.Object({ calendar: Type.Literal('hijri'), ...HijriDay.properties }, { additionalProperties: false }),
	Type.Object({ calendar: Type.Literal('gregorian'), date: CivilDate }, { additionalProperties: false })
]);
export type SpikeDay = Static<typeof SpikeDay>;

const spikeFields = {
	names: LocalText,
	kind: Type.Enum(spikeKinds),
	day: SpikeDay,
	/** The day names a religious night: a time from noon on is that of the evening before. Hijri days only. */
	night: Type.Boolean(),
	/** When it begins, by the clock of the site; null: a whole night, from sunset to dawn. */
	from: Type.Union([TimeOfDay, Type.Null()]),
	/** How long it lasts; null with a whole night. */
	minutes: Type.Union([Type.Integer({ minimum: 1, maximum: 4_320 }), Type.Null()]),
	expectedPeople: Type.Union([Type.Integer({ minimum: 1, maximum: 100_000_000 }), Type.Null()]),
	/** A place of the site; null: the online system, or the whole site. */
	place: Type.Union([Id, Type.Null()])
};

/** From when to when: around a spike, and then it moves with it, or between two times of the site's clock. */
export const Span = Type.Union([
	Type.Object(
		{
			spike: Type.String({ minLength: 1, maxLength: 64 }),
			beforeMinutes: Type.Integer({ minimum: 0, maximum: 525_600 }),
			afterMinutes: Type.Integer({ minimum: 0, maximum: 525_600 })
		},
		{ additionalProperties: false }
	),
	Type.Object({ from: LocalMoment, until: LocalMoment }, { additionalProperties: false })
]);
export type Span = Static<typeof Span>;

/** What must not change while a freeze is in force. */
export const freezeCovers = ['deploys', 'plans', 'settings'] as const;
export type FreezeCover = (typeof freezeCovers)[number];
const freezeFields = {
	names: LocalText,
	covers: Type.Array(Type.Enum(freezeCovers), { minItems: 1, maxItems: 3, uniqueItems: true }),
	span: Span
};

/** Where a capacity order stands. It is removed again after the spike. */
export const orderStates = ['planned', 'ordered', 'in-place', 'removed'] as const;
export type OrderState = (typeof orderStates)[number];
const orderFields = {
	/** What is ordered, and how much of it. */
	names: LocalText,
	place: Type.Union([Id, Type.Null()]),
	span: Span,
	signedBy: Type.String({ minLength: 1, maxLength: 120 }),
	signedOn: CivilDate,
	state: Type.Enum(orderStates)
};

/** Seats of the room that a roster fills. */
export const seats = ['duty-manager', 'second-person', 'crowd-controller', 'on-call-engineer'] as const;
export type Seat = (typeof seats)[number];
const dutyFields = {
	/** Id of an account. */
	account: Type.String({ minLength: 1, maxLength: 64 }),
	seat: Type.Enum(seats),
	span: Span
};

const change = {
	reason: Reason,
	/** Of what is changed; left out for something new. */
	expectedVersion: Type.Optional(Type.Integer({ minimum: 1 })),
	/** It is taken out of the calendar. */
	retired: Type.Optional(Type.Boolean())
};
const requestOf = <F extends Parameters<typeof Type.Object>[0]>(fields: F) =>
	Type.Object({ ...fields, ...change }, { additionalProperties: false });
export const SpikeRequest = requestOf(spikeFields);
export type SpikeRequest = Static<typeof SpikeRequest>;
export const FreezeRequest = requestOf(freezeFields);
export type FreezeRequest = Static<typeof FreezeRequest>;
export const OrderRequest = requestOf(orderFields);
export type OrderRequest = Static<typeof OrderRequest>;
export const DutyRequest = requestOf(dutyFields);
export type DutyRequest = Static<typeof DutyRequest>;

const head = { id: Type.String(), version: Type.Integer(), by: Type.String(), at: At };
/** Null: the day does not exist in the calendar that is in force, or the spike is gone. It is never guessed. */
const Window = Type.Object({ from: AtOrUnknown, until: AtOrUnknown });
/** Another pair of times of the same thing. */
const Times = Type.Object({ startsAt: At, endsAt: At });
export type SpikeTimes = Static<typeof Times>;

/** A known surge. All times epoch ms. */
export const KnownSpike = Type.Object({
	...head,
	...spikeFields,
	startsAt: AtOrUnknown,
	endsAt: AtOrUnknown,
	/** Hijri date of its day, or of the night it is named after. */
	hijri: Type.Union([HijriDay, Type.Null()]),
	/** It lies in a religious night: before or after midnight. */
	nightPart: Type.Union([Type.Literal('evening'), Type.Literal('before-dawn'), Type.Null()]),
	/** As calculated, where an announced month has moved it. */
	calculated: Type.Union([Times, Type.Null()]),
	/** Where it would be if what is only tentative now were confirmed. */
	tentative: Type.Union([Times, Type.Null()]),
	/** It opens within this prayer, by the clock of the site. */
	inPrayer: Type.Union([Type.Enum(prayerNames), Type.Null()]),
	/** Other spikes that run at the same time. */
	overlaps: Type.Array(Type.String())
});
export type KnownSpike = Static<typeof KnownSpike>;
export const FreezeWindow = Type.Object({ ...head, ...freezeFields, window: Window });
export type FreezeWindow = Static<typeof FreezeWindow>;
export const CapacityOrder = Type.Object({ ...head, ...orderFields, window: Window });
export type CapacityOrder = Static<typeof CapacityOrder>;
export const Duty = Type.Object({ ...head, ...dutyFields, name: Type.String(), window: Window });
export type Duty = Static<typeof Duty>;

/** `tentative` moves nothing yet; another person confirms it. */
export const sightingStates = ['tentative', 'confirmed', 'withdrawn', 'replaced'] as const;
export const Sighting = Type.Object({
	id: Type.String(),
	year: HijriYear,
	month: HijriMonth,
	/** As announced, and as calculated by Umm al-Qura. */
	firstDay: CivilDate,
	calculated: CivilDate,
	/** Who announced it. */
	source: Type.String(),
	state: Type.Enum(sightingStates),
	by: Type.String(),
	byId: Type.String(),
	reason: Type.String(),
	at: At,
	decidedBy: Type.Union([Type.String(), Type.Null()]),
	decidedAt: AtOrUnknown,
	decidedReason: Type.Union([Type.String(), Type.Null()])
});
export type Sighting = Static<typeof Sighting>;
export const SightingRequest = Type.Object(
	{
		...{ year: HijriYear, month: HijriMonth, firstDay: CivilDate },
		source: Type.String({ minLength: 3, maxLength: 200 }),
		reason: Reason
	},
	{ additionalProperties: false }
);
export type SightingRequest = Static<typeof SightingRequest>;
export const SightingDecision = Type.Object({ reason: Reason }, { additionalProperties: false });

/** The whole plan of the season, as every screen has it. */
export const SeasonPlan = Type.Object({
	at: At,
	mark: Mark,
	timeZone: Type.String(),
	prayerMethod: Type.Enum(prayerMethods),
	spikes: Type.Array(KnownSpike),
	freezes: Type.Array(FreezeWindow),
	orders: Type.Array(CapacityOrder),
	roster: Type.Array(Duty),
	/** Newest first; those in force and the open ones are always among them. */
	sightings: Type.Array(Sighting)
});
export type SeasonPlan = Static<typeof SeasonPlan>;

/** What season commands answer: the plan as it is now, and the id of what was made or changed. */
export const SeasonAnswer = Type.Object({ id: Type.String(), plan: SeasonPlan });
export type SeasonAnswer = Static<typeof SeasonAnswer>;

export const SeasonDaysQuery = Type.Object(
	{ from: CivilDate, count: Type.Integer({ minimum: 1, maximum: 62 }) },
	{ additionalProperties: false }
);
/** One day of the axis: both calendars, and the prayer times at the site (epoch ms). */
export const SeasonDay = Type.Object({
	date: CivilDate,
	/** By the calendar in force; null outside its table. */
	hijri: Type.Union([HijriDay, Type.Null()]),
	/** As calculated, where it differs. */
	calculated: Type.Union([HijriDay, Type.Null()]),
	prayers: Type.Object({
		...{ fajr: At, sunrise: At, dhuhr: At, asr: At, maghrib: At, isha: At }
	})
});
export type SeasonDay = Static<typeof SeasonDay>;
export const SeasonDays = Type.Object({ days: Type.Array(SeasonDay) });
export type SeasonDays = Static<typeof SeasonDays>;

/** Who may be put on the roster, by seat. */
export const RosterPeople = Type.Object({
	people: Type.Array(
		Type.Object({
			id: Type.String(),
			name: Type.String(),
			email: Type.String(),
			seats: Type.Array(Type.Enum(seats))
		})
	)
});
export type RosterPeople = Static<typeof RosterPeople>;

/** Months that were announced and confirmed, as `createHijriCalendar` takes them. */
export function announcedMonths(sightings: readonly Sighting[]) {
	return sightings
		.filter(({ state }) => state === 'confirmed')
		.map(({ year, month, firstDay }) => ({ year, month, firstDay }));
}

/** The spike that is running or comes next: the countdown is to it. Null: none is known. */
export function nextSpike(spikes: readonly KnownSpike[], now: number): KnownSpike | null {
	const ahead = spikes.filter(({ startsAt, endsAt }) => startsAt !== null && endsAt !== null && endsAt > now);
	return ahead.sort((a, b) => (a.startsAt ?? 0) - (b.startsAt ?? 0) || a.id.localeCompare(b.id))[0] ?? null;
}

/** Whether a window is in force at a moment. */
export function isWithin(
	{ from, until }: { from: number | null; until: number | null },
	at: number
): boolean {
	return from !== null && until !== null && from <= at && at < until;
}

/**
 * Calls that a freeze refuses, by what it covers. Nothing that keeps people safe is among them: levels, rate, gates,
 * messages, cancelled permits and compromised keys go on. With the header below, and a reason in it, one call goes
 * through all the same, on record.
 */
export const frozenCalls: Readonly<Partial<Record<Call, FreezeCover>>> = {
	'PUT /api/v1/booking/slots': 'plans',
	'PUT /api/v1/booking/quotas': 'plans',
	'PUT /api/v1/queue/schedule': 'plans',
	'POST /api/v1/queue/ballot': 'plans',
	'PUT /api/v1/entries/places/:place': 'settings',
	'POST /api/v1/permits/keys': 'settings',
	'POST /api/v1/permits/roots': 'settings'
};
export const throughFreezeHeader = 'x-through-freeze';
