import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BallotRules, PersonAttributes } from '../../../../contract/index.ts';
import { orderOf } from '../draw/order.ts';
import { poolsOf, walkBallot, type Party } from './walk.ts';
import { readWishes, writeWishes } from './wishes.ts';

const nobody: PersonAttributes = { country: null, provider: null, category: null };
const rulesOf = (lefts: readonly number[], quotas: BallotRules['quotas'] = []): BallotRules => ({
	slots: lefts.map((left, i) => ({ id: i + 1, left })),
	quotas
});
const party = (
	id: string,
	choices: number[],
	people = 1,
	attributes: Partial<PersonAttributes> = {}
): Party => ({
	...{ id, choices, party: people, attributes: { ...nobody, ...attributes } }
});

const values = fc.constantFrom('PK', 'ID', 'SA', null);
const attributes = fc.record({ country: values, provider: values, category: values });
const quota = fc.record({
	id: fc.nat(1_000),
	slot: fc.option(fc.integer({ min: 1, max: 4 })),
	dimension: fc.constantFrom('country' as const, 'provider' as const, 'category' as const),
	other: fc.constantFrom('refuse' as const, 'free' as const, 'share' as const),
	returned: fc.boolean(),
	shares: fc.uniqueArray(fc.record({ value: fc.constantFrom('', 'PK', 'ID', 'SA'), left: fc.nat(12) }), {
		selector: ({ value }) => value
	})
});
const ballot = fc.record({
	rules: fc.record({
		slots: fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 4 }), left: fc.nat(15) }), {
			selector: ({ id }) => id
		}),
		quotas: fc.uniqueArray(quota, { selector: ({ id }) => id, maxLength: 4 })
	}),
	parties: fc
		.array(
			fc.record({
				choices: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 5 }),
				party: fc.integer({ min: 1, max: 6 }),
				attributes
			}),
			{ maxLength: 40 }
		)
		.map((all) => all.map((one, i) => ({ ...one, id: `entry ${i}` })))
});

describe('walking the order of a ballot', () => {
	it('gives each its best choice that is left, whole or not at all', () => {
		const order = [
			party('family', [1, 2], 6),
			party('couple', [1], 2),
			party('large', [1, 2], 6),
			party('one', [2, 1]),
			party('none', [1], 4)
		];
		expect(walkBallot(rulesOf([9, 6]), order)).toEqual([
			{ id: 'family', slot: 1, choice: 1 },
			{ id: 'couple', slot: 1, choice: 1 },
			{ id: 'large', slot: 2, choice: 2 },
			{ id: 'one', slot: 1, choice: 2 },
			{ id: 'none', slot: null, choice: null }
		]);
	});

	it('counts every level at once: slot, country, provider, category', () => {
		const shares = [
			{ value: 'PK', left: 2 },
			{ value: '', left: 1 }
		];
		const country = { id: 7, slot: null, dimension: 'country' as const, returned: false, shares };
		const order = ['PK', 'PK', 'PK', 'FR', 'DE', null].map((from, i) =>
			party(`${i}`, [1], 1, { country: from })
		);
		const given = (other: 'refuse' | 'free' | 'share') =>
			walkBallot(rulesOf([9], [{ ...country, other }]), order).map(({ slot }) => slot);
		expect(given('refuse')).toEqual([1, 1, null, null, null, null]);
		expect(given('free')).toEqual([1, 1, null, 1, 1, 1]);
		expect(given('share')).toEqual([1, 1, null, 1, null, null]);
		const returned = {
			...country,
			other: 'refuse' as const,
			returned: true,
			shares: [
				{ value: 'PK', left: 0 },
				{ value: '', left: 2 }
			]
		};
		expect(walkBallot(rulesOf([9], [returned]), order).map(({ slot }) => slot)).toEqual([
			1,
			1,
			null,
			null,
			null,
			null
		]);
	});

	it('never gives more than any level has, and parties stay whole', () => {
		fc.assert(
			fc.property(ballot, ({ rules, parties }) => {
				const taken = new Map<string, number>();
				for (const { id, slot } of walkBallot(rules, parties)) {
					const own = parties.find((one) => one.id === id)!;
					if (slot === null) continue;
					expect(own.choices).toContain(slot);
					for (const pool of poolsOf(rules, slot, own.attributes)!)
						taken.set(pool, (taken.get(pool) ?? 0) + own.party);
				}
				for (const { id, left } of rules.slots)
					expect(taken.get(`slot ${id}`) ?? 0).toBeLessThanOrEqual(left);
				for (const { id, shares } of rules.quotas)
					for (const { value, left } of shares)
						expect(taken.get(`quota ${id} ${value}`) ?? 0).toBeLessThanOrEqual(left);
			}),
			{ numRuns: 300 }
		);
	});

	it('leaves nobody without while one of their choices still fits, and gives no worse one than it had to', () => {
		fc.assert(
			fc.property(ballot, ({ rules, parties }) => {
				const given = walkBallot(rules, parties);
				given.forEach(({ choice }, at) => {
					const own = parties[at]!;
					// What those in front have taken, and no more, stands in the way of every better choice.
					const before = new Map<string, number>();
					given.slice(0, at).forEach(({ slot }, i) => {
						if (slot === null) return;
						for (const pool of poolsOf(rules, slot, parties[i]!.attributes)!)
							before.set(pool, (before.get(pool) ?? 0) + parties[i]!.party);
					});
					const leftOf = (pool: string) => {
						const [kind, id, value = ''] = pool.split(' ');
						const places =
							kind === 'slot'
								? rules.slots.find((slot) => slot.id === Number(id))?.left
								: rules.quotas
										.find((one) => one.id === Number(id))
										?.shares.find((share) => share.value === value)?.left;
						return (places ?? 0) - (before.get(pool) ?? 0);
					};
					const better = choice === null ? own.choices : own.choices.slice(0, choice - 1);
					for (const slot of better) {
						const pools = poolsOf(rules, slot, own.attributes);
						expect(pools === null || pools.some((pool) => leftOf(pool) < own.party)).toBe(true);
					}
				});
			}),
			{ numRuns: 200 }
		);
	});

	it('does not change for anybody when somebody behind wishes something else', () => {
		fc.assert(
			fc.property(ballot, fc.nat(), ({ rules, parties }, pick) => {
				const at = parties.length === 0 ? 0 : pick % parties.length;
				const changed = parties.map((one, i) =>
					i > at ? { ...one, choices: [...one.choices].reverse() } : one
				);
				expect(walkBallot(rules, changed).slice(0, at + 1)).toEqual(
					walkBallot(rules, parties).slice(0, at + 1)
				);
			})
		);
	});

	it('is as good for who registers late as for who registers early', () => {
		const people = Array.from({ length: 2_000 }, (_, i) => party(`entry ${i}`, [1]));
		const byId = new Map(people.map((one) => [one.id, one]));
		const order = orderOf(Buffer.alloc(32, 5), [...byId.keys()]).map((id) => byId.get(id)!);
		const won = walkBallot(rulesOf([500]), order).filter(({ slot }) => slot !== null);
		expect(won).toHaveLength(500);
		const early = won.filter(({ id }) => Number(id.split(' ')[1]) < 1_000).length;
		// 500 of 2,000, half of them early: the standard deviation is 9.7.
		expect(Math.abs(early - 250)).toBeLessThan(45);
	});
});

describe('wishes in the published list', () => {
	it('are read as they were written, and hold nothing that would break a line', () => {
		const value = fc.option(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/));
		const wishes = fc.record({
			choices: fc.array(fc.integer({ min: 1, max: 2_147_483_647 }), { maxLength: 10 }),
			attributes: fc.record({ country: value, provider: value, category: value })
		});
		fc.assert(
			fc.property(wishes, (one) => {
				expect(readWishes(writeWishes(one))).toEqual(one);
				expect(writeWishes(one)).not.toMatch(/[,\s]/);
			})
		);
	});
});
