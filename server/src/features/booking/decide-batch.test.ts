import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredPermit } from '../permits/index.ts';
import { decideBatch, type LockedSlot, type Wish } from './decide-batch.ts';
import { unknownAttributes } from './quotas.ts';

const slotOf = (id: number, capacity: number, booked = 0): LockedSlot => ({
	id,
	place: 'north',
	startsAt: 1,
	endsAt: 2,
	capacity,
	booked,
	sharded: false
});
const wishOf = (holder: string, slot = 1, extra: Partial<Wish> = {}): Wish => ({
	holder,
	slot,
	party: 1,
	ticket: null,
	key: null,
	attributes: unknownAttributes,
	...extra
});
let issued = 0;
const issue = (wish: Wish, slot: LockedSlot): StoredPermit => ({
	id: `permit-${++issued}`,
	holder: wish.holder,
	room: 'main',
	slot: slot.id,
	place: slot.place,
	startsAt: slot.startsAt,
	endsAt: slot.endsAt,
	party: wish.party,
	ticket: wish.ticket,
	state: 'valid',
	issuedAt: 0,
	attributes: wish.attributes,
	replacedBy: null,
	serial: null,
	keyId: null
});
const decide = (wishes: Wish[], state: Partial<Parameters<typeof decideBatch>[1]>) =>
	decideBatch(wishes, { slots: [], held: [], kept: [], quotas: [], ...state }, issue);
const outcomes = (result: ReturnType<typeof decide>) => result.decisions.map(({ outcome }) => outcome);

describe('a batch', () => {
	it('ranks by arrival within the places left', () => {
		const result = decide([wishOf('a'), wishOf('b'), wishOf('c')], { slots: [slotOf(1, 100, 98)] });
		expect(outcomes(result)).toEqual(['booked', 'booked', 'slotFull']);
	});

	it('places a party whole or not at all, and does not let it block a smaller one', () => {
		const result = decide([wishOf('a', 1, { party: 3 }), wishOf('b', 1, { party: 2 })], {
			slots: [slotOf(1, 2)]
		});
		expect(outcomes(result)).toEqual(['slotFull', 'booked']);
	});

	it('answers the second request of one person from the first', () => {
		const state = { slots: [slotOf(1, 5), slotOf(2, 5)] };
		const result = decide([wishOf('a', 1), wishOf('a', 1), wishOf('a', 2)], state);
		expect(outcomes(result)).toEqual(['booked', 'repeated', 'alreadyBooked']);
		expect(result.permits).toHaveLength(1);
		const ids = result.decisions.map((decision) => ('permit' in decision ? decision.permit : ''));
		expect(new Set(ids).size).toBe(1);
	});

	it('lets a person whose first wish was full get the second', () => {
		const result = decide([wishOf('a', 1), wishOf('a', 2)], { slots: [slotOf(1, 0), slotOf(2, 1)] });
		expect(outcomes(result)).toEqual(['slotFull', 'booked']);
	});

	it('keeps who has a permit, and takes no place for them', () => {
		const held = [issue(wishOf('a', 1), slotOf(1, 1))];
		const result = decide([wishOf('a', 1), wishOf('b', 1)], { slots: [slotOf(1, 2, 1)], held });
		expect(outcomes(result)).toEqual(['repeated', 'booked']);
	});

	it('knows no slot that was not locked', () => {
		expect(outcomes(decide([wishOf('a', 99)], { slots: [slotOf(1, 5)] }))).toEqual(['noSuchSlot']);
	});

	it('lets a pass be spent once, even when its booking was cancelled', () => {
		const cancelled = {
			...issue(wishOf('a', 1, { ticket: 't1' }), slotOf(1, 1)),
			state: 'cancelled' as const
		};
		const result = decide([wishOf('a', 1, { ticket: 't1' }), wishOf('a', 1, { ticket: 't2' })], {
			slots: [slotOf(1, 5)],
			held: [cancelled]
		});
		expect(outcomes(result)).toEqual(['passSpent', 'booked']);
	});

	it('gives the first answer under a key again, also after a cancel, and refuses another body', () => {
		const answer = { outcome: 'booked' as const, slot: 1, permit: 'old', party: 1 };
		const kept = [{ holder: 'a', key: 'k', bodySha256: 'one', answer }];
		const result = decide(
			[
				wishOf('a', 1, { key: { key: 'k', bodySha256: 'one' } }),
				wishOf('a', 2, { key: { key: 'k', bodySha256: 'two' } }),
				wishOf('b', 1, { key: { key: 'k', bodySha256: 'two' } })
			],
			{ slots: [slotOf(1, 5)], kept }
		);
		expect(result.decisions[0]).toEqual({ ...answer, outcome: 'repeated' });
		expect(outcomes(result).slice(1)).toEqual(['keyReused', 'booked']);
	});

	it('is never oversold, never undersold with demand left, one permit a person, parties whole', () => {
		const wish = fc.record({
			holder: fc.integer({ min: 1, max: 30 }).map(String),
			slot: fc.integer({ min: 1, max: 4 }),
			party: fc.integer({ min: 1, max: 6 })
		});
		const capacities = fc.array(fc.integer({ min: 0, max: 25 }), { minLength: 3, maxLength: 3 });
		fc.assert(
			fc.property(fc.array(wish, { maxLength: 80 }), capacities, (wants, sizes) => {
				const slots = sizes.map((size, index) => slotOf(index + 1, size));
				const wishes = wants.map(({ holder, slot, party }) => wishOf(holder, slot, { party }));
				const { decisions, permits } = decide(wishes, { slots });
				expect(new Set(permits.map(({ holder }) => holder)).size).toBe(permits.length);
				for (const slot of slots) {
					const taken = permits
						.filter((permit) => permit.slot === slot.id)
						.reduce((sum, { party }) => sum + party, 0);
					expect(taken).toBeLessThanOrEqual(slot.capacity);
					wishes.forEach((wanted, index) => {
						if (wanted.slot !== slot.id || decisions[index]?.outcome !== 'slotFull') return;
						expect(slot.capacity - taken).toBeLessThan(wanted.party);
					});
				}
				decisions.forEach((decision, index) => {
					if (decision.outcome === 'booked') expect(decision.party).toBe(wishes[index]?.party);
				});
			})
		);
	});
});
