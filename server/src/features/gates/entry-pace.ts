import type { AffectedSlot, Gate, LocalText, PlaceProperties } from '../../../contract/index.ts';
import type { SlotFill } from '../booking/index.ts';

/** Entries of a place: its own gates that lead in, else those into its zones. */
export function entriesOf(place: Pick<PlaceProperties, 'zones' | 'gates'>, gates: readonly Gate[]): Gate[] {
	const entries = gates.filter(({ direction }) => direction === 'in');
	const own = entries.filter(({ id }) => place.gates.includes(id));
	return own.length > 0 ? own : entries.filter(({ zone }) => place.zones.includes(zone));
}

/** How much of an entry is open, as commanded and as confirmed, whichever is less: 1 is all of it. */
export function opennessOf(gate: Gate): number {
	const { commanded, confirmed, difference } = gate;
	const share = (state: Gate['commanded']['state']) => {
		if (state === 'open') return 1;
		if (state !== 'metered') return 0;
		return Math.min(1, (commanded.ratePerMinute ?? gate.fullRatePerMinute) / gate.fullRatePerMinute);
	};
	const isTold = confirmed !== null && difference !== null && difference.since === confirmed.at;
	return Math.min(share(commanded.state), isTold ? share(confirmed.state) : 1);
}

/** Share of its lanes through which people enter a place now; undefined when it has no entry. */
export function entryPace(
	place: Pick<PlaceProperties, 'zones' | 'gates'>,
	gates: readonly Gate[]
): number | undefined {
	const entries = entriesOf(place, gates);
	const lanes = entries.reduce((sum, gate) => sum + gate.lanes, 0);
	if (lanes === 0) return undefined;
	return entries.reduce((sum, gate) => sum + gate.lanes * opennessOf(gate), 0) / lanes;
}

/** Slots that start soon where entries are not wholly open, with the people who hold a permit for them. */
export function affectedSlots(
	slots: readonly SlotFill[],
	places: readonly PlaceProperties[],
	gates: readonly Gate[]
): AffectedSlot[] {
	const affected = new Map(
		places.flatMap((place) => {
			const pace = entryPace(place, gates);
			if (pace === undefined || pace >= 1) return [];
			const shut = entriesOf(place, gates).filter((gate) => opennessOf(gate) < 1);
			return [[place.id, { names: place.name, pace, gates: shut.map(({ id }) => id) }] as const];
		})
	);
	return slots.flatMap((slot) => {
		const at: { names: LocalText; pace: number; gates: string[] } | undefined = affected.get(slot.place);
		if (!at) return [];
		return [
			{
				...{ slot: slot.id, place: slot.place, placeNames: at.names },
				...{ startsAt: slot.startsAt, endsAt: slot.endsAt, people: slot.booked, capacity: slot.capacity },
				...{ pace: Math.round(at.pace * 100) / 100, gates: at.gates }
			}
		];
	});
}
