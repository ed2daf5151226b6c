import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alarm, AlarmsAnswer } from '../../../contract/index.ts';
import { createInstances, type Instances } from '../../../test/kit/instances.ts';

describe('alarms on two instances', () => {
	let house: Instances;
	beforeAll(async () => {
		house = await createInstances(2);
	});
	afterAll(() => house?.close());

	it('are raised by one of them, are the same on both, and go on when the one that leads is killed', async () => {
		const [first, second] = house.all as [Instances['all'][number], Instances['all'][number]];
		const cookies = new Map([[first, await first.signIn('duty')]]);
		// The account is the same: so is its session.
		cookies.set(second, cookies.get(first)!);
		const list = async (of: typeof first): Promise<AlarmsAnswer> =>
			(await of.staff('GET', '/api/v1/alarms', cookies.get(of)!)).body;
		const find = async (
			of: typeof first,
			definition: string,
			check: (alarm: Alarm | undefined) => boolean
		) => {
			const look = async () => (await list(of)).alarms.find((alarm) => alarm.definition === definition);
			await expect.poll(async () => check(await look()), { timeout: 60_000, interval: 200 }).toBe(true);
			return (await look())!;
		};
		const started = await first.staff('POST', '/api/v1/evacuation', cookies.get(first)!, {
			...{ scope: 'site', reason: 'drill of the test' }
		});
		expect(started.status).toBe(200);
		const there = await find(second, 'evacuation', (alarm) => alarm !== undefined);
		const here = await find(first, 'evacuation', (alarm) => alarm !== undefined);
		expect([there.id, there.soundSeq]).toEqual([here.id, here.soundSeq]);
		const ack = await second.staff('POST', `/api/v1/alarms/${here.id}/ack`, cookies.get(second)!, {});
		expect(ack.status).toBe(200);
		await find(first, 'evacuation', (alarm) => alarm?.state === 'acknowledged');

		const leads = house.all.find((instance) => /"name":"alarms[^}]*"msg":"leads"/.test(instance.output()))!;
		const other = house.all.find((instance) => instance !== leads)!;
		const evaluated = (await list(other)).summary.evaluatedAt;
		await leads.killEverything();
		await expect
			.poll(async () => (await list(other)).summary.evaluatedAt > evaluated + 5_000, {
				...{ timeout: 60_000, interval: 500 }
			})
			.toBe(true);
		const now = await find(other, 'evacuation', (alarm) => alarm?.state === 'acknowledged');
		expect([now.id, now.soundSeq]).toEqual([here.id, here.soundSeq]);
		const rows = await house.database.database.db.selectFrom('alarms').select('definition').execute();
		expect(rows.filter(({ definition }) => definition === 'evacuation')).toHaveLength(1);
	}, 240_000);
});
