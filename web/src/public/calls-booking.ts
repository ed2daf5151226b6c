import type { Answer, call } from './calls.ts';
import type { Action, WaitState } from './state.ts';

/** Who asks: what goes into the body or query, and the headers. */
export interface Asker {
	user: Record<string, string>;
	headers: Record<string, string>;
}

/** Whoever asked last, as the server knows them, and by which way. */
let last: { by: Asker; via: typeof call } | null = null;
export const lastAsker = (): Asker | null => last && last.by;

/** The permit as it is now; null where nobody has asked for anything yet. */
export async function lookAtPermit(): Promise<Answer | null> {
	return last && last.via('/permits/mine', last.by.user, undefined, last.by.headers);
}

/** The calls of somebody whose turn has come or who has a permit. */
export function callBooking(
	action: Action,
	{ place, wanted, permit }: WaitState,
	by: Asker,
	via: typeof call
): Promise<Answer> {
	const { user, headers } = by;
	last = { by, via };
	const slot = wanted?.slot ?? 0;
	const permitPath = `/permits/${encodeURIComponent(permit?.id ?? '')}`;
	const keyed = { ...headers, 'idempotency-key': wanted?.key ?? '' };
	switch (action) {
		case 'claim':
			return via('/queue/claim', {}, { ...user, ticket: place?.ticket ?? '' }, headers);
		case 'permit':
			return via('/permits/mine', user, undefined, headers);
		case 'cancel':
			return via(`${permitPath}/cancel`, {}, user, keyed);
		case 'change':
			return via(`${permitPath}/change`, {}, { ...user, slot }, keyed);
		case 'accept':
		case 'decline':
			return via(`${permitPath}/offer`, {}, { ...user, answer: action }, keyed);
		case 'book':
			return via(
				'/book',
				{},
				{ ...user, slot, party: wanted?.party ?? 1, gated: 1 },
				{ ...keyed, 'x-token': place?.pass?.token ?? '' }
			);
		default:
			return via('/slots', {});
	}
}
