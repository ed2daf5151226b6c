import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestClock } from './clock.ts';
import { createFairQueue, QueueRefusal, type FairQueueOptions } from './fair-queue.ts';

const options: FairQueueOptions = {
	...{ running: 2, runningPerTenant: 2, waitingPerTenant: 50, waiting: 100, deadlineMs: 10_000 }
};
const settle = async () => {
	for (let i = 0; i < 8; i++) await Promise.resolve();
};

/** Work that ends when the test says so, in the order in which it began. */
function make(own: FairQueueOptions = options) {
	const clock = createTestClock();
	const queue = createFairQueue(clock, own);
	const started: string[] = [];
	const running: { tenant: string; end: () => void }[] = [];
	const refused: string[] = [];
	const send = (tenant: string) =>
		queue
			.run(tenant, async () => {
				started.push(tenant);
				await new Promise<void>((resolve) => running.push({ tenant, end: resolve }));
			})
			.catch((error: unknown) => {
				if (!(error instanceof QueueRefusal)) throw error;
				refused.push(`${tenant} ${error.reason}`);
			});
	const endOne = async () => {
		running.shift()?.end();
		await settle();
	};
	return { clock, queue, started, running, refused, send, endOne };
}

describe('a fair queue', () => {
	it('gives tenants turns: a hundred pieces of one delay the others by one at a time', async () => {
		const { started, send, endOne } = make();
		for (let i = 0; i < 40; i++) void send('noisy');
		for (const tenant of ['a', 'b', 'c']) void send(tenant);
		await settle();
		expect(started).toEqual(['noisy', 'noisy']);
		for (let i = 0; i < 4; i++) await endOne();
		expect(started.slice(2)).toEqual(['noisy', 'a', 'b', 'c']);
	});

	it('keeps a place free where one tenant may not take all', async () => {
		const { started, send } = make({ ...options, runningPerTenant: 1 });
		for (let i = 0; i < 10; i++) void send('noisy');
		await settle();
		expect(started).toEqual(['noisy']);
		void send('a');
		await settle();
		expect(started).toEqual(['noisy', 'a']);
	});

	it('refuses at the door: this tenant is full, everybody is full', async () => {
		const { refused, send } = make({ ...options, waitingPerTenant: 3, waiting: 5 });
		for (let i = 0; i < 6; i++) void send('noisy');
		await settle();
		expect(refused).toEqual(['noisy queue-full-for-tenant']);
		for (let i = 0; i < 3; i++) void send('a');
		await settle();
		expect(refused).toEqual(['noisy queue-full-for-tenant', 'a queue-full']);
	});

	it('refuses what has waited too long, also while everything hangs', async () => {
		const { clock, queue, refused, send } = make();
		for (let i = 0; i < 4; i++) void send('a');
		await settle();
		expect(queue.figures()).toEqual({ depth: 2, running: 2, tenants: 1, oldestSeconds: 0 });
		clock.advance(9_000);
		expect(queue.figures().oldestSeconds).toBe(9);
		clock.advance(1_000);
		await settle();
		expect(refused).toEqual(['a too-late', 'a too-late']);
		expect(queue.figures()).toEqual({ depth: 0, running: 2, tenants: 0, oldestSeconds: null });
	});

	it('goes on after work that fails', async () => {
		const clock = createTestClock();
		const queue = createFairQueue(clock, { ...options, running: 1 });
		const failed = queue.run('a', async () => {
			throw new Error('broken');
		});
		const next = queue.run('b', async () => 'done');
		await expect(failed).rejects.toThrow('broken');
		await expect(next).resolves.toBe('done');
		expect(queue.figures().running).toBe(0);
	});

	it('loses nothing and never runs too much', async () => {
		const step = fc.oneof(
			fc.record({ send: fc.constantFrom('a', 'b', 'c', 'd') }),
			fc.record({ end: fc.constant(true) }),
			fc.record({ passMs: fc.integer({ min: 1, max: 4_000 }) })
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 150 }), async (steps) => {
				const own = { ...options, running: 3, runningPerTenant: 2, waitingPerTenant: 8, waiting: 20 };
				const { clock, queue, started, running, refused, send, endOne } = make(own);
				let sent = 0;
				for (const one of steps) {
					if ('send' in one) {
						sent += 1;
						void send(one.send);
					} else if ('end' in one) await endOne();
					else clock.advance(one.passMs);
					await settle();
					expect(running.length).toBeLessThanOrEqual(own.running);
					for (const tenant of ['a', 'b', 'c', 'd'])
						expect(running.filter((work) => work.tenant === tenant).length).toBeLessThanOrEqual(2);
					expect(started.length + refused.length + queue.figures().depth).toBe(sent);
				}
				// Everything that still waits gets its turn, one after the other.
				while (running.length > 0) await endOne();
				expect(queue.figures()).toMatchObject({ depth: 0, running: 0 });
				expect(started.length + refused.length).toBe(sent);
			}),
			{ numRuns: 60 }
		);
	});

	it('while several tenants wait, no two turns of one are apart by less than all others', async () => {
		const { started, send, endOne } = make({ ...options, running: 1, runningPerTenant: 1 });
		for (let i = 0; i < 30; i++) void send('noisy');
		for (let i = 0; i < 5; i++) for (const tenant of ['a', 'b']) void send(tenant);
		await settle();
		for (let i = 0; i < 15; i++) await endOne();
		for (let i = 1; i < 15; i += 3) expect(new Set(started.slice(i, i + 3)).size).toBe(3);
	});
});
