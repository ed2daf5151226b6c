import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Slot } from '@marsad/server/contract';
import { createPeopleApi, type PeopleApi } from './people-api.ts';
import { livePerson, type Ending, type LifeDeps } from './people-life.ts';
import { drawParty, type Temper } from './people-temper.ts';
import { noWatch } from './people-watch.ts';

/** What the people do in one part of the story. */
export interface PeoplePhase {
	name: string;
	seconds: number;
	arrivalsPerSecond: number;
	/** Share of people who think long before they choose, 0 to 1. */
	slowShare: number;
	/** How long the simulated eligibility check takes meanwhile. */
	eligibilityDelayMs: number;
	/** Share of eligibility checks that fail, 0 to 1. */
	eligibilityFailShare?: number;
}

export interface PeopleOptions {
	/** A server on this machine that allows simulated people. */
	url: string;
	/** Repeats until it is stopped. */
	story: readonly PeoplePhase[];
	/** All arrival rates are multiplied by it. */
	scale?: number;
	/** People between arrival and the end of their visit at the same moment; more are not let loose. */
	aliveMax?: number;
	print?: (line: string) => void;
	random?: () => number;
	/** Somebody has a permit now. */
	onBooked?: (user: string) => void;
}

const aliveMaxDefault = 20_000;
const tickMs = 100;
const printEveryMs = 5_000;
/** When less than this share of all places is left, the people who booked first cancel, so many a second. */
const roomShareMin = 0.35;
const cancelsPerSecond = 60;
const cancelsAtOnce = 6;
const bookingsRememberedMax = 100_000;
const absentShare = 0.02;

/**
 * Lets people arrive in an open loop (nobody waits for anybody) as the story says, until the signal aborts. Each
 * joins, waits as told, claims, chooses and books. When places run short the earliest of them cancel little by little,
 * so that a demo that runs for hours does not end with everything full.
 * @throws when the server is not on this machine or takes no simulated people
 */
export async function runPeople(options: PeopleOptions, signal: AbortSignal): Promise<void> {
	const api = createPeopleApi(options.url);
	const crowd = createCrowd(api, options, signal);
	try {
		await crowd.follow();
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		// Calls under way first: nobody waits for the answers of thousands who are leaving.
		await api.close();
		await crowd.ended();
	}
}

function createCrowd(api: PeopleApi, options: PeopleOptions, signal: AbortSignal) {
	const random = options.random ?? Math.random;
	const print = options.print ?? ((line: string) => process.stdout.write(`${line}\n`));
	const aliveMax = options.aliveMax ?? aliveMaxDefault;
	const tally = createTally();
	const run = randomBytes(3).toString('hex');
	const alive = new Set<Promise<void>>();
	const made: { user: string; permit: string }[] = [];
	let arrived = 0;
	const life: LifeDeps = {
		api,
		random,
		watch: noWatch,
		now: () => performance.now(),
		sleep: (ms) => delay(ms, undefined, { signal }),
		onRefused: (code) => tally.refuse(code)
	};

	const visit = async (phase: PeoplePhase): Promise<void> => {
		const user = `sim-${run}-${++arrived}`;
		const temper: Temper = {
			party: drawParty(random),
			slow: random() < phase.slowShare,
			absent: random() < absentShare
		};
		try {
			await delay(random() * tickMs, undefined, { signal });
			const ending = await livePerson(life, user, temper);
			tally.end(ending);
			if (ending.kind !== 'booked') return;
			made.push({ user, permit: ending.permit });
			options.onBooked?.(user);
			if (made.length > bookingsRememberedMax) made.shift();
		} catch {
			if (!signal.aborted) tally.fail();
		}
	};

	const letArrive = (phase: PeoplePhase, count: number) => {
		for (let index = 0; index < count; index++) {
			if (alive.size >= aliveMax) {
				tally.skip(count - index);
				return;
			}
			tally.arrive();
			const one = visit(phase).finally(() => alive.delete(one));
			alive.add(one);
		}
	};

	const cancelOne = async () => {
		const booking = made.shift();
		if (!booking) return;
		const answer = await api.cancel(booking.user, booking.permit);
		if (answer.ok) tally.cancel();
	};
	const cancelSome = async () => {
		const slots = await api.slots();
		if (!slots.ok || roomShare(slots.body.slots) >= roomShareMin) return;
		const lanes = Array.from({ length: cancelsAtOnce }, async () => {
			for (let count = 0; count < cancelsPerSecond / cancelsAtOnce; count++) await cancelOne();
		});
		await Promise.all(lanes);
	};

	const steer = async (phase: PeoplePhase) => {
		const steering = { delayMs: phase.eligibilityDelayMs, failShare: phase.eligibilityFailShare ?? 0 };
		// A server that is away for a moment is steered at the next part; one that refuses is the wrong one.
		const answer = await api.steerEligibility(steering);
		if (!answer.ok && answer.lost === null && answer.status < 500)
			throw new Error('this server takes no simulated people (start it with DEMO or LAB)');
	};

	const play = async (phase: PeoplePhase, endsAt: number) => {
		await steer(phase);
		let owed = 0;
		let lastMs = performance.now();
		let cancelAtMs = lastMs;
		let cancelling: Promise<void> | null = null;
		while (performance.now() < endsAt) {
			await delay(tickMs, undefined, { signal });
			const nowMs = performance.now();
			owed += ((nowMs - lastMs) / 1_000) * phase.arrivalsPerSecond * (options.scale ?? 1);
			lastMs = nowMs;
			const count = Math.floor(owed);
			owed -= count;
			letArrive(phase, count);
			if (nowMs >= cancelAtMs && !cancelling) {
				cancelAtMs = nowMs + 1_000;
				cancelling = cancelSome()
					.catch(() => undefined)
					.finally(() => {
						cancelling = null;
					});
			}
			if (tally.isDue(nowMs)) print(tally.line(phase.name, alive.size, nowMs));
		}
	};

	return {
		async follow() {
			// Counted from the start, so that people stay in step with whatever else follows the same story.
			let endsAt = performance.now();
			for (;;) {
				for (const phase of options.story) {
					endsAt += phase.seconds * 1_000;
					await play(phase, endsAt);
				}
			}
		},
		/** Everybody who is still under way ends at the abort. */
		async ended() {
			await Promise.all(alive);
		}
	};
}

/** Share of all places that is left; 1 while the counts are switched off: nobody cancels for what is not known. */
export function roomShare(slots: readonly Pick<Slot, 'capacity' | 'left'>[]): number {
	const capacity = slots.reduce((sum, slot) => sum + slot.capacity, 0);
	const left = slots.reduce((sum, slot) => sum + (slot.left ?? slot.capacity), 0);
	return capacity === 0 ? 1 : left / capacity;
}

/** Counts of the last five seconds, for the line that is printed. */
function createTally() {
	let counts = {
		arrived: 0,
		skipped: 0,
		failed: 0,
		cancelled: 0,
		refused: new Map<string, number>(),
		ended: new Map<string, number>()
	};
	let dueMs = performance.now() + printEveryMs;
	const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
	const list = (map: Map<string, number>) => [...map].map(([key, count]) => `${key} ${count}`).join(', ');
	return {
		arrive: () => void (counts.arrived += 1),
		skip: (count: number) => void (counts.skipped += count),
		fail: () => void (counts.failed += 1),
		cancel: () => void (counts.cancelled += 1),
		refuse: (code: string) => void add(counts.refused, code),
		end: (ending: Ending) =>
			void add(
				counts.ended,
				ending.kind === 'refused' ? `refused (${ending.at}: ${ending.code})` : ending.kind
			),
		isDue: (nowMs: number) => nowMs >= dueMs,
		line(phase: string, alive: number, nowMs: number): string {
			dueMs = nowMs + printEveryMs;
			const { arrived, skipped, failed, cancelled, refused, ended } = counts;
			counts = { arrived: 0, skipped: 0, failed: 0, cancelled: 0, refused: new Map(), ended: new Map() };
			const parts = [`arrived ${arrived}`, `under way ${alive}`, list(ended)];
			if (refused.size > 0) parts.push(`told to come back: ${list(refused)}`);
			if (cancelled > 0) parts.push(`cancelled ${cancelled}`);
			if (skipped > 0) parts.push(`not let loose ${skipped}`);
			if (failed > 0) parts.push(`failed ${failed}`);
			return `people · ${phase} · ${parts.filter((part) => part !== '').join(' · ')}`;
		}
	};
}
