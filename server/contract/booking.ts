import { Type, type Static } from 'typebox';
import { LocalText } from './quality.ts';
import { PermitOffer } from './reductions.ts';

/** One slot with places left, from a cache a second or two old. Times are epoch ms. */
export const Slot = Type.Object({
	id: Type.Integer(),
	place: Type.String(),
	startsAt: Type.Integer(),
	endsAt: Type.Integer(),
	capacity: Type.Integer(),
	/** Null while the places-left counter is switched off by a level. */
	left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
	full: Type.Boolean()
});
export type Slot = Static<typeof Slot>;
export const SlotsAnswer = Type.Object({
	slots: Type.Array(Slot),
	at: Type.Integer(),
	bookingOpen: Type.Boolean(),
	/** The site's time zone: hours are shown as they are at the place, wherever the reader is. */
	timeZone: Type.Optional(Type.String()),
	/** What a place is called, by its id. */
	places: Type.Optional(Type.Record(Type.String(), LocalText))
});
export type SlotsAnswer = Static<typeof SlotsAnswer>;

/** Body of POST /book (or query). `gated=1` asks the laboratory to insist on the pass. */
export const BookRequest = Type.Object({
	slot: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
	user: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
	party: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
	gated: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Boolean()]))
});
export type BookRequest = Static<typeof BookRequest>;

export const Booked = Type.Object({
	ok: Type.Literal(true),
	slot: Type.Integer(),
	permit: Type.String(),
	party: Type.Integer()
});
export type Booked = Static<typeof Booked>;

/** The holder's permit. `id` is its identity, `text` its signed form: the same each time it is asked for. */
export const Permit = Type.Object({
	id: Type.String(),
	slot: Type.Integer(),
	place: Type.String(),
	startsAt: Type.Integer(),
	endsAt: Type.Integer(),
	party: Type.Integer(),
	state: Type.Union([Type.Literal('valid'), Type.Literal('cancelled')]),
	issuedAt: Type.Integer(),
	timeZone: Type.Optional(Type.String()),
	placeName: Type.Optional(LocalText),
	/** `P1:…`, what a gate reads. Left out while no key can sign, which the server's keepers are told of. */
	text: Type.Optional(Type.String()),
	/** QR of the text (M, quiet zone of 4), as an SVG document; of the id while there is no text. */
	qr: Type.String(),
	/** What stands on it, in words: the civil day, and the religious night where it lies in one. */
	words: Type.Optional(LocalText),
	/** Its slot shrinks or closes: what the holder is offered instead. */
	offer: Type.Optional(PermitOffer)
});
export type Permit = Static<typeof Permit>;

/** Answer of POST /permits/:id/cancel, the same for repeats. */
export const PermitCancelled = Type.Object({
	ok: Type.Literal(true),
	permit: Type.String(),
	state: Type.Literal('cancelled')
});
export type PermitCancelled = Static<typeof PermitCancelled>;

/** What an eligibility service and a plan may call a country, a provider or a category. */
export const attributePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

/** By what quotas count a person; null where nobody said. */
export const PersonAttributes = Type.Object({
	country: Type.Union([Type.String({ pattern: attributePattern }), Type.Null()]),
	provider: Type.Union([Type.String({ pattern: attributePattern }), Type.Null()]),
	category: Type.Union([Type.String({ pattern: attributePattern }), Type.Null()])
});
export type PersonAttributes = Static<typeof PersonAttributes>;

/** Which level stands in the way of a booking (member `blocking` of `quota full`), in words, too. */
export const QuotaBlock = Type.Object({
	level: Type.Union([Type.Literal('country'), Type.Literal('provider'), Type.Literal('category')]),
	scope: Type.Union([Type.Literal('slot'), Type.Literal('season')]),
	/** No place is left, or none was ever foreseen for this person. */
	why: Type.Union([Type.Literal('full'), Type.Literal('no-share')]),
	text: LocalText
});
export type QuotaBlock = Static<typeof QuotaBlock>;

/** Body of POST /permits/:id/change (or query): the slot wanted instead. */
export const ChangeRequest = Type.Pick(BookRequest, ['slot', 'user']);
export type ChangeRequest = Static<typeof ChangeRequest>;
/** Answer, the same for repeats: the permit that is valid from now on. */
export const Changed = Type.Object({
	ok: Type.Literal(true),
	slot: Type.Integer(),
	permit: Type.String(),
	party: Type.Integer(),
	/** The permit that it replaced. */
	replaced: Type.String()
});
export type Changed = Static<typeof Changed>;

/** Another slot offered where the wanted one is full. */
export const SlotOffer = Type.Pick(Slot, ['id', 'place', 'startsAt', 'endsAt']);
export type SlotOffer = Static<typeof SlotOffer>;
