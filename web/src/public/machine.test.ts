import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from './calls.ts';
import { setChanging, tick } from './machine-booking.ts';
import { pageContext, press, settle } from './page-logic.ts';
import type { Place } from './place.ts';
import { firstState, type Action, type Context, type WaitState, type Wanted } from './state.ts';
import { answered, noAnswer, sampleProgress } from './test-states.ts';

const context = (now = 0, random = 0.5): Context => pageContext(now, () => random);
const place: Place = {
	ticket: 't',
	number: 501,
	epoch: 1,
	firstAhead: 400,
	party: 1,
	late: false,
	account: true,
	pass: null
};
const waitingAnswer = {
	admitted: false,
	ticket: 't',
	number: 501,
	position: 401,
	etaSeconds: 40,
	pollAfterMs: 5_000
};
const problem = (status: number, code: string, retryAfterMs: number | null = null) =>
	answered(status, { code }, retryAfterMs);
const progress = (change = {}) => answered(200, sampleProgress({ serverTime: 0, ...change }));

function at(section: WaitState['section'], change: Partial<WaitState> = {}): WaitState {
	return {
		...firstState(place, false, 0),
		section,
		identity: 'demo',
		progress: sampleProgress({ serverTime: 0 }),
		next: null,
		...change
	};
}
function wanting(state: WaitState, action: Wanted['action'], slot = 0): WaitState {
	return press(state, { action, party: 2, slot, key: 'k' }, context());
}
function choosing(): WaitState {
	return at('choosing', { place: { ...place, pass: { token: 'p', expiresAt: 900_000 } } });
}

describe('joining', () => {
	it('leads into the room, and the next question is the public document', () => {
		const joined = settle(
			wanting(at('start', { place: null }), 'join'),
			'join',
			answered(200, waitingAnswer),
			context(1_000)
		);
		expect(joined).toMatchObject({
			section: 'waiting',
			ahead: 400,
			wanted: null,
			place: { ticket: 't', party: 2 }
		});
		expect(joined.next).toEqual({ action: 'progress', at: 6_000 });
	});
	it('leads straight to the slots where the room is invisible', () => {
		const answer = answered(200, {
			...waitingAnswer,
			admitted: true,
			token: 'p',
			expiresAt: 9_000,
			position: 0
		});
		const joined = settle(wanting(at('start', { place: null }), 'join'), 'join', answer, context());
		expect(joined).toMatchObject({
			section: 'choosing',
			next: { action: 'slots' },
			place: { pass: { token: 'p' } }
		});
	});
	it.each([
		['queue_full', 'queue-full'],
		['joins_closed', 'joins-closed'],
		['busy', 'busy'],
		['identity_not_configured', 'sign-in-off'],
		['identity_unavailable', 'sign-in-away']
	])('waits out %s in its own words, and tries again by itself', (code, notice) => {
		const state = settle(
			wanting(at('start', { place: null }), 'join'),
			'join',
			problem(503, code, 10_000),
			context()
		);
		expect(state).toMatchObject({
			section: 'start',
			notice,
			wanted: { action: 'join' },
			next: { action: 'join' }
		});
		expect(state.next!.at).toBe(12_500);
	});
});

describe('waiting', () => {
	it('asks nothing of its own while its number has not come', () => {
		const state = settle(at('waiting'), 'progress', progress(), context());
		expect(state).toMatchObject({
			section: 'waiting',
			ahead: 400,
			etaSeconds: 40,
			next: { action: 'progress', at: 5_000 }
		});
	});
	it('asks for its status when the number has come, or the room is another one', () => {
		expect(settle(at('waiting'), 'progress', progress({ released: 501 }), context()).next?.action).toBe(
			'status'
		);
		expect(settle(at('waiting'), 'progress', progress({ epoch: 2 }), context()).next?.action).toBe('status');
	});
	it('asks for its status in the lane of returners, of which the public document says nothing', () => {
		const late = answered(200, { ...waitingAnswer, late: true });
		const joined = settle(wanting(at('start', { place: null }), 'join'), 'join', late, context());
		expect(settle(joined, 'progress', progress(), context()).next?.action).toBe('status');
	});
	it('polls by the rule of the contract: 5 to 60 s, spread, slower by the factor of a level', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 102, max: 900_000 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(number, random) => {
					const state = settle(
						at('waiting', { place: { ...place, number } }),
						'progress',
						progress({ issued: 900_000, waiting: 899_900, pollFactor: 2 }),
						context(0, random)
					);
					expect(state.next!.at).toBeGreaterThanOrEqual(8_500);
					expect(state.next!.at).toBeLessThanOrEqual(138_000);
				}
			)
		);
	});
	it('keeps the place through a lost connection and says so, later and later', () => {
		let state = at('waiting');
		for (let failure = 1; failure <= 5; failure++) {
			state = settle(state, 'progress', noAnswer, context(0, 0.99));
			expect(state).toMatchObject({ section: 'waiting', notice: 'offline', failures: failure, place });
		}
		expect(state.next!.at).toBeGreaterThan(15_000);
		expect(settle(state, 'progress', progress(), context())).toMatchObject({ notice: null, failures: 0 });
	});
	it('never asks again within a second, whatever failed', () => {
		for (const answer of [
			noAnswer,
			problem(503, 'busy', 0),
			answered(500),
			answered(429, null, 0),
			answered(502)
		]) {
			expect(settle(at('waiting'), 'progress', answer, context(0, 0)).next!.at).toBeGreaterThanOrEqual(1_000);
		}
	});
	it('waits the remaining time when it asked too early, without a word', () => {
		const state = settle(at('waiting'), 'status', problem(429, 'too_early', 2_000), context());
		expect(state).toMatchObject({ section: 'waiting', notice: null, next: { action: 'status', at: 2_500 } });
	});
	it.each([
		[410, 'turn_expired', 'turn-expired'],
		[410, 'old_epoch', 'restarted'],
		[403, 'not_yours', 'not-yours']
	])('ends on %s %s, with the way back', (status, code, ending) => {
		const state = settle(at('waiting'), 'status', problem(status, code), context());
		expect(state).toMatchObject({ section: 'ended', ending, place: null, next: null });
		expect(wanting(state, 'join').next?.action).toBe('join');
	});
});

describe('the turn', () => {
	const called = { admitted: true, claimBefore: 600_000, pollAfterMs: 5_000 };

	it('is told, and looked after until it is claimed or gone', () => {
		const state = settle(at('waiting'), 'status', answered(200, called), context());
		expect(state).toMatchObject({
			section: 'called',
			claimBefore: 600_000,
			next: { action: 'status', at: 5_000 }
		});
	});
	it('counts by the server’s clock, not by a wrong one in the phone', () => {
		const state = settle(
			at('waiting', { clockOffsetMs: 100_000 }),
			'status',
			answered(200, called),
			context()
		);
		expect(state.claimBefore).toBe(500_000);
	});
	it('goes on in a page that starts anew, although its status may be asked only later', () => {
		const told = settle(
			at('waiting'),
			'status',
			answered(200, { admitted: true, claimBefore: 600_000, pollAfterMs: 60_000 }),
			context()
		);
		const anew = (now: number, serverTime = now) => {
			const kept = { ...firstState(told.place, true, now, { signedIn: true }), identity: 'sign-in' as const };
			const shown = settle(kept, 'progress', progress({ released: 501, serverTime }), context(now));
			return settle(shown, 'status', problem(429, 'too_early', 30_000), context(now));
		};
		expect(anew(5_000)).toMatchObject({ section: 'called', claimBefore: 600_000, notice: null });
		// A clock that is an hour wrong changes nothing; a turn that is over is not shown.
		expect(anew(3_605_000, 5_000)).toMatchObject({ section: 'called', claimBefore: 4_200_000 });
		expect(anew(601_000).section).toBe('waiting');
		const back = settle(
			at('called', { place: told.place }),
			'status',
			answered(200, waitingAnswer),
			context()
		);
		expect(back.place).toMatchObject({ called: null });
	});
	it('gets the pass when it is pressed; while passes are metered it waits for its own', () => {
		const pressed = wanting(at('called'), 'claim');
		const later = settle(pressed, 'claim', problem(503, 'busy', 2_000), context());
		expect(later).toMatchObject({ notice: 'pass-turn', next: { action: 'claim', at: 2_500 } });
		const state = settle(later, 'claim', answered(200, { token: 'p', expiresAt: 900_000 }), context());
		expect(state).toMatchObject({
			section: 'choosing',
			notice: null,
			place: { pass: { token: 'p' } },
			next: { action: 'slots' }
		});
	});
});

describe('booking', () => {
	it('shows the permit, and forgets the place', () => {
		const booked = settle(
			wanting(choosing(), 'book', 3),
			'book',
			answered(200, { ok: true, slot: 3, permit: 'id', party: 2 }),
			context()
		);
		expect(booked).toMatchObject({ section: 'booked', wanted: null, next: { action: 'permit' } });
		const shown = settle(booked, 'permit', answered(200, { id: 'id', state: 'valid' }), context());
		expect(shown).toMatchObject({ section: 'booked', permit: { id: 'id' }, place: null, next: null });
	});
	it('offers the other slots when this one filled up, and keeps the pass', () => {
		const state = settle(wanting(choosing(), 'book', 3), 'book', problem(409, 'slot_full'), context());
		expect(state).toMatchObject({
			section: 'choosing',
			notice: 'slot-full',
			wanted: null,
			next: { action: 'slots' }
		});
		expect(state.place?.pass).not.toBeNull();
	});
	it('reads the short word of an older server too', () => {
		const state = settle(
			wanting(choosing(), 'book', 3),
			'book',
			answered(409, { error: 'already booked' }),
			context()
		);
		expect(state).toMatchObject({ notice: 'already-booked', next: { action: 'permit' } });
	});
	it('repeats a press under its one key through busy and silence, not around it', () => {
		let state = wanting(choosing(), 'book', 3);
		for (const answer of [
			problem(503, 'busy', 1_000),
			noAnswer,
			problem(429, 'rate_limited', 1_000),
			problem(503, 'booking_closed', 5_000)
		]) {
			state = settle(state, 'book', answer, context());
			expect(state).toMatchObject({ wanted: { key: 'k', slot: 3 }, next: { action: 'book' } });
			expect(press(state, { ...state.wanted!, key: 'other' }, context()).wanted?.key).toBe('k');
		}
		expect(state.notice).toBe('booking-closed');
	});
	it('takes the party of the ticket where another tab chose it', () => {
		const state = settle(
			wanting(choosing(), 'book', 3),
			'book',
			answered(422, { code: 'bad_input', party: 4 }),
			context()
		);
		expect(state).toMatchObject({
			place: { party: 4 },
			wanted: { party: 4, slot: 3 },
			next: { action: 'book' }
		});
	});
	it('goes before the list of slots that was under way', () => {
		const state = settle(
			wanting(choosing(), 'book', 3),
			'slots',
			answered(200, { slots: [], at: 0, bookingOpen: true }),
			context()
		);
		expect(state.next?.action).toBe('book');
	});
	it('says why when nobody may book', () => {
		expect(
			settle(wanting(choosing(), 'book', 3), 'book', problem(403, 'not_eligible'), context()).notice
		).toBe('not-eligible');
		expect(
			settle(choosing(), 'slots', answered(200, { slots: [], at: 0, bookingOpen: false }), context()).notice
		).toBe('booking-closed');
	});
	it('ends when the pass ran out, in the words for that', () => {
		expect(tick(choosing(), context(899_000)).next).toBeNull();
		const late = tick(choosing(), context(901_000));
		expect(late.next?.action).toBe('permit');
		expect(settle(late, 'status', problem(410, 'turn_expired'), context()).ending).toBe('pass-expired');
		const refused = settle(wanting(choosing(), 'book', 3), 'book', problem(403, 'no_pass'), context());
		expect(refused).toMatchObject({ next: { action: 'status' }, passLost: true });
	});
	it('cancels back to the beginning', () => {
		const state = settle(
			wanting(at('booked', { place: null }), 'cancel'),
			'cancel',
			answered(200, { ok: true }),
			context()
		);
		expect(state).toMatchObject({ section: 'start', notice: 'cancelled', permit: null });
	});
});

describe('coming back', () => {
	const settings = (identity: string) => answered(200, { identity, signIn: null });

	it('asks how people are known first, then for the permit, else the place, else the beginning', () => {
		expect(firstState(null, true, 0).next?.action).toBe('settings');
		const known = settle(firstState(place, true, 0), 'settings', settings('demo'), context());
		expect(known).toMatchObject({ identity: 'demo', next: { action: 'permit', at: 0 } });
		const none = settle(known, 'permit', problem(404, 'not_found'), context());
		expect(settle(none, 'progress', progress(), context()).section).toBe('waiting');
		const nobody = settle(firstState(null, false, 0), 'settings', settings('demo'), context());
		expect(nobody.next?.action).toBe('progress');
		expect(settle(nobody, 'progress', progress(), context()).section).toBe('start');
	});
	it('looks for no permit of a person whom nobody knows', () => {
		const stranger = settle(firstState(null, true, 0), 'settings', settings('sign-in'), context());
		expect(stranger.next?.action).toBe('progress');
		const known = firstState(null, true, 0, { signedIn: true });
		expect(settle(known, 'settings', settings('sign-in'), context()).next?.action).toBe('permit');
	});
	it('goes on choosing with a living pass', () => {
		const kept = { ...place, pass: { token: 'p', expiresAt: 10_000 } };
		expect(settle(firstState(kept, false, 0), 'progress', progress(), context()).section).toBe('choosing');
	});
	it('asks for the settings again while the sign-in is away', () => {
		const away = at('start', { place: null, identity: 'unavailable' });
		expect(settle(away, 'progress', progress(), context()).next?.action).toBe('settings');
	});
});

describe('before the opening', () => {
	const opensAt = 3_600_000;
	const countdown = (change = {}) => progress({ state: 'countdown', opensAt, preQueueOpensAt: 0, ...change });
	const registered = answered(200, {
		...{ admitted: false, registered: true, ticket: 'pre', number: null, position: null },
		...{ etaSeconds: null, opensAt, entry: 'e', pollAfterMs: 60_000 }
	});
	const registeredState = () =>
		settle(wanting(at('start', { place: null }), 'join'), 'join', registered, context());

	it('registers, and has nothing to ask but the public document', () => {
		const state = registeredState();
		expect(state).toMatchObject({
			section: 'registered',
			place: { ticket: 'pre', number: null },
			next: { action: 'progress' }
		});
		const later = settle(state, 'progress', countdown(), context());
		expect(later).toMatchObject({ section: 'registered', next: { action: 'progress', at: 60_000 } });
	});
	it('looks again just after the opening, each page at a moment of its own', () => {
		const near = countdown({ serverTime: opensAt - 10_000 });
		for (const random of [0, 0.5, 0.99]) {
			const { next } = settle(registeredState(), 'progress', near, context(0, random));
			expect(next!.at).toBeGreaterThanOrEqual(10_500);
			expect(next!.at).toBeLessThan(15_500);
		}
	});
	it('asks for its drawn place at a random moment of the window that the draw names', () => {
		const placed = progress({ state: 'open', draw: { askWithinSeconds: 60 } as never });
		const { next } = settle(registeredState(), 'progress', placed, context(0, 0.5));
		expect(next).toEqual({ action: 'status', at: 30_000 });
	});
	it('takes the drawn place with its own ticket', () => {
		const drawn = answered(200, { ...waitingAnswer, ticket: 'drawn', number: 77, position: 77 });
		const state = settle(registeredState(), 'status', drawn, context());
		expect(state).toMatchObject({
			section: 'waiting',
			ahead: 76,
			place: { ticket: 'drawn', number: 77, firstAhead: 76 }
		});
	});
	it('waits while the order is drawn', () => {
		const drawing = settle(registeredState(), 'progress', progress({ state: 'drawing' }), context());
		expect(drawing).toMatchObject({ section: 'registered', next: { action: 'progress', at: 5_000 } });
	});
	it.each([
		['too_early_to_join', 'not-open-yet'],
		['room_closed', 'closed']
	])('says %s in its own words, and does not press again by itself', (code, notice) => {
		const state = settle(
			wanting(at('start', { place: null }), 'join'),
			'join',
			problem(409, code),
			context()
		);
		expect(state).toMatchObject({ section: 'start', notice, wanted: null, next: { action: 'progress' } });
	});
	it('keeps the signed word that the person is prepared', () => {
		const answer = answered(200, { ready: 'R', expiresAt: 9, party: 2, eligibilityChecked: true });
		const state = settle(wanting(at('start', { place: null }), 'prepare'), 'prepare', answer, context());
		expect(state).toMatchObject({ ready: { token: 'R', expiresAt: 9 }, wanted: null });
	});
});

describe('a person whom nobody knows', () => {
	const stranger = (section: WaitState['section'], change: Partial<WaitState> = {}) =>
		at(section, { identity: 'sign-in', signedIn: false, ...change });

	it('keeps the place when the claim needs an account, and is asked to sign in', () => {
		const state = settle(
			wanting(stranger('called'), 'claim'),
			'claim',
			problem(401, 'account_needed'),
			context()
		);
		expect(state).toMatchObject({ place, wanted: null, notice: 'sign-in-first', section: 'called' });
		expect(state.next?.action).toBe('progress');
	});
	it('is told when the sign-in has run out', () => {
		const state = settle(
			wanting(stranger('called', { signedIn: true }), 'claim'),
			'claim',
			problem(401, 'no_identity'),
			context()
		);
		expect(state).toMatchObject({ signedIn: false, notice: 'signed-out', place });
	});
	it('does not ask for a place of an account that it cannot name', () => {
		const state = settle(stranger('waiting'), 'progress', progress({ released: 501 }), context());
		expect(state).toMatchObject({ section: 'called', notice: 'signed-out', next: { action: 'progress' } });
		const own = stranger('waiting', { place: { ...place, account: false } });
		expect(settle(own, 'progress', progress({ released: 501 }), context()).next?.action).toBe('status');
	});
	it('keeps a shown permit on the glass', () => {
		const booked = stranger('booked', { place: null, signedIn: true });
		const state = settle(wanting(booked, 'cancel'), 'cancel', problem(401, 'no_identity'), context());
		expect(state).toMatchObject({ section: 'booked', notice: 'signed-out', next: null });
	});
});

describe('leaving and changing', () => {
	it('gives the place up once, also when it was gone already', () => {
		for (const answer of [
			answered(200, { left: true }),
			problem(410, 'turn_expired'),
			problem(403, 'not_yours')
		]) {
			const state = settle(wanting(at('waiting'), 'leave'), 'leave', answer, context());
			expect(state).toMatchObject({ section: 'start', place: null, notice: 'left', wanted: null });
		}
		const lost = settle(wanting(at('waiting'), 'leave'), 'leave', noAnswer, context());
		expect(lost).toMatchObject({ place, wanted: { action: 'leave' }, next: { action: 'leave' } });
	});
	it('moves the permit, and shows the new one', () => {
		const booked = at('booked', { place: null, permit: { id: 'old', slot: 1, party: 2 } as never });
		const choosingAnother = setChanging(booked, true, context());
		expect(choosingAnother).toMatchObject({ section: 'choosing', next: { action: 'slots' } });
		expect(setChanging(choosingAnother, false, context())).toMatchObject({ section: 'booked', next: null });
		const pressed = wanting(choosingAnother, 'change', 3);
		const moved = settle(pressed, 'change', answered(200, { ok: true }), context());
		expect(moved).toMatchObject({ section: 'booked', notice: 'changed', changing: false });
		expect(moved.next?.action).toBe('permit');
		const full = settle(
			pressed,
			'change',
			answered(409, { code: 'slot_full', alternatives: [{ id: 5 }] }),
			context()
		);
		expect(full).toMatchObject({ section: 'choosing', notice: 'slot-full', offered: [5] });
	});
	it.each([404, 501, 503])('is not offered again where %s says that nobody can change', (status) => {
		const pressed = wanting(at('choosing', { place: null, changing: true }), 'change', 3);
		const state = settle(pressed, 'change', problem(status, 'feature_off'), context());
		expect(state).toMatchObject({ section: 'booked', changeOff: true, notice: 'change-off' });
	});
	it.each([
		[409, 'quota_full', 'quota-full'],
		[503, 'place_filling', 'place-filling']
	])('offers others at %s %s, and presses nothing again by itself', (status, code, notice) => {
		const text = { ar: 'ح', en: 'share' };
		const answer = answered(status, { code, blocking: { text }, alternatives: [{ id: 4 }] }, 5_000);
		expect(settle(wanting(choosing(), 'book', 3), 'book', answer, context())).toMatchObject({
			...{ notice, reason: text, offered: [4], wanted: null, section: 'choosing' }
		});
	});
	it('says so when the permit that was to be cancelled had been changed in another tab', () => {
		const booked = at('booked', { place: null });
		const refused = settle(wanting(booked, 'cancel'), 'cancel', problem(409, 'permit_replaced'), context());
		expect(refused).toMatchObject({ next: { action: 'permit' }, notice: 'already-booked', wanted: null });
		const shown = settle(refused, 'permit', answered(200, { id: 'B', state: 'valid' }), context());
		expect(shown).toMatchObject({ section: 'booked', permit: { id: 'B' }, notice: 'already-booked' });
		const twin = settle(wanting(booked, 'cancel'), 'cancel', problem(409, 'key_in_flight'), context());
		expect(twin).toMatchObject({ next: { action: 'cancel', at: 1_000 }, wanted: { action: 'cancel' } });
	});
	it('looks for a permit from another tab when the pass runs out, before it says that the time is over', () => {
		const over = tick(choosing(), context(900_001));
		expect(over).toMatchObject({ next: { action: 'permit' }, passLost: true, place: { pass: null } });
		expect(
			settle(over, 'permit', answered(200, { id: 'A', state: 'valid' }), context(900_002))
		).toMatchObject({
			...{ section: 'booked', permit: { id: 'A' } }
		});
		for (const none of [204, 404]) {
			const asked = settle(over, 'permit', answered(none, null), context(900_002));
			expect(asked.next).toMatchObject({ action: 'status' });
		}
	});
	it('says why somebody may not book, in the words of who refused', () => {
		const answer = answered(403, { code: 'not_eligible', reason: 'no visa' });
		expect(settle(wanting(choosing(), 'book', 3), 'book', answer, context())).toMatchObject({
			notice: 'not-eligible',
			reason: 'no visa'
		});
	});
});

it('always has a next step, unless it is over: no answer of any kind leaves a page that waits for nothing', () => {
	const actions: Action[] = [
		...(['settings', 'progress', 'join', 'status', 'claim', 'leave', 'prepare'] as const),
		...(['slots', 'book', 'permit', 'change', 'cancel'] as const)
	];
	const codes = ['busy', 'not_found', 'no_pass', 'too_early', 'slot_full', 'booking_closed', 'internal', ''];
	const refusals = fc
		.tuple(
			fc.constantFrom(400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504, 0),
			fc.constantFrom(...codes)
		)
		.map(([status, code]): Answer => answered(status, { code }));
	fc.assert(
		fc.property(fc.constantFrom(...actions), refusals, (action, answer) => {
			const before = ['join', 'claim', 'leave', 'prepare', 'book', 'change', 'cancel'].includes(action)
				? wanting(choosing(), action as 'join', 3)
				: choosing();
			const after = settle(before, action, answer, context());
			const over = after.section === 'ended' || action === 'cancel';
			expect(over || after.next !== null).toBe(true);
		})
	);
});
