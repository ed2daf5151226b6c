import { expect, it } from 'vitest';
import { holders, type Bench } from './queue-suite.ts';

/** Overtaken, cut off, reset. */
export function describeTrouble(bench: Bench): void {
	const { joinMany, during, until, restart } = bench;

	it('refuses a process that was overtaken: a frozen holder that wakes up writes nothing', async () => {
		if (bench.stand.shared) return;
		await bench.setRules({ rate: 0 });
		await joinMany(holders(3));
		const second = await restart();
		await expect(during(bench.queue.join('late holder', 1))).rejects.toMatchObject({ code: 'not_ready' });
		expect(bench.queue.figures().ready).toBe(false);
		const joined = second.join('late holder', 1);
		await expect(during(joined)).resolves.toMatchObject({ number: 4 });
		await second.stop();
	});

	it('answers busy while the storage is away, and nobody is lost or doubled when it is back', async () => {
		await bench.setRules({ rate: 0 });
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
