import { randomBytes } from 'node:crypto';
import {
	etaRangeSeconds,
	expectedSeconds,
	mayBeCalled,
	peopleAhead,
	pollAfterMs,
	type JoinReply,
	type Progress,
	type StatusReply
} from '@marsad/server/contract';
import type { Answer, Visitor } from './people-api.ts';
import { chooseAndBook } from './people-booking.ts';
import {
	askAgainMs,
	codeOf,
	comeBackMs,
	insist,
	isForNow,
	loseNetworkAt,
	plainTraits,
	type Ending,
	type LifeDeps,
	type Person
} from './people-person.ts';
import { shareLinks } from './people-sharing.ts';
import type { Temper, Traits } from './people-temper.ts';

export type { Ending, LifeDeps } from './people-person.ts';
export { chooseSlot } from './people-booking.ts';

/** A place as its page keeps it. */
interface Place {
	ticket: string;
	/** Null while the order is still to be drawn. */
	number: number | null;
	late: boolean;
	/** The pass, where the room let the person in at once. */
	token: string | null;
	/** Told at joining; null when nobody could know. */
	etaSeconds: number | null;
	pollAfterMs: number;
	joinedAt: number;
	/** When it was looked at last and the turn had not come. */
	lookedAt: number;
}

/** Whoever gives up or misses the turn comes back so often at most. */
const visitsMax = 3;
const cutOffReturnMs = 2_000;
/** Pages spread over so long after an opening, as the public page does. */
const openingSpreadMs = 5_000;

/** From arrival to permit, with all the returns that the temper has in it. */
export async function livePerson(deps: LifeDeps, user: string, temper: Temper): Promise<Ending> {
	const traits = temper.traits ?? plainTraits;
	const { losesNetworkAt } = traits;
	const person: Person = {
		...deps,
		...{
			user,
			visitor: visitorOf(user, traits),
			temper,
			traits,
			losesNetworkAt,
			arrivedAt: deps.now(),
			wasAway: false
		}
	};
	for (let visit = 1; ; visit++) {
		const ending = await visitOnce(person);
		const mayReturn = ending.kind === 'gave-up' || ending.kind === 'expired';
		// Whoever was cut off comes back to where the page stood.
		const afterMs = traits.returnsAfterMs ?? (person.wasAway ? cutOffReturnMs : null);
		if (!mayReturn || afterMs === null || visit >= visitsMax) return ending;
		person.wasAway = true;
		deps.watch.tried('came back later');
		await deps.sleep(afterMs);
	}
}

/** A browser makes its key itself: 128 random bits. */
function visitorOf(user: string, { anonymous }: Traits): Visitor {
	if (!anonymous) return { user, browserKey: null };
	return { user: null, browserKey: randomBytes(16).toString('base64url') };
}

async function visitOnce(person: Person): Promise<Ending> {
	const { temper, traits, watch } = person;
	const place = await takePlace(person);
	if ('kind' in place) return place;
	let { token } = place;
	if (token === null) {
		const turn = await waitForTurn(person, place);
		if (turn) return turn;
		if (temper.absent) return { kind: 'absent' };
		if (traits.claimDelayMs > 0) {
			watch.tried('slow to claim');
			await person.sleep(traits.claimDelayMs);
		}
		const claimed = await claimPass(person, place);
		if (typeof claimed !== 'string') return claimed;
		token = claimed;
	}
	if (!person.wasAway) watch.passed(person.now() - person.arrivedAt);
	if (traits.shares) await shareLinks(person, place.ticket, token);
	return afterPass(person, place, await chooseAndBook(person, token));
}

/** A pass that ran out before it was used is a missed turn; a living one that books nothing stays a refusal. */
async function afterPass(person: Person, place: Place, ending: Ending): Promise<Ending> {
	if (ending.kind !== 'refused' || ending.code !== 'no_pass') return ending;
	const status = await lookAt(person, place);
	return !status.ok && status.status === 410 ? { kind: 'expired' } : ending;
}

/** Joins in every tab. Each of them must show the same place. */
async function takePlace(person: Person): Promise<Place | Ending> {
	const { api, visitor, temper, traits, watch } = person;
	if (traits.anonymous) watch.tried('came without an account');
	const join = () => api.join(visitor, temper.party);
	let before: Answer<JoinReply> | null = null;
	await loseNetworkAt(person, 'joining', async () => void (before = await join()));
	if (before !== null && (before as Answer<JoinReply>).ok)
		await lookAgain(person, keepPlace(person, (before as { body: JoinReply }).body));
	if (traits.tabs > 1) watch.tried('stood in several tabs');
	const answers = await Promise.all(Array.from({ length: traits.tabs }, () => insist(person, join)));
	const places = answers.flatMap((answer) => (answer.ok ? [keepPlace(person, answer.body)] : []));
	const [first] = places;
	if (!first) {
		const refused = answers[0]!;
		return { kind: 'refused', at: 'join', code: refused.ok ? 'unknown' : codeOf(refused) };
	}
	const newest = places.reduce(
		(last, place) => ((place.number ?? 0) > (last.number ?? 0) ? place : last),
		first
	);
	const older = new Map(
		places.filter(({ number }) => number !== newest.number).map((one) => [one.number, one])
	);
	// A tab that was turned away for long finds the turn of the others over.
	for (const place of older.values()) if (!isOver(await lookAt(person, place))) watch.fault('placesOfOne');
	const same = places.filter(({ number }) => number === newest.number);
	if (new Set(same.flatMap(({ token }) => token ?? [])).size > 1) watch.fault('passesOfOne');
	return same.find(({ token }) => token !== null) ?? newest;
}

function lookAt(person: Person, { ticket }: Place): Promise<Answer<StatusReply>> {
	return insist(person, () => person.api.status(person.visitor, ticket));
}

function isOver(answer: Answer<unknown>): boolean {
	return !answer.ok && codeOf(answer) === 'turn_expired';
}

function keepPlace({ watch, now }: Person, answer: JoinReply): Place {
	const { ticket, number, pollAfterMs: toldMs } = answer;
	const late = 'late' in answer && answer.late === true;
	if (number !== null) watch.gotNumber(number);
	if (answer.admitted && !late) watch.called(answer.number);
	return {
		...{ ticket, number, late, joinedAt: now(), lookedAt: now() },
		token: answer.admitted ? answer.token : null,
		etaSeconds: answer.admitted ? null : answer.etaSeconds,
		pollAfterMs: toldMs
	};
}

/** After the network came back: the place stands, or its turn ran out meanwhile; anything else was lost. */
async function lookAgain(person: Person, place: Place): Promise<void> {
	const { api, visitor, temper, watch } = person;
	const status = await lookAt(person, place);
	if (!status.ok) {
		if (isOver(status)) watch.tried('came back after the turn was over');
		else if (status.lost === null && !isForNow(status)) watch.fault('placeLost');
		return;
	}
	watch.tried('found the place again');
	const again = await insist(person, () => api.join(visitor, temper.party));
	if (!again.ok || again.body.number === null || place.number === null) return;
	// A turn may run out between the two questions.
	if (again.body.number !== place.number && !isOver(await lookAt(person, place))) watch.fault('placeLost');
}

/** Null when the turn has come. The page works out its place from the shared document and asks for itself only then. */
async function waitForTurn(person: Person, place: Place): Promise<Ending | null> {
	const { api, visitor, traits, watch } = person;
	const givesUpAt = traits.patienceMs === null ? Infinity : person.now() + traits.patienceMs;
	let waitMs = askAgainMs(person, place.pollAfterMs);
	for (;;) {
		place.lookedAt = person.now();
		await person.sleep(Math.min(waitMs, Math.max(0, givesUpAt - person.now())));
		if (person.now() >= givesUpAt) return giveUp(person, place);
		const away = await loseNetworkAt(person, 'waiting', () => api.progress());
		if (away) await lookAgain(person, place);
		const progress = await api.progress();
		if (!progress.ok) {
			waitMs = comeBackMs(person, progress);
			continue;
		}
		watch.seeEpoch(progress.body.epoch);
		const pageWaitMs = workOut(person, place, progress.body);
		if (pageWaitMs !== null && traits.obeys) {
			waitMs = pageWaitMs;
			continue;
		}
		const calledUpTo = watch.calledUpTo();
		const status = await api.status(visitor, place.ticket);
		if (status.ok) {
			if (hasTurn(person, place, status.body, { calledUpTo, progress: progress.body })) return null;
			waitMs = askAgainMs(person, status.body.pollAfterMs);
		} else if (status.status === 410) return { kind: 'expired' };
		else if (isForNow(status)) waitMs = comeBackMs(person, status);
		else return { kind: 'refused', at: 'wait', code: codeOf(status) };
	}
}

async function giveUp({ api, visitor, traits, watch }: Person, place: Place): Promise<Ending> {
	watch.tried(traits.leavesPolitely ? 'gave the place back' : 'gave up without a word');
	if (traits.leavesPolitely) await api.leave(visitor, place.ticket);
	return { kind: 'gave-up' };
}

/** Until the public document is looked at again; null when only the status can say more. */
function workOut({ random }: Person, place: Place, progress: Progress): number | null {
	const { pollFactor, state, opensAt, serverTime } = progress;
	if (place.number !== null) {
		if (place.late || mayBeCalled(place.number, progress)) return null;
		return pollAfterMs(expectedSeconds(peopleAhead(place.number, progress), progress), random, pollFactor);
	}
	// Registered: nothing need be asked before the order is drawn.
	if (state !== 'countdown' && state !== 'drawing') return null;
	const slowMs = pollAfterMs(state === 'countdown' ? null : 0, random, pollFactor);
	const leftMs = (opensAt ?? 0) - serverTime;
	return leftMs > 0 && leftMs < slowMs ? leftMs + random() * openingSpreadMs : slowMs;
}

/** Whether the turn has come. Who still waits although a later number was called before is an inversion. */
function hasTurn(
	person: Person,
	place: Place,
	status: StatusReply,
	seen: { calledUpTo: number; progress: Progress }
): boolean {
	const { watch } = person;
	if ('registered' in status) return false;
	if (status.number !== undefined && place.number === null) {
		place.number = status.number;
		watch.gotNumber(status.number);
	}
	if (status.ticket !== undefined) place.ticket = status.ticket;
	const { number } = place;
	if (status.admitted) {
		if (number !== null && !place.late) watch.called(number);
		tellTime(person, place);
		return true;
	}
	// Called already, the pass is metered: the laboratory says "next" meanwhile.
	const held = status.position <= 1 && number !== null && mayBeCalled(number, seen.progress);
	if (number !== null && !place.late && !held && number < seen.calledUpTo) watch.fault('inversions');
	return false;
}

/** The turn came some time between the last look and this one. */
function tellTime({ watch, now, wasAway }: Person, place: Place): void {
	const range = etaRangeSeconds(place.etaSeconds);
	if (place.etaSeconds === null || range === null || wasAway) return;
	const from = (place.lookedAt - place.joinedAt) / 1_000;
	const to = (now() - place.joinedAt) / 1_000;
	watch.told({
		errorSeconds: Math.max(0, from - place.etaSeconds, place.etaSeconds - to),
		inRange: to >= range[0] && from <= range[1]
	});
}

/** The pass, in every tab the same. Whoever came without an account shows it now, and the place becomes its own. */
async function claimPass(person: Person, place: Place): Promise<string | Ending> {
	const { api, user, traits, watch } = person;
	person.visitor = { ...person.visitor, user };
	const claim = () => api.claim(person.visitor, place.ticket);
	if (await loseNetworkAt(person, 'called', claim)) await lookAgain(person, place);
	const answers = await Promise.all(Array.from({ length: traits.tabs }, () => insist(person, claim)));
	const passes = answers.flatMap((answer) => (answer.ok ? [answer.body] : []));
	if (new Set(passes.map(({ token }) => token)).size > 1) watch.fault('passesOfOne');
	const [pass] = passes;
	if (pass) {
		place.ticket = pass.ticket ?? place.ticket;
		person.visitor = { user, browserKey: null };
		return pass.token;
	}
	const refused = answers[0]!;
	if (refused.ok) return refused.body.token;
	return refused.status === 410
		? { kind: 'expired' }
		: { kind: 'refused', at: 'claim', code: codeOf(refused) };
}
