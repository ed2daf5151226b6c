import type { DrawFacts, DrawState } from '../../../../contract/index.ts';
import { limits } from '../../../limits.ts';
import type { StoredDraw, StoredState } from './draw-store.ts';
import { seedOf } from './order.ts';

/** States as everybody knows them. */
export function publicState(state: StoredState): DrawState {
	return state === 'closing' ? 'drawn' : state;
}

/** What everybody may know of a draw now: nothing is in it before its time. */
export function factsOf(draw: StoredDraw, now: number): DrawFacts {
	const { root, randomness, secret } = draw;
	const known = draw.state === 'drawn' || draw.state === 'closing' || draw.state === 'placed';
	const seed =
		known && root !== null && randomness && secret !== null
			? seedOf({ secret: Buffer.from(secret, 'hex'), root, randomness: randomness.value }).toString('hex')
			: null;
	const waits = draw.state === 'frozen' && randomness === null;
	return {
		id: draw.id,
		state: publicState(draw.state),
		kind: draw.kind,
		commitment: draw.commitment,
		committedAt: draw.committedAt,
		entries: draw.registered,
		frozenAt: draw.frozenAt,
		root,
		waitsForRound: draw.waitsForRound,
		randomness,
		secret: known ? secret : null,
		seed,
		drawnAt: draw.drawnAt,
		placedAt: draw.placedAt,
		firstNumber: draw.firstNumber,
		stuck: waits && now - (draw.frozenAt ?? now) >= limits.draw.stuckAfterMs,
		askWithinSeconds: Math.max(10, Math.ceil(draw.registered / limits.draw.askPerSecond))
	};
}
