import { expect, it } from 'vitest';
import { claimWindowMs, holders, passMaxMs, passMs, type Bench } from './queue-suite.ts';

/** Turns, passes and their times. */
export function describeTurns(bench: Bench): void {
	const { joinMany, during, until, restart, stateOf } = bench;

	it('issues the pass once, the same for repeats, at the rate', async () => {
		await bench.setRules({ rate: 0 });
		await joinMany(holders(40));
		await bench.setRules({ rate: 100 });
		await until(() => bench.queue.figures().counts.called > 20);
		await bench.setRules({ rate: 10 });
		await bench.stand.pass(300);
		const { queue } = bench;
		const tickets = await Promise.all(holders(40).map(async (holder) => queue.find(holder)));
		const called = tickets.filter((ticket) => ticket!.state === 'called').map((ticket) => ticket!.number);
		const [one, two] = await during(Promise.all([queue.claim(called[0]!), queue.claim(called[0]!)]));
		expect(one).toEqual(two);
		expect(one).toMatchObject({ kind: 'pass' });
		expect(await during(queue.claim(called[0]!))).toEqual(one);
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
		await bench.setRules({ rate: 0 });
		await joinMany(['amal']);
		await bench.setRules({ rate: 10 });
		await until(async () => (await stateOf('amal')) === 'called');
		const outcomes = await during(Promise.all(Array.from({ length: 50 }, () => bench.queue.claim(1))));
		const passes = outcomes.filter((outcome) => outcome.kind === 'pass');
		expect(passes.length).toBeGreaterThan(0);
		expect(new Set(passes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
		await until(() => bench.queue.figures().passes === 1);
	});

	it('refuses who is not called yet and whose turn is over', async () => {
		await bench.setRules({ rate: 0 });
		await joinMany(['amal']);
		expect(await during(bench.queue.claim(1))).toMatchObject({ kind: 'not-yet', ticket: { position: 1 } });
		await bench.setRules({ rate: 10 });
		await until(async () => (await stateOf('amal')) === 'called');
		bench.stand.clock.advance(claimWindowMs);
		await until(async () => (await stateOf('amal')) === 'expired');
		expect(await during(bench.queue.claim(1))).toMatchObject({ kind: 'over' });
		const missed = () => bench.rules.reports.reduce((sum, report) => sum + report.missed, 0);
		await until(() => missed() === 1);
	});

	it('ends a pass when its holder has booked, when time is up, and on leaving', async () => {
		await bench.setRules({ rate: 1_000, placesMax: 2 });
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

	it('gives who has booked no new place, unless one is wanted all the same', async () => {
		const { queue } = bench;
		await bench.setRules({ rate: 1_000 });
		await joinMany(holders(2));
		await until(async () => (await stateOf('holder 0')) === 'admitted');
		await during(Promise.resolve(queue.done('holder 0')));
		await until(async () => (await stateOf('holder 0')) === 'done');
		const issued = 2;
		await until(() => queue.figures().issued === issued);
		expect(await during(queue.join('holder 0', 1, true))).toMatchObject({ number: 1, state: 'done' });
		expect(await during(queue.join('holder 1', 1, true))).toMatchObject({ number: 2 });
		await bench.stand.pass(300);
		expect(queue.figures().issued).toBe(issued);
		// Of two at the same moment, one for a new place: it is given, and both hear of it.
		const both = await during(Promise.all([queue.join('holder 0', 1), queue.join('holder 0', 1, true)]));
		expect(both[0]).toMatchObject({ number: issued + 1 });
		expect([1, issued + 1]).toContain(both[1]!.number);
	});

	it('stops the clocks and starts them again with the time that was left, also over a restart', async () => {
		await bench.setRules({ rate: 1_000 });
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
		await bench.setRules({ rate: 1_000 });
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
		await bench.setRules({ rate: 1_000 });
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
