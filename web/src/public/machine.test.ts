import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from './calls.ts';
import { press, settle, tick } from './machine.ts';
import type { Place } from './place.ts';
import { firstState, type Action, type Context, type WaitState } from './state.ts';
import { answered, noAnswer, sampleProgress } from './test-states.ts';

const context = (now = 0, random = 0.5): Context => ({ now, random: () => random });
const place: Place = {
	ticket: 't',
	number: 501,
	epoch: 1,
	firstAhead: 400,
	party: 1,
	late: false,
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
		progress: sampleProgress({ serverTime: 0 }),
		next: null,
		...change
	};
}
function wanting(state: WaitState, action: 'join' | 'claim' | 'book' | 'cancel', slot = 0): WaitState {
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
		['identity_not_configured', 'no-identity']
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
		expect(late.next?.action).toBe('status');
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
	it('finds the permit first, else the place, else the beginning', () => {
		expect(firstState(null, true, 0).next?.action).toBe('permit');
		const none = settle(firstState(place, true, 0), 'permit', problem(404, 'not_found'), context());
		expect(settle(none, 'progress', progress(), context()).section).toBe('waiting');
		expect(settle(firstState(null, false, 0), 'progress', progress(), context()).section).toBe('start');
	});
	it('goes on choosing with a living pass', () => {
		const kept = { ...place, pass: { token: 'p', expiresAt: 10_000 } };
		expect(settle(firstState(kept, false, 0), 'progress', progress(), context()).section).toBe('choosing');
	});
});

it('always has a next step, unless it is over: no answer of any kind leaves a page that waits for nothing', () => {
	const actions: Action[] = ['progress', 'join', 'status', 'claim', 'slots', 'book', 'permit', 'cancel'];
	const codes = ['busy', 'not_found', 'no_pass', 'too_early', 'slot_full', 'booking_closed', 'internal', ''];
	const refusals = fc
		.tuple(
			fc.constantFrom(400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504, 0),
			fc.constantFrom(...codes)
		)
		.map(([status, code]): Answer => answered(status, { code }));
	fc.assert(
		fc.property(fc.constantFrom(...actions), refusals, (action, answer) => {
			const before = ['join', 'claim', 'book', 'cancel'].includes(action)
				? wanting(choosing(), action as 'join', 3)
				: choosing();
			const after = settle(before, action, answer, context());
			const over = after.section === 'ended' || action === 'cancel';
			expect(over || after.next !== null).toBe(true);
		})
	);
});
