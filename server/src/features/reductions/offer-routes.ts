import { Type } from 'typebox';
import { OfferAnswered, offerAnswers, type OfferAnswer } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import { readPermitId, type Identity } from '../permits/index.ts';

/** POST /permits/:id/offer: the holder of an affected permit takes the places offered, or gives the permit up. */
export function offerRoutes(
	app: HotApp,
	calls: {
		identity: Identity;
		answer(holder: string, id: string, answer: OfferAnswer): Promise<OfferAnswered>;
	}
): void {
	app.post(
		'/permits/:id/offer',
		{ schema: { params: Type.Object({ id: Type.String() }), response: { 200: OfferAnswered } } },
		async (request, reply) => {
			const { holder } = await calls.identity.identify(request);
			const id = readPermitId(request.params.id);
			if (!id) throw new AppError('not_yours');
			const answer = readAnswer(request.query) ?? readAnswer(request.body);
			if (!answer) throw new AppError('bad_input', { field: 'answer' });
			void reply.header('cache-control', 'no-store');
			return calls.answer(holder, id, answer);
		}
	);
}

function readAnswer(part: unknown): OfferAnswer | null {
	const said = (part as { answer?: unknown } | null | undefined)?.answer;
	return offerAnswers.find((one) => one === said) ?? null;
}
