import { expect, it } from 'vitest';
import { createTestClock } from '../../platform/clock.ts';
import { createRoundTimer } from './round-timer.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('hears a wish at any moment, those just after a round has looked included', async () => {
	for (let hops = 0; hops < 12; hops++) {
		const clock = createTestClock();
		let waiting = 1;
		let served = 0;
		const timer = createRoundTimer(clock, async () => {
			served += waiting;
			waiting = 0;
			if (served === 1) void comeBack(hops);
			return null;
		});
		// Somebody who was just served asks for the next thing, so many turns of the event queue later.
		const comeBack = async (turns: number) => {
			for (let turn = 0; turn < turns; turn++) await Promise.resolve();
			waiting++;
			timer.wake(5);
		};
		timer.wake(5);
		for (let step = 0; step < 4; step++) {
			clock.advance(5);
			await settled();
		}
		expect(served, `${hops} turns later`).toBe(2);
		await timer.stop();
	}
});

it('runs no round for nothing', async () => {
	const clock = createTestClock();
	let rounds = 0;
	const timer = createRoundTimer(clock, async () => {
		rounds++;
		return null;
	});
	timer.wake(5);
	timer.wake(2);
	clock.advance(100);
	await settled();
	clock.advance(100);
	await settled();
	expect(rounds).toBe(1);
	await timer.stop();
});
