import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

const options = {
	failureShare: 0.05,
	windowMs: 60_000,
	least: 20,
	openMs: 30_000,
	probes: 3,
	probeMs: 15_000
};

function make() {
	let now = 5_000_000;
	const breaker = createBreaker(options, () => now);
	return {
		breaker,
		pass: (ms: number) => (now += ms),
		run(count: number, ok: boolean) {
			for (let i = 0; i < count; i++) breaker.enter()?.(ok);
		},
		state: () => breaker.figures().state
	};
}

describe('a breaker', () => {
	it('opens above 5 of 100 in a minute, and not at 5', () => {
		const { run, state } = make();
		run(95, true);
		run(5, false);
		expect(state()).toBe('closed');
		run(1, false);
		expect(state()).toBe('open');
	});

	it('does not judge by a few', () => {
		const { run, state } = make();
		run(19, false);
		expect(state()).toBe('closed');
		run(1, false);
		expect(state()).toBe('open');
	});

	it('forgets what is older than a minute', () => {
		const { run, state, pass, breaker } = make();
		run(19, false);
		pass(61_000);
		run(30, true);
		expect(breaker.figures().failureShare).toBe(0);
		run(1, false);
		expect(state()).toBe('closed');
	});

	it('lets nobody in for 30 s, then three who try; when all of them succeed it closes with a clean window', () => {
		const { breaker, run, state, pass } = make();
		run(20, false);
		pass(29_999);
		expect(breaker.enter()).toBeNull();
		pass(1);
		expect(state()).toBe('half-open');
		const tries = [breaker.enter(), breaker.enter(), breaker.enter()];
		expect(breaker.enter()).toBeNull();
		tries[0]!(true);
		tries[1]!(true);
		expect(state()).toBe('half-open');
		expect(breaker.enter()).toBeNull();
		tries[2]!(true);
		expect(breaker.figures()).toEqual({ state: 'closed', failureShare: null });
	});

	it('stays open for another 30 s when one of them fails, or never says how it went', () => {
		const { breaker, run, state, pass } = make();
		run(20, false);
		pass(30_000);
		breaker.enter()!(false);
		expect(state()).toBe('open');
		pass(30_000);
		const silent = breaker.enter()!;
		pass(15_000);
		expect(state()).toBe('open');
		silent(true);
		expect(state()).toBe('open');
	});

	it('gives the place of a try that was refused for another reason to the next', () => {
		const { breaker, run, pass } = make();
		run(20, false);
		pass(30_000);
		for (let i = 0; i < 10; i++) breaker.enter()!(null);
		expect(breaker.enter()).not.toBeNull();
	});

	it('does not take what began before it opened for a try', () => {
		const { breaker, run, state, pass } = make();
		const old = breaker.enter()!;
		run(20, false);
		pass(30_000);
		old(false);
		expect(state()).toBe('half-open');
	});

	it('is open only after too many failures, and never for longer than it says without a new one', () => {
		fc.assert(
			fc.property(
				fc.array(fc.record({ ok: fc.boolean(), ms: fc.integer({ min: 0, max: 20_000 }) }), {
					maxLength: 200
				}),
				(steps) => {
					const { breaker, pass } = make();
					let now = 0;
					let failedAt = -Infinity;
					for (const { ok, ms } of steps) {
						pass(ms);
						now += ms;
						const done = breaker.enter();
						if (done === null) expect(now - failedAt).toBeLessThan(options.openMs);
						else {
							done(ok);
							if (!ok) failedAt = now;
						}
					}
				}
			)
		);
	});
});
