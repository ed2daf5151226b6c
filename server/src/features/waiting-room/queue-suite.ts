import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestClock } from '../../platform/clock.ts';
import { createPace, type Pace } from './pacing.ts';
import { describeBinding } from './queue-suite-binding.ts';
import { describePlacing } from './queue-suite-placing.ts';
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
		bench.rules.rate = 0;
		const twins = await joinMany(['amal', 'amal', 'bilal', 'amal', 'bilal']);
		expect(twins.map((t) => t.number)).toEqual([1, 1, 2, 1, 2]);
		expect((await joinMany(['bilal']))[0]!.number).toBe(2);
		await bench.queue.stop();
		bench.queue = await restart();
		expect((await joinMany(['carim', 'bilal', 'amal'])).map((t) => t.number)).toEqual([3, 2, 1]);
	});

	it('leaves everybody else where they are when one refreshes or leaves (W-18)', async () => {
		bench.rules.rate = 0;
		await joinMany(['amal', 'bilal', 'carim', 'dalia']);
		await joinMany(['bilal']);
		await bench.during(bench.queue.leave(2));
		const left = await Promise.all(['amal', 'carim', 'dalia'].map((holder) => bench.queue.find(holder)));
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
		bench.rules.rate = 0;
		await joinMany(holders(30));
		bench.rules.rate = 10;
		await until(() => bench.queue.figures().counts.called > 5);
		bench.rules.rate = 0;
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

function describeTurns(bench: Bench): void {
	const { joinMany, during, until, restart, stateOf } = bench;

	it('issues the pass once, the same for repeats, at the rate', async () => {
		bench.rules.rate = 0;
		await joinMany(holders(40));
		bench.rules.rate = 100;
		await until(() => bench.queue.figures().counts.called > 20);
		bench.rules.rate = 10;
		await bench.stand.pass(300);
		const { queue } = bench;
		const tickets = await Promise.all(holders(40).map((holder) => queue.find(holder)));
		const called = tickets.filter((ticket) => ticket!.state === 'called').map((ticket) => ticket!.number);
		const [one, two] = await during(Promise.all([queue.claim(called[0]!), queue.claim(called[0]!)]));
		expect(one).toEqual(two);
		expect(one).toMatchObject({ kind: 'pass' });
		expect(await queue.claim(called[0]!)).toEqual(one);
		// All at once: passes keep the rate, the rest is told to come again and keeps the turn.
		const startedAt = bench.stand.clock.now();
		const outcomes = await during(Promise.all(called.map((number) => queue.claim(number))));
		const seconds = (bench.stand.clock.now() - startedAt) / 1_000;
		const passes = outcomes.filter((outcome) => outcome.kind === 'pass').length;
		expect(passes).toBeLessThanOrEqual(10 * seconds + 10 + 1);
		for (const outcome of outcomes) {
			if (outcome.kind !== 'held') continue;
			expect(outcome.retryInMs).toBeGreaterThan(0);
		}
		for (const number of called) expect(['called', 'admitted']).toContain((await queue.get(number))!.state);
	});

	it('gives 50 parallel claims one pass', async () => {
		bench.rules.rate = 0;
		await joinMany(['amal']);
		bench.rules.rate = 10;
		await until(async () => (await stateOf('amal')) === 'called');
		const outcomes = await during(Promise.all(Array.from({ length: 50 }, () => bench.queue.claim(1))));
		const passes = outcomes.filter((outcome) => outcome.kind === 'pass');
		expect(passes.length).toBeGreaterThan(0);
		expect(new Set(passes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
		await until(() => bench.queue.figures().passes === 1);
	});

	it('refuses who is not called yet and whose turn is over', async () => {
		bench.rules.rate = 0;
		await joinMany(['amal']);
		expect(await bench.queue.claim(1)).toMatchObject({ kind: 'not-yet', ticket: { position: 1 } });
		bench.rules.rate = 10;
		await until(async () => (await stateOf('amal')) === 'called');
		bench.stand.clock.advance(claimWindowMs);
		await until(async () => (await stateOf('amal')) === 'expired');
		expect(await bench.queue.claim(1)).toMatchObject({ kind: 'over' });
		const missed = () => bench.rules.reports.reduce((sum, report) => sum + report.missed, 0);
		await until(() => missed() === 1);
	});

	it('ends a pass when its holder has booked, when time is up, and on leaving', async () => {
		bench.rules.placesMax = 2;
		bench.rules.rate = 1_000;
		await joinMany(holders(5));
		await until(
			() => bench.queue.figures().counts.admitted === 2 && bench.queue.figures().counts.waiting === 3
		);
		await during(Promise.resolve(bench.queue.done('holder 0')));
		await until(
			async () => (await stateOf('holder 0')) === 'done' && (await stateOf('holder 2')) === 'called'
		);
		await during(bench.queue.leave((await bench.queue.find('holder 2'))!.number));
		await until(
			async () => (await stateOf('holder 2')) === 'left' && (await stateOf('holder 3')) === 'called'
		);
		bench.stand.clock.advance(passMs);
		await until(async () => (await stateOf('holder 1')) === 'expired');
	});

	it('stops the clocks and starts them again with the time that was left, also over a restart', async () => {
		bench.rules.rate = 1_000;
		await joinMany(['amal']);
		const { dueAt } = (await bench.queue.find('amal'))!;
		await during(bench.queue.setFrozen(true));
		await bench.stand.pass(2_000);
		bench.stand.clock.advance(passMs * 3);
		await bench.stand.pass(300);
		expect(await stateOf('amal')).toBe('admitted');
		await bench.queue.stop();
		bench.queue = await restart();
		await bench.stand.pass(300);
		expect(await stateOf('amal')).toBe('admitted');
		await during(bench.queue.setFrozen(false));
		expect((await bench.queue.find('amal'))!.dueAt).toBeGreaterThanOrEqual(dueAt + passMs * 3);
		bench.stand.clock.advance(passMs);
		await until(async () => (await stateOf('amal')) === 'expired');
	});

	it('knows without asking whether a pass lives: its times, stopped clocks, and that it was given back', async () => {
		bench.rules.rate = 1_000;
		const [amal] = await joinMany(['amal']);
		const { number, party, claimedAt } = amal!;
		const pass = { epoch: 1, number, party, issuedAt: claimedAt, expiresAt: claimedAt + passMs };
		const lives = () => bench.queue.passLives(pass, 'amal');
		await until(lives);
		await during(bench.queue.setFrozen(true));
		bench.stand.clock.advance(passMs * 2);
		await bench.stand.pass(300);
		expect(lives()).toBe(true);
		await during(bench.queue.setFrozen(false));
		await bench.stand.pass(300);
		expect(lives()).toBe(true);
		await during(bench.queue.leave(number));
		await until(() => !lives());
		const [bilal] = await joinMany(['bilal']);
		const other = { ...pass, number: bilal!.number, issuedAt: bilal!.claimedAt, expiresAt: bilal!.dueAt };
		expect(bench.queue.passLives(other, 'bilal')).toBe(true);
		bench.stand.clock.advance(passMs + 1_000);
		expect(bench.queue.passLives(other, 'bilal')).toBe(false);
	});

	it('renews a pass up to its maximum, and only a living one', async () => {
		bench.rules.rate = 1_000;
		const [amal] = await joinMany(['amal']);
		bench.stand.clock.advance(60_000);
		const once = await during(bench.queue.extend(1));
		expect(once.dueAt).toBeGreaterThanOrEqual(amal!.dueAt + 59_000);
		expect(once.dueAt - amal!.dueAt).toBe(once.extendedMs);
		for (const [ranMs, leftMs] of [
			[100_000, 119_000],
			[110_000, 25_000]
		] as const) {
			bench.stand.clock.advance(ranMs);
			const again = await during(bench.queue.extend(1));
			expect(again.dueAt - bench.stand.clock.now()).toBeGreaterThan(leftMs);
			expect(again.dueAt).toBeLessThanOrEqual(amal!.claimedAt + passMaxMs);
		}
		bench.stand.clock.advance(40_000);
		await until(async () => (await stateOf('amal')) === 'expired');
		await expect(during(bench.queue.extend(1))).rejects.toMatchObject({ code: 'turn_expired' });
		await expect(during(bench.queue.extend(99))).rejects.toMatchObject({ code: 'old_epoch' });
	});
}

function describeTrouble(bench: Bench): void {
	const { joinMany, during, until, restart } = bench;

	it('refuses a process that was overtaken: a frozen holder that wakes up writes nothing', async () => {
		if (bench.stand.shared) return;
		bench.rules.rate = 0;
		await joinMany(holders(3));
		const second = await restart();
		await expect(during(bench.queue.join('late holder', 1))).rejects.toMatchObject({ code: 'not_ready' });
		expect(bench.queue.figures().ready).toBe(false);
		const joined = second.join('late holder', 1);
		await expect(during(joined)).resolves.toMatchObject({ number: 4 });
		await second.stop();
	});

	it('answers busy while the storage is away, and nobody is lost or doubled when it is back', async () => {
		bench.rules.rate = 0;
		await joinMany(holders(5));
		await bench.stand.setReachable(false);
		await expect(during(bench.queue.join('amal', 1))).rejects.toMatchObject({ code: 'busy' });
		await expect(during(bench.queue.join('bilal', 1))).rejects.toMatchObject({ code: 'busy' });
		// Who has a place keeps it, and may look where that needs no storage.
		if (!bench.stand.shared) expect((await bench.queue.join('holder 3', 1)).number).toBe(4);
		await until(() => !bench.queue.figures().ready);
		await bench.stand.setReachable(true);
		await until(() => bench.queue.figures().ready);
		const [amal] = await joinMany(['amal']);
		expect(amal!.number).toBe(6);
		expect((await joinMany(holders(5))).map((ticket) => ticket.number)).toEqual([1, 2, 3, 4, 5]);
		await until(() => bench.queue.figures().issued === 6);
	});

	it('voids everything with a new epoch', async () => {
		await joinMany(holders(4));
		const { epoch } = bench.queue.figures();
		await during(bench.queue.reset(true));
		expect(bench.queue.figures()).toMatchObject({ epoch: epoch + 1, issued: 0 });
		expect(await bench.queue.find('holder 1')).toBeNull();
		expect((await joinMany(['holder 1']))[0]!.number).toBe(1);
	});
}
