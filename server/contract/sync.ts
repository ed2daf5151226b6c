import { Type, type Static } from 'typebox';
import type { Alarm } from './alarms.ts';
import type { Dispatch, Team } from './dispatch.ts';
import type { Scanner, ScannerSettings } from './entries.ts';
import type { EvacuationState, Gate } from './gates.ts';
import type { Incident } from './incidents.ts';
import type { LevelsState } from './levels.ts';
import type { RecordEntry } from './people.ts';
import type { SitePlan, Zone } from './zones.ts';

/** Every kind of thing that a pull may bring, in the order of a bundle: what stands on something comes after it. */
export const syncKinds = [
	'site',
	'zones',
	'gates',
	'evacuation',
	'keys',
	'revocations',
	'entry-settings',
	'scanners',
	'levels',
	'alarms',
	'teams',
	'incidents',
	'dispatches',
	'record'
] as const;
export type SyncKind = (typeof syncKinds)[number];

/** A signed list as its own call gives it (`GET /permits/keys`, `/permits/revocations`). */
export interface SyncList {
	version: number;
	issuedAt: number;
	nextUpdateAt: number;
	/** The signed bytes, base64: what a scanner verifies under its pinned roots. */
	signed: string;
}

/**
 * The same revocation list told as a difference (permit-format.md, 7), for a caller that named the version it has. Whoever
 * cannot take it pulls again without a cursor of this kind and gets the list.
 */
export interface SyncListChange {
	/** The version that it changes. */
	base: number;
	/** The signed difference, base64. */
	change: string;
}

/**
 * What a scanner must know at once, beside `mode` and gate of its settings: an evacuation that concerns its gate. Staff
 * get the whole state under the same kind.
 */
export interface SyncSafety {
	/** Null: none is in force at this gate. */
	evacuation: { startedAt: number } | null;
}

/** The value of each kind. Which kinds a caller sees goes by its role; a scanner sees those marked so. */
export interface SyncValues {
	/** One, `id` is the site. */
	site: SitePlan;
	zones: Zone;
	gates: Gate;
	/** One, `id` is `evacuation`. Scanner, too: {@link SyncSafety}. */
	evacuation: EvacuationState | SyncSafety;
	/** Scanner only; one, `id` is `keys`. */
	keys: SyncList;
	/** Scanner only; one, `id` is `revocations`. */
	revocations: SyncList | SyncListChange;
	/**
	 * Scanner only; one, `id` is the scanner: its gate and mode, the place with entry policy, slots and grace. A newer
	 * `nextSeq` or `serverAt` alone is no change: take the time from the answer's `at`.
	 */
	'entry-settings': ScannerSettings;
	scanners: Scanner;
	/** One, `id` is `levels`. */
	levels: LevelsState;
	alarms: Alarm;
	teams: Team;
	incidents: Incident;
	dispatches: Dispatch;
	/** A log: at first the last page, then what is new. */
	record: RecordEntry;
}

/** Characters of one cursor, things in one part, and what is taken where no limit is named. */
export const syncCursorMax = 40_000;
export const syncLimitMax = 500;
export const syncLimitDefault = 200;
/** Bytes of a request. */
export const syncRequestBytesMax = 393_216;

const Name = Type.String({ maxLength: 40 });
/**
 * Body of POST /api/v1/sync/pull; `{}` asks for everything one may see, from nothing. Signed in by cookie, device token
 * or a scanner's token.
 */
export const SyncPullRequest = Type.Object(
	{
		/** These kinds alone; left out: all that the caller may see. */
		kinds: Type.Optional(Type.Array(Name, { maxItems: 40, uniqueItems: true })),
		/** What the last answer gave for each kind; a kind without one comes whole. Opaque. */
		cursors: Type.Optional(
			Type.Record(Name, Type.String({ maxLength: syncCursorMax }), { maxProperties: 40 })
		),
		/** Versions of lists that are held: what is new of them may come as a difference from there. */
		have: Type.Optional(
			Type.Object(
				{ revocations: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }) },
				{
					additionalProperties: false
				}
			)
		),
		/** Things of a kind in this answer. */
		limits: Type.Optional(
			Type.Record(Name, Type.Integer({ minimum: 1, maximum: syncLimitMax }), { maxProperties: 40 })
		)
	},
	{ additionalProperties: false }
);
export type SyncPullRequest = Static<typeof SyncPullRequest>;

/** One kind of which something is new. */
export const SyncPart = Type.Object({
	kind: Type.String(),
	/** Forget everything of this kind first: the cursor was missing, too old or of somewhere else. */
	reset: Type.Boolean(),
	/** New or changed things: put each in place of the one with the same id. */
	items: Type.Array(Type.Object({ id: Type.String(), value: Type.Unknown() })),
	/** Not null: all ids that there are now; forget every other one. */
	ids: Type.Union([Type.Array(Type.String()), Type.Null()]),
	/** Hand it over with the next pull, also when this one was cut short. */
	cursor: Type.String(),
	/** There is more of this kind: pull again at once. */
	hasMore: Type.Boolean()
});
export type SyncPart = Static<typeof SyncPart>;

/** Codes of a kind that this answer does not bring; its cursor stays as it was. */
export const syncErrorCodes = ['unknown_kind', 'forbidden', 'not_ready'] as const;

/** Answer of POST /api/v1/sync/pull. Apply the parts in their order: what they stand on comes first. */
export const SyncPullAnswer = Type.Object({
	/** Server time, epoch ms. */
	at: Type.Integer(),
	parts: Type.Array(SyncPart),
	/** Kinds that are as the cursor says: nothing to do, and the cursor stays good. */
	unchanged: Type.Array(Type.String()),
	errors: Type.Array(
		Type.Object({ kind: Type.String(), code: Type.Enum(syncErrorCodes), title: Type.String() })
	),
	/** One of the parts has more. */
	hasMore: Type.Boolean(),
	/** When to pull again if nothing is missing, milliseconds; jittered by the server. */
	pullAfterMs: Type.Integer(),
	/** Window of the first try after this server was lost, milliseconds: `Backoff.nameSpread`. */
	reconnectSpreadMs: Type.Integer()
});
export type SyncPullAnswer = Static<typeof SyncPullAnswer>;

/**
 * Why a pull, a push or a connection was refused for now; the `reason` of the problem (429, 503) or of `connect_error`.
 * `retryAfterSeconds` stands beside it, and as `Retry-After`.
 */
export const loadReasons = [
	/** More connect in this second than the server takes. */
	'handshakes',
	/** As many connections as this process, or as this tenant may have. */
	'process-full',
	'tenant-full',
	/** Waiting is full, for everybody or for this tenant; or it waited too long. */
	'queue-full',
	'queue-full-for-tenant',
	'too-late',
	/** Too many pulls failed in the last minute: the breaker is open. */
	'breaker-open',
	/** This client came too fast. */
	'pace'
] as const;
export type LoadReason = (typeof loadReasons)[number];

/**
 * Demo and laboratory alone: one machine plays many tenants. Header of pulls; for sockets the same text is
 * `simulatedTenant` in `auth`. Connections and turns are then counted for that tenant.
 */
export const simulatedTenantHeader = 'x-simulated-tenant';
