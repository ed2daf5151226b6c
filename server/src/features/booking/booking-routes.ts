import { Booked, SlotsAnswer, type SlotOffer } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Identity } from '../permits/index.ts';
import type { BookResult } from './book.ts';
import { readBookRequest, type BookInput } from './read-request.ts';
import type { SlotsView } from './slots-view.ts';

export interface BookingCalls {
	identity: Identity;
	slots: SlotsView;
	book(holder: string, input: BookInput): Promise<BookResult>;
}

/** GET /slots and POST /book. */
export function bookingRoutes(app: HotApp, { identity, slots, book }: BookingCalls): void {
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
		const result = await book(holder, input);
		void reply.header('cache-control', 'no-store');
		return toAnswer(result, (party) => slots.offers(input.slot, party));
	});
}

/** The answer that travels. @throws AppError for every refusal */
export function toAnswer(result: BookResult, offers: (party: number) => SlotOffer[]): Booked {
	switch (result.outcome) {
		case 'booked':
		case 'repeated':
			return { ok: true, slot: result.slot, permit: result.permit, party: result.party };
		case 'alreadyBooked':
			throw new AppError('already_booked', { permit: result.permit });
		case 'slotFull':
			throw new AppError('slot_full', { alternatives: offers(result.party) });
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
