import { Type, type Static } from 'typebox';
import { DrawFacts } from './draw.ts';
import { Mark } from './quality.ts';

const SecondsOrNull = Type.Union([Type.Number({ minimum: 0 }), Type.Null()]);

const TimeOrNull = Type.Union([Type.Integer(), Type.Null()]);
const Reason = Type.String({ minLength: 3, maxLength: 400 });
const partyMax = 20;

/** Header of the key that a browser made for itself (128 random bits or more); `browserKey` in the body is the same. */
export const browserKeyHeader = 'x-browser-key';
/** What a browser key looks like. */
export const browserKeyPattern = '^[A-Za-z0-9_-]{22,128}$';

/**
 * Who asks, in demo and laboratory (`?user=`), or the browser's key for a place without an account, and the party
 * that one ticket stands for. Query or JSON body.
 */
export const JoinRequest = Type.Object({
	user: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
	browserKey: Type.Optional(Type.String({ pattern: browserKeyPattern })),
	party: Type.Optional(Type.Integer({ minimum: 1, maximum: partyMax })),
	/** Language of the page, counted and not kept; nothing is counted while `analytics` is off. */
	language: Type.Optional(Type.String({ pattern: '^[a-z]{2}$' }))
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

/**
 * In the pre-queue everybody is equal: no number and no position before the draw. The ticket is kept and asked with
 * after the draw, or the page joins again; both give the drawn place. Nothing need be asked before `opensAt`: the
 * public document says what happens.
 */
export const JoinRegistered = Type.Object({
	admitted: Type.Literal(false),
	registered: Type.Literal(true),
	ticket: Type.String(),
	number: Type.Null(),
	position: Type.Null(),
	etaSeconds: Type.Null(),
	eta_s: Type.Null(),
	/** When the order is drawn. */
	opensAt: Type.Integer(),
	/** Opaque id under which this holder stands in the published list. */
	entry: Type.String(),
	/** Came after the list was frozen: placed behind everybody drawn, first come first served. */
	late: Type.Optional(Type.Literal(true)),
	pollAfterMs: Type.Integer()
});
export type JoinRegistered = Static<typeof JoinRegistered>;
/** Everything POST /queue/join may answer. */
export const JoinReply = Type.Union([JoinWaiting, JoinAdmitted, JoinRegistered]);
export type JoinReply = Static<typeof JoinReply>;

/** A ticket of the pre-queue was asked with: the place it was drawn, and the ticket that stands for it from now on. */
const drawnPlace = { ticket: Type.Optional(Type.String()), number: Type.Optional(Type.Integer()) };

export const StatusWaiting = Type.Object({
	admitted: Type.Literal(false),
	position: Type.Integer(),
	etaSeconds: SecondsOrNull,
	eta_s: SecondsOrNull,
	etaRangeSeconds: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()]),
	pollAfterMs: Type.Integer(),
	...drawnPlace
});
/** The turn has come; the pass is still to be claimed (in the laboratory it is handed out here as `token`). */
export const StatusCalled = Type.Object({
	admitted: Type.Literal(true),
	claimBefore: Type.Union([Type.Integer(), Type.Null()]),
	token: Type.Optional(Type.String()),
	pollAfterMs: Type.Integer(),
	...drawnPlace
});
export const StatusAnswer = Type.Union([StatusWaiting, StatusCalled]);
export type StatusAnswer = Static<typeof StatusAnswer>;
/** Still in the pre-queue, or the draw is not done. */
export const StatusRegistered = Type.Omit(JoinRegistered, ['ticket', 'number']);
/** Everything GET /queue/status may answer. */
export const StatusReply = Type.Union([StatusWaiting, StatusCalled, StatusRegistered]);
export type StatusReply = Static<typeof StatusReply>;

export const LeaveAnswer = Type.Object({ left: Type.Literal(true) });

/** `ticket` is there when an anonymous place has just joined an account: it stands for the place from now on. */
export const ClaimAnswer = Type.Object({
	token: Type.String(),
	expiresAt: Type.Integer(),
	ticket: Type.Optional(Type.String())
});
export type ClaimAnswer = Static<typeof ClaimAnswer>;

/** A day that still has places, said to everybody when the wanted ones are gone. */
export const OtherDay = Type.Object({
	/** Civil date at the site, YYYY-MM-DD. */
	date: Type.String(),
	/** Null while the places-left counter is switched off. */
	left: Type.Union([Type.Integer(), Type.Null()])
});
export type OtherDay = Static<typeof OtherDay>;

/** Where the room is in its schedule; a room without one is open. `drawing`: T0 has come, places are being drawn. */
export const RoomState = Type.Union([
	Type.Literal('countdown'),
	Type.Literal('drawing'),
	Type.Literal('open'),
	Type.Literal('closed')
]);
export type RoomState = Static<typeof RoomState>;

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
	/** What is switched off now, by the names of the flags; pages say what people notice of it. Optional for older servers. */
	off: Type.Optional(Type.Array(Type.String())),
	/** Why the expected time rose, when it did: a stable word, translated by the page. */
	slowedBy: Type.Union([
		Type.Null(),
		Type.Literal('level'),
		Type.Literal('health'),
		Type.Literal('manager'),
		Type.Literal('full')
	]),
	/** The auditable draw; null until a room has one. */
	draw: Type.Union([Type.Null(), DrawFacts]),
	/** Always sent; optional for documents of older servers, which have no schedule. */
	state: Type.Optional(RoomState),
	/** From when people may register for the draw; null: from no time on, or there is no schedule. */
	preQueueOpensAt: Type.Optional(TimeOrNull),
	/** T0: the order is drawn and the room opens. */
	opensAt: Type.Optional(TimeOrNull),
	/** From then on no new places are given; who has one keeps it. */
	closesAt: Type.Optional(TimeOrNull),
	/** Places in the pre-queue so far; null without one. */
	registered: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
	/** A place may be had without an account, bound to the browser's key. */
	anonymousPlaces: Type.Optional(Type.Boolean()),
	/** Everything that people wait for is gone. */
	soldOut: Type.Optional(Type.Boolean()),
	otherDays: Type.Optional(Type.Array(OtherDay)),
	/** So long before the expected turn a page gives notice. */
	noticeSeconds: Type.Optional(Type.Integer()),
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

/** Body of PUT /api/v1/queue/schedule; times are epoch ms. A schedule of nulls takes it away. */
export const ScheduleRequest = Type.Object(
	{
		/** From when people may register for the draw at T0. Null: no pre-queue, the room opens at T0 first come first served. */
		preQueueOpensAt: TimeOrNull,
		opensAt: TimeOrNull,
		closesAt: TimeOrNull,
		/** How many people are expected to prepare; null: nobody knows. */
		expectedTotal: Type.Optional(
			Type.Union([Type.Integer({ minimum: 0, maximum: 100_000_000 }), Type.Null()])
		),
		/** Whether places may be had without an account (default: yes). */
		anonymousPlaces: Type.Optional(Type.Boolean()),
		/** So long before the expected turn a page gives notice (default: 120). */
		noticeSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })),
		reason: Reason,
		/** Version that this edit stands on, unless `If-Match` names it. */
		expectedVersion: Type.Optional(Type.Integer({ minimum: 0 }))
	},
	{ additionalProperties: false }
);
export type ScheduleRequest = Static<typeof ScheduleRequest>;

/** The schedule as it is, for staff. `version` is the ETag. */
export const Schedule = Type.Object({
	version: Type.Integer(),
	state: RoomState,
	epoch: Type.Integer(),
	preQueueOpensAt: TimeOrNull,
	opensAt: TimeOrNull,
	closesAt: TimeOrNull,
	expectedTotal: Type.Union([Type.Integer(), Type.Null()]),
	anonymousPlaces: Type.Boolean(),
	noticeSeconds: Type.Integer(),
	/** People who hold a signed "ready". */
	prepared: Type.Integer(),
	registered: Type.Union([Type.Integer(), Type.Null()]),
	draw: Type.Union([DrawFacts, Type.Null()])
});
export type Schedule = Static<typeof Schedule>;

/** Body of POST /api/v1/queue/epoch: voids every ticket and pass. `confirm` is the room's name, typed. */
export const EpochRequest = Type.Object(
	{
		expectedEpoch: Type.Integer({ minimum: 1 }),
		confirm: Type.String({ maxLength: 64 }),
		reason: Type.String({ minLength: 10, maxLength: 400 })
	},
	{ additionalProperties: false }
);
export type EpochRequest = Static<typeof EpochRequest>;
export const EpochAnswer = Type.Object({ epoch: Type.Integer() });

/** Body of POST /queue/prepare (or query): an account, its party and language. */
export const PrepareRequest = Type.Object({
	user: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
	party: Type.Optional(Type.Integer({ minimum: 1, maximum: partyMax })),
	language: Type.Optional(Type.String({ pattern: '^[a-z]{2}$' }))
});
/** The signed "ready": sent as `Authorization: Bearer` wherever a person is needed, checked by signature alone. */
export const PrepareAnswer = Type.Object({
	ready: Type.String(),
	expiresAt: Type.Integer(),
	party: Type.Integer(),
	/** False: nobody could be asked now, eligibility is checked when booking. */
	eligibilityChecked: Type.Boolean()
});
export type PrepareAnswer = Static<typeof PrepareAnswer>;
