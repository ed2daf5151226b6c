import { limits } from '../../limits.ts';

/** A slot as somebody wants to plan it; times are epoch ms. */
export interface SlotPlan {
	place: string;
	startsAt: number;
	endsAt: number;
	capacity: number;
	/** Lanes that scan at the place's gates. */
	lanes: number;
}

export type PlanFault = 'window' | 'capacity' | 'above-lanes';

const hourMs = 3_600_000;

/** The most people that the lanes can scan in the window: 660 an hour and lane, bag search not counted. */
export function capacityMax(plan: Pick<SlotPlan, 'startsAt' | 'endsAt' | 'lanes'>): number {
	return Math.floor(
		(plan.lanes * limits.booking.peoplePerLaneHourMax * (plan.endsAt - plan.startsAt)) / hourMs
	);
}

/** Why a slot cannot be planned, or null: nobody may be promised an hour in which the gates cannot let them in. */
export function findPlanFault(plan: SlotPlan): PlanFault | null {
	if (!(plan.endsAt > plan.startsAt)) return 'window';
	if (!Number.isInteger(plan.capacity) || plan.capacity < 1) return 'capacity';
	if (plan.capacity > capacityMax(plan)) return 'above-lanes';
	return null;
}

/** A place of the site with the lanes of its entrances. */
export interface PlaceLanes {
	place: string;
	lanes: number;
}

/** Scanned an hour and lane with some bag search: what the demo plans with. */
const demoPeoplePerLaneHour = 420;

/** Hourly slots of the demo: every full hour that starts in the `hours` after `from`, at each place with a lane. */
export function planDemoSlots(places: readonly PlaceLanes[], from: number, hours = 24): SlotPlan[] {
	const firstHour = Math.ceil(from / hourMs) * hourMs;
	return Array.from({ length: hours }, (_, index) => firstHour + index * hourMs).flatMap((startsAt) =>
		places
			.filter(({ lanes }) => lanes > 0)
			.map(({ place, lanes }) => ({
				place,
				startsAt,
				endsAt: startsAt + hourMs,
				capacity: lanes * demoPeoplePerLaneHour,
				lanes
			}))
	);
}

export const laboratorySlots = { count: 50, capacity: 100, place: 'laboratory' } as const;
/** Far ahead, so that a laboratory clock that runs fast does not run past them. */
const laboratoryLeadMs = 365 * 24 * hourMs;

/** The laboratory's 50 slots of 100 places. */
export function planLaboratorySlots(from: number): SlotPlan[] {
	const firstHour = Math.ceil((from + laboratoryLeadMs) / hourMs) * hourMs;
	return Array.from({ length: laboratorySlots.count }, (_, index) => ({
		place: laboratorySlots.place,
		startsAt: firstHour + index * hourMs,
		endsAt: firstHour + (index + 1) * hourMs,
		capacity: laboratorySlots.capacity,
		lanes: 1
	}));
}
