import { Type, type Static } from 'typebox';
import { Mark } from './quality.ts';

const SecondsOrNull = Type.Union([Type.Number({ minimum: 0 }), Type.Null()]);

/** Who asks, in demo and laboratory (`?user=`), and the party that one ticket stands for. Query or JSON body. */
export const JoinRequest = Type.Object({
	user: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
	party: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 }))
});
export type JoinRequest = Static<typeof JoinRequest>;

/** A place in the waiting room. `etaSeconds` is null when nobody can know (rate 0). */
export const JoinWaiting = Type.Object({
	ticket: Type.String(),
	number: Type.Integer(),
	position: Type.Integer(),
	etaSeconds: SecondsOrNull,
	/** Alias kept for older clients. */
	eta_s: SecondsOrNull,
	pollAfterMs: Type.Integer(),
	admitted: Type.Literal(false),
	/**
	 * A returner who missed the turn stands ahead of the main lane: the public document says nothing about this
	 * place, the status does.
	 */
	late: Type.Optional(Type.Literal(true))
});
/** Below the limits the room is invisible: the pass comes at once. */
export const JoinAdmitted = Type.Object({
	admitted: Type.Literal(true),
	token: Type.String(),
	ticket: Type.String(),
	number: Type.Integer(),
	position: Type.Literal(0),
	etaSeconds: Type.Literal(0),
	eta_s: Type.Literal(0),
	pollAfterMs: Type.Integer(),
	expiresAt: Type.Integer()
});
export const JoinAnswer = Type.Union([JoinWaiting, JoinAdmitted]);
export type JoinAnswer = Static<typeof JoinAnswer>;

export const StatusWaiting = Type.Object({
	admitted: Type.Literal(false),
	position: Type.Integer(),
	etaSeconds: SecondsOrNull,
	eta_s: SecondsOrNull,
	etaRangeSeconds: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()]),
	pollAfterMs: Type.Integer()
});
/** The turn has come; the pass is still to be claimed (in the laboratory it is handed out here as `token`). */
export const StatusCalled = Type.Object({
	admitted: Type.Literal(true),
	claimBefore: Type.Union([Type.Integer(), Type.Null()]),
	token: Type.Optional(Type.String()),
	pollAfterMs: Type.Integer()
});
export const StatusAnswer = Type.Union([StatusWaiting, StatusCalled]);
export type StatusAnswer = Static<typeof StatusAnswer>;

export const LeaveAnswer = Type.Object({ left: Type.Literal(true) });

export const ClaimAnswer = Type.Object({ token: Type.String(), expiresAt: Type.Integer() });
export type ClaimAnswer = Static<typeof ClaimAnswer>;

/** The one public document: the same for everybody, cacheable for a second. A page works out its own place. */
export const Progress = Type.Object({
	room: Type.String(),
	epoch: Type.Integer(),
	mode: Type.Union([
		Type.Literal('open'),
		Type.Literal('queue-all'),
		Type.Literal('passthrough'),
		Type.Literal('reject')
	]),
	/**
	 * Highest number given out, and the number up to which everybody has been called or has gone: a page works out
	 * its position as number − released (1: the next; 0 or less: ask the status). People who left while they waited
	 * still count, so the position is never too small.
	 */
	issued: Type.Integer(),
	released: Type.Integer(),
	/** Holders ahead of `issued` that are really still waiting (people who left are not counted). */
	waiting: Type.Integer(),
	ratePerSecond: Type.Number(),
	serverTime: Type.Integer(),
	level: Type.Integer(),
	joinsOpen: Type.Boolean(),
	bookingOpen: Type.Boolean(),
	/** Polls are spread by this factor (levels slow them). */
	pollFactor: Type.Number(),
	/** Why the expected time rose, when it did: a stable word, translated by the page. */
	slowedBy: Type.Union([
		Type.Null(),
		Type.Literal('level'),
		Type.Literal('health'),
		Type.Literal('manager'),
		Type.Literal('full')
	]),
	/** The auditable draw; null until a room has one. */
	draw: Type.Null(),
	mark: Mark
});
export type Progress = Static<typeof Progress>;

/** Laboratory and staff figures of the room and the bookings. */
export const Stats = Type.Object({
	bookings: Type.Integer(),
	booked: Type.Integer(),
	issued: Type.Integer(),
	admitted: Type.Integer(),
	waiting: Type.Integer(),
	called: Type.Integer(),
	active: Type.Integer(),
	expired: Type.Integer(),
	capacity: Type.Integer()
});
export type Stats = Static<typeof Stats>;

/** Body of PUT /api/v1/queue/rate. */
export const RateRequest = Type.Object(
	{
		perSecond: Type.Number({ minimum: 0, maximum: 100_000 }),
		reason: Type.String({ minLength: 3, maxLength: 400 })
	},
	{ additionalProperties: false }
);
/** Answer of both: the duty manager's hand on the room as it now is. */
export const RoomSettings = Type.Object({ perSecond: Type.Number(), mode: Progress.properties.mode });
/** Body of PUT /api/v1/queue/mode. */
export const ModeRequest = Type.Object(
	{ mode: Progress.properties.mode, reason: Type.String({ minLength: 3, maxLength: 400 }) },
	{ additionalProperties: false }
);
