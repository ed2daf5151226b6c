import {
	trailRoles,
	type EntryPolicy,
	type PlaceEntryRequest,
	type PlaceEntrySettings
} from '@marsad/server/contract';

/** The settings of a place as a person writes them: minutes and hours. Null: the field is empty. */
export interface PlaceDraft {
	policy: EntryPolicy;
	earlyMinutes: number | null;
	lateMinutes: number | null;
	/** For so long after it was moved with its slot a permit is honoured. */
	movedGraceMinutes: number | null;
	trailHours: number | null;
	/** Who may look at trails that lead through it. */
	trailViewers: (typeof trailRoles)[number][];
	slots: { slot: number; earlyMinutes: number | null; lateMinutes: number | null }[];
	reason: string;
}
const minutesMax = 1_440;
const hoursMax = 8_760;

export function draftOf(place: PlaceEntrySettings): PlaceDraft {
	return {
		policy: place.policy,
		...{ earlyMinutes: place.earlySeconds / 60, lateMinutes: place.lateSeconds / 60 },
		movedGraceMinutes: place.movedGraceSeconds === undefined ? null : place.movedGraceSeconds / 60,
		trailHours: place.trailHours,
		trailViewers: [...(place.trailViewers ?? trailRoles)],
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
	const { policy, earlyMinutes, lateMinutes, movedGraceMinutes, trailHours } = draft;
	const reason = draft.reason.trim();
	if (reason.length < 3 || !isMinutes(earlyMinutes) || !isMinutes(lateMinutes)) return null;
	// A server that does not say it is not told either.
	const hasMovedGrace = place.movedGraceSeconds !== undefined || movedGraceMinutes !== null;
	if (hasMovedGrace && !isMinutes(movedGraceMinutes)) return null;
	if (trailHours === null || !Number.isInteger(trailHours) || trailHours < 1 || trailHours > hoursMax)
		return null;
	if (draft.trailViewers.length === 0) return null;
	const trailViewers = trailRoles.filter((role) => draft.trailViewers.includes(role));
	const viewersBefore: readonly string[] = place.trailViewers ?? trailRoles;
	const sameViewers =
		viewersBefore.length === trailViewers.length &&
		trailViewers.every((role) => viewersBefore.includes(role));
	const seconds = (minutes: number) => Math.round(minutes * 60);
	const slots = [];
	for (const each of draft.slots) {
		if (!isMinutes(each.earlyMinutes) || !isMinutes(each.lateMinutes)) return null;
		const [earlySeconds, lateSeconds] = [seconds(each.earlyMinutes), seconds(each.lateMinutes)];
		slots.push({ slot: each.slot, earlySeconds, lateSeconds });
	}
	const changed = <K extends 'policy' | 'earlySeconds' | 'lateSeconds' | 'movedGraceSeconds' | 'trailHours'>(
		name: K,
		value: PlaceEntrySettings[K]
	) => (place[name] === value ? {} : { [name]: value });
	return {
		...changed('policy', policy),
		...changed('earlySeconds', seconds(earlyMinutes)),
		...changed('lateSeconds', seconds(lateMinutes)),
		...(isMinutes(movedGraceMinutes) ? changed('movedGraceSeconds', seconds(movedGraceMinutes)) : {}),
		...changed('trailHours', trailHours),
		...(sameViewers ? {} : { trailViewers }),
		...(JSON.stringify(slots) === JSON.stringify(place.slots) ? {} : { slots }),
		...{ reason, expectedVersion: place.version }
	};
}
