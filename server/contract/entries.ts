import { Type, type Static } from 'typebox';
import { boundedText, MomentOrNull, orNull } from './dispatch.ts';
import { GateStateName } from './gates.ts';
import { LocalText, Mark, NumberOrNull } from './quality.ts';
import { Id } from './site.ts';

/** A batch holds so many entries at most, and so many bytes. */
export const entryBatchMax = 500;
export const entryBatchBytesMax = 393_216;
/** A device clock further off than this is said to be wrong; nobody is refused for it. */
export const scannerClockSkewedMs = 60_000;

/** What the gate saw: enter, do not enter, enter although something of ours is out of order. */
export const entryVerdicts = ['green', 'amber', 'red'] as const;
export const EntryVerdict = Type.Enum(entryVerdicts);
export type EntryVerdict = (typeof entryVerdicts)[number];

/** Why a scan was red. */
export const entryCauses = [
	'wrong-gate',
	'wrong-place',
	'wrong-season',
	'early',
	'late',
	'revoked',
	'used',
	'bad-signature',
	'compromised-key',
	'bad-format',
	'gate-closed'
] as const;
export type EntryCause = (typeof entryCauses)[number];

/** What the scanner noted beside its verdict. */
export const entryFlags = [
	'unknown-key',
	'old-keys',
	'old-revocations',
	'clock-untrusted',
	/** Outside the window, inside its grace. */
	'grace',
	/** The permit was moved with its slot, and is honoured for a while beside the one that came of it. */
	'moved',
	/** A supervisor let the person in although the scan was red. */
	'supervisor'
] as const;
export type EntryFlag = (typeof entryFlags)[number];

/** What the server found when the entry came; for people to look at, never a change of what happened. */
export const entryFindings = [
	/** The permit was cancelled or revoked before it was let in. */
	'revoked-at-scan',
	/** No permit of this season has that id. */
	'unknown-permit',
	'other-place',
	/** More people than the permit is for. */
	'party-exceeded',
	/** Let in under a key that the scanner did not know, and the server's newest keys say: no permit of ours. */
	'not-genuine',
	/** Let in under a key that the scanner did not know, and nobody could say whether it is a permit of ours. */
	'unproven'
] as const;
export type EntryFinding = (typeof entryFindings)[number];

/** Why people are counted without looking at permits. */
export const countReasons = ['pressure', 'evacuation', 'scanner-fault', 'no-permit-needed', 'other'] as const;
export type CountReason = (typeof countReasons)[number];

const Seq = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });
const DeviceTime = Type.Integer({ minimum: 0, maximum: 8.64e15 });
const PermitId = Type.String({ pattern: '^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$' });
const Boot = boundedText(64);
const common = {
	/** Rises by one with each entry of the device and never begins anew: with the device it is the key. */
	seq: Seq,
	/** Where the clock that never jumps began: a new text each time the page starts. */
	boot: Boot,
	gate: Id,
	lane: Type.Optional(boundedText(32)),
	direction: Type.Enum(['in', 'out'] as const),
	/** By the device's own clock, epoch ms, right or wrong. */
	deviceAt: DeviceTime,
	/** Milliseconds since the start of this boot, by the clock that never jumps. */
	uptimeMs: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
	/** The server was not to be reached. */
	offline: Type.Boolean()
};

/** One permit that was scanned. `people` is how many pass by this scan, 0 when it is red. */
export const PermitEntry = Type.Object(
	{
		kind: Type.Literal('permit'),
		...common,
		verdict: EntryVerdict,
		cause: Type.Optional(Type.Enum(entryCauses)),
		flags: Type.Optional(Type.Array(Type.Enum(entryFlags), { maxItems: 8, uniqueItems: true })),
		/** The id inside the signature; left out for what is no permit of ours. */
		permit: Type.Optional(PermitId),
		/** The scanned text, beside `unknown-key`: the server judges it by its own keys and does not keep it. */
		text: Type.Optional(boundedText(300)),
		people: Type.Integer({ minimum: 0, maximum: 20 }),
		/** Party: how many of how many are in with this scan, as the device knows ("4 of 6"). */
		party: Type.Optional(
			Type.Object(
				{
					entered: Type.Integer({ minimum: 0, maximum: 20 }),
					of: Type.Integer({ minimum: 1, maximum: 20 })
				},
				{ additionalProperties: false }
			)
		),
		/** Versions of the lists that it was judged by. */
		keysVersion: Type.Optional(Type.Integer({ minimum: 0 })),
		revocationsVersion: Type.Optional(Type.Integer({ minimum: 0 }))
	},
	{ additionalProperties: false }
);
export type PermitEntry = Static<typeof PermitEntry>;

/** People counted and not scanned. */
export const CountEntry = Type.Object(
	{
		kind: Type.Literal('count'),
		...common,
		people: Type.Integer({ minimum: 1, maximum: 200 }),
		reason: Type.Enum(countReasons)
	},
	{ additionalProperties: false }
);
export type CountEntry = Static<typeof CountEntry>;
export const Entry = Type.Union([PermitEntry, CountEntry]);
export type Entry = PermitEntry | CountEntry;

/** What a scanner says of itself with each batch. Ages in seconds, null: it has none. */
export const ScannerReport = Type.Object(
	{
		queued: Type.Optional(Type.Integer({ minimum: 0 })),
		keys: Type.Optional(
			Type.Object(
				{ version: Type.Integer({ minimum: 0 }), ageSeconds: NumberOrNull },
				{ additionalProperties: false }
			)
		),
		revocations: Type.Optional(
			Type.Object(
				{ version: Type.Integer({ minimum: 0 }), ageSeconds: NumberOrNull },
				{ additionalProperties: false }
			)
		),
		build: Type.Optional(boundedText(64))
	},
	{ additionalProperties: false }
);
export type ScannerReport = Static<typeof ScannerReport>;

/**
 * Body of POST /api/v1/entries, `Authorization: Bearer` with the scanner's token. Each entry is looked at by itself
 * ({@link Entry}): a bad one is set aside and blocks nothing. `entries` may be empty: a sign of life.
 */
export const EntryBatch = Type.Object(
	{
		device: Id,
		entries: Type.Array(Type.Unknown(), { maxItems: entryBatchMax }),
		/** Both clocks of the device at the moment of sending, and how long the last call took there and back. */
		clock: Type.Object(
			{
				deviceAt: DeviceTime,
				uptimeMs: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
				boot: Boot,
				roundTripMs: Type.Optional(Type.Number({ minimum: 0, maximum: 600_000 }))
			},
			{ additionalProperties: false }
		),
		report: Type.Optional(ScannerReport)
	},
	{ additionalProperties: false }
);
export type EntryBatch = Static<typeof EntryBatch>;

/** Why an entry was set aside; the words stand in `setAsideWords`. It is kept, and never sent again. */
export const setAsideCodes = ['bad_shape', 'contradicts_itself', 'other_gate', 'seq_reused'] as const;
export type SetAsideCode = (typeof setAsideCodes)[number];
export const setAsideWords: Record<SetAsideCode, LocalText> = {
	bad_shape: { ar: 'القيد ليس بالشكل الصحيح.', en: 'The entry is not as it should be.' },
	contradicts_itself: {
		ar: 'القيد يناقض نفسه: النتيجة لا تطابق عدد الأشخاص.',
		en: 'The entry contradicts itself: verdict and people do not fit.'
	},
	other_gate: {
		ar: 'القيد يخص بوابة أخرى غير بوابة هذا الماسح.',
		en: 'The entry is of another gate than the one this scanner belongs to.'
	},
	seq_reused: {
		ar: 'رقم القيد استُخدم من قبل لقيد آخر من هذا الماسح.',
		en: 'This number was used before for another entry of this scanner.'
	}
};

/** The clock of the device against the server's. `offsetMs` is device minus server. */
export const ScannerClock = Type.Object({
	offsetMs: Type.Integer(),
	uncertaintyMs: Type.Integer(),
	state: Type.Enum(['good', 'skewed'] as const)
});
export type ScannerClock = Static<typeof ScannerClock>;

/**
 * Answer of POST /api/v1/entries, after the commit. Delete from the queue what is acknowledged or set aside, and nothing
 * else.
 */
export const EntryBatchAnswer = Type.Object({
	device: Type.String(),
	/** Inclusive ranges `[from, to]` of numbers that are stored, now or before, ascending. */
	acknowledged: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })),
	stored: Type.Integer(),
	repeated: Type.Integer(),
	setAside: Type.Array(
		Type.Object({
			/** Its place in the batch, from 0. */
			index: Type.Integer(),
			seq: orNull(Type.Integer()),
			code: Type.Enum(setAsideCodes),
			title: Type.String()
		})
	),
	/** The first number that this device never used: one that lost its memory goes on here. */
	nextSeq: Type.Integer(),
	/** Server time when the batch came, and when this was answered: the device sets its own by it. */
	receivedAt: Type.Integer(),
	serverAt: Type.Integer(),
	clock: ScannerClock
});
export type EntryBatchAnswer = Static<typeof EntryBatchAnswer>;

/** How often one permit lets people in: once; again while its window lasts; or as often as they also left. */
export const entryPolicies = ['single', 're-entry', 'in-and-out'] as const;
export const EntryPolicy = Type.Enum(entryPolicies);
export type EntryPolicy = (typeof entryPolicies)[number];

/** Who may look at trails at all; each place says which of them may look at those of its own. */
export const trailRoles = ['duty-manager', 'administrator'] as const;
const TrailViewers = Type.Optional(
	Type.Array(Type.Enum(trailRoles), { minItems: 1, maxItems: trailRoles.length, uniqueItems: true })
);

const Grace = {
	earlySeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
	lateSeconds: Type.Integer({ minimum: 0, maximum: 86_400 })
};
/** Settings of a place, and of single slots there. */
export const PlaceEntrySettings = Type.Object({
	place: Type.String(),
	placeNames: LocalText,
	policy: EntryPolicy,
	...Grace,
	/** Slots with a grace of their own. */
	slots: Type.Array(Type.Object({ slot: Type.Integer(), ...Grace })),
	/** For so long after a permit was moved with its slot, gates honour it beside the new one. */
	movedGraceSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
	/** The permit's id goes from its entries so many hours after the window; counts stay. */
	trailHours: Type.Integer(),
	/** Who may look at a trail that leads through this place. */
	trailViewers: TrailViewers,
	version: Type.Integer()
});
export type PlaceEntrySettings = Static<typeof PlaceEntrySettings>;

/** Body of PUT /api/v1/entries/places/:place. What is left out stays. */
export const PlaceEntryRequest = Type.Object(
	{
		policy: Type.Optional(EntryPolicy),
		earlySeconds: Type.Optional(Grace.earlySeconds),
		lateSeconds: Type.Optional(Grace.lateSeconds),
		slots: Type.Optional(
			Type.Array(
				Type.Object(
					{ slot: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), ...Grace },
					{ additionalProperties: false }
				),
				{ maxItems: 500 }
			)
		),
		movedGraceSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
		trailHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_760 })),
		trailViewers: TrailViewers,
		reason: boundedText(400, 3),
		expectedVersion: Type.Optional(Type.Integer({ minimum: 0 }))
	},
	{ additionalProperties: false }
);
export type PlaceEntryRequest = Static<typeof PlaceEntryRequest>;
export const PlaceEntrySettingsList = Type.Object({ places: Type.Array(PlaceEntrySettings) });

/** What a scanner does now: check permits; let nobody in; or stop checking and count people out. */
export const scannerModes = ['check', 'held', 'closed', 'count-out'] as const;
export type ScannerMode = (typeof scannerModes)[number];

/** A permit that was moved to another slot, and the one that is valid instead. Place and times are of the new one. */
export const MovedPermit = Type.Object({
	permit: PermitId,
	successor: PermitId,
	honouredUntil: Type.Integer(),
	place: Type.String(),
	slot: Type.Integer(),
	startsAt: Type.Integer(),
	endsAt: Type.Integer(),
	/** Where and when the old one was good. Settings that were kept by an older build are without it. */
	before: Type.Optional(
		Type.Object({
			place: Type.String(),
			slot: Type.Integer(),
			startsAt: Type.Integer(),
			endsAt: Type.Integer()
		})
	)
});
export type MovedPermit = Static<typeof MovedPermit>;

/** Answer of GET /api/v1/entries/settings, device token: everything a scanner needs to judge alone. */
export const ScannerSettings = Type.Object({
	device: Type.String(),
	name: Type.String(),
	season: Type.String(),
	gate: Type.Object({
		id: Type.String(),
		names: LocalText,
		direction: Type.Union([Type.Literal('in'), Type.Literal('out')]),
		/** As commanded; null: nobody knows just now. */
		state: orNull(GateStateName),
		ratePerMinute: NumberOrNull,
		holdUntil: MomentOrNull
	}),
	mode: Type.Enum(scannerModes),
	/** Of the place that the gate leads into; null where it leads into none. */
	place: orNull(PlaceEntrySettings),
	/**
	 * Permits of the place, and permits that came to it, that were moved to another slot because theirs shrank or closed. Until
	 * `honouredUntil` the old one opens the gate as the new one does, in its own window or in the new one's (amber: "moved,
	 * show the new one"), and so does the new one in the window of the old one; after that it is revoked, and the holder is told when and where the new one is good. Either of both
	 * used is a use of both: they are one permit. Newest first, a bounded number; the revocation list has the old one only
	 * from `honouredUntil` on.
	 */
	moved: Type.Optional(Type.Array(MovedPermit)),
	/** Gates of the place by name, to send somebody to the right one. */
	gates: Type.Array(Type.Object({ id: Type.String(), names: LocalText })),
	/** Every place of the site by name, for somebody who stands at the wrong one. */
	places: Type.Optional(Type.Array(Type.Object({ id: Type.String(), names: LocalText }))),
	nextSeq: Type.Integer(),
	serverAt: Type.Integer(),
	timeZone: Type.String(),
	mark: Mark
});
export type ScannerSettings = Static<typeof ScannerSettings>;

/** One scanner as staff see it. Topic `crowd`, key `scanner:{id}`. */
export const Scanner = Type.Object({
	id: Type.String(),
	name: Type.String(),
	gate: Type.String(),
	createdAt: Type.Integer(),
	createdBy: Type.String(),
	revokedAt: MomentOrNull,
	/** When it last spoke; null: never. */
	seenAt: MomentOrNull,
	state: Type.Enum(['online', 'silent', 'never', 'revoked'] as const),
	/** Its clock when it last spoke. */
	clock: orNull(ScannerClock),
	/** What it said of itself then; ages as of `seenAt`. */
	report: orNull(ScannerReport),
	/** Entries kept, numbers set aside, and the newest number. */
	entries: Type.Integer(),
	setAside: Type.Integer(),
	newestSeq: Type.Integer()
});
export type Scanner = Static<typeof Scanner>;
export const ScannersAnswer = Type.Object({ scanners: Type.Array(Scanner) });

/** Body of POST /api/v1/scanners. A scanner belongs to one gate for its life: for another gate make another one. */
export const ScannerRequest = Type.Object(
	{ name: boundedText(80), gate: Id, reason: boundedText(400, 3) },
	{ additionalProperties: false }
);
export type ScannerRequest = Static<typeof ScannerRequest>;
/**
 * Its answer: the token is shown this once, and null when the same command is sent again. `pairingQr` is the text of
 * `encodePairing` (scanner-pairing.ts) as an SVG picture, which a scanner reads when it is set up.
 */
export const ScannerCreated = Type.Object({
	scanner: Scanner,
	token: orNull(Type.String()),
	pairingQr: orNull(Type.String())
});
export type ScannerCreated = Static<typeof ScannerCreated>;
/** Body of POST /api/v1/scanners/:id/revoke. */
export const ScannerRevocation = Type.Object(
	{ reason: boundedText(400, 3) },
	{ additionalProperties: false }
);
