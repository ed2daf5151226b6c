import { BatchDeadlineError, BatcherClosedError, type Batcher } from '../../platform/batcher.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Log } from '../../platform/log.ts';
import type { StoredPermit } from '../permits/index.ts';
import { answerFromPermit, type Decision, type FinalAnswer, type Wish } from './decide-batch.ts';
import type { Door } from './door.ts';
import type { EligibilityGuard } from './eligibility.ts';
import type { BookingOutcome, FigureKeeper } from './figures.ts';
import type { BookInput } from './read-request.ts';

/** What a pass says, checked by the waiting room: `expired` is authentic but ran out, or was spent. */
export interface PassVerdict {
	ticket: string;
	party: number;
	expired: boolean;
}

/** Checks a pass without I/O and in constant time; null for everything that is not authentic for this holder. */
export type VerifyPass = (token: string, holder: string) => PassVerdict | null;

/** Every way in which an attempt can end. */
export type BookResult =
	| Exclude<FinalAnswer, { outcome: 'slotFull' }>
	| { outcome: 'slotFull'; party: number }
	| { outcome: 'noPass' }
	| { outcome: 'notEligible'; reason: string | null }
	| { outcome: 'busy' | 'closed' | 'fault' | 'notConfigured'; retryAfterSeconds: number }
	| { outcome: 'noSuchSlot' }
	| { outcome: 'partyDiffers'; party: number }
	| { outcome: 'keyReused' }
	| { outcome: 'keyInFlight' };

export interface BookDeps {
	flags: Pick<Flags, 'isOn'>;
	log: Log;
	figures: FigureKeeper;
	door: Door;
	/** Null: no eligibility service is named, so booking is refused. `none`: nobody checks. */
	eligibility: EligibilityGuard | 'none' | null;
	batcher: Pick<Batcher<Wish, Decision>, 'add'>;
	findPermitOf(holder: string): Promise<StoredPermit | undefined>;
	verifyPass(token: string, holder: string): PassVerdict | null;
	/** The laboratory books without a pass, unless asked for one. */
	passOptional: boolean;
	elapsedMs(): number;
	random(): number;
}

/** While booking is paused everybody comes back; over this many seconds, so that they do not come together. */
const closedRetrySeconds = 20;

/**
 * One attempt, in the order of the hot path: pass, closed or not, door, eligibility (no connection held), batch.
 * Never throws for anything that has to do with the caller.
 */
export function createBook(deps: BookDeps): (holder: string, input: BookInput) => Promise<BookResult> {
	const { figures } = deps;
	const keysInFlight = new Set<string>();
	const busy = (): BookResult => ({ outcome: 'busy', retryAfterSeconds: deps.door.retryAfterSeconds() });

	/** Answers that are no outcome of their own still close an attempt: they are served. */
	const answer = (decision: Decision, { party }: Wish): BookResult => {
		const { outcome } = decision;
		if (outcome === 'slotFull') return { outcome, party };
		if (outcome === 'noSuchSlot' || outcome === 'passSpent' || outcome === 'keyReused') figures.serve();
		return outcome === 'passSpent' ? { outcome: 'noPass' } : decision;
	};

	const attempt = async (wish: Wish): Promise<BookResult> => {
		const visit = deps.door.enter();
		if (!visit) return busy();
		const startedMs = deps.elapsedMs();
		try {
			if (deps.eligibility !== 'none' && deps.eligibility !== null) {
				const verdict = await deps.eligibility.check(wish.holder);
				if (!verdict) return busy();
				if (!verdict.eligible) return { outcome: 'notEligible', reason: verdict.reason ?? null };
			}
			return answer(await deps.batcher.add(wish), wish);
		} catch (error) {
			if (error instanceof BatchDeadlineError || error instanceof BatcherClosedError) return busy();
			const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
			deps.log.warn(
				{ error: error instanceof Error ? error.message : 'unknown', cause },
				'a booking could not be committed'
			);
			return { outcome: 'fault', retryAfterSeconds: deps.door.retryAfterSeconds() };
		} finally {
			visit.leave();
			figures.time(deps.elapsedMs() - startedMs);
		}
	};

	const closed = (outcome: 'closed' | 'notConfigured'): BookResult => ({
		outcome,
		retryAfterSeconds: closedRetrySeconds + Math.floor(deps.random() * closedRetrySeconds)
	});

	const bookWith = async (wish: Wish): Promise<BookResult> => {
		const name = wish.key && `${wish.holder} ${wish.key.key}`;
		if (name !== null && keysInFlight.has(name)) return { outcome: 'keyInFlight' };
		figures.offer();
		if (!deps.flags.isOn('booking')) return closed('closed');
		if (deps.eligibility === null) return closed('notConfigured');
		if (name === null) return attempt(wish);
		keysInFlight.add(name);
		try {
			return await attempt(wish);
		} finally {
			keysInFlight.delete(name);
		}
	};

	/** A pass that ran out books nothing, but its holder still hears of the booking it made. */
	const recall = async (holder: string, slot: number): Promise<BookResult> => {
		const permit = await deps.findPermitOf(holder);
		if (!permit) return { outcome: 'noPass' };
		figures.offer();
		return answerFromPermit(permit, slot);
	};

	const decide = (holder: string, input: BookInput): BookResult | Promise<BookResult> => {
		const { slot, party, key, token } = input;
		const needed = input.gated || !deps.passOptional;
		const verdict = token === null ? null : deps.verifyPass(token, holder);
		const pass = verdict && !verdict.expired ? verdict : null;
		if (needed && !verdict) return { outcome: 'noPass' };
		if (needed && !pass) return recall(holder, slot);
		// One ticket stands for one party: nobody books for more people than waited.
		if (pass && party !== null && party !== pass.party) return { outcome: 'partyDiffers', party: pass.party };
		return bookWith({ holder, slot, party: pass?.party ?? party ?? 1, ticket: pass?.ticket ?? null, key });
	};

	return async (holder, input) => {
		const result = await decide(holder, input);
		const name = outcomeNames[result.outcome];
		if (name) figures.count(name);
		return result;
	};
}

const outcomeNames: Partial<Record<BookResult['outcome'], BookingOutcome>> = {
	booked: 'booked',
	repeated: 'repeated',
	slotFull: 'slotFull',
	alreadyBooked: 'alreadyBooked',
	noPass: 'noPass',
	notEligible: 'notEligible',
	busy: 'busy',
	closed: 'closed',
	notConfigured: 'closed',
	fault: 'faults'
};
