import { Type, type Static } from 'typebox';

const TimeOrNull = Type.Union([Type.Integer(), Type.Null()]);
const Reason = Type.String({ minLength: 3, maxLength: 400 });
const partyMax = 20;

/** Life of a draw: committed (people register) → frozen (list closed, root public) → drawn → placed; or void. */
export const DrawState = Type.Union([
	Type.Literal('committed'),
	Type.Literal('frozen'),
	Type.Literal('drawn'),
	Type.Literal('placed'),
	Type.Literal('void')
]);
export type DrawState = Static<typeof DrawState>;

/** Where the outside randomness came from. */
export const DrawRandomness = Type.Object({
	/** Hexadecimal. */
	value: Type.String(),
	source: Type.String(),
	round: Type.Union([Type.Integer(), Type.Null()]),
	/** Made here, because nothing real is drawn: demo and laboratory alone. */
	simulated: Type.Boolean(),
	at: Type.Integer()
});

/**
 * The public facts of a draw; hexadecimal values, null until they exist. commitment = SHA-256(secret); seed =
 * SHA-256(secret ‖ root ‖ randomness); places in ascending order of HMAC-SHA256(seed, entry).
 */
export const DrawFacts = Type.Object({
	id: Type.Integer(),
	state: DrawState,
	kind: Type.Union([Type.Literal('opening'), Type.Literal('ballot')]),
	commitment: Type.String(),
	committedAt: Type.Integer(),
	/** Entries in the list: registered so far, final from the freeze on. */
	entries: Type.Integer(),
	frozenAt: TimeOrNull,
	root: Type.Union([Type.String(), Type.Null()]),
	/** The beacon's round that decides, named when the list was frozen and before that round existed. */
	waitsForRound: Type.Union([Type.Integer(), Type.Null()]),
	randomness: Type.Union([DrawRandomness, Type.Null()]),
	secret: Type.Union([Type.String(), Type.Null()]),
	seed: Type.Union([Type.String(), Type.Null()]),
	drawnAt: TimeOrNull,
	placedAt: TimeOrNull,
	/** Number in the waiting room of the first drawn entry: number = firstNumber + place − 1. */
	firstNumber: Type.Union([Type.Integer(), Type.Null()]),
	/** The list is frozen and the outside randomness does not come: nobody passes until it does. */
	stuck: Type.Boolean(),
	/** After the draw each page asks for its place at a random moment within so many seconds. */
	askWithinSeconds: Type.Integer()
});
export type DrawFacts = Static<typeof DrawFacts>;

/** Answer of GET /queue/draw/proof: that the holder's entry stands in the frozen list, and its place. */
export const DrawProof = Type.Object({
	draw: Type.Integer(),
	entry: Type.String(),
	/** The entry's line in the list; the leaf is SHA-256(0x00 ‖ line). */
	line: Type.String(),
	index: Type.Integer(),
	/** Sibling hashes from the leaf up, with the side on which each stands. */
	path: Type.Array(
		Type.Object({ side: Type.Union([Type.Literal('left'), Type.Literal('right')]), hash: Type.String() })
	),
	root: Type.String(),
	/** 1 is first; null until drawn. */
	place: Type.Union([Type.Integer(), Type.Null()])
});
export type DrawProof = Static<typeof DrawProof>;

/** Body of POST /api/v1/queue/draw: commits to a new draw, so that people may register. */
export const DrawRequest = Type.Object({ reason: Reason }, { additionalProperties: false });
/** Body of POST /api/v1/queue/draw/randomness: a value that nobody here could know when the list was frozen. */
export const RandomnessRequest = Type.Object(
	{
		/** Hexadecimal, 16 to 64 bytes. */
		value: Type.String({ pattern: '^([0-9a-fA-F]{2}){16,64}$' }),
		/** Where it was published and when, so that anybody finds it. */
		source: Type.String({ minLength: 10, maxLength: 400 }),
		round: Type.Optional(Type.Integer({ minimum: 0 })),
		reason: Reason
	},
	{ additionalProperties: false }
);

export type RandomnessRequest = Static<typeof RandomnessRequest>;

/**
 * What there is to give in a ballot, counted and published when its list is frozen: places of each slot, and of each
 * share of the quotas that count (`value` empty: the common share). `other`: what happens to people without a share.
 */
export const BallotRules = Type.Object({
	slots: Type.Array(Type.Object({ id: Type.Integer(), left: Type.Integer() })),
	quotas: Type.Array(
		Type.Object({
			id: Type.Integer(),
			/** Null: over all slots. */
			slot: Type.Union([Type.Integer(), Type.Null()]),
			dimension: Type.Union([Type.Literal('country'), Type.Literal('provider'), Type.Literal('category')]),
			other: Type.Union([Type.Literal('refuse'), Type.Literal('free'), Type.Literal('share')]),
			/** Unused shares have gone to the common one. */
			returned: Type.Boolean(),
			shares: Type.Array(Type.Object({ value: Type.String(), left: Type.Integer() }))
		})
	)
});
export type BallotRules = Static<typeof BallotRules>;

/** Body of POST /api/v1/queue/ballot: opens a ballot for these slots, so that people register over days. */
export const BallotRequest = Type.Object(
	{
		slots: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
			minItems: 1,
			maxItems: 500,
			uniqueItems: true
		}),
		/** When the list is frozen and drawn. */
		closesAt: Type.Integer({ minimum: 0 }),
		reason: Reason
	},
	{ additionalProperties: false }
);
export type BallotRequest = Static<typeof BallotRequest>;

/** A ballot as everybody may see it. */
export const Ballot = Type.Object({
	draw: DrawFacts,
	closesAt: Type.Integer(),
	/** Slots that may be chosen. */
	slots: Type.Array(Type.Integer()),
	/** Null until the list is frozen. */
	rules: Type.Union([BallotRules, Type.Null()]),
	/** Parties that were given a slot, and those that were not; null until the order was walked. */
	given: Type.Union([Type.Object({ placed: Type.Integer(), unplaced: Type.Integer() }), Type.Null()])
});
export type Ballot = Static<typeof Ballot>;

/** Body of POST /queue/ballot: wishes of one party, the best first. Sent again it takes the place of what was sent before. */
export const BallotWish = Type.Object({
	user: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
	choices: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
		minItems: 1,
		maxItems: 10,
		uniqueItems: true
	}),
	party: Type.Optional(Type.Integer({ minimum: 1, maximum: partyMax }))
});
export type BallotWish = Static<typeof BallotWish>;

/** What somebody in a ballot may know of their own party. */
export const BallotMine = Type.Object({
	draw: Type.Integer(),
	state: DrawState,
	entry: Type.String(),
	party: Type.Integer(),
	choices: Type.Array(Type.Integer()),
	/** Rank in the order drawn; null until then. */
	place: Type.Union([Type.Integer(), Type.Null()]),
	/** `waiting` until the order was walked; `unplaced`: none of the choices was left, and that is said. */
	outcome: Type.Union([Type.Literal('waiting'), Type.Literal('placed'), Type.Literal('unplaced')]),
	slot: Type.Union([Type.Integer(), Type.Null()])
});
export type BallotMine = Static<typeof BallotMine>;
