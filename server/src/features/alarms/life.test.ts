import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import { account, counts, createHouse, one } from './alarms.fixture.ts';
import { listEvents, touchClaim } from './alarm-store.ts';
import { pointKey } from './model.ts';

const layla = account('layla');
const omar = account('omar');

describe('the life of an alarm', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test?.close());
	const open = () => createHouse(test.database.db);
	const ringsOf = ({ scope }: ReturnType<typeof open>) =>
		test.database.db
			.selectFrom('alarm_annunciations')
			.selectAll()
			.where('season', '=', scope.season)
			.execute();
	const kinds = async (id: string) =>
		(await listEvents(test.database.db, Number(id), 100)).map(({ kind }) => kind);

	it('goes from raised over acknowledged to normal, and stays on the list when nobody has seen it', async () => {
		const house = open();
		house.say('evacuation-gates', 'evacuation', 1, 3);
		let { alarms } = await house.look();
		expect(one(alarms)).toMatchObject({ state: 'unacknowledged', priority: 'critical' });
		house.say('evacuation-gates', 'evacuation', 0, 0);
		({ alarms } = await house.look());
		const returned = one(alarms);
		expect(returned).toMatchObject({ state: 'returned-unacknowledged', escalation: null });
		await house.run((tx) => house.commands.ack(tx, layla, returned.id, {}));
		expect((await house.look()).alarms).toEqual([]);
		const ack = house.run((tx) => house.commands.ack(tx, layla, returned.id, {}));
		await expect(ack).rejects.toMatchObject({ code: 'alarm_over' });
		expect(await kinds(returned.id)).toEqual(['raised', 'returned', 'acknowledged', 'over']);
	});

	it('makes every raise an occurrence of its own, and one line on the list', async () => {
		const house = open();
		const ids = new Set<string>();
		for (let round = 0; round < 4; round++) {
			house.say('evacuation-gates', 'evacuation', 1);
			ids.add(one((await house.pass(1)).alarms).id);
			house.say('evacuation-gates', 'evacuation', 0);
			ids.add(one((await house.pass(1)).alarms).id);
		}
		expect(ids.size).toBe(4);
		expect(one((await house.board.read()).alarms).chattering).toBe(true);
	});

	it('updates the text of the same cause and raises nothing new', async () => {
		const house = open();
		const condition = house.say('database', 'database', 1, 1_500);
		const { id, soundSeq } = one((await house.pass(6)).alarms);
		house.said.set('database\npart\ndatabase', {
			...{ ...condition, value: 2_000, cause: { ar: 'سبب آخر', en: 'Another cause' } }
		});
		const { alarms } = await house.pass(6);
		expect(one(alarms)).toMatchObject({
			id,
			soundSeq,
			cause: { en: 'Another cause' },
			evidence: { value: 2_000 }
		});
	});

	it('keeps an alarm whose sensor died, as unknown, through days and restarts, and says no return', async () => {
		const house = open();
		house.say('zone-density', 'core', 2, 5.4);
		const { id } = one((await house.pass(6)).alarms);
		house.say('zone-density', 'core', null);
		await house.pass(3);
		house.clock.advance(2 * 86_400_000);
		house.restart();
		await house.pass(3);
		house.said.clear();
		house.restart();
		const alarm = one((await house.pass(200)).alarms);
		expect(alarm).toMatchObject({ id, dataLost: true, returnedAt: null, quality: 'unknown', stale: true });
		expect(alarm.evidence.value).toBe(5.4);
		expect(await kinds(id)).not.toContain('returned');
		// Heard again, and clear for as long as the rule asks: only then it is gone.
		house.say('zone-density', 'core', 0, 1);
		expect(one((await house.pass(119)).alarms)).toMatchObject({ id, dataLost: false, returnedAt: null });
		expect(one((await house.pass(3)).alarms).state).toBe('returned-unacknowledged');
	});

	it('ends what left the site file, which nobody can speak of any more', async () => {
		const house = open();
		house.say('evacuation-gates', 'evacuation', 1);
		await house.pass(1);
		house.said.clear();
		house.past.add('evacuation');
		expect(one((await house.pass(2)).alarms).state).toBe('returned-unacknowledged');
	});

	it('ends what a rule raised that is no more', async () => {
		const house = open();
		house.say('database', 'database', 1, 1_500);
		await house.pass(6);
		house.said.clear();
		house.definitions.delete('database');
		house.restart();
		expect(one((await house.pass(1)).alarms).state).toBe('returned-unacknowledged');
	});

	it('calls the duty manager after 60 s, everybody after 120 s, once each, and not when somebody has it', async () => {
		const house = open();
		house.say('zone-density', 'core', 2, 5.4);
		const first = one((await house.pass(6)).alarms);
		expect(one((await house.pass(59)).alarms).escalation).toBe(null);
		expect(one((await house.pass(1)).alarms).escalation?.step).toBe('duty-manager');
		const { alarms, summary } = await house.pass(60);
		expect(one(alarms).escalation?.step).toBe('everybody');
		expect(summary).toMatchObject({ escalation: 'everybody', sound: { why: 'escalated', alarm: first.id } });
		const later = await house.pass(100);
		expect(later.summary.sound?.seq).toBe(summary.sound?.seq);
		expect((await kinds(first.id)).filter((kind) => kind === 'escalated').length).toBe(2);
		const said = await test.database.db.selectFrom('record').select(['action', 'subject']).execute();
		expect(
			said.filter(({ action, subject }) => action === 'alarm.escalated' && subject === `alarm:${first.id}`)
				.length
		).toBe(2);

		house.say('broker', 'broker', 1);
		const broker = (await house.pass(6)).alarms.find(({ definition }) => definition === 'broker')!;
		await house.run((tx) => house.commands.take(tx, layla, broker.id, {}));
		const standing = async (seconds: number) =>
			(await house.pass(seconds)).alarms.find(({ id }) => id === broker.id)!;
		for (let turn = 0; turn < 5; turn++) {
			expect(await standing(40)).toMatchObject({ escalation: null, state: 'unacknowledged' });
			const claim = { alarm: Number(broker.id), account: layla.id, at: house.clock.now() };
			await touchClaim(test.database.db, house.scope, claim);
		}
		// A screen that says nothing any more has nobody before it: 45 s later the clock runs as if nobody had it.
		expect((await standing(45 + 59)).escalation).toBe(null);
		expect((await standing(2)).escalation?.step).toBe('duty-manager');
	});

	it('rings again when it was acknowledged and nothing was done: critical after 5 min, high after 15', async () => {
		const house = open();
		house.say('zone-density', 'core', 2, 5.4);
		house.say('database', 'database', 1, 1_500);
		const before = (await house.pass(6)).alarms;
		for (const { id } of before) await house.run((tx) => house.commands.ack(tx, layla, id, {}));
		const state = async (definition: string, seconds: number) => {
			house.clock.advance(seconds * 1_000);
			return (await house.look()).alarms.find((alarm) => alarm.definition === definition)!;
		};
		expect(await state('zone-density', 299)).toMatchObject({ state: 'acknowledged', rangAgain: 0 });
		expect(await state('zone-density', 1)).toMatchObject({ state: 'unacknowledged', rangAgain: 1 });
		expect(await state('database', 599)).toMatchObject({ state: 'acknowledged' });
		const again = await state('database', 1);
		expect(again).toMatchObject({ state: 'unacknowledged', rangAgain: 1 });
		await house.run((tx) => house.commands.confirm(tx, layla, again.id, { text: 'load was shed' }));
		expect(await state('database', 5_000)).toMatchObject({ state: 'acknowledged', ringsAgainAt: null });
	});

	it('shelves with a reason and for a time, through a restart, and rings when the time is over', async () => {
		const house = open();
		house.say('database', 'database', 1, 1_500);
		const { id, soundSeq } = one((await house.pass(6)).alarms);
		await house.run((tx) =>
			house.commands.shelve(tx, layla, id, { minutes: 30, reason: 'is being repaired' })
		);
		house.restart();
		let shown = await house.pass(2);
		expect(one(shown.alarms).shelved).toMatchObject({ by: 'layla', reason: 'is being repaired' });
		expect([counts(shown.summary), shown.summary.shelved, shown.aside.length]).toEqual([0, 1, 1]);
		// Evaluated underneath: it goes, and comes again without a sound.
		house.say('database', 'database', 0, 10);
		await house.pass(32);
		house.say('database', 'database', 1, 1_700);
		shown = await house.pass(8);
		const second = one(shown.alarms);
		expect([second.id !== id, second.soundSeq, shown.summary.sound?.seq]).toEqual([true, 0, soundSeq]);
		house.clock.advance(30 * 60_000);
		shown = await house.pass(2);
		expect(one(shown.alarms)).toMatchObject({ shelved: null, state: 'unacknowledged' });
		expect(one(shown.alarms).soundSeq).toBeGreaterThan(soundSeq);
		expect([counts(shown.summary), shown.aside]).toEqual([1, []]);
		const unshelve = house.run((tx) => house.commands.unshelve(tx, layla, second.id, {}));
		await expect(unshelve).rejects.toMatchObject({ code: 'not_shelved' });
	});

	it('never shelves a critical crowd alarm, nor hides one that became critical on the shelf', async () => {
		const house = open();
		house.say('zone-density', 'core', 1, 4.2);
		const { id } = one((await house.pass(6)).alarms);
		await house.run((tx) => house.commands.shelve(tx, layla, id, { minutes: 60, reason: 'team is there' }));
		house.say('zone-density', 'core', 2, 5.2);
		const { alarms, aside } = await house.pass(6);
		expect(one(alarms)).toMatchObject({ priority: 'critical', shelved: null, state: 'unacknowledged' });
		expect(aside).toEqual([]);
		const shelve = house.run((tx) =>
			house.commands.shelve(tx, layla, id, { minutes: 5, reason: 'once more' })
		);
		await expect(shelve).rejects.toMatchObject({ code: 'not_shelvable' });
	});

	it('is put aside by design while its cause rings, and comes back with it', async () => {
		const house = open();
		const condition = house.say('device-gone', 'cam-1', 1);
		const key = 'device-gone\ndevice\ncam-1';
		house.said.set(key, { ...condition, suppressed: { ar: 'السبب معروف', en: 'The cause is known' } });
		let shown = await house.pass(2);
		expect(one(shown.alarms)).toMatchObject({
			soundSeq: 0,
			suppressed: { why: { en: 'The cause is known' } }
		});
		expect([counts(shown.summary), shown.summary.suppressed]).toEqual([0, 1]);
		house.said.set(key, condition);
		shown = await house.pass(2);
		expect(one(shown.alarms)).toMatchObject({ suppressed: null });
		expect(one(shown.alarms).soundSeq).toBeGreaterThan(0);
	});

	it('calls nobody for what was put aside by design and is about to go', async () => {
		const house = open();
		const conditions = Array.from({ length: 30 }, (_, device) =>
			house.say('device-gone', `cam-${device}`, 1)
		);
		const why = { ar: 'السبب معروف', en: 'The cause is known' };
		for (const one of conditions) house.said.set(pointKey(one), { ...one, suppressed: why });
		await house.pass(2);
		// The zone is heard again with its first device, the others follow within their off-delay.
		for (const one of conditions) house.said.set(pointKey(one), { ...one, level: 0 });
		const { summary } = await house.pass(3);
		expect([summary.sound, counts(summary)]).toEqual([null, 0]);
		expect((await house.pass(10)).alarms).toEqual([]);
		expect(await ringsOf(house)).toEqual([]);
	});

	it('is taken freely from a holder who is gone, from a living one with a reason alone', async () => {
		const house = open();
		house.say('broker', 'broker', 1);
		const { id } = one((await house.pass(6)).alarms);
		await house.run((tx) => house.commands.take(tx, layla, id, {}));
		const early = house.run((tx) => house.commands.take(tx, omar, id, {}));
		await expect(early).rejects.toMatchObject({ code: 'claim_held' });
		await house.run((tx) => house.commands.take(tx, omar, id, { reason: 'she left her desk' }));
		expect(one((await house.look()).alarms).claim).toMatchObject({ by: 'omar', alive: true });
		expect(one((await house.pass(46)).alarms).claim).toMatchObject({ by: 'omar', alive: false });
		await house.run((tx) => house.commands.take(tx, layla, id, {}));
		expect(one((await house.look()).alarms).claim?.by).toBe('layla');
	});

	it('makes thirty in a minute a flood: one sound more, all on the list and in the store, over below five', async () => {
		const house = open();
		for (let device = 0; device < 30; device++) {
			house.say('device-gone', `cam-${device}`, 1);
			await house.pass(2);
		}
		const { alarms, summary } = await house.board.read();
		expect([alarms.length, counts(summary), summary.perTenMinutes]).toEqual([30, 30, 30]);
		expect(summary.flood).toMatchObject({ hidden: 20 });
		expect(summary.sound).toMatchObject({ why: 'flood', alarm: null });
		const rings = await ringsOf(house);
		expect(rings.filter(({ sounds }) => sounds).length).toBe(11);
		expect(rings.filter(({ why }) => why === 'flood').length).toBe(1);
		for (const { id } of alarms) expect(await kinds(id)).toEqual(['raised']);
		// A restart in the flood is no flood of its own.
		house.restart();
		await house.pass(3);
		expect((await house.board.read()).summary.sound?.seq).toBe(summary.sound?.seq);
		house.clock.advance(600_000);
		expect((await house.pass(2)).summary).toMatchObject({ flood: null, perTenMinutes: 0 });
		expect(alarms.every(({ state }) => state === 'unacknowledged')).toBe(true);
	});

	it('rings once for thirty at the same moment', async () => {
		const house = open();
		for (let device = 0; device < 30; device++) house.say('device-gone', `cam-${device}`, 1);
		const { alarms, summary } = await house.look();
		expect([alarms.length, summary.sound?.why]).toEqual([30, 'flood']);
		const rings = await ringsOf(house);
		expect(rings.filter(({ sounds }) => sounds).map(({ why }) => why)).toEqual(['flood']);
	});

	it('rings again when it gets worse, and not when it eases', async () => {
		const house = open();
		house.say('zone-density', 'core', 1, 4.2);
		const { id } = one((await house.pass(6)).alarms);
		await house.run((tx) => house.commands.ack(tx, layla, id, {}));
		house.say('zone-density', 'core', 2, 5.2);
		const worse = one((await house.pass(6)).alarms);
		expect(worse).toMatchObject({ id, priority: 'critical', state: 'unacknowledged', acknowledged: null });
		await house.run((tx) => house.commands.ack(tx, layla, id, {}));
		house.say('zone-density', 'core', 1, 4.2);
		const eased = one((await house.pass(122)).alarms);
		expect(eased).toMatchObject({ id, priority: 'high', state: 'acknowledged', soundSeq: worse.soundSeq });
	});
});
