import { retryAfterDelayMs, type Problem } from '@marsad/server/contract';
import type { Answer, PeopleApi, RefusedAnswer, Visitor } from './people-api.ts';
import { networkLostMs, type Stage, type Temper, type Traits } from './people-temper.ts';
import type { Watch } from './people-watch.ts';

/** How a visit ended. */
export type Ending =
	| { kind: 'booked'; permit: string; slot: number }
	| { kind: 'already' }
	| { kind: 'absent' }
	| { kind: 'expired' }
	| { kind: 'gave-up' }
	| { kind: 'refused'; at: 'join' | 'wait' | 'claim' | 'book'; code: string }
	| { kind: 'full' };

export interface LifeDeps {
	api: PeopleApi;
	/** The server's milliseconds. Rejects when the run is stopped. */
	sleep(ms: number): Promise<void>;
	/** The server's milliseconds, from any beginning. */
	now(): number;
	random(): number;
	/** Counts refusals that were waited out, by code. */
	onRefused(code: string): void;
	watch: Watch;
}

/** Somebody on the way from arrival to permit. */
export interface Person extends LifeDeps {
	user: string;
	/** As the place is known: the account, or the browser until the pass was claimed. */
	visitor: Visitor;
	temper: Temper;
	traits: Traits;
	arrivedAt: number;
	/** Where the network will be lost, once. */
	losesNetworkAt: Stage | null;
	/** The network was lost: what is seen after it says nothing about how long the turn took. */
	wasAway: boolean;
}

/** Nothing special. */
export const plainTraits: Traits = {
	obeys: true,
	patienceMs: null,
	leavesPolitely: false,
	returnsAfterMs: null,
	tabs: 1,
	losesNetworkAt: null,
	shares: false,
	claimDelayMs: 0,
	repeatsBooking: false,
	retriesDeadPass: false,
	anonymous: false,
	changes: false
};

/** People come back so often after a 503, a 429 or a broken connection before they give up. */
const triesMax = 8;

/** Repeats a call that was refused for now (429, 503) or got no answer, no sooner than it was told to. */
export async function insist<T>(person: Person, call: () => Promise<Answer<T>>): Promise<Answer<T>> {
	for (let turn = 1; ; turn++) {
		const answer = await call();
		if (answer.ok || !isForNow(answer)) return answer;
		// While booking is paused the clocks stand still, and the page says so: whoever is inside waits as long as it takes.
		if (turn >= triesMax && codeOf(answer) !== 'booking_closed') return answer;
		person.onRefused(codeOf(answer));
		await person.sleep(comeBackMs(person, answer));
	}
}

/** Whether the same call may go well a little later. */
export function isForNow({ status, lost }: RefusedAnswer): boolean {
	return status === 429 || status === 503 || lost === 'broken';
}

/** R + U(0, R/2) after `Retry-After`; the exact rest (and a little) where the server names it. Who obeys nothing: at once. */
export function comeBackMs({ random, traits }: Person, answer: RefusedAnswer): number {
	if (!traits.obeys) return between(random, 200, 1_200);
	if (answer.remainingMs !== null) return answer.remainingMs + random() * 500;
	return retryAfterDelayMs(answer.retryAfterSeconds ?? 5, random);
}

/** Until the status or the public document is asked again; who obeys nothing asks every second. */
export function askAgainMs({ random, traits }: Person, toldMs: number): number {
	return traits.obeys ? toldMs : between(random, 500, 1_500);
}

/** At its stage, once: the call goes out, its answer never arrives, and the person is away for two minutes. */
export async function loseNetworkAt(
	person: Person,
	stage: Stage,
	call: () => Promise<unknown>
): Promise<boolean> {
	if (person.losesNetworkAt !== stage) return false;
	person.losesNetworkAt = null;
	person.wasAway = true;
	person.watch.tried(`lost the network while ${stage}`);
	await Promise.all([call(), person.sleep(networkLostMs)]);
	return true;
}

export function between(random: () => number, fromMs: number, toMs: number): number {
	return fromMs + random() * (toMs - fromMs);
}

export function codeOf({
	problem,
	lost,
	status
}: Pick<RefusedAnswer, 'problem' | 'lost' | 'status'>): string {
	return (problem as Partial<Problem>).code ?? lost ?? (status === 0 ? 'unknown' : `http ${status}`);
}
