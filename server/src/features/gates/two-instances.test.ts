import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gate, GatesAnswer } from '../../../contract/index.ts';
import { createInstances, type Instance, type Instances } from '../../../test/kit/instances.ts';

const patience = { timeout: 60_000, interval: 200 };

describe('gates on two instances', () => {
	let house: Instances;
	let cookie = '';
	beforeAll(async () => {
		house = await createInstances(2);
		// The account is the same on both: so is its session.
		cookie = await house.all[0]!.signIn('duty');
	}, 180_000);
	afterAll(() => house?.close());

	const post = async (of: Instance, target: string, body: object) => {
		const answer = await of.staff('POST', `/api/v1/gates/${target}`, cookie, body);
		return { status: answer.status, body: answer.body };
	};
	const read = async (of: Instance, id: string): Promise<Gate> =>
		(await of.staff('GET', `/api/v1/gates/${id}`, cookie)).body;
	/** What lasts: the rest follows from the moment of looking, and from who counts. */
	const lasting = ({ version, commanded, confirmed, hold, reopening }: Gate) => ({
		...{ version, commanded, confirmed, reopening },
		hold: hold && { since: hold.since, until: hold.until }
	});
	/** The same gates on another instance, as soon as it was told. */
	const showsOn = async (of: Instance, gates: readonly Gate[]) => {
		for (const gate of gates)
			await expect.poll(async () => lasting(await read(of, gate.id)), patience).toEqual(lasting(gate));
	};

	it('keep a hold, its timer and a re-opening step when the one that was told is killed with -9', async () => {
		const [first, second] = house.all as [Instance, Instance];
		const { gates } = (await first.staff('GET', '/api/v1/gates', cookie)).body as GatesAnswer;
		const [one, two] = gates.filter(({ direction }) => direction === 'in').map(({ id }) => id);
		const held = await post(first, `${one}/state`, {
			...{ state: 'held', reason: 'the hall is full', holdSeconds: 300 }
		});
		expect(held.status).toBe(200);
		await post(first, `${two}/state`, { state: 'held', reason: 'the hall is full' });
		await post(first, `${two}/state`, { state: 'open', reason: 'the crowd has gone' });
		const before = [await read(first, one!), await read(first, two!)] as const;
		expect(before[0].hold).toMatchObject({ since: held.body.hold.since, until: held.body.hold.until });
		expect(before[1].reopening?.step).toBe(1);
		await showsOn(second, before);

		// Both are asked at once while the first one dies: one command, one change.
		const advance = { expectedVersion: before[1].version, reason: 'by radio' };
		const told = await Promise.all([
			post(first, `${two}/advance`, advance),
			post(second, `${two}/advance`, advance)
		]);
		expect(told.map(({ status }) => status).sort()).toEqual([200, 409]);
		const step = told.find(({ status }) => status === 200)!.body as Gate;
		await first.killEverything();
		await showsOn(second, [before[0], step]);
		expect(step.reopening?.step).toBe(2);

		// The one that is left goes on with it, tells the signs, and refuses what is older than it.
		expect((await post(second, `${two}/advance`, advance)).body.code).toBe('somebody_faster');
		const next = await post(second, `${two}/advance`, { ...advance, expectedVersion: step.version });
		expect(next.body.reopening?.step ?? 3).toBe(3);
		const session = (await second.staff('POST', '/api/v1/simulators/session', cookie, {})).body;
		const { username, password, mqttUrl, site } = session;
		const sign = await mqtt.connectAsync(mqttUrl, { username, password, reconnectPeriod: 0 });
		const shown = new Map<string, { state: string; holdUntil: number | null }>();
		sign.on('message', (topic, payload) => shown.set(topic, JSON.parse(payload.toString())));
		await sign.subscribeAsync(`marsad/${site}/gate/+/state`, { qos: 1 });
		const ofOne = () => shown.get(`marsad/${site}/gate/${one}/state`);
		await expect.poll(() => ofOne()?.state, patience).toBe('held');
		expect(ofOne()?.holdUntil).toBe(before[0].hold?.until);
		await sign.endAsync(true);

		// A new one knows it all from the store.
		const third = await house.start();
		await showsOn(third, [before[0], next.body]);
	}, 300_000);
});
