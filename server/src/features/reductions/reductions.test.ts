import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TermOver } from '../../platform/leader/leader.ts';
import { graceMs, startReductions, type ReductionBench } from './reductions.fixture.ts';

const reason = 'a lane is out of order';

describe('a slot that shrinks', () => {
	let bench: ReductionBench;
	beforeAll(async () => {
		bench = await startReductions();
	});
	afterAll(() => bench.close());
	// Slots of the test before are over: nobody is offered one of them.
	beforeEach(() => void bench.wait(500 * bench.hourMs));
	const reconciled = async () => expect(await bench.first.booking.reconcile()).toEqual([]);
	const round = () => bench.first.worker.round();
	const toSlot = (slot: number, capacity: number, more: object = {}) => ({
		...{ target: { kind: 'slot' as const, slot, capacity }, reason, expectedPeople: 1_000, ...more }
	});
	const fillOf = async (slot: number) => (await bench.fills()).find(({ id }) => id === slot)!;

	it('asks the last to book first, parts no party, and moves nobody who is inside', async () => {
		const [small = 0, next = 0] = await bench.bench.addSlots([10, 4]);
		await bench.book('a-first', small, 3);
		await bench.book('a-second', small, 2);
		await bench.book('a-third', small, 4);
		await bench.book('a-inside', small, 1);
		await bench.enter((await bench.permitOf('a-inside'))!.id);
		const preview = await bench.preview(toSlot(small, 7));
		// Inside (1), first (3) and second (2) are six of seven; the third, four people, stays whole and has no room.
		expect(preview).toMatchObject({
			affected: { permits: 1, people: 4 },
			inside: { permits: 1, people: 1 },
			slots: [{ slot: small, capacityBefore: 10, capacityAfter: 7, peopleKept: 6, peopleInside: 1 }],
			room: [{ slot: next, left: 4, offered: { permits: 1, people: 4 } }],
			withoutRoom: { permits: 0, people: 0 },
			twoPeople: false
		});
		expect(await fillOf(small), 'a preview changes nothing').toMatchObject({ capacity: 10, booked: 10 });
		const { id } = await bench.reduce(toSlot(small, 7));
		expect(await fillOf(small)).toMatchObject({ capacity: 7, booked: 10, overbooked: 3 });
		await round();
		await reconciled();
		expect(await fillOf(next)).toMatchObject({ booked: 4 });
		expect(await bench.book('a-late', next), 'what is held is not sold').toMatchObject({
			outcome: 'slotFull'
		});
		expect(await bench.offerOf('a-first')).toBeNull();
		const offer = await bench.offerOf('a-third');
		expect(offer).toMatchObject({ state: 'offered', why: 'smaller', unanswered: 'move', slot: { id: next } });

		const old = (await bench.permitOf('a-third'))!;
		const answers = await Promise.all(
			[0, 1, 0, 1].map((instance) => bench.answer('a-third', old.id, 'accept', instance))
		);
		const now = (await bench.permitOf('a-third'))!;
		expect(now).toMatchObject({ slot: next, party: 4, state: 'valid' });
		expect(new Set(answers.map(({ answered }) => JSON.stringify(answered)))).toEqual(
			new Set([JSON.stringify({ ok: true, answer: 'accept', permit: now.id, slot: next, replaced: old.id })])
		);
		await round();
		await reconciled();
		expect(await fillOf(small)).toMatchObject({ booked: 6, overbooked: 0 });
		expect(await bench.show(id)).toMatchObject({
			state: 'done',
			progress: { accepted: { permits: 1, people: 4 } }
		});
	});

	it('honours the old permit for a while, and has it revoked after that', async () => {
		const [small = 0, next = 0] = await bench.bench.addSlots([2, 5]);
		await bench.book('g-one', small, 2);
		const old = (await bench.permitOf('g-one'))!;
		await bench.reduce(toSlot(small, 1));
		await round();
		await bench.answer('g-one', old.id, 'accept');
		const { permits, db } = bench.first;
		const factsOf = async () => (await permits.facts(db, [old.id])).get(old.id)!;
		expect((await factsOf()).cancelledAt).toBe(bench.now() + graceMs);
		const now = (await bench.permitOf('g-one'))!;
		expect((await factsOf()).kin).toEqual([now.id]);
		expect((await permits.facts(db, [now.id])).get(now.id)!.kin).toEqual([old.id]);
		expect(await permits.listMoved('north', 0)).toContainEqual({
			...{ permit: old.id, successor: now.id, honouredUntil: bench.now() + graceMs },
			...{ place: 'north', slot: next, startsAt: now.startsAt, endsAt: now.endsAt },
			before: { place: 'north', slot: small, startsAt: old.startsAt, endsAt: old.endsAt }
		});
		await permits.cancel(now.holder, now.id);
		expect((await factsOf()).cancelledAt, 'who gives up the new one gives up both').toBe(bench.now());
		const pairs = await permits.listMoved('north', 0);
		expect(pairs.filter(({ permit }) => permit === old.id)).toEqual([]);
	});

	it('moves whoever does not answer to what was held for them, at the time that was said', async () => {
		const [small = 0, next = 0] = await bench.bench.addSlots([4, 4]);
		await bench.book('m-one', small, 2);
		await bench.book('m-two', small, 2);
		const { id } = await bench.reduce(toSlot(small, 2, { answerMinutes: 30 }));
		await round();
		expect((await bench.permitOf('m-two'))!.slot).toBe(small);
		bench.wait(29 * 60_000);
		await round();
		expect((await bench.permitOf('m-two'))!.slot, 'not before').toBe(small);
		bench.wait(61_000);
		await round();
		expect((await bench.permitOf('m-two'))!.slot).toBe(next);
		expect((await bench.permitOf('m-one'))!.slot).toBe(small);
		expect(await bench.show(id)).toMatchObject({ state: 'done', progress: { moved: { people: 2 } } });
		await reconciled();
	});

	it('closes: a second person confirms, and whoever finds no room waits for what comes free', async () => {
		const [shut = 0, next = 0] = await bench.bench.addSlots([3, 2]);
		await bench.book('c-one', shut, 1);
		await bench.book('c-two', shut, 2);
		await bench.book('c-there', next, 2);
		const request = toSlot(shut, 0, { withinHours: 1 });
		const preview = await bench.preview(request);
		const proposed = await bench.within((tx) => bench.first.commands.create(tx, bench.duty, request));
		expect(proposed).toMatchObject({ status: 202, body: { state: 'proposed' } });
		const { id } = proposed.body as { id: string };
		const { affected, inside, aboveCapacity, room, withoutRoom } = preview;
		expect(affected).toEqual({ permits: 2, people: 3 });
		expect(await bench.show(id), 'the second person sees what the first one saw').toMatchObject({
			...{ affected, progress: {} },
			forecast: { affected, inside, aboveCapacity, room, withoutRoom }
		});
		expect(await fillOf(shut), 'nothing happens yet').toMatchObject({ capacity: 3 });
		await expect(
			bench.within((tx) => bench.first.commands.confirm(tx, bench.duty, id))
		).rejects.toMatchObject({ code: 'second_person_needed' });
		await bench.within((tx) => bench.first.commands.confirm(tx, bench.second, id));
		await expect(
			bench.within((tx) => bench.first.commands.confirm(tx, bench.second, id))
		).rejects.toMatchObject({ code: 'reduction_decided' });
		expect(await bench.show(id)).toMatchObject({ affected, progress: { new: affected } });
		await round();
		expect(await bench.offerOf('c-one')).toMatchObject({ state: 'waiting', why: 'closed', slot: null });
		await bench.first.permits.cancel(
			(await bench.permitOf('c-there'))!.holder,
			(await bench.permitOf('c-there'))!.id
		);
		await round();
		expect(await bench.offerOf('c-one')).toMatchObject({ state: 'offered', slot: { id: next } });
		expect(await bench.offerOf('c-two'), 'one place is left, a party of two is whole').toMatchObject({
			state: 'waiting'
		});
		bench.wait(3 * bench.hourMs);
		await round();
		expect(await bench.permitOf('c-two'), 'closed, nobody answered, nothing was free').toBeUndefined();
		expect(await bench.show(id)).toMatchObject({
			state: 'done',
			progress: { moved: { people: 1 }, revoked: { people: 2 } }
		});
		await reconciled();
	});

	it('holds no more for who gives up, cancels or changes by other ways', async () => {
		const [small = 0, next = 0, third = 0] = await bench.bench.addSlots([3, 9, 9]);
		for (const user of ['d-one', 'd-two', 'd-three']) await bench.book(user, small);
		const { id } = await bench.reduce(toSlot(small, 0, { unanswered: 'keep' }));
		await round();
		expect(await fillOf(next)).toMatchObject({ booked: 3 });
		const permits = await Promise.all(['d-one', 'd-two', 'd-three'].map((user) => bench.permitOf(user)));
		const [one, two, three] = permits.map((permit) => permit!.id) as [string, string, string];
		await bench.answer('d-one', one, 'decline');
		expect((await bench.answer('d-one', one, 'decline', 1)).answered).toMatchObject({ permit: null });
		await expect(bench.answer('d-one', one, 'accept')).rejects.toMatchObject({ code: 'no_offer' });
		await expect(bench.answer('d-one', two, 'accept')).rejects.toMatchObject({ code: 'not_yours' });
		await bench.first.permits.cancel(permits[1]!.holder, two);
		await bench.enter(three);
		await round();
		await expect(
			bench.answer('d-three', three, 'accept'),
			'who is inside is not moved'
		).rejects.toMatchObject({
			code: 'no_offer'
		});
		await round();
		expect(await bench.show(id)).toMatchObject({
			state: 'done',
			progress: { declined: { permits: 2 }, entered: { permits: 1 } }
		});
		for (const slot of [next, third]) expect(await fillOf(slot)).toMatchObject({ booked: 0 });
		await reconciled();
	});

	it('is withdrawn: capacities and permits are as before, what was moved stays moved', async () => {
		const [small = 0, next = 0] = await bench.bench.addSlots([4, 4]);
		for (const user of ['w-one', 'w-two', 'w-three']) await bench.book(user, small);
		const { id } = await bench.reduce(toSlot(small, 1));
		await round();
		await bench.answer('w-two', (await bench.permitOf('w-two'))!.id, 'accept');
		await bench.within((tx) => bench.first.commands.withdraw(tx, bench.duty, id, 'the lane is mended'));
		expect(await bench.offerOf('w-three'), 'at once').toBeNull();
		await round();
		expect(await fillOf(small)).toMatchObject({ capacity: 4, booked: 2, overbooked: 0 });
		expect(await fillOf(next)).toMatchObject({ booked: 1 });
		expect(await bench.show(id)).toMatchObject({
			state: 'withdrawn',
			progress: { accepted: { permits: 1 }, withdrawn: { permits: 1 } }
		});
		await reconciled();
	});

	it('affects nobody unseen, nor twice at once', async () => {
		const [small = 0] = await bench.bench.addSlots([4]);
		for (const user of ['e-one', 'e-two', 'e-three']) await bench.book(user, small);
		await expect(bench.reduce(toSlot(small, 1, { expectedPeople: 1 }))).rejects.toMatchObject({
			code: 'more_affected'
		});
		await expect(bench.reduce(toSlot(small, 4))).rejects.toMatchObject({ code: 'nothing_to_reduce' });
		await expect(bench.reduce(toSlot(999_999, 4))).rejects.toMatchObject({ code: 'no_such_slot' });
		expect(await fillOf(small)).toMatchObject({ capacity: 4, overbooked: 0 });
		await bench.reduce(toSlot(small, 2));
		await expect(bench.reduce(toSlot(small, 1))).rejects.toMatchObject({ code: 'reduction_running' });
	});

	it('goes on under the next leader; one whose term is over changes nothing', async () => {
		const [small = 0, next = 0] = await bench.bench.addSlots([5, 9]);
		for (let n = 0; n < 5; n++) await bench.book(`l-${n}`, small);
		const { id } = await bench.reduce(toSlot(small, 0));
		await expect(bench.made[1]!.worker.round()).rejects.toBeInstanceOf(TermOver);
		expect(await bench.show(id)).toMatchObject({ progress: { new: { permits: 5 } } });
		bench.made[0]!.lead(false);
		bench.made[1]!.lead(true);
		await bench.made[1]!.worker.round();
		expect(await bench.show(id)).toMatchObject({ progress: { offered: { permits: 5 } } });
		expect(await fillOf(next)).toMatchObject({ booked: 5 });
		bench.wait(3 * bench.hourMs);
		await expect(bench.first.worker.round(), 'answers are due').rejects.toBeInstanceOf(TermOver);
		expect(await bench.show(id)).toMatchObject({ progress: { offered: { permits: 5 } } });
		bench.made[0]!.lead(true);
		await reconciled();
	});
});
