import type { EntryPolicy, PlaceEntryRequest, PlaceEntrySettings } from '@marsad/server/contract';

/** The settings of a place as a person writes them: minutes and hours. Null: the field is empty. */
export interface PlaceDraft {
	policy: EntryPolicy;
	earlyMinutes: number | null;
	lateMinutes: number | null;
	trailHours: number | null;
	slots: { slot: number; earlyMinutes: number | null; lateMinutes: number | null }[];
	reason: string;
}
const minutesMax = 1_440;
const hoursMax = 8_760;

export function draftOf(place: PlaceEntrySettings): PlaceDraft {
	return {
		policy: place.policy,
		...{ earlyMinutes: place.earlySeconds / 60, lateMinutes: place.lateSeconds / 60 },
		trailHours: place.trailHours,
		slots: place.slots.map(({ slot, earlySeconds, lateSeconds }) => ({
			...{ slot, earlyMinutes: earlySeconds / 60, lateMinutes: lateSeconds / 60 }
		})),
		reason: ''
	};
}

const isMinutes = (value: number | null): value is number =>
	value !== null && Number.isFinite(value) && value >= 0 && value <= minutesMax;

/** What is sent; null while something is missing or out of its bounds. Only what differs from `place` is named. */
export function requestOf(draft: PlaceDraft, place: PlaceEntrySettings): PlaceEntryRequest | null {
	const { policy, earlyMinutes, lateMinutes, trailHours } = draft;
	const reason = draft.reason.trim();
	if (reason.length < 3 || !isMinutes(earlyMinutes) || !isMinutes(lateMinutes)) return null;
	if (trailHours === null || !Number.isInteger(trailHours) || trailHours < 1 || trailHours > hoursMax)
		return null;
	const seconds = (minutes: number) => Math.round(minutes * 60);
	const slots = [];
	for (const each of draft.slots) {
		if (!isMinutes(each.earlyMinutes) || !isMinutes(each.lateMinutes)) return null;
		const [earlySeconds, lateSeconds] = [seconds(each.earlyMinutes), seconds(each.lateMinutes)];
		slots.push({ slot: each.slot, earlySeconds, lateSeconds });
	}
	const changed = <K extends 'policy' | 'earlySeconds' | 'lateSeconds' | 'trailHours'>(
		name: K,
		value: PlaceEntrySettings[K]
	) => (place[name] === value ? {} : { [name]: value });
	return {
		...changed('policy', policy),
		...changed('earlySeconds', seconds(earlyMinutes)),
		...changed('lateSeconds', seconds(lateMinutes)),
		...changed('trailHours', trailHours),
		...(JSON.stringify(slots) === JSON.stringify(place.slots) ? {} : { slots }),
		...{ reason, expectedVersion: place.version }
	};
}
