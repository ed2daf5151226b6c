import type { EntryCause, MovedPermit } from '@marsad/server/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDesk } from './desk.ts';
import { judge } from './judge.ts';
import { lineOf } from './moved.ts';
import {
	gateSettings,
	idOf,
	judgeContext,
	openTestScanner,
	revocations,
	sealOwn,
	usualAt,
	usualClaims
} from './scan.fixture.ts';

const hour = 3_600_000;
const fromMs = usualClaims.fromSeconds * 1_000;
const [oldId, newId] = [idOf(1), idOf(2)];
const old = sealOwn({ id: oldId });
/** From the usual window to one that begins when that is over, an hour later, and is as long. */
const length = (usualClaims.untilSeconds - usualClaims.fromSeconds) * 1_000;
const startsAt = fromMs + length + hour;
const fresh = sealOwn({
	id: newId,
	fromSeconds: startsAt / 1_000,
	untilSeconds: (startsAt + length) / 1_000
});
const move = (more: Partial<MovedPermit> = {}): MovedPermit => ({
	...{ permit: oldId, successor: newId, honouredUntil: usualAt + hour / 2, place: 'courtyard', slot: 9 },
	...{ startsAt, endsAt: startsAt + length },
	...more
});
const look = (
	text: string,
	moved: MovedPermit[],
	at = usualAt,
	trust: 'server' | 'device' | 'untrusted' = 'server',
	more: Parameters<typeof judgeContext>[0] = {}
) => judge(text, judgeContext({ settings: gateSettings({ moved }), time: { at, trust }, ...more }));

describe('a permit that was moved with its slot', () => {
	it('enters in amber for a while, and is told when the new one is good', async () => {
		expect(await look(old, [move()])).toMatchObject({
			...{ verdict: 'amber', flags: ['moved'], most: 4, permit: oldId, moved: { successor: newId } }
		});
		expect(await look(old, [])).toMatchObject({ verdict: 'green' });
	});

	it('is red after that, with the way to the new one, also while no list says so', async () => {
		const late = await look(old, [move({ honouredUntil: usualAt - 1 })]);
		expect(late).toMatchObject({ verdict: 'red', cause: 'revoked', most: 0, moved: { startsAt } });
		const over = startsAt - hour / 2;
		expect((await look(old, [move()], over)).cause).toBe('revoked');
	});

	it('is good in the window of the new one, too, while it is honoured', async () => {
		const honouredUntil = startsAt + hour;
		expect(await look(old, [move({ honouredUntil })], startsAt + 60_000)).toMatchObject({
			...{ verdict: 'amber', flags: ['moved'] }
		});
		// Between both windows: told of the next one, and not of the one that is over.
		const between = await look(old, [move({ honouredUntil })], startsAt - hour / 3);
		expect(between).toMatchObject({
			...{ cause: 'early' as EntryCause, window: { fromSeconds: startsAt / 1_000 - 900 } }
		});
	});

	it('and the one that came of it enters when the old one was good, while that is honoured', async () => {
		// Moved unasked to an earlier slot: whoever saw nothing comes when the old one begins, with whichever they have.
		const before = { place: 'courtyard', slot: 9, startsAt, endsAt: startsAt + length };
		const earlier = { slot: usualClaims.slot, startsAt: fromMs, endsAt: fromMs + length, before };
		const honoured = [move({ ...earlier, honouredUntil: startsAt + hour / 2 })];
		const moved = sealOwn({ id: newId });
		const late = sealOwn({
			...{ id: oldId, slot: 9, fromSeconds: startsAt / 1_000, untilSeconds: (startsAt + length) / 1_000 }
		});
		const comesAt = startsAt + 60_000;
		expect(await look(late, honoured, comesAt)).toMatchObject({ verdict: 'amber', flags: ['moved'] });
		expect(await look(moved, honoured, comesAt)).toMatchObject({ verdict: 'green', flags: ['grace'] });
		expect((await look(moved, [], comesAt)).cause).toBe('late');
		const tooLate = startsAt + hour / 2 + 1_000;
		expect((await look(moved, honoured, tooLate)).cause).toBe('late');
		expect((await look(late, honoured, tooLate)).cause).toBe('revoked');
		const elsewhere = [move({ ...honoured[0], before: { ...before, place: 'other' } })];
		expect((await look(moved, elsewhere, comesAt)).cause).toBe('late');
	});

	it('that came from another place enters here, and one that went there is sent there', async () => {
		const hall = revocations.list.places.find(({ id }) => id !== 'courtyard')?.number ?? 77;
		const elsewhere = sealOwn({ id: oldId, place: hall, gates: 0 });
		expect((await look(elsewhere, [])).cause).toBe('wrong-place');
		const honouredUntil = startsAt + hour;
		expect(await look(elsewhere, [move({ honouredUntil })], startsAt)).toMatchObject({ flags: ['moved'] });
		expect((await look(elsewhere, [move({ honouredUntil })])).cause).toBe('early');
		expect((await look(elsewhere, [move({ place: 'other' })])).cause).toBe('wrong-place');
		expect((await look(old, [move({ place: 'other' })])).flags).toEqual(['moved']);
	});

	it('is refused for no clock that is not certain, and for the list alone', async () => {
		const over = [move({ honouredUntil: usualAt - hour })];
		for (const trust of ['device', 'untrusted'] as const)
			expect((await look(old, over, usualAt, trust)).verdict).toBe('amber');
		const all = { ...revocations, bits: new Uint8Array(65_536).fill(255) };
		expect((await look(old, over, usualAt, 'device', { revocations: all })).cause).toBe('revoked');
	});

	it('and the one that came of it let in once together, whichever comes first', async () => {
		for (const order of [
			[old, fresh],
			[fresh, old]
		]) {
			const { deps, state, pass, store } = openTestScanner();
			state.settings = gateSettings({ moved: [move({ startsAt: fromMs, endsAt: startsAt + length })] });
			const desk = createDesk({ ...deps });
			const [first = '', second = ''] = order.map((text) => (text === fresh ? sealOwn({ id: newId }) : text));
			expect((await desk.scan(first, 'wedge'))!.entry.people).toBe(4);
			await desk.setPeople(3);
			pass(5_000);
			expect(await desk.scan(second, 'wedge')).toMatchObject({ entry: { people: 1, party: { entered: 4 } } });
			pass(5_000);
			expect((await desk.scan(first, 'wedge'))!.entry).toMatchObject({ cause: 'used', people: 0 });
			// Nothing of it is forgotten before the new window is over.
			expect((await store.findUse(oldId))?.untilSeconds).toBe((startsAt + length) / 1_000);
		}
	});
});

describe('a line of moved permits', () => {
	it('has the same members from each of them, ends at the last, and survives rings and branches', () => {
		const id = fc.integer({ min: 0, max: 7 }).map((n) => idOf(n));
		const moves = fc.array(
			fc.record({ permit: id, successor: id }).map(({ permit, successor }) => move({ permit, successor })),
			{ maxLength: 12 }
		);
		fc.assert(
			fc.property(moves, id, (moved, start) => {
				const line = lineOf(start, moved);
				expect(line.others).not.toContain(start);
				expect(new Set(line.others).size).toBe(line.others.length);
				expect(line.next === null).toBe(line.own === null);
			})
		);
		const chain = [1, 2, 3].map((n) => move({ permit: idOf(n), successor: idOf(n + 1) }));
		for (const n of [1, 2, 3, 4]) {
			const { others, next } = lineOf(idOf(n), chain);
			expect([...others, idOf(n)].sort()).toEqual([1, 2, 3, 4].map((one) => idOf(one)).sort());
			expect(next?.successor).toBe(n === 4 ? undefined : idOf(4));
		}
	});
});
