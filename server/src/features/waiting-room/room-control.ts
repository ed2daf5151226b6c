import type { Progress, RateLimiter } from '../../../contract/index.ts';
import type { Decision } from '../../conductor/decide.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import { createPace, createRateWindow, type Budget } from './pacing.ts';
import type { QueueFigures, QueueRoom, QueueRules } from './queue.ts';

/** What the room does with the conductor's decision: budgets for the queue, and the rate people are told. */
export interface RoomControl extends QueueRules {
	readonly mode: Progress['mode'];
	readonly managerPerSecond: number;
	/** False while the rate is the default that nobody has chosen. */
	readonly measured: boolean;
	/** True once a duty manager has set it. */
	readonly rateByHand: boolean;
	/** @returns whether anything is other than before */
	set(room: Partial<QueueRoom>): boolean;
	/** How often `set` was called. */
	sets(): number;
	/** Once a second. */
	decide(decision: Decision, queue: QueueFigures): void;
	/** People a second that those who wait can expect; 0: nobody can know. */
	expectedPerSecond(): number;
	/** Target now in force, before the cap on people inside. */
	targetPerSecond(): number;
	/** What holds the room back beyond the conductor's decision. */
	boundBy(): Extract<RateLimiter, 'mode' | 'level' | 'leases'> | null;
	slowedBy(): Progress['slowedBy'];
	/** People since this process started; they only grow. */
	totals(): { joined: number; admitted: number };
	noShow(): number;
}

/** A fall of the expected rate by more than a sixth makes the expected time rise by more than 20 %. */
const noticedFall = 1 / 1.2;
const peakMemoryMs = 300_000;
/** The observed rate counts only after it was observed for so long. */
const observeMs = 15_000;

/** A decision comes every second; so long it is missed without a word to those who wait. */
const unheardAfterMs = 10_000;

export function createRoomControl(deps: {
	clock: Clock;
	flags: Pick<Flags, 'isOn'>;
	placesMax: number;
	claimWindowMs: number;
	passMs: number;
	passMaxMs: number;
	/** False before T0 and until everybody drawn is placed: nobody's turn comes. */
	releases: () => boolean;
	/** Another instance decides the rate, and tells it. */
	follows?: () => boolean;
}): RoomControl {
	const { clock, flags } = deps;
	const pace = createPace(clock.now());
	const totals = { joined: 0, admitted: 0 };
	const admitted = createRateWindow();
	let room: QueueRoom = { mode: 'open', ratePerSecond: 0, rateSource: 'default' };
	let sets = 0;
	let decision: Decision | null = null;
	/** When a new decision was last heard, by the clock that never jumps. */
	let heardMs = -Infinity;
	let fullSince: number | null = null;
	const peaks: { at: number; perSecond: number }[] = [];

	const target = () => (room.mode === 'queue-all' ? 0 : (decision?.ratePerSecond ?? 0));
	let stood = false;
	let returnUntil = 0;
	let inside = 0;
	/** The clocks stand, or have just been started again: passes that lived through it are honoured first. */
	const isReturning = (now: number) => {
		if (!flags.isOn('queue-clocks')) {
			stood = true;
			return true;
		}
		if (stood) returnUntil = now + limits.waitingRoom.returnHoldMs;
		stood = false;
		return inside > 0 && now < returnUntil;
	};
	const callsAny = (now: number) => flags.isOn('releases') && deps.releases() && !isReturning(now);
	const isFull = (now: number) => fullSince !== null && now - fullSince >= observeMs;
	/** What the instance that decides said last is no news any more: nobody knows. */
	const isUnheard = () => (deps.follows?.() ?? false) && clock.elapsedMs() - heardMs > unheardAfterMs;
	const expected = () => {
		if (isUnheard()) return 0;
		if (room.mode === 'passthrough') return decision?.managerPerSecond ?? 0;
		if (!flags.isOn('releases') || !deps.releases()) return 0;
		const now = clock.now();
		return isFull(now) ? Math.min(target(), admitted.sum(now) / 60) : target();
	};

	return {
		get mode() {
			return room.mode;
		},
		get managerPerSecond() {
			return room.ratePerSecond;
		},
		get measured() {
			return room.rateSource !== 'default';
		},
		get rateByHand() {
			return room.rateSource === 'manager';
		},
		claimWindowMs: deps.claimWindowMs,
		passMs: deps.passMs,
		passMaxMs: deps.passMaxMs,
		set(next) {
			sets += 1;
			const before = room;
			room = { ...room, ...next };
			return (Object.keys(room) as (keyof QueueRoom)[]).some((name) => room[name] !== before[name]);
		},
		sets: () => sets,
		decide(next, queue) {
			if (next.at !== decision?.at) heardMs = clock.elapsedMs();
			decision = next;
			inside = queue.counts.called + queue.counts.admitted;
			const full = queue.counts.waiting > 0 && inside >= deps.placesMax;
			fullSince = full ? (fullSince ?? next.at) : null;
			peaks.push({ at: next.at, perSecond: expected() });
			while (peaks[0]!.at < next.at - peakMemoryMs) peaks.shift();
		},
		budget(now): Budget {
			if (room.mode === 'passthrough') return { passes: Infinity, turns: Infinity, placesMax: Infinity };
			pace.advance(now, target());
			return {
				passes: pace.passes(),
				turns: callsAny(now) ? pace.turns() : 0,
				placesMax: deps.placesMax
			};
		},
		rates(now) {
			if (room.mode === 'passthrough')
				return { passesPerSecond: Infinity, turnsPerSecond: Infinity, placesMax: Infinity };
			pace.advance(now, target());
			return {
				passesPerSecond: target(),
				turnsPerSecond: callsAny(now) ? pace.turnsPerSecond() : 0,
				placesMax: deps.placesMax
			};
		},
		nextPassInMs: () => (room.mode === 'passthrough' ? 0 : pace.nextPassInMs()),
		onRound(report, spent) {
			if (room.mode !== 'passthrough') pace.spend(spent);
			pace.resolve(report);
			totals.joined += report.joined;
			totals.admitted += report.admitted;
			admitted.add(report.at, report.admitted);
		},
		expectedPerSecond: expected,
		targetPerSecond: target,
		boundBy() {
			if (room.mode === 'queue-all' || (room.mode !== 'passthrough' && !deps.releases())) return 'mode';
			if (!flags.isOn('releases') || isReturning(clock.now())) return 'level';
			return fullSince === null ? null : 'leases';
		},
		slowedBy() {
			const peak = Math.max(0, ...peaks.map((entry) => entry.perSecond));
			if (isUnheard() || expected() > peak * noticedFall || peak === 0) return null;
			if (room.mode === 'queue-all') return 'manager';
			if (!flags.isOn('releases')) return 'level';
			if (isFull(clock.now())) return 'full';
			return reasonOf(decision?.limitedBy ?? 'none');
		},
		totals: () => ({ ...totals }),
		noShow: () => pace.noShow()
	};
}

/** The word that the page translates; a slow rise follows a fall that health caused. */
function reasonOf(limiter: RateLimiter): Progress['slowedBy'] {
	switch (limiter) {
		case 'manager':
		case 'mode':
			return 'manager';
		case 'level':
			return 'level';
		case 'leases':
			return 'full';
		case 'health':
		case 'rising':
		case 'blind':
		case 'narrowest-part':
			return 'health';
		case 'none':
			return null;
	}
}
