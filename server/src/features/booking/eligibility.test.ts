import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../platform/clock.ts';
import { createSimulatedEligibility } from './eligibility-simulated.ts';
import { guardEligibility, type EligibilityTrouble } from './eligibility.ts';

const elapsedMs = () => performance.now();

describe('the guard of the eligibility check', () => {
	it('runs so many at once, lets so many wait, and turns the others away at once', async () => {
		let running = 0;
		let most = 0;
		const ends: (() => void)[] = [];
		const troubles: EligibilityTrouble[] = [];
		const guard = guardEligibility(
			async () => {
				running += 1;
				most = Math.max(most, running);
				await new Promise<void>((resolve) => ends.push(resolve));
				running -= 1;
				return { eligible: true };
			},
			{ elapsedMs, concurrent: 2, waiting: 3, onTrouble: (trouble) => troubles.push(trouble) }
		);
		const answers = Array.from({ length: 8 }, (_, person) => guard.check(`p${person}`));
		await expect(answers[7]).resolves.toBeNull();
		expect(guard.inHand()).toEqual({ running: 2, waiting: 3, limit: 2 });
		expect(troubles).toEqual(['bulkhead', 'bulkhead', 'bulkhead']);
		for (let turn = 0; turn < 10; turn++) {
			ends.splice(0).forEach((end) => end());
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect((await Promise.all(answers)).filter((answer) => answer?.eligible)).toHaveLength(5);
		expect(most).toBe(2);
	});

	it('gives up a check that hangs, and aborts it', async () => {
		let aborted = false;
		const guard = guardEligibility(
			(_holder, signal) =>
				new Promise(() => {
					signal.addEventListener('abort', () => (aborted = true));
				}),
			{ elapsedMs, timeoutMs: 30 }
		);
		expect(await guard.check('a')).toBeNull();
		expect(guard.lastTrouble()).toBe('timeout');
		expect(aborted).toBe(true);
	});

	it('stops asking a service that is down, and asks again after a rest', async () => {
		let asked = 0;
		let down = true;
		const guard = guardEligibility(
			() => {
				asked += 1;
				return down ? Promise.reject(new Error('down')) : Promise.resolve({ eligible: true });
			},
			{ elapsedMs, restMs: 50 }
		);
		for (let turn = 0; turn < 200; turn++) await guard.check(`p${turn}`);
		expect(guard.state()).toBe('open');
		expect(asked).toBeLessThan(150);
		down = false;
		await expect.poll(async () => (await guard.check('later'))?.eligible, { timeout: 10_000 }).toBe(true);
		expect(guard.state()).toBe('closed');
		expect(guard.lastTrouble()).toBeNull();
	});

	it('is steered in the demo: slower, failing, and back', async () => {
		const clock = createTestClock();
		let random = 0.4;
		const simulated = createSimulatedEligibility({ clock, delayMs: 20, random: () => random });
		const signal = new AbortController().signal;
		let done = false;
		const check = () => simulated.check('a', signal).then(() => (done = true));
		simulated.steer({ delayMs: 500 });
		const slow = check();
		clock.advance(499);
		await Promise.resolve();
		expect(done).toBe(false);
		clock.advance(1);
		await slow;
		simulated.steer({ delayMs: 0, failShare: 0.5 });
		const failing = expect(check()).rejects.toThrow();
		clock.advance(0);
		await failing;
		random = 0.6;
		const fine = check();
		clock.advance(0);
		await fine;
		expect(simulated.steering()).toMatchObject({ delayMs: 0, failShare: 0.5 });
	});
});
