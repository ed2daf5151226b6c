import { pollAfterMs, etaSeconds, retryAfterDelayMs, type Problem, type Slot } from '@marsad/server/contract';
import type { Answer, PeopleApi } from './people-api.ts';

/** How one simulated person behaves. */
export interface Temper {
	party: number;
	/** Thinks for 2 to 40 s before choosing; the others for half a second to three. */
	slow: boolean;
	/** Called, but never comes. */
	absent: boolean;
}

/** How a visit ended. */
export type Ending =
	| { kind: 'booked'; permit: string; slot: number }
	| { kind: 'already' }
	| { kind: 'absent' }
	| { kind: 'expired' }
	| { kind: 'refused'; at: 'join' | 'wait' | 'claim' | 'book'; code: string }
	| { kind: 'full' };

export interface LifeDeps {
	api: PeopleApi;
	/** Rejects when the run is stopped. */
	sleep(ms: number): Promise<void>;
	random(): number;
	/** Counts refusals that were waited out, by code. */
	onRefused(code: string): void;
}

/** People come back so often after a 503 or 429 before they give up. */
const triesMax = 8;
const slotTriesMax = 6;

/** One visit from arrival to permit, obeying every `pollAfterMs` and `Retry-After`. */
export async function livePerson(deps: LifeDeps, user: string, temper: Temper): Promise<Ending> {
	const { api } = deps;
	const joined = await insist(deps, () => api.join(user, temper.party));
	if (!joined.ok) return { kind: 'refused', at: 'join', code: codeOf(joined.problem) };
	let token = joined.body.admitted ? joined.body.token : null;
	if (token === null) {
		const { ticket, number } = joined.body;
		const firstWaitMs = joined.body.pollAfterMs;
		const turn = await waitForTurn(deps, user, ticket, number, firstWaitMs);
		if (turn) return turn;
		if (temper.absent) return { kind: 'absent' };
		const claimed = await insist(deps, () => api.claim(user, ticket));
		if (!claimed.ok) {
			return claimed.status === 410
				? { kind: 'expired' }
				: { kind: 'refused', at: 'claim', code: codeOf(claimed.problem) };
		}
		token = claimed.body.token;
	}
	await deps.sleep(temper.slow ? between(deps, 2_000, 40_000) : between(deps, 500, 3_000));
	return chooseAndBook(deps, user, token, temper.party);
}

/** Null when the turn has come. The page works out its place from the shared document and asks for itself only then. */
async function waitForTurn(
	deps: LifeDeps,
	user: string,
	ticket: string,
	number: number,
	firstWaitMs: number
): Promise<Ending | null> {
	const { api } = deps;
	let waitMs = firstWaitMs;
	for (;;) {
		await deps.sleep(waitMs);
		const progress = await api.progress();
		if (!progress.ok) {
			waitMs = comeBackMs(deps, progress);
			continue;
		}
		const { released, ratePerSecond, pollFactor } = progress.body;
		if (number > released) {
			waitMs = pollAfterMs(etaSeconds(number - released, ratePerSecond), deps.random, pollFactor);
			continue;
		}
		const status = await api.status(user, ticket);
		if (status.ok && status.body.admitted) return null;
		if (status.ok) waitMs = status.body.pollAfterMs;
		else if (status.status === 410) return { kind: 'expired' };
		else if (status.status === 429 || status.status === 503) waitMs = comeBackMs(deps, status);
		else return { kind: 'refused', at: 'wait', code: codeOf(status.problem) };
	}
}

async function chooseAndBook(deps: LifeDeps, user: string, token: string, party: number): Promise<Ending> {
	const { api } = deps;
	let wanted: number | null = null;
	for (let turn = 0; turn < slotTriesMax; turn++) {
		if (wanted === null) {
			const slots = await insist(deps, () => api.slots());
			if (!slots.ok) return { kind: 'refused', at: 'book', code: codeOf(slots.problem) };
			wanted = chooseSlot(slots.body.slots, party, deps.random);
		}
		if (wanted === null) return { kind: 'full' };
		const slot: number = wanted;
		const booked = await insist(deps, () => api.book(user, token, slot));
		if (booked.ok) return { kind: 'booked', permit: booked.body.permit, slot };
		const code = codeOf(booked.problem);
		if (code === 'already_booked') return { kind: 'already' };
		if (code !== 'slot_full') return { kind: 'refused', at: 'book', code };
		deps.onRefused(code);
		const offered = booked.problem['alternatives'];
		const [next] = Array.isArray(offered) ? (offered as { id: number }[]) : [];
		// Half of the people take what is offered, the others look at the list again.
		wanted = next && deps.random() < 0.5 ? next.id : null;
		await deps.sleep(between(deps, 300, 2_000));
	}
	return { kind: 'full' };
}

/** Early hours are wanted most: the square of a random number leans to the front of the list. Null when all is full. */
export function chooseSlot(
	slots: readonly Pick<Slot, 'id' | 'left' | 'full'>[],
	party: number,
	random: () => number
): number | null {
	const open = slots.filter(({ left, full }) => !full && (left === null || left >= party));
	return open[Math.floor(random() ** 2 * open.length)]?.id ?? null;
}

/** Repeats a call that was refused for now (429, 503), no sooner than it was told to. */
async function insist<T>(deps: LifeDeps, call: () => Promise<Answer<T>>): Promise<Answer<T>> {
	for (let turn = 1; ; turn++) {
		const answer = await call();
		if (answer.ok || (answer.status !== 429 && answer.status !== 503) || turn >= triesMax) return answer;
		deps.onRefused(codeOf(answer.problem));
		await deps.sleep(comeBackMs(deps, answer));
	}
}

/** R + U(0, R/2) after `Retry-After`; the exact rest (and a little) where the server names it. */
function comeBackMs(deps: LifeDeps, answer: Exclude<Answer<unknown>, { ok: true }>): number {
	if (answer.remainingMs !== null) return answer.remainingMs + deps.random() * 500;
	return retryAfterDelayMs(answer.retryAfterSeconds ?? 5, deps.random);
}

function between(deps: LifeDeps, fromMs: number, toMs: number): number {
	return fromMs + deps.random() * (toMs - fromMs);
}

function codeOf(problem: Partial<Problem>): string {
	return problem.code ?? 'unknown';
}
