import { describe, expect, it } from 'vitest';
import { BatchDeadlineError, BatchTimeoutError, BatcherClosedError, createBatcher } from './batcher.ts';
import { createTestClock } from './clock.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Runs that end when the test says so. */
function createHeldRuns() {
	const runs: { items: number[]; end: (answers?: number[]) => void; fail: (error: Error) => void }[] = [];
	const run = (items: number[]) =>
		new Promise<number[]>((resolve, reject) => {
			runs.push({ items, end: (answers = items.map((item) => item * 10)) => resolve(answers), fail: reject });
		});
	return { runs, run };
}
const options = { sizeMax: 3, waitMs: 4, deadlineMs: 1_000, runTimeoutMs: 2_000 };

describe('the batcher', () => {
	it('gathers for a few milliseconds and gives each its own answer', async () => {
		const clock = createTestClock();
		const { runs, run } = createHeldRuns();
		const batcher = createBatcher({ ...options, clock, run });
		const answers = Promise.all([batcher.add(1), batcher.add(2)]);
		expect(runs).toHaveLength(0);
		clock.advance(4);
		expect(runs[0]?.items).toEqual([1, 2]);
		runs[0]?.end();
		expect(await answers).toEqual([10, 20]);
	});

	it('starts at once when full, one run at a time, the next right after it and in order of arrival', async () => {
		const clock = createTestClock();
		const { runs, run } = createHeldRuns();
		const batcher = createBatcher({ ...options, clock, run });
		const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.add(item)));
		expect(runs.map(({ items }) => items)).toEqual([[1, 2, 3]]);
		clock.advance(100);
		expect(runs).toHaveLength(1);
		expect(batcher.depth()).toBe(4);
		for (let turn = 0; turn < 3; turn++) {
			runs[turn]?.end();
			await settle();
		}
		expect(runs.map(({ items }) => items)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
		expect(await answers).toEqual([10, 20, 30, 40, 50, 60, 70]);
	});

	it('drops who waited past the deadline, untouched', async () => {
		const clock = createTestClock();
		const { runs, run } = createHeldRuns();
		const batcher = createBatcher({ ...options, clock, run });
		void Promise.all([1, 2, 3].map((item) => batcher.add(item)));
		const late = expect(batcher.add(4)).rejects.toThrow(BatchDeadlineError);
		clock.advance(1_500);
		const inTime = batcher.add(5);
		runs[0]?.end();
		await late;
		expect(runs[1]?.items).toEqual([5]);
		runs[1]?.end();
		expect(await inTime).toBe(50);
	});

	it('gives up a run that does not end and starts the next beside it', async () => {
		const clock = createTestClock();
		const { runs, run } = createHeldRuns();
		const batcher = createBatcher({ ...options, clock, run, deadlineMs: 10_000 });
		const stuck = expect(batcher.add(1)).rejects.toThrow(BatchTimeoutError);
		clock.advance(10);
		const next = batcher.add(2);
		clock.advance(2_500);
		await stuck;
		await settle();
		expect(runs[1]?.items).toEqual([2]);
		runs[1]?.end();
		expect(await next).toBe(20);
	});

	it('hands a failure to everybody of the batch, and goes on', async () => {
		const clock = createTestClock();
		const { runs, run } = createHeldRuns();
		const batcher = createBatcher({ ...options, clock, run });
		const failed = Promise.allSettled([batcher.add(1), batcher.add(2)]);
		clock.advance(4);
		runs[0]?.fail(new Error('lost'));
		expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		const next = batcher.add(3);
		clock.advance(4);
		runs[1]?.end();
		expect(await next).toBe(30);
	});

	it('finishes what is in hand when it is closed and takes nothing new', async () => {
		const clock = createTestClock();
		const { runs, run } = createHeldRuns();
		const batcher = createBatcher({ ...options, clock, run });
		const answers = Promise.all([1, 2, 3, 4].map((item) => batcher.add(item)));
		const closed = batcher.close();
		await expect(batcher.add(5)).rejects.toThrow(BatcherClosedError);
		runs[0]?.end();
		await settle();
		runs[1]?.end();
		await closed;
		expect(await answers).toEqual([10, 20, 30, 40]);
	});
});
