import type { SlotOffer, SlotsAnswer } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { SiteNames } from '../permits/index.ts';
import type { LockedSlot } from './decide-batch.ts';

/** Slots as the public reads them: a prepared buffer, at most a second or two old. */
export interface SlotsView {
	/** The body of GET /slots. */
	answer(): Promise<Buffer>;
	/** Other slots with room for the party: the same place first, then the nearest in time. Never asks the database. */
	offers(slot: number, party: number): SlotOffer[];
	/** Forgets what was read: the next question reads again. */
	forget(): void;
}

interface Reading {
	slots: readonly LockedSlot[];
	at: number;
	readMs: number;
}

export function createSlotsView(deps: {
	list(): Promise<LockedSlot[]>;
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
		reading = { slots, at: deps.now(), readMs };
		buffer = null;
	};
	const refresh = () =>
		(pending ??= read().finally(() => {
			pending = null;
		}));

	return {
		async answer() {
			const ageMs = reading ? deps.elapsedMs() - reading.readMs : Infinity;
			if (ageMs >= limits.booking.slotsCacheMs) {
				const fresh = refresh();
				// A little old is good enough while the next reading is on its way; `at` tells how old.
				if (ageMs >= 2 * limits.booking.slotsCacheMs) await fresh;
				else fresh.catch(() => undefined);
			}
			if (!reading) throw new Error('the slots were never read');
			buffer ??= Buffer.from(JSON.stringify(toAnswer(reading, deps)));
			return buffer;
		},
		offers(slot, party) {
			const slots = reading?.slots ?? [];
			const wanted = slots.find(({ id }) => id === slot);
			const now = deps.now();
			const distance = (other: LockedSlot) =>
				Math.abs(other.startsAt - (wanted?.startsAt ?? now)) +
				(other.place === wanted?.place ? 0 : placeCostMs);
			return slots
				.filter((other) => other.id !== slot && other.endsAt > now && other.capacity - other.booked >= party)
				.sort((a, b) => distance(a) - distance(b))
				.slice(0, limits.booking.alternativesMax)
				.map(({ id, place, startsAt, endsAt }) => ({ id, place, startsAt, endsAt }));
		},
		forget() {
			reading = null;
			buffer = null;
		}
	};
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
			left: countsShown ? capacity - booked : null,
			full: booked >= capacity
		})),
		at,
		bookingOpen: flags.isOn('booking'),
		timeZone: site.timeZone,
		places: Object.fromEntries(site.places.map(({ id, name }) => [id, name]))
	};
}
