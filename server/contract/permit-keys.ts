import { Type, type Static } from 'typebox';

/** What a key that signs permits is doing. */
export const keyStates = ['next', 'signing', 'retired', 'over', 'compromised'] as const;
export type KeyState = (typeof keyStates)[number];

const At = Type.Integer();
const AtOrNever = Type.Union([At, Type.Null()]);
const Kid = Type.String({ pattern: '^[0-9a-f]{8}$' });
const Reason = Type.String({ minLength: 3, maxLength: 500 });

/** One key, without anything secret. Times are epoch ms. */
export const PermitKey = Type.Object({
	kid: Kid,
	/** Hexadecimal. */
	publicKey: Type.String(),
	state: Type.Enum(keyStates),
	createdAt: At,
	/** When it begins to sign; null while it is in no signed list. */
	signsFrom: AtOrNever,
	notAfter: At,
	/** When it first stood in a signed list. */
	listedAt: AtOrNever,
	compromisedAt: AtOrNever,
	urgent: Type.Boolean(),
	/** Its private part can be opened with the master secret of this server. */
	usable: Type.Boolean(),
	/** Valid permits signed under it. */
	permits: Type.Integer()
});
export type PermitKey = Static<typeof PermitKey>;

/** A signed list as it is served. */
export const PermitListFacts = Type.Object({
	version: Type.Integer(),
	issuedAt: At,
	nextUpdateAt: At,
	bytes: Type.Integer(),
	/** A newer one should have come by now. */
	stale: Type.Boolean()
});
export type PermitListFacts = Static<typeof PermitListFacts>;

export const PermitRoot = Type.Object({
	kid: Kid,
	publicKey: Type.String(),
	/** Made by this server for itself: demo and laboratory alone. */
	automatic: Type.Boolean(),
	pinnedAt: At
});
export type PermitRoot = Static<typeof PermitRoot>;

/** Answer of GET /permits/roots: what a scanner pins when it is set up. */
export const PermitRoots = Type.Object({ roots: Type.Array(PermitRoot) });

/** Answer of GET /api/v1/permits/keys. */
export const KeyBoard = Type.Object({
	at: At,
	/** When the server last read keys and lists. */
	readAt: At,
	season: Type.String(),
	roots: Type.Array(PermitRoot),
	keys: Type.Array(PermitKey),
	keyList: Type.Union([PermitListFacts, Type.Null()]),
	revocations: Type.Union([PermitListFacts, Type.Null()]),
	/** A list that waits for a root's signature: what to sign, base64url. */
	draft: Type.Union([Type.Object({ version: Type.Integer(), payload: Type.String() }), Type.Null()])
});
export type KeyBoard = Static<typeof KeyBoard>;

/** Body of POST /api/v1/permits/keys: `urgent` stands in for a lost key and signs as soon as it is listed. */
export const NextKeyRequest = Type.Object(
	{ reason: Reason, urgent: Type.Optional(Type.Boolean()) },
	{ additionalProperties: false }
);
/** Body of POST /api/v1/permits/keys/:kid/reissue. */
export const ReissueRequest = Type.Object({ reason: Reason }, { additionalProperties: false });
/** Body of POST /api/v1/permits/keys/:kid/compromised: `permits`, how many valid permits die with it. */
export const CompromisedRequest = Type.Object(
	{ reason: Reason, permits: Type.Optional(Type.Integer({ minimum: 0 })) },
	{ additionalProperties: false }
);
/** Body of POST /api/v1/permits/keys/list: a draft with a root's signature, base64url. */
export const SignedListRequest = Type.Object(
	{ reason: Reason, list: Type.String({ minLength: 1, maxLength: 12_000, pattern: '^[A-Za-z0-9_-]+$' }) },
	{ additionalProperties: false }
);
/** Body of POST /api/v1/permits/roots: a root's public key, hexadecimal. */
export const PinRootRequest = Type.Object(
	{ reason: Reason, publicKey: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
	{ additionalProperties: false }
);
/** How many permits a command moved. */
export const Reissued = Type.Object({ kid: Kid, permits: Type.Integer() });
