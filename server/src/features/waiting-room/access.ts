import { AppError } from '../../errors.ts';
import type { PassVerdict, VerifyPass } from '../booking/index.ts';
import type { PlacedTicket, Queue } from './queue.ts';
import type { Ticket } from './ticket-table.ts';
import type { TokenCodec } from './tokens.ts';

/** From tokens to tickets and back. */
export interface Access {
	/**
	 * The ticket that was signed for one of these holders, and whose it is now: a browser's place that has joined
	 * `account` is found there.
	 * @throws AppError `not_yours` for everything that is not this holder's ticket, `old_epoch` for one of an earlier epoch
	 */
	ticketOf(
		token: unknown,
		holders: readonly string[],
		account: string | null
	): Promise<{ ticket: PlacedTicket; holder: string }>;
	signTicket(ticket: Ticket, holder: string): string;
	/** The same pass every time, until it is renewed: its times are those of the claim. */
	signPass(ticket: Ticket, holder: string): string;
	verifyPass: VerifyPass;
}

export function createAccess(deps: { codec: TokenCodec; queue: Queue; passMs: number }): Access {
	const { codec, queue } = deps;
	const readFor = (token: unknown, holders: readonly string[]) => {
		for (const holder of holders) {
			const claims = codec.readTicket(token, holder);
			if (claims) return { claims, holder };
		}
		return null;
	};
	return {
		async ticketOf(token, holders, account) {
			const read = readFor(token, holders);
			if (!read) throw new AppError('not_yours');
			const { claims, holder } = read;
			const known = claims.epoch === queue.figures().epoch;
			const ticket = known ? await queue.get(claims.number, { ...claims, holder }) : null;
			if (ticket) return { ticket, holder };
			const taken = known && (await queue.get(claims.number)) !== null;
			// The answer to the first claim was lost, or its pass is metered: the same person asks again.
			const joined =
				taken && account !== null ? await queue.get(claims.number, { ...claims, holder: account }) : null;
			if (joined && account !== null) return { ticket: joined, holder: account };
			// A browser's place that has joined an account is that account's, whoever else brings the link.
			throw new AppError(taken ? 'not_yours' : 'old_epoch', { rejoin: true });
		},
		signTicket: (ticket, holder) => codec.signTicket({ ...ticket, epoch: queue.figures().epoch }, holder),
		signPass: (ticket, holder) =>
			codec.signPass(
				{
					epoch: queue.figures().epoch,
					number: ticket.number,
					party: ticket.party,
					issuedAt: ticket.claimedAt,
					expiresAt: ticket.claimedAt + deps.passMs + ticket.extendedMs
				},
				holder
			),
		verifyPass(token, holder): PassVerdict | null {
			const claims = codec.readPass(token, holder);
			if (!claims) return null;
			const lives = claims.epoch === queue.figures().epoch && queue.passLives(claims, holder);
			return { ticket: `${claims.epoch}:${claims.number}`, party: claims.party, expired: !lives };
		}
	};
}
