import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestClock } from '../../platform/clock.ts';
import { createPace, type Pace } from './pacing.ts';
import { describeBinding } from './queue-suite-binding.ts';
import { describePlacing } from './queue-suite-placing.ts';
import { describeTrouble } from './queue-suite-trouble.ts';
import { describeTurns } from './queue-suite-turns.ts';
import type { Queue, QueueRules, RoundReport } from './queue.ts';

/** One store of queues under test: several queues may be opened on it, one after the other or at once. */
export interface QueueStand {
	clock: TestClock;
	/** Several queues may serve one room at the same time; else the newest takes it over. */
	shared: boolean;
	/** Opens a queue (a process) on the same storage; nothing is shared but the storage. */
	open(rules: QueueRules): Queue;
	/** Breaks or mends the storage. */
	setReachable(reachable: boolean): Promise<void>;
	/** Lets virtual time pass, the end of it in small steps, with real turns of the event loop for the storage in between. */
	pass(ms: number): Promise<void>;
	close(): Promise<void>;
}

export const claimWindowMs = 120_000;
export const passMs = 120_000;
export const passMaxMs = 300_000;

export type TestRules = QueueRules & {
	rate: number;
	placesMax: number;
	reports: RoundReport[];
	pace: Pace;
};

/** Rules with a rate and a cap that a test moves by hand. */
export function createRules(clock: TestClock): TestRules {
	const pace = createPace(clock.now());
	const rules = {
		rate: 10,
		placesMax: 1_000,
		reports: [] as RoundReport[],
		pace,
		claimWindowMs,
		passMs,
		passMaxMs,
		budget(now: number) {
			pace.advance(now, rules.rate);
			return { passes: pace.passes(), turns: pace.turns(), placesMax: rules.placesMax };
		},
		rates(now: number) {
			pace.advance(now, rules.rate);
			const { placesMax } = rules;
			return { passesPerSecond: rules.rate, turnsPerSecond: pace.turnsPerSecond(), placesMax };
		},
		nextPassInMs: () => (rules.rate > 0 ? pace.nextPassInMs() : null),
		onRound(report: RoundReport, spent: { passes: number; turns: number }) {
			pace.spend(spent);
			pace.resolve(report);
			rules.reports.push(report);
		}
	};
	return rules;
}

/** What the tests of one stand share: the stand of the test now running, and ways to look at it. */
export interface Bench {
	readonly stand: QueueStand;
	readonly rules: TestRules;
	queue: Queue;
	/** Moves the rules, and waits until the next round has heard of them. */
	setRules(rules: { rate?: number; placesMax?: number }): Promise<void>;
	/** Runs something while virtual time goes on. */
	during<T>(work: Promise<T>): Promise<T>;
	/** Lets time pass until it is so: the storage takes the time it takes. */
	until(condition: () => boolean | Promise<boolean>): Promise<void>;
	stateOf(holder: string): Promise<string | undefined>;
	numberOf(holder: string): Promise<number | undefined>;
	joinMany(holders: readonly string[]): ReturnType<Bench['joinAll']>;
	joinAll(holders: readonly string[]): Promise<Awaited<ReturnType<Queue['join']>>[]>;
	/** Another queue on the same storage. */
	restart(): Promise<Queue>;
}

export const holders = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => `holder ${from + i}`);

function createBench(createStand: () => Promise<QueueStand>): Bench {
	let stand: QueueStand;
	let rules: TestRules;
	let queue: Queue;
	beforeEach(async () => {
		stand = await createStand();
		rules = createRules(stand.clock);
		queue = stand.open(rules);
		await queue.start();
	});
	afterEach(() => stand.close());
	const bench: Bench = {
		get stand() {
			return stand;
		},
		get rules() {
			return rules;
		},
		get queue() {
			return queue;
		},
		set queue(next) {
			queue = next;
		},
		async setRules(next) {
			Object.assign(rules, next);
			await stand.pass(300);
		},
		async during(work) {
			let settled = false;
			const noted = work.finally(() => (settled = true));
			noted.catch(() => undefined);
			while (!settled) await stand.pass(5);
			return noted;
		},
		async until(condition) {
			let so = await condition();
			for (let i = 0; i < 3_000 && !so; i++) {
				await stand.pass(50);
				so = await condition();
			}
			expect(so).toBe(true);
		},
		stateOf: async (holder) => (await queue.find(holder))?.state,
		numberOf: async (holder) => (await queue.find(holder))?.number,
		joinAll: (names) => Promise.all(names.map((holder) => queue.join(holder, 1))),
		joinMany: (names) => bench.during(bench.joinAll(names)),
		async restart() {
			const second = stand.open(rules);
			await second.start();
			return second;
		}
	};
	return bench;
}

/** Every implementation of the queue keeps these promises. */
export function describeQueue(name: string, createStand: () => Promise<QueueStand>): void {
	describe(name, () => {
		const bench = createBench(createStand);
		describePlaces(bench);
		describeTurns(bench);
		describeTrouble(bench);
		describeBinding(bench);
		describePlacing(bench);
	});
}

function describePlaces(bench: Bench): void {
	const { joinMany, until, restart } = bench;

	it('lets people in at once below the limits, and gives places in order above them', async () => {
		const first = await joinMany(['amal']);
		expect(first[0]).toMatchObject({ number: 1, state: 'admitted', position: 0 });
		const more = await joinMany(holders(10));
		expect(more.map((t) => t.number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
		expect(more.filter((t) => t.state === 'admitted').length).toBeLessThanOrEqual(2);
		expect(more.at(-1)!.state).toBe('waiting');
		expect(more.at(-1)!.position).toBeGreaterThan(0);
	});

	it('gives one person one place: again, at the same moment, and after a restart (S-4, W-19)', async () => {
		await bench.setRules({ rate: 0 });
		const twins = await joinMany(['amal', 'amal', 'bilal', 'amal', 'bilal']);
		expect(twins.map((t) => t.number)).toEqual([1, 1, 2, 1, 2]);
		expect((await joinMany(['bilal']))[0]!.number).toBe(2);
		await bench.queue.stop();
		bench.queue = await restart();
		expect((await joinMany(['carim', 'bilal', 'amal'])).map((t) => t.number)).toEqual([3, 2, 1]);
	});

	it('leaves everybody else where they are when one refreshes or leaves (W-18)', async () => {
		await bench.setRules({ rate: 0 });
		await joinMany(['amal', 'bilal', 'carim', 'dalia']);
		await joinMany(['bilal']);
		await bench.during(bench.queue.leave(2));
		const left = await Promise.all(
			['amal', 'carim', 'dalia'].map(async (holder) => bench.queue.find(holder))
		);
		expect(left.map((ticket) => ticket!.number)).toEqual([1, 3, 4]);
		expect((await joinMany(['bilal']))[0]!.number).toBe(5);
		expect((await bench.queue.get(3))!.position).toBeLessThan((await bench.queue.get(4))!.position);
	});

	it('knows no number that was never given (W-16)', async () => {
		await joinMany(['amal']);
		for (const number of [0, 2, 77, -1]) expect(await bench.queue.get(number)).toBeNull();
		expect(await bench.queue.find('nobody')).toBeNull();
	});

	it('keeps order and turns over a restart, and adds the time away to what was left', async () => {
		await bench.setRules({ rate: 0 });
		await joinMany(holders(30));
		await bench.setRules({ rate: 10 });
		await until(() => bench.queue.figures().counts.called > 5);
		await bench.setRules({ rate: 0 });
		await bench.stand.pass(1_000);
		const look = () => Promise.all(holders(30).map(async (holder) => (await bench.queue.find(holder))!));
		const before = await look();
		// The round in hand is still written; then nothing moves.
		await bench.queue.stop();
		const called = before.find((ticket) => ticket.state === 'called')!;
		bench.stand.clock.advance(600_000);
		bench.queue = await restart();
		const after = await look();
		expect(after.map(({ number, state, party, late }) => ({ number, state, party, late }))).toEqual(
			before.map(({ number, state, party, late }) => ({ number, state, party, late }))
		);
		const moved = after.find((ticket) => ticket.number === called.number)!.dueAt - called.dueAt;
		expect(moved).toBeGreaterThanOrEqual(599_000);
		expect(moved).toBeLessThanOrEqual(602_000);
	});
}
