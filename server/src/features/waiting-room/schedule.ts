import type { DrawState, RoomState, ScheduleRequest } from '../../../contract/index.ts';

/** When a room lives. Times are epoch ms; without `opensAt` the room is open until it closes. */
export interface RoomSchedule {
	/** Counts the edits; 0: there never was one. */
	version: number;
	preQueueOpensAt: number | null;
	opensAt: number | null;
	closesAt: number | null;
	/** How many people are expected to prepare. */
	expectedTotal: number | null;
	anonymousPlaces: boolean;
	noticeSeconds: number;
}

/** What a schedule needs to know of the room's draw. */
export interface DrawStanding {
	state: DrawState;
	registered: number;
}

const noticeSecondsDefault = 120;
export const noSchedule: RoomSchedule = {
	version: 0,
	preQueueOpensAt: null,
	opensAt: null,
	closesAt: null,
	expectedTotal: null,
	anonymousPlaces: true,
	noticeSeconds: noticeSecondsDefault
};

/** A draw that people wait for. */
export function isRunning(state: DrawState): boolean {
	return state === 'committed' || state === 'frozen' || state === 'drawn';
}

/** Whether people may register until a draw that is still to come. */
export function drawsLater(
	{ preQueueOpensAt, opensAt }: Pick<RoomSchedule, 'preQueueOpensAt' | 'opensAt'>,
	now: number
): boolean {
	return preQueueOpensAt !== null && opensAt !== null && opensAt > now;
}

/** Where the room is, by the clock alone; after T0 it is not open before everybody drawn stands in it. */
export function roomStateAt(
	{ opensAt, closesAt }: Pick<RoomSchedule, 'opensAt' | 'closesAt'>,
	draw: DrawState | null,
	now: number
): RoomState {
	if (closesAt !== null && now >= closesAt) return 'closed';
	if (opensAt === null) return 'open';
	if (now < opensAt) return 'countdown';
	return draw !== null && isRunning(draw) ? 'drawing' : 'open';
}

/** From when somebody may join; null: at any time. */
export function joinableFrom({
	preQueueOpensAt,
	opensAt
}: Pick<RoomSchedule, 'preQueueOpensAt' | 'opensAt'>): number | null {
	return preQueueOpensAt ?? opensAt;
}

/** The schedule as an edit leaves it; settings that are not named stay. */
export function applyEdit(before: RoomSchedule, edit: ScheduleRequest): RoomSchedule {
	const after: RoomSchedule = {
		version: before.version,
		preQueueOpensAt: edit.preQueueOpensAt,
		opensAt: edit.opensAt,
		closesAt: edit.closesAt,
		expectedTotal: edit.expectedTotal === undefined ? before.expectedTotal : edit.expectedTotal,
		anonymousPlaces: edit.anonymousPlaces ?? before.anonymousPlaces,
		noticeSeconds: edit.noticeSeconds ?? before.noticeSeconds
	};
	const same = (Object.keys(after) as (keyof RoomSchedule)[]).every((name) => after[name] === before[name]);
	return same ? before : { ...after, version: before.version + 1 };
}

/** Why the times do not fit together, as the name of the time that is wrong; null when all is well. */
export function findScheduleFault({
	preQueueOpensAt,
	opensAt,
	closesAt
}: Pick<RoomSchedule, 'preQueueOpensAt' | 'opensAt' | 'closesAt'>): string | null {
	if (preQueueOpensAt !== null && (opensAt === null || preQueueOpensAt >= opensAt)) return 'preQueueOpensAt';
	if (closesAt !== null && opensAt !== null && closesAt <= opensAt) return 'closesAt';
	return null;
}

/**
 * Whether an edit would break a promise to people who have registered: their draw takes place, at a time that is
 * still to come, and what is frozen or drawn is not put off again.
 */
export function breaksPromise(
	before: RoomSchedule,
	after: RoomSchedule,
	draw: DrawStanding | null,
	now: number
): boolean {
	if (!draw || !isRunning(draw.state)) return false;
	if (draw.state === 'committed') {
		if (draw.registered === 0) return false;
		return after.opensAt === null || after.preQueueOpensAt === null || after.preQueueOpensAt > now;
	}
	return after.opensAt !== before.opensAt || after.preQueueOpensAt !== before.preQueueOpensAt;
}
