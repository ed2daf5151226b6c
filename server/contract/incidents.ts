import { Type, type Static } from 'typebox';
import { boundedText, DispatchPlace, orNull, PlaceRequest, sentAt } from './dispatch.ts';
import { Mark } from './quality.ts';

/** How often who said "I have it" says that they are still there, and after what silence anybody may take over. */
export const claimHeartbeatEveryMs = 15_000;
export const claimGoneAfterMs = 45_000;
/** Characters of a note about an incident: what and where, never who. */
export const incidentNoteMax = 200;

export const incidentKinds = ['lost-person', 'collapse', 'fight', 'heat', 'other'] as const;
export const IncidentKind = Type.Enum(incidentKinds);
export type IncidentKind = (typeof incidentKinds)[number];
export const agencies = ['red-crescent', 'civil-defence', '911'] as const;
export const Agency = Type.Enum(agencies);
export type Agency = (typeof agencies)[number];
export const incidentOutcomes = [
	'found',
	'treated',
	'handed-over',
	'settled',
	'false-alarm',
	'other'
] as const;
export const IncidentOutcome = Type.Enum(incidentOutcomes);
export type IncidentOutcome = (typeof incidentOutcomes)[number];

/** "I have it": who holds something, and whether they are still there. */
export const Claim = Type.Object({
	by: Type.String(),
	byId: Type.String(),
	at: Type.Integer(),
	heartbeatAt: Type.Integer(),
	/** False after {@link claimGoneAfterMs} of silence: anybody may take over without a reason. */
	alive: Type.Boolean()
});
export type Claim = Static<typeof Claim>;

/** One incident. Topic `dispatch`, key `incident:{id}`. Nothing in it says who a person is. */
export const Incident = Type.Object({
	id: Type.String(),
	kind: IncidentKind,
	place: DispatchPlace,
	note: orNull(Type.String()),
	openedAt: Type.Integer(),
	openedBy: Type.String(),
	state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
	told: Type.Array(Type.Object({ agency: Agency, at: Type.Integer(), by: Type.String() })),
	claim: orNull(Claim),
	dispatches: Type.Array(Type.String()),
	closed: orNull(
		Type.Object({
			at: Type.Integer(),
			by: Type.String(),
			outcome: IncidentOutcome,
			note: orNull(Type.String())
		})
	),
	mark: Mark
});
export type Incident = Static<typeof Incident>;

/** Body of POST /api/v1/incidents: kind and place are enough. A note that holds a number of 7 digits is refused. */
export const IncidentRequest = Type.Object(
	{
		kind: IncidentKind,
		place: PlaceRequest,
		note: Type.Optional(boundedText(incidentNoteMax)),
		told: Type.Optional(Type.Array(Agency, { maxItems: 3 })),
		sentAt
	},
	{ additionalProperties: false }
);
export type IncidentRequest = Static<typeof IncidentRequest>;
/** Body of POST /api/v1/incidents/:id/told. */
export const ToldRequest = Type.Object({ agency: Agency, sentAt }, { additionalProperties: false });
/** Body of POST /api/v1/incidents/:id/status. */
export const IncidentStatusRequest = Type.Object(
	{
		status: Type.Literal('closed'),
		outcome: IncidentOutcome,
		note: Type.Optional(boundedText(incidentNoteMax)),
		sentAt
	},
	{ additionalProperties: false }
);
export type IncidentStatusRequest = Static<typeof IncidentStatusRequest>;
/** Body of POST /api/v1/incidents/:id/take; from a living holder (409 `claim_held`) only with a reason. */
export const TakeRequest = Type.Object(
	{ reason: Type.Optional(boundedText(400, 3)), sentAt },
	{ additionalProperties: false }
);
/** Body of POST /api/v1/incidents/:id/heartbeat and /release. */
export const ClaimRequest = Type.Object({}, { additionalProperties: false });

export const IncidentBoard = Type.Object({ incidents: Type.Array(Incident) });
