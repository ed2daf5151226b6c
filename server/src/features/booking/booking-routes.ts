import {
	Booked,
	SlotsAnswer,
	type PersonAttributes,
	type QuotaBlock,
	type SlotOffer
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { IdentifiableRequest, Identity } from '../permits/index.ts';
import type { BookResult, Wanted } from './book.ts';
import { blockOf } from './quota-words.ts';
import { readBookRequest, type BookInput } from './read-request.ts';
import type { SlotsView } from './slots-view.ts';

/** What a signed "ready" in a request says of its holder; null where there is none, or it is not good. No I/O. */
export type ReadPrepared = (request: IdentifiableRequest, holder: string) => PersonAttributes | null;

export interface BookingCalls {
	identity: Identity;
	slots: SlotsView;
	book(holder: string, input: BookInput, prepared: PersonAttributes | null): Promise<BookResult>;
	readPrepared: ReadPrepared;
}

/** GET /slots and POST /book. */
export function bookingRoutes(app: HotApp, { identity, slots, book, readPrepared }: BookingCalls): void {
	app.get('/slots', { schema: { response: { 200: SlotsAnswer } } }, async (_request, reply) => {
		const body = await slots.answer();
		// A prepared buffer travels as it is; the schema above describes it.
		return reply
			.header('cache-control', 'public, max-age=1')
			.header('content-type', 'application/json; charset=utf-8')
			.send(body as never);
	});

	app.post('/book', { schema: { response: { 200: Booked } } }, async (request, reply) => {
		const { holder } = await identity.identify(request);
		const input = readBookRequest(request);
		if ('fault' in input) throw new AppError('bad_input', { field: input.fault });
		const result = await book(holder, input, readPrepared(request, holder));
		void reply.header('cache-control', 'no-store');
		return toAnswer(result, (wanted) => slots.offers(input.slot, wanted));
	});
}

/** The answer that travels. @throws AppError for every refusal */
export function toAnswer(result: BookResult, offers: (wanted: Wanted) => SlotOffer[]): Booked {
	switch (result.outcome) {
		case 'booked':
		case 'repeated':
			return { ok: true, slot: result.slot, permit: result.permit, party: result.party };
		case 'alreadyBooked':
			throw new AppError('already_booked', { permit: result.permit });
		case 'slotFull':
			throw new AppError('slot_full', { alternatives: offers(result) });
		case 'quotaFull': {
			const blocking: QuotaBlock = blockOf(result.level);
			throw new AppError('quota_full', { blocking, alternatives: offers(result) });
		}
		case 'placeFilling':
			throw new AppError('place_filling', { alternatives: offers(result) }, result.retryAfterSeconds);
		case 'noPass':
			throw new AppError('no_pass');
		case 'notEligible':
			throw new AppError('not_eligible', result.reason === null ? {} : { reason: result.reason });
		case 'noSuchSlot':
			throw new AppError('no_such_slot');
		case 'partyDiffers':
			throw new AppError('bad_input', { field: 'party', party: result.party });
		case 'keyReused':
			throw new AppError('key_reused');
		case 'keyInFlight':
			throw new AppError('key_in_flight');
		case 'busy':
		case 'fault':
			throw new AppError('busy', {}, result.retryAfterSeconds);
		case 'closed':
			throw new AppError('booking_closed', {}, result.retryAfterSeconds);
		case 'notConfigured':
			throw new AppError('eligibility_not_configured', {}, result.retryAfterSeconds);
	}
}
