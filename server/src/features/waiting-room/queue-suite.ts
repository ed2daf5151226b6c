import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestClock } from '../../platform/clock.ts';
import { createPace, type Pace } from './pacing.ts';
import type { Queue, QueueRules, RoundReport } from './queue.ts';

/** One store of queues under test: several queues may be opened on it, one after the other or at once. */
export interface QueueStand {
	clock: TestClock;
	/** Opens a queue (a process) on the same storage; nothing is shared but the storage. */
	open(rules: QueueRules): Queue;
	/** Breaks or mends the storage. */
	setReachable(reachable: boolean): void;
	/** Lets virtual time pass, the end of it in small steps, with real turns of the event loop for the storage in between. */
	pass(ms: number): Promise<void>;
	close(): Promise<void>;
}

export const claimWindowMs = 120_000;
export const passMs = 120_000;

/** Rules with a rate and a cap that a test moves by hand. */
export function createRules(
	clock: TestClock
): QueueRules & { rate: number; placesMax: number; reports: RoundReport[]; pace: Pace } {
	const pace = createPace(clock.now());
	const rules = {
		rate: 10,
		placesMax: 1_000,
		reports: [] as RoundReport[],
		pace,
		claimWindowMs,
		passMs,
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

/** Every implementation of the queue keeps these promises. */
export function describeQueue(name: string, createStand: () => Promise<QueueStand>): void {
	describe(name, () => {
		let stand: QueueStand;
		let rules: ReturnType<typeof createRules>;
		let queue: Queue;
		beforeEach(async () => {
			stand = await createStand();
			rules = createRules(stand.clock);
			queue = stand.open(rules);
			await queue.start();
		});
		afterEach(() => stand.close());

		/** Runs something while virtual time goes on. */
		const during = async <T>(work: Promise<T>): Promise<T> => {
			let settled = false;
			const noted = work.finally(() => (settled = true));
			noted.catch(() => undefined);
			while (!settled) await stand.pass(5);
			return noted;
		};
		/** Lets time pass until it is so: the storage takes the time it takes. */
		const until = async (condition: () => boolean) => {
			for (let i = 0; i < 3_000 && !condition(); i++) await stand.pass(50);
			expect(condition()).toBe(true);
		};
		const stateOf = (holder: string) => queue.find(holder)?.state;
		const joinMany = (holders: string[]) =>
			during(Promise.all(holders.map((holder) => queue.join(holder, 1))));
		const holders = (count: number, from = 0) =>
			Array.from({ length: count }, (_, i) => `holder ${from + i}`);
		const restart = async () => {
			const second = stand.open(rules);
			await second.start();
			return second;
		};

		it('lets people in at once below the limits, and gives places in order above them', async () => {
			const first = await joinMany(['amal']);
			expect(first[0]).toMatchObject({ number: 1, state: 'admitted' });
			const more = await joinMany(holders(10));
			expect(more.map((t) => t.number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
			expect(more.filter((t) => t.state === 'admitted').length).toBeLessThanOrEqual(2);
			expect(more.at(-1)!.state).toBe('waiting');
		});

		it('gives one person one place: again, at the same moment, and after a restart (S-4, W-19)', async () => {
			rules.rate = 0;
			const twins = await joinMany(['amal', 'amal', 'bilal', 'amal', 'bilal']);
			expect(twins.map((t) => t.number)).toEqual([1, 1, 2, 1, 2]);
			expect((await joinMany(['bilal']))[0]!.number).toBe(2);
			await queue.stop();
			queue = await restart();
			expect((await joinMany(['carim', 'bilal', 'amal'])).map((t) => t.number)).toEqual([3, 2, 1]);
		});

		it('keeps order and turns over a restart, and adds the time away to what was left', async () => {
			rules.rate = 0;
			await joinMany(holders(30));
			rules.rate = 10;
			await until(() => queue.figures().counts.called > 5);
			rules.rate = 0;
			// The round in hand is still written; then nothing moves.
			await queue.stop();
			const called = holders(30).filter((holder) => queue.find(holder)!.state === 'called');
			const dueAt = queue.find(called[0]!)!.dueAt;
			const before = holders(30).map((holder) => queue.find(holder)!);
			stand.clock.advance(600_000);
			queue = await restart();
			const after = holders(30).map((holder) => queue.find(holder)!);
			expect(after.map(({ number, state, party, late }) => ({ number, state, party, late }))).toEqual(
				before.map(({ number, state, party, late }) => ({ number, state, party, late }))
			);
			const moved = queue.find(called[0]!)!.dueAt - dueAt;
			expect(moved).toBeGreaterThanOrEqual(599_000);
			expect(moved).toBeLessThanOrEqual(602_000);
		});

		it('issues the pass once, the same for repeats, at the rate', async () => {
			rules.rate = 0;
			await joinMany(holders(40));
			rules.rate = 100;
			await until(() => queue.figures().counts.called > 20);
			rules.rate = 10;
			await stand.pass(300);
			const called = holders(40)
				.filter((holder) => queue.find(holder)!.state === 'called')
				.map((holder) => queue.find(holder)!.number);
			const [one, two] = await during(Promise.all([queue.claim(called[0]!), queue.claim(called[0]!)]));
			expect(one).toEqual(two);
			expect(one).toMatchObject({ kind: 'pass' });
			expect(await queue.claim(called[0]!)).toEqual(one);
			// All at once: passes keep the rate, the rest is told to come again and keeps the turn.
			const startedAt = stand.clock.now();
			const outcomes = await during(Promise.all(called.map((number) => queue.claim(number))));
			const seconds = (stand.clock.now() - startedAt) / 1_000;
			const passes = outcomes.filter((outcome) => outcome.kind === 'pass').length;
			expect(passes).toBeLessThanOrEqual(10 * seconds + 10 + 1);
			for (const outcome of outcomes) {
				if (outcome.kind !== 'held') continue;
				expect(outcome.retryInMs).toBeGreaterThan(0);
			}
			expect(called.every((number) => ['called', 'admitted'].includes(queue.get(number)!.state))).toBe(true);
		});

		it('refuses who is not called yet and whose turn is over', async () => {
			rules.rate = 0;
			await joinMany(['amal']);
			expect(await queue.claim(1)).toMatchObject({ kind: 'not-yet' });
			rules.rate = 10;
			await until(() => queue.get(1)!.state === 'called');
			stand.clock.advance(claimWindowMs);
			await until(() => queue.get(1)!.state === 'expired');
			expect(await queue.claim(1)).toMatchObject({ kind: 'over' });
			expect(rules.reports.reduce((sum, report) => sum + report.missed, 0)).toBe(1);
		});

		it('ends a pass when its holder has booked, when time is up, and on leaving', async () => {
			rules.placesMax = 2;
			rules.rate = 1_000;
			await joinMany(holders(5));
			expect(queue.figures().counts).toMatchObject({ admitted: 2, waiting: 3 });
			queue.done('holder 0');
			await until(() => stateOf('holder 0') === 'done' && stateOf('holder 2') === 'called');
			await during(queue.leave(queue.find('holder 2')!.number));
			await until(() => stateOf('holder 2') === 'left' && stateOf('holder 3') === 'called');
			stand.clock.advance(passMs);
			await until(() => stateOf('holder 1') === 'expired');
		});

		it('stops the clocks and starts them again with the time that was left, also over a restart', async () => {
			rules.rate = 1_000;
			await joinMany(['amal']);
			const { dueAt } = queue.find('amal')!;
			await during(queue.setFrozen(true));
			await stand.pass(2_000);
			stand.clock.advance(passMs * 3);
			await stand.pass(300);
			expect(queue.find('amal')!.state).toBe('admitted');
			await queue.stop();
			queue = await restart();
			await stand.pass(300);
			expect(queue.find('amal')!.state).toBe('admitted');
			await during(queue.setFrozen(false));
			expect(queue.find('amal')!.dueAt).toBeGreaterThanOrEqual(dueAt + passMs * 3);
			stand.clock.advance(passMs);
			await until(() => stateOf('amal') === 'expired');
		});

		it('refuses a process that was overtaken: a frozen holder that wakes up writes nothing', async () => {
			rules.rate = 0;
			await joinMany(holders(3));
			const second = await restart();
			await expect(during(queue.join('late holder', 1))).rejects.toMatchObject({ code: 'not_ready' });
			expect(queue.figures().ready).toBe(false);
			const joined = second.join('late holder', 1);
			await expect(during(joined)).resolves.toMatchObject({ number: 4 });
			await second.stop();
		});

		it('answers busy while the storage is away, and nobody is lost or doubled when it is back', async () => {
			rules.rate = 0;
			await joinMany(holders(5));
			stand.setReachable(false);
			await expect(during(queue.join('amal', 1))).rejects.toMatchObject({ code: 'busy' });
			await expect(queue.join('bilal', 1)).rejects.toMatchObject({ code: 'busy' });
			// Who has a place keeps it and may look.
			expect((await queue.join('holder 3', 1)).number).toBe(4);
			stand.setReachable(true);
			await until(() => queue.figures().ready);
			const [amal] = await joinMany(['amal']);
			expect(amal!.number).toBe(6);
			expect(queue.figures().issued).toBe(6);
		});

		it('voids everything with a new epoch', async () => {
			await joinMany(holders(4));
			const { epoch } = queue.figures();
			await during(queue.reset(true));
			expect(queue.figures()).toMatchObject({ epoch: epoch + 1, issued: 0 });
			expect(queue.find('holder 1')).toBeNull();
			expect((await joinMany(['holder 1']))[0]!.number).toBe(1);
		});
	});
}
