import type { SlotOffer, SlotsAnswer } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { SiteNames } from '../permits/index.ts';
import type { Wanted } from './book.ts';
import type { LockedSlot } from './decide-batch.ts';
import { createLedger, type LockedQuota } from './quotas.ts';

/** Places left on one civil day at the site, over all of its slots that are not over. */
export interface DayLeft {
	/** `YYYY-MM-DD` in the site's time zone. */
	day: string;
	placesLeft: number;
}

/** Whether anything is left at all, for everybody who waits. */
export interface Availability {
	/** True when slots are planned and none of them has a place left; false, too, while nothing is known. */
	soldOut: boolean;
	/** Days to come in their order; a day that is sold out stands here with 0. */
	days: readonly DayLeft[];
	/** When it was read, epoch ms; null when it was never read. */
	at: number | null;
}

/** Slots as the public reads them: a prepared buffer, at most a second or two old; older while search is switched off. */
export interface SlotsView {
	/** The body of GET /slots. */
	answer(): Promise<Buffer>;
	/**
	 * Other slots with room for the party, in their own quotas, too: the same place first, then the nearest in time.
	 * Never asks the database. None while recommendations are switched off.
	 */
	offers(slot: number, wanted: Wanted): SlotOffer[];
	/** A slot as it was read last; undefined when it is not known. Never asks the database. */
	find(id: number): LockedSlot | undefined;
	/** What is left, from what was read last; a reading that is old is renewed behind it. Never waits. */
	availability(): Availability;
	/** Forgets what was read: the next question reads again. */
	forget(): void;
}

interface Reading {
	slots: readonly LockedSlot[];
	slotsById: ReadonlyMap<number, LockedSlot>;
	quotas: readonly LockedQuota[];
	availability: Availability;
	at: number;
	readMs: number;
}

export function createSlotsView(deps: {
	list(): Promise<LockedSlot[]>;
	/** Quotas, with what is left in each share. */
	listQuotas(): Promise<LockedQuota[]>;
	/** Days to come with the places left on each, over all slots. */
	listDays(): Promise<DayLeft[]>;
	flags: Pick<Flags, 'isOn' | 'onChange'>;
	now(): number;
	elapsedMs(): number;
	site: SiteNames;
}): SlotsView {
	let reading: Reading | null = null;
	let buffer: Buffer | null = null;
	let pending: Promise<void> | null = null;
	deps.flags.onChange(() => {
		buffer = null;
	});

	const read = async () => {
		const readMs = deps.elapsedMs();
		const slots = await deps.list();
		const days = await deps.listDays();
		const quotas = await deps.listQuotas();
		const at = deps.now();
		const soldOut = days.length > 0 && days.every(({ placesLeft }) => placesLeft === 0);
		const slotsById = new Map(slots.map((slot) => [slot.id, slot]));
		reading = { slots, slotsById, quotas, availability: { soldOut, days, at }, at, readMs };
		buffer = null;
	};
	const refresh = () =>
		(pending ??= read().finally(() => {
			pending = null;
		}));

	const age = () => (reading ? deps.elapsedMs() - reading.readMs : Infinity);
	const freshMs = () =>
		deps.flags.isOn('slot-search') ? limits.booking.slotsCacheMs : limits.booking.slotsCacheSlowMs;

	/** Behind whoever asks: bookings ask for slots whether anybody reads the list or not. */
	const renew = () => {
		if (age() >= freshMs()) refresh().catch(() => undefined);
	};

	return {
		async answer() {
			const ageMs = age();
			if (ageMs >= freshMs()) {
				const fresh = refresh();
				// A little old is good enough while the next reading is on its way; `at` tells how old.
				if (ageMs >= 2 * freshMs()) await fresh;
				else fresh.catch(() => undefined);
			}
			if (!reading) throw new Error('the slots were never read');
			buffer ??= Buffer.from(JSON.stringify(toAnswer(reading, deps)));
			return buffer;
		},
		find(id) {
			renew();
			return reading?.slotsById.get(id);
		},
		offers(slot, wanted) {
			renew();
			if (!deps.flags.isOn('recommendations')) return [];
			const slots = reading?.slots ?? [];
			const full = reading?.slotsById.get(slot);
			const quotas = reading?.quotas ?? [];
			const now = deps.now();
			const distance = (other: LockedSlot) =>
				Math.abs(other.startsAt - (full?.startsAt ?? now)) + (other.place === full?.place ? 0 : placeCostMs);
			return slots
				.filter((other) => other.id !== slot && other.startsAt > now && fits(other, quotas, wanted))
				.sort((a, b) => distance(a) - distance(b))
				.slice(0, limits.booking.alternativesMax)
				.map(({ id, place, startsAt, endsAt }) => ({ id, place, startsAt, endsAt }));
		},
		availability() {
			renew();
			return reading?.availability ?? { soldOut: false, days: [], at: null };
		},
		forget() {
			reading = null;
			buffer = null;
		}
	};
}

function fits(slot: LockedSlot, quotas: readonly LockedQuota[], { party, attributes }: Wanted): boolean {
	if (slot.capacity - slot.booked < party) return false;
	const own = quotas.filter((quota) => quota.slot === null || quota.slot === slot.id);
	return own.length === 0 || 'takes' in createLedger(own).take(slot.id, attributes, party);
}

/** Another place counts as this far away in time. */
const placeCostMs = 2 * 3_600_000;

function toAnswer(
	{ slots, at }: Reading,
	{ flags, site }: { flags: Pick<Flags, 'isOn'>; site: SiteNames }
): SlotsAnswer {
	const countsShown = flags.isOn('places-left');
	return {
		slots: slots.map(({ id, place, startsAt, endsAt, capacity, booked }) => ({
			id,
			place,
			startsAt,
			endsAt,
			capacity,
			left: countsShown ? Math.max(0, capacity - booked) : null,
			full: booked >= capacity
		})),
		at,
		bookingOpen: flags.isOn('booking'),
		timeZone: site.timeZone,
		places: Object.fromEntries(site.places.map(({ id, name }) => [id, name]))
	};
}
