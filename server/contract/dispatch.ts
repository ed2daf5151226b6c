import { Type, type Static } from 'typebox';
import { LocalText, Mark, NumberOrNull, Quality } from './quality.ts';
import { Id } from './site.ts';

/** A text of bounded length. */
export const boundedText = (max: number, min = 1) => Type.String({ minLength: min, maxLength: max });
/** Something or nothing. */
export const orNull = <T extends Parameters<typeof Type.Object>[0][string]>(type: T) =>
	Type.Union([type, Type.Null()]);
/** Epoch ms. */
export const Moment = Type.Integer({ minimum: 0, maximum: 8.64e15 });
export const MomentOrNull = Type.Union([Type.Integer(), Type.Null()]);
const Key = boundedText(64);

/** An order that nobody acknowledged for so long is said, and rings. */
export const unansweredAfterMs = 60_000;
/** A command that was pressed longer ago is refused (`too_old`): nothing is sent later. */
export const commandAgeMaxMs = 30_000;
/** A place said so long ago is shown as old, and later as unknown: a team is never guessed to be where it was. */
export const placeStaleAfterMs = 900_000;
export const placeUnknownAfterMs = 3_600_000;
/** Welfare: a team at work says that it is well so often; in heat twice as often. Missed twice is an alarm. */
export const welfareEveryMs = 1_200_000;
export const welfareHeatEveryMs = 600_000;

/** When the person pressed, epoch ms by the server's clock; see {@link commandAgeMaxMs}. A script may leave it out. */
export const sentAt = Type.Optional(Moment);

/** Site time; a shift that ends before it begins passes midnight. */
export const Shift = Type.Object(
	{
		from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
		to: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
	},
	{ additionalProperties: false }
);
export type Shift = Static<typeof Shift>;

export const teamStates = ['free', 'busy', 'off-duty'] as const;
export const TeamState = Type.Enum(teamStates);
export type TeamState = (typeof teamStates)[number];

/** One team, as every screen sees it. Topic `dispatch`, key `team:{id}`. */
export const Team = Type.Object({
	id: Type.String(),
	version: Type.Integer(),
	names: LocalText,
	/** Radio channel and telephone, shown wherever the team is. */
	channel: Type.String(),
	phone: Type.String(),
	/** Accounts that move its dispatches. */
	leaders: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
	members: Type.Integer(),
	/** Zone where it stands by. */
	home: orNull(Type.String()),
	/** Zone where it said it is, and when; `unknown` is never guessed from `home`. */
	place: Type.Object({ zone: orNull(Type.String()), at: MomentOrNull, quality: Quality }),
	shift: orNull(Shift),
	/** Sent off duty by hand; `state` minds the shift, too. */
	offDuty: Type.Boolean(),
	state: TeamState,
	/** Its open dispatches, oldest first: a second one never hides the first. */
	jobs: Type.Array(Type.String()),
	/** When its next future job begins; it is free until then. */
	reservedFrom: MomentOrNull
});
export type Team = Static<typeof Team>;

/** Body of POST /api/v1/teams and PUT /api/v1/teams/:id (administrator). */
const teamFields = {
	names: LocalText,
	channel: boundedText(40),
	phone: boundedText(40),
	/** E-mail addresses of accounts with the role team-leader. */
	leaders: Type.Array(Type.String({ minLength: 3, maxLength: 254 }), { maxItems: 10 }),
	members: Type.Integer({ minimum: 1, maximum: 200 }),
	home: orNull(Id),
	shift: orNull(Shift)
};
export const TeamRequest = Type.Object(teamFields, { additionalProperties: false });
export type TeamRequest = Static<typeof TeamRequest>;
/** Answer of GET /api/v1/teams/leaders: accounts that may lead a team, by name. */
export const TeamLeaders = Type.Object({
	leaders: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }))
});
export type TeamLeaders = Static<typeof TeamLeaders>;
export const TeamChange = Type.Object(
	{ ...teamFields, expectedVersion: Type.Integer({ minimum: 0 }), retired: Type.Optional(Type.Boolean()) },
	{ additionalProperties: false }
);
export type TeamChange = Static<typeof TeamChange>;

/** Body of POST /api/v1/teams/:id/place: its leader, or the desk by radio. */
export const TeamPlaceRequest = Type.Object({ zone: Id, sentAt }, { additionalProperties: false });
/** Body of POST /api/v1/teams/:id/duty. */
export const TeamDutyRequest = Type.Object(
	{ offDuty: Type.Boolean(), sentAt },
	{ additionalProperties: false }
);

/** Where something is: a zone, the gate in it, and a few words. */
export const DispatchPlace = Type.Object({
	zone: Type.String(),
	names: LocalText,
	gate: orNull(Type.String()),
	spot: orNull(Type.String())
});
export type DispatchPlace = Static<typeof DispatchPlace>;
/** A place in a request: a zone or a gate, at least one of them. */
export const PlaceRequest = Type.Object(
	{ zone: Type.Optional(Id), gate: Type.Optional(Id), spot: Type.Optional(boundedText(80)) },
	{ additionalProperties: false }
);
export type PlaceRequest = Static<typeof PlaceRequest>;

/** `reserved` waits for its time; `cannot` is back at the desk until it is replaced or cancelled. */
export const dispatchStates = [
	'reserved',
	'sent',
	'acknowledged',
	'on-the-way',
	'on-the-spot',
	'done',
	'cannot',
	'cancelled'
] as const;
export const DispatchStateName = Type.Enum(dispatchStates);
export type DispatchStateName = (typeof dispatchStates)[number];
/** States in which a team works on it. */
export const workingStates = ['sent', 'acknowledged', 'on-the-way', 'on-the-spot'] as const;

/** A step with its clock and who said it; `byTeam` false: the desk said it for the team, by radio. */
export const DispatchStep = Type.Object({
	state: DispatchStateName,
	at: Type.Integer(),
	by: Type.String(),
	byTeam: Type.Boolean()
});
export type DispatchStep = Static<typeof DispatchStep>;

export const DispatchSource = Type.Union([
	Type.Object({ kind: Type.Literal('alarm'), id: Key }, { additionalProperties: false }),
	Type.Object({ kind: Type.Literal('incident'), id: Key }, { additionalProperties: false }),
	Type.Object({ kind: Type.Literal('hand') }, { additionalProperties: false })
]);
export type DispatchSource = Static<typeof DispatchSource>;

/** One order to one team. Topic `dispatch`, key `dispatch:{id}`. */
export const Dispatch = Type.Object({
	id: Type.String(),
	team: Type.String(),
	teamNames: LocalText,
	channel: Type.String(),
	phone: Type.String(),
	source: DispatchSource,
	place: DispatchPlace,
	/** What to do, in the words of the desk. */
	task: Type.String(),
	priority: Type.Union([
		Type.Literal('critical'),
		Type.Literal('high'),
		Type.Literal('medium'),
		Type.Literal('low')
	]),
	state: DispatchStateName,
	/** Every step so far, oldest first; a step that was skipped is not in it. */
	steps: Type.Array(DispatchStep),
	/** When a future job begins; null: at once. */
	startsAt: MomentOrNull,
	/** Not acknowledged for longer than {@link unansweredAfterMs}. */
	unanswered: Type.Boolean(),
	/** Walking time as it was proposed when it was sent, minutes; null: the place of the team was not known. */
	walkMinutes: orNull(Type.Object({ from: Type.Integer(), to: Type.Integer() })),
	/** The team asked for support and nobody has answered it yet. */
	support: orNull(Type.Object({ at: Type.Integer(), by: Type.String(), note: orNull(Type.String()) })),
	/** Why the team cannot, or why the desk cancelled. */
	reason: orNull(Type.String()),
	/** Why a busy team was sent all the same. */
	forced: orNull(Type.String()),
	/** The order that came after this one failed. */
	replacedBy: orNull(Type.String()),
	/**
	 * Runs while the team is on the way or on the spot: when it is due, how often it was missed since the last sign of
	 * life, and whether heat makes it shorter.
	 */
	welfare: orNull(
		Type.Object({
			lastAt: Type.Integer(),
			dueAt: Type.Integer(),
			everyMs: Type.Integer(),
			missed: Type.Integer(),
			heat: Type.Boolean()
		})
	),
	mark: Mark
});
export type Dispatch = Static<typeof Dispatch>;

/** Body of POST /api/v1/dispatches. A busy team: 409 `team_busy` with what it does; then `force` with a reason. */
export const DispatchRequest = Type.Object(
	{
		team: Key,
		source: Type.Optional(DispatchSource),
		place: PlaceRequest,
		task: boundedText(200),
		priority: Type.Optional(Dispatch.properties.priority),
		/** A future job: reserves the team from then on. */
		startsAt: Type.Optional(Moment),
		force: Type.Optional(Type.Object({ reason: boundedText(400, 3) }, { additionalProperties: false })),
		/** The order that came back (`cannot`) and is followed by this one. */
		replaces: Type.Optional(Key),
		/** Sent to help this one, which asked for support. */
		supports: Type.Optional(Key),
		sentAt
	},
	{ additionalProperties: false }
);
export type DispatchRequest = Static<typeof DispatchRequest>;

/**
 * Body of POST /api/v1/dispatches/:id/status. Team leaders of the team and the desk move it forward; `cannot` needs a
 * reason, and so does `cancelled`, which is the desk's alone.
 */
export const DispatchStatusRequest = Type.Object(
	{
		status: Type.Union([
			Type.Literal('acknowledged'),
			Type.Literal('on-the-way'),
			Type.Literal('on-the-spot'),
			Type.Literal('done'),
			Type.Literal('cannot'),
			Type.Literal('cancelled')
		]),
		reason: Type.Optional(boundedText(400, 3)),
		sentAt
	},
	{ additionalProperties: false }
);
export type DispatchStatusRequest = Static<typeof DispatchStatusRequest>;

/** Body of POST /api/v1/dispatches/:id/support: asked for by the team, or (`needed: false`) settled. */
export const SupportRequest = Type.Object(
	{ needed: Type.Boolean(), note: Type.Optional(boundedText(200)), sentAt },
	{ additionalProperties: false }
);
/** Body of POST /api/v1/dispatches/:id/well: "we are well". */
export const WellRequest = Type.Object({ sentAt }, { additionalProperties: false });

/** What a refusal `team_busy` carries as `warning`. */
export const TeamWarning = Type.Object({
	team: Type.String(),
	why: Type.Union([Type.Literal('busy'), Type.Literal('reserved'), Type.Literal('off-duty')]),
	jobs: Type.Array(
		Type.Object({
			id: Type.String(),
			state: DispatchStateName,
			task: Type.String(),
			place: DispatchPlace,
			since: Type.Integer(),
			startsAt: MomentOrNull
		})
	)
});
export type TeamWarning = Static<typeof TeamWarning>;

/** Query of GET /api/v1/teams/nearest: a zone or a gate. */
export const NearestQuery = Type.Object({ zone: Type.Optional(Id), gate: Type.Optional(Id) });
/** One proposal: free teams first, nearest first; a team whose place is unknown has no distance and says so. */
export const TeamProposal = Type.Object({
	team: Type.String(),
	state: TeamState,
	reservedFrom: MomentOrNull,
	place: Team.properties.place,
	/** Along the paths of the site; null: place unknown, or no path is known. */
	metres: NumberOrNull,
	minutes: orNull(Type.Object({ from: Type.Integer(), to: Type.Integer() })),
	/** Zones on the way, from where the team is. */
	via: Type.Array(Type.String()),
	why: Type.Union([Type.Literal('ok'), Type.Literal('place-unknown'), Type.Literal('no-path')])
});
export type TeamProposal = Static<typeof TeamProposal>;
export const TeamProposals = Type.Object({ place: DispatchPlace, proposals: Type.Array(TeamProposal) });

export const DispatchBoard = Type.Object({ dispatches: Type.Array(Dispatch) });
export const TeamList = Type.Object({ teams: Type.Array(Team) });

/** What orders say to the alarms. */
export const dispatchConditionKeys = [
	'dispatch-unanswered',
	'dispatch-welfare',
	'dispatch-support',
	'dispatch-returned'
] as const;
export type DispatchConditionKey = (typeof dispatchConditionKeys)[number];
/** One key of one order; an order that is no longer listed is over, and all its keys are off. */
export interface DispatchCondition {
	key: DispatchConditionKey;
	subject: { kind: 'dispatch'; id: string; names: LocalText };
	/** Where the team was sent. */
	zone: string;
	/** `unknown`: the store cannot be read. */
	state: 'on' | 'off' | 'unknown';
	since: number | null;
	value: number | null;
	limit: number | null;
	unit: 'seconds' | 'times';
	quality: Quality;
	mark: Mark;
}
