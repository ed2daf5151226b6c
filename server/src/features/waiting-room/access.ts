import { AppError } from '../../errors.ts';
import type { PassVerdict, VerifyPass } from '../booking/index.ts';
import type { Queue } from './queue.ts';
import type { Ticket } from './ticket-table.ts';
import type { TokenCodec } from './tokens.ts';

/** From tokens to tickets and back. */
export interface Access {
	/** @throws AppError `not_yours` for everything that is not this holder's ticket, `old_epoch` for one of an earlier epoch */
	ticketOf(token: unknown, holder: string): Ticket;
	signTicket(ticket: Ticket, holder: string): string;
	/** The same pass every time: its times are those of the claim. */
	signPass(ticket: Ticket, holder: string): string;
	verifyPass: VerifyPass;
}

export function createAccess(deps: {
	codec: TokenCodec;
	queue: Queue;
	passMs: number;
	now: () => number;
}): Access {
	const { codec, queue } = deps;
	return {
		ticketOf(token, holder) {
			const claims = codec.readTicket(token, holder);
			if (!claims) throw new AppError('not_yours');
			const ticket = claims.epoch === queue.figures().epoch ? queue.get(claims.number) : null;
			if (!ticket) throw new AppError('old_epoch', { rejoin: true });
			return ticket;
		},
		signTicket: (ticket, holder) =>
			codec.signTicket({ epoch: queue.figures().epoch, number: ticket.number }, holder),
		signPass: (ticket, holder) =>
			codec.signPass(
				{
					epoch: queue.figures().epoch,
					number: ticket.number,
					issuedAt: ticket.claimedAt,
					expiresAt: ticket.claimedAt + deps.passMs
				},
				holder
			),
		verifyPass(token, holder): PassVerdict | null {
			const claims = codec.readPass(token, holder);
			if (!claims) return null;
			const ticket = claims.epoch === queue.figures().epoch ? queue.get(claims.number) : null;
			// The lease decides, not the time inside the pass: a level may have stopped the clocks meanwhile.
			const lives = ticket?.state === 'admitted' && (ticket.dueAt > deps.now() || queue.figures().frozen);
			return { ticket: `${claims.epoch}:${claims.number}`, party: ticket?.party ?? 1, expired: !lives };
		}
	};
}
