import type { Progress } from '../../../server/contract/index.ts';
import {
	joinWaiting,
	statusCalled,
	statusWaiting
} from '../../../server/src/features/waiting-room/answers.ts';
import { sampleProgress } from '../../../web/src/public/test-states.ts';
import {
	firstState,
	pageContext,
	press,
	settle,
	type Action,
	type Answer,
	type WaitState
} from '../../../web/src/public/page-logic.ts';

/** One room and its pages in virtual time. */
export type VirtualRoom = {
	people: number;
	/** They arrive within so many seconds, evenly. */
	arriveSeconds: number;
	ratePerSecond: number;
	/** How long a person takes, on average, to press after the page shows that it can be pressed. */
	pressSeconds: number;
	/** A passed turn is over after so long. */
	claimWindowSeconds: number;
	seed: number;
};

export type VirtualFigures = {
	/** Requests that reach the origin in each second, by what was asked. */
	perSecond: Map<Action, Float64Array>;
	/** Requests of pages in all, whoever answered. */
	asked: number;
	booked: number;
	seconds: number;
};

/** What a shared cache of one second answers for everybody. */
const shared: ReadonlySet<Action> = new Set(['settings', 'progress', 'slots']);
const cacheMs = 1_000;
const stepMs = 100;
const startMs = 1_800_000_000_000;

/**
 * Plays the opening with the page's own code: every page is a state of it, and an event is what that state says it
 * will ask next. The origin is the smallest true one: numbers in order, so many released a second.
 */
export function playRoom(room: VirtualRoom): VirtualFigures {
	const random = createRandom(room.seed);
	const seconds = room.arriveSeconds + Math.ceil(room.people / room.ratePerSecond) + 120;
	const origin = createOrigin(room, random, seconds);
	const steps = (seconds * 1_000) / stepMs;
	const wheel: number[][] = Array.from({ length: steps }, () => []);
	const pages: (WaitState | null)[] = Array.from({ length: room.people }, () => null);
	/** When the person behind a page presses what it offers; 0: nothing is offered. */
	const pressAt = new Float64Array(room.people);
	let asked = 0;
	const put = (page: number, ms: number, now: number) => {
		const step = Math.max(Math.floor(now / stepMs) + 1, Math.ceil((ms - startMs) / stepMs));
		wheel[step]?.push(page);
	};

	for (let page = 0; page < room.people; page++)
		put(page, startMs + (page / room.people) * room.arriveSeconds * 1_000, 0);
	for (let step = 0; step < steps; step++) {
		const now = step * stepMs;
		origin.advance(now);
		for (const page of wheel[step]!) {
			const context = pageContext(startMs + now, random);
			let state = pages[page] ?? firstState(null, false, startMs + now);
			const wish = wantedBy(state);
			if (wish && pressAt[page]! > 0 && pressAt[page]! <= now) {
				state = press(state, { ...wish, party: 1, slot: 1, key: 'one' }, context);
				pressAt[page] = 0;
			}
			// Everything that is due, one call after the other, as the page does it.
			for (let call = 0; call < 8 && state.next && state.next.at <= startMs + now; call++) {
				const { action } = state.next;
				asked += 1;
				state = settle(state, action, origin.answer(page, action, now), context);
			}
			if (wantedBy(state) && pressAt[page] === 0 && !state.wanted)
				pressAt[page] = now - Math.log(1 - random()) * room.pressSeconds * 1_000;
			pages[page] = state;
			const nextMs = Math.min(
				state.next?.at ?? Infinity,
				pressAt[page]! > 0 ? startMs + pressAt[page]! : Infinity
			);
			if (nextMs < Infinity) put(page, nextMs, now);
		}
		wheel[step] = [];
	}
	return { perSecond: origin.perSecond, asked, booked: origin.booked(), seconds };
}

/** What a person would press on this page. */
function wantedBy(state: WaitState): { action: 'join' | 'claim' | 'book' } | null {
	if (state.wanted) return null;
	if (state.section === 'start' && state.progress) return { action: 'join' };
	if (state.section === 'called') return { action: 'claim' };
	return state.section === 'choosing' && state.slots ? { action: 'book' } : null;
}

const ok = (body: unknown): Answer => ({ status: 200, body, retryAfterMs: null });

/** Numbers in order, so many released a second; answers in the server's own words. */
function createPlaces(room: VirtualRoom, random: () => number) {
	const numbers = new Int32Array(room.people);
	const calledAt = new Float64Array(room.people + 1);
	const now = { issued: 0, released: 0, booked: 0, tokens: 0, ms: 0 };
	const contextOf = (number: number) => ({
		...{ position: Math.max(0, number - now.released), ratePerSecond: room.ratePerSecond },
		...{ pollFactor: 1, random }
	});
	const ticketOf = (number: number) => ({
		...{ number, party: 1, late: false, joinedAt: startMs, claimedAt: 0, extendedMs: 0 },
		state: number > now.released ? ('waiting' as const) : ('called' as const),
		dueAt: number > now.released ? 0 : startMs + calledAt[number]! + room.claimWindowSeconds * 1_000
	});
	return {
		now,
		advance(ms: number) {
			const { ratePerSecond } = room;
			now.tokens = Math.min(ratePerSecond, now.tokens + ((ms - now.ms) / 1_000) * ratePerSecond);
			now.ms = ms;
			while (now.tokens >= 1 && now.released < now.issued) {
				calledAt[++now.released] = ms;
				now.tokens -= 1;
			}
		},
		/** What one page asks the origin itself. */
		answer(page: number, action: Action): Answer {
			const ticket = ticketOf(numbers[page]!);
			if (action === 'join') {
				const number = (numbers[page] ||= ++now.issued);
				return ok(joinWaiting(ticketOf(number), `t${page}`, contextOf(number)));
			}
			if (action === 'status') {
				if (ticket.state === 'waiting') return ok(statusWaiting(contextOf(ticket.number)));
				return startMs + now.ms > ticket.dueAt
					? { status: 410, body: { code: 'turn_expired' }, retryAfterMs: null }
					: ok(statusCalled(ticket, null, contextOf(ticket.number)));
			}
			if (action === 'claim') return ok({ token: 'pass', expiresAt: startMs + now.ms + 900_000 });
			if (action !== 'book')
				return ok({ id: `p${page}`, slot: 1, party: 1, state: 'valid', place: 'one', svg: '' });
			now.booked += 1;
			return ok({ ok: true, slot: 1, permit: `p${page}` });
		}
	};
}

/** The places behind a shared cache, and what reaches them. */
function createOrigin(room: VirtualRoom, random: () => number, seconds: number) {
	const perSecond = new Map<Action, Float64Array>();
	const places = createPlaces(room, random);
	const cachedUntil = new Map<Action, number>();
	let progress: Progress = sampleProgress({ issued: 0, released: 0, waiting: 0, serverTime: startMs });
	const count = (action: Action, now: number) => {
		const counts = perSecond.get(action) ?? new Float64Array(seconds);
		perSecond.set(action, counts);
		counts[Math.floor(now / 1_000)]! += 1;
	};
	const refresh = (action: Action, now: number) => {
		cachedUntil.set(action, now + cacheMs);
		count(action, now);
		if (action !== 'progress') return;
		const { issued, released } = places.now;
		const waiting = issued - released;
		const { ratePerSecond } = room;
		progress = sampleProgress({ issued, released, waiting, ratePerSecond, serverTime: startMs + now });
	};
	return {
		perSecond,
		booked: () => places.now.booked,
		advance: places.advance,
		answer(page: number, action: Action, now: number): Answer {
			if (!shared.has(action)) {
				count(action, now);
				return places.answer(page, action);
			}
			if ((cachedUntil.get(action) ?? -1) <= now) refresh(action, now);
			if (action === 'settings') return ok({ identity: 'demo', signIn: null });
			return action === 'progress' ? ok(progress) : ok({ slots: [], bookingOpen: true });
		}
	};
}

/** Mulberry32: small, seeded, good enough for jitter. */
function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
