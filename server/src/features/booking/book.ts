import { BatchDeadlineError, BatcherClosedError, type Batcher } from '../../platform/batcher.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Log } from '../../platform/log.ts';
import type { PersonAttributes, StoredPermit } from '../permits/index.ts';
import {
	answerFromPermit,
	answerUnderKey,
	type Decision,
	type FinalAnswer,
	type KeptAnswer,
	type Wish
} from './decide-batch.ts';
import type { Door } from './door.ts';
import type { EligibilityGuard } from './eligibility.ts';
import type { BookingOutcome, FigureKeeper } from './figures.ts';
import type { FillDoor } from './place-fill.ts';
import { unknownAttributes } from './quotas.ts';
import type { BookInput } from './read-request.ts';

/** What a pass says, checked by the waiting room: `expired` is authentic but ran out, or was spent. */
export interface PassVerdict {
	ticket: string;
	party: number;
	expired: boolean;
}

/** Checks a pass without I/O and in constant time; null for everything that is not authentic for this holder. */
export type VerifyPass = (token: string, holder: string) => PassVerdict | null;

/** For whom other slots are looked for. */
export interface Wanted {
	party: number;
	attributes: PersonAttributes;
}

/** Every way in which an attempt can end. */
export type BookResult =
	| Exclude<FinalAnswer, { outcome: 'slotFull' | 'quotaFull' }>
	| (Extract<FinalAnswer, { outcome: 'slotFull' | 'quotaFull' }> & Wanted)
	| ({ outcome: 'placeFilling'; retryAfterSeconds: number } & Wanted)
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
	/** Slots there that start soon, while the place fills. */
	fillDoor: Pick<FillDoor, 'admits'>;
	/** A slot as it was read last; undefined when it is not known. */
	findSlot(id: number): { place: string; startsAt: number; endsAt: number } | undefined;
	findPermitOf(holder: string): Promise<StoredPermit | undefined>;
	/** The first answer under this person's key. */
	findKept(holder: string, key: string): Promise<KeptAnswer | undefined>;
	onQuotaFull(level: string): void;
	verifyPass(token: string, holder: string): PassVerdict | null;
	/** The laboratory books without a pass, unless asked for one. */
	passOptional: boolean;
	elapsedMs(): number;
	random(): number;
}

/** While booking is paused everybody comes back; over this many seconds, so that they do not come together. */
const closedRetrySeconds = 20;

/**
 * One attempt, in the order of the hot path: pass, closed or not, door, eligibility (no connection held), batch. Who
 * prepared brings their attributes along and is not asked about again. Never throws for anything that has to do with
 * the caller.
 */
export function createBook(
	deps: BookDeps
): (holder: string, input: BookInput, prepared?: PersonAttributes | null) => Promise<BookResult> {
	const { figures } = deps;
	const keysInFlight = new Set<string>();
	const attempt = createAttempt(deps);
	const closed = (outcome: 'closed' | 'notConfigured'): BookResult => ({
		outcome,
		retryAfterSeconds: closedRetrySeconds + Math.floor(deps.random() * closedRetrySeconds)
	});

	const bookWith = async (wish: Wish, prepared: boolean): Promise<BookResult> => {
		const name = wish.key && `${wish.holder} ${wish.key.key}`;
		if (name !== null && keysInFlight.has(name)) return { outcome: 'keyInFlight' };
		figures.offer();
		if (!deps.flags.isOn('booking')) return closed('closed');
		if (deps.eligibility === null) return closed('notConfigured');
		if (name === null) return attempt(wish, prepared);
		keysInFlight.add(name);
		try {
			return await attempt(wish, prepared);
		} finally {
			keysInFlight.delete(name);
		}
	};

	const decide = (
		holder: string,
		input: BookInput,
		prepared: PersonAttributes | null
	): BookResult | Promise<BookResult> => {
		const { slot, party, key, token } = input;
		const needed = input.gated || !deps.passOptional;
		const verdict = token === null ? null : deps.verifyPass(token, holder);
		const pass = verdict && !verdict.expired ? verdict : null;
		if (needed && !verdict) return { outcome: 'noPass' };
		if (needed && !pass) return recall(deps, holder, input);
		// One ticket stands for one party: nobody books for more people than waited.
		if (pass && party !== null && party !== pass.party) return { outcome: 'partyDiffers', party: pass.party };
		const wish = { holder, slot, party: pass?.party ?? party ?? 1, ticket: pass?.ticket ?? null, key };
		return bookWith({ ...wish, attributes: prepared ?? unknownAttributes }, prepared !== null);
	};

	return async (holder, input, prepared = null) => {
		const result = await decide(holder, input, prepared);
		if (result.outcome === 'quotaFull') deps.onQuotaFull(result.level.dimension);
		const name = outcomeNames[result.outcome];
		if (name) figures.count(name);
		return result;
	};
}

/** From the door to the answer. */
function createAttempt(deps: BookDeps): (wish: Wish, prepared: boolean) => Promise<BookResult> {
	const { figures } = deps;
	const busy = (leastSeconds = 0): BookResult => ({
		outcome: 'busy',
		retryAfterSeconds: Math.max(leastSeconds, deps.door.retryAfterSeconds())
	});

	/** Answers that are no outcome of their own still close an attempt: they are served. */
	const answer = (decision: Decision, { party, attributes }: Wish): BookResult => {
		const { outcome } = decision;
		if (outcome === 'slotFull' || outcome === 'quotaFull') return { ...decision, party, attributes };
		if (outcome === 'noSuchSlot' || outcome === 'passSpent' || outcome === 'keyReused') figures.serve();
		return outcome === 'passSpent' ? { outcome: 'noPass' } : decision;
	};

	/** What another body says; null: nobody could be asked in time. */
	const askEligibility = async (wish: Wish, prepared: boolean) => {
		const guard = deps.eligibility;
		if (prepared || guard === 'none' || guard === null)
			return { eligible: true, attributes: wish.attributes };
		return guard.check(wish.holder);
	};

	const enter = async (wish: Wish, prepared: boolean): Promise<BookResult> => {
		const verdict = await askEligibility(wish, prepared);
		if (!verdict) {
			const guard = deps.eligibility;
			return busy(typeof guard === 'object' ? (guard?.retryAfterSeconds() ?? 0) : 0);
		}
		if (!verdict.eligible) return { outcome: 'notEligible', reason: verdict.reason ?? null };
		const known = { ...wish, attributes: verdict.attributes ?? unknownAttributes };
		return answer(await deps.batcher.add(known), known);
	};

	return async (wish, prepared) => {
		const slot = deps.findSlot(wish.slot);
		if (slot && !deps.fillDoor.admits(slot)) {
			const { party, attributes } = wish;
			return { outcome: 'placeFilling', retryAfterSeconds: fillRetrySeconds(deps), party, attributes };
		}
		const visit = deps.door.enter();
		if (!visit) return busy();
		const startedMs = deps.elapsedMs();
		try {
			return await enter(wish, prepared);
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
}

/** A place empties in minutes, not in seconds. */
const fillRetryLeastSeconds = 30;
function fillRetrySeconds({ random }: Pick<BookDeps, 'random'>): number {
	return fillRetryLeastSeconds + Math.floor(random() * fillRetryLeastSeconds);
}

/**
 * A pass that ran out books nothing, but its holder still hears of the booking it made: the first answer under their
 * key, else the permit they hold.
 */
async function recall(deps: BookDeps, holder: string, { slot, key }: BookInput): Promise<BookResult> {
	const visit = deps.door.enter();
	if (!visit) return { outcome: 'busy', retryAfterSeconds: deps.door.retryAfterSeconds() };
	try {
		const kept = key && (await deps.findKept(holder, key.key));
		const first = kept && key ? answerUnderKey(kept, key.bodySha256) : null;
		if (first && first.outcome !== 'slotFull' && first.outcome !== 'quotaFull') {
			deps.figures.offer();
			if (first.outcome === 'keyReused') deps.figures.serve();
			return first;
		}
		const permit = await deps.findPermitOf(holder);
		if (!permit) return { outcome: 'noPass' };
		deps.figures.offer();
		return answerFromPermit(permit, slot);
	} finally {
		visit.leave();
	}
}

const outcomeNames: Partial<Record<BookResult['outcome'], BookingOutcome>> = {
	booked: 'booked',
	repeated: 'repeated',
	slotFull: 'slotFull',
	quotaFull: 'slotFull',
	placeFilling: 'busy',
	alreadyBooked: 'alreadyBooked',
	noPass: 'noPass',
	notEligible: 'notEligible',
	busy: 'busy',
	closed: 'closed',
	notConfigured: 'closed',
	fault: 'faults'
};
