import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull } from './dispatch.ts';
import { EntryVerdict } from './entries.ts';
import { Mark, Quality } from './quality.ts';

/**
 * The same permit let people in where it should not have: `two-gates` at two gates that did not know of each other,
 * `second-use` more often than the policy of the place allows. Or what it was let in by is no permit of ours: `not-genuine`,
 * one of each batch, which names no permit.
 */
export const EntryConflict = Type.Object({
	id: Type.String(),
	kind: Type.Enum(['two-gates', 'second-use', 'not-genuine'] as const),
	/** Null once the trail was deleted, and where there is none of ours. */
	permit: orNull(Type.String()),
	gates: Type.Array(Type.String()),
	/** People let in by it, and people it is for: nobody, where it is none of ours. */
	people: Type.Integer(),
	party: Type.Integer(),
	/** Corrected time of the first and the last entry. */
	firstAt: Type.Integer(),
	lastAt: Type.Integer(),
	raisedAt: Type.Integer(),
	/** All entries it is made of came from scanners without a network. */
	offline: Type.Boolean(),
	seen: orNull(Type.Object({ by: Type.String(), at: Type.Integer(), reason: Type.String() }))
});
export type EntryConflict = Static<typeof EntryConflict>;
export const EntryConflictsAnswer = Type.Object({
	conflicts: Type.Array(EntryConflict),
	more: Type.Boolean()
});
/** Body of POST /api/v1/entries/conflicts/:id/seen. */
export const ConflictSeen = Type.Object({ reason: boundedText(400, 3) }, { additionalProperties: false });

/**
 * Counted against scanned at one gate over the last hour. Topic `crowd`, key `gap:{gate}`. `gap` is counted − scanned:
 * people who came in without a permit, or behind somebody else. Null while either is not known.
 */
export const EntryGap = Type.Object({
	gate: Type.String(),
	/** Which of the two decides occupancy. */
	authority: Type.Enum(['scans', 'counters', 'none'] as const),
	/** People in minus people out would hide a gap: these are people in. */
	scanned: orNull(Type.Integer()),
	counted: orNull(Type.Integer()),
	gap: orNull(Type.Integer()),
	/** People of `scanned` that were counted and not checked. */
	countOnly: Type.Integer(),
	/** People of `scanned` let in under a key of which nobody can say whether it is ours. */
	unproven: Type.Integer(),
	windowSeconds: Type.Integer(),
	/** How far back the older of the two reaches: when both were last heard. */
	at: MomentOrNull,
	quality: Quality,
	mark: Mark
});
export type EntryGap = Static<typeof EntryGap>;

/** One line of a permit's trail: GET /api/v1/entries/trail/:permit?reason=. Each look is on record. */
export const TrailEntry = Type.Object({
	device: Type.String(),
	seq: Type.Integer(),
	gate: Type.String(),
	direction: Type.Union([Type.Literal('in'), Type.Literal('out')]),
	verdict: EntryVerdict,
	cause: orNull(Type.String()),
	flags: Type.Array(Type.String()),
	findings: Type.Array(Type.String()),
	people: Type.Integer(),
	deviceAt: Type.Integer(),
	at: Type.Integer(),
	uncertaintyMs: Type.Integer(),
	receivedAt: Type.Integer(),
	offline: Type.Boolean()
});
export type TrailEntry = Static<typeof TrailEntry>;
/** `entries` is empty once the trail was deleted. `looks`: who looked at it before and why, newest first, this look among them. */
export const TrailAnswer = Type.Object({
	permit: Type.String(),
	entries: Type.Array(TrailEntry),
	looks: Type.Array(Type.Object({ by: Type.String(), at: Type.Integer(), reason: Type.String() }))
});
export type TrailAnswer = Static<typeof TrailAnswer>;
/** Why somebody looks. */
export const TrailQuery = Type.Object({ reason: boundedText(400, 3) }, { additionalProperties: false });
