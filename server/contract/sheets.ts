import { Type, type Static } from 'typebox';
import { boundedText, Dispatch, MomentOrNull, orNull, Team } from './dispatch.ts';
import { Incident } from './incidents.ts';
import { LocalText, Mark, NumberOrNull, Quality } from './quality.ts';

/** Lines of the two sheets, each with what paper needs. */
export const SheetAlarm = Type.Object({
	id: Type.String(),
	priority: Type.String(),
	title: LocalText,
	state: Type.String(),
	raisedAt: Type.Integer(),
	shelvedUntil: MomentOrNull
});
export type SheetAlarm = Static<typeof SheetAlarm>;
export const SheetGate = Type.Object({
	id: Type.String(),
	names: LocalText,
	direction: Type.String(),
	state: Type.String(),
	since: MomentOrNull,
	confirmed: Type.Boolean(),
	reason: orNull(Type.String())
});
export type SheetGate = Static<typeof SheetGate>;
export const SheetZone = Type.Object({
	id: Type.String(),
	names: LocalText,
	present: orNull(Type.Integer()),
	capacity: Type.Integer(),
	occupancy: NumberOrNull,
	quality: Quality,
	/** While it is unknown: the last value and the worst case. */
	lastKnown: orNull(Type.Object({ present: Type.Integer(), at: Type.Integer() })),
	worst: orNull(Type.Integer()),
	/** Action text of the step reached. */
	step: orNull(LocalText)
});
export type SheetZone = Static<typeof SheetZone>;
const SheetLevel = Type.Object({
	level: Type.Integer(),
	name: LocalText,
	since: Type.Integer(),
	by: orNull(Type.String()),
	reason: orNull(Type.String()),
	/** It is a drill. */
	exercise: Type.Optional(Type.Boolean())
});
const sheetBase = {
	at: Type.Integer(),
	site: LocalText,
	timeZone: Type.String(),
	mark: Mark,
	level: SheetLevel,
	dispatches: Type.Array(Dispatch),
	incidents: Type.Array(Incident),
	alarms: Type.Array(SheetAlarm)
};

/** Who handed over, what they wrote, and who took over from them: another person, or nobody yet. */
export const HandoverNote = Type.Object({
	id: Type.Integer(),
	at: Type.Integer(),
	by: Type.String(),
	note: Type.String(),
	taken: orNull(Type.Object({ at: Type.Integer(), by: Type.String() }))
});
export type HandoverNote = Static<typeof HandoverNote>;
/** One thing that changed, from the record. */
export const HandoverChange = Type.Object({
	at: Type.Integer(),
	actor: Type.String(),
	action: Type.String(),
	subject: orNull(Type.String()),
	reason: orNull(Type.String())
});

/** GET /api/v1/handover. */
export const HandoverQuery = Type.Object({
	hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 8 }))
});
export const HandoverSheet = Type.Object({
	...sheetBase,
	shelved: Type.Array(SheetAlarm),
	/** Gates that are not simply open. */
	gates: Type.Array(SheetGate),
	/** Zones of which too little is known. */
	zonesUnknown: Type.Array(SheetZone),
	teams: Type.Array(Team),
	changes: Type.Array(HandoverChange),
	/** True when more changed than is listed: the rest is in the record. */
	changesCut: Type.Boolean(),
	lastNotes: Type.Array(HandoverNote)
});
export type HandoverSheet = Static<typeof HandoverSheet>;
/** Body of POST /api/v1/handover: the leaving shift signs. */
export const HandoverRequest = Type.Object({ note: boundedText(2000) }, { additionalProperties: false });

/** Path of POST /api/v1/handover/:id/take: the coming shift takes over. */
export const HandoverParams = Type.Object({
	id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
});

/** GET /api/v1/state-sheet: `at` names one of `kept`, else the newest; `now` makes one of this moment. */
export const StateSheetQuery = Type.Object({
	at: Type.Optional(Type.Integer()),
	now: Type.Optional(Type.Boolean())
});
export const StateSheet = Type.Object({
	...sheetBase,
	zones: Type.Array(SheetZone),
	gates: Type.Array(SheetGate),
	teams: Type.Array(Team)
});
export type StateSheet = Static<typeof StateSheet>;
/** Made every 15 minutes; `kept` lists the moments of those that can be asked for, newest first. */
export const StateSheetAnswer = Type.Object({
	sheet: orNull(StateSheet),
	kept: Type.Array(Type.Integer())
});
export type StateSheetAnswer = Static<typeof StateSheetAnswer>;
