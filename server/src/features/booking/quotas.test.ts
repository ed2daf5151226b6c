import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	changesOf,
	commonShare,
	createLedger,
	levelOrder,
	pickCells,
	shardCount,
	shareOf,
	spread,
	type LockedQuota,
	type QuotaCell
} from './quotas.ts';

const cellsOf = (quota: number, shares: Record<string, number[]>): QuotaCell[] =>
	Object.entries(shares).flatMap(([value, lefts]) =>
		lefts.map((left, shard) => ({ quota, value, shard, left }))
	);
const quotaOf = (
	id: number,
	dimension: LockedQuota['dimension'],
	shares: Record<string, number[]>,
	extra: Partial<LockedQuota> = {}
): LockedQuota => ({
	id,
	dimension,
	slot: null,
	other: 'refuse',
	returned: false,
	listed: new Set(Object.keys(shares).filter((value) => value !== commonShare)),
	cells: cellsOf(id, shares),
	partial: new Set(),
	...extra
});
const person = (country: string | null, category: string | null = null) => ({
	country,
	provider: null,
	category
});

describe('which share serves a person', () => {
	const quota = quotaOf(1, 'country', { SA: [5], '': [3] });
	it('is their own, else what the rule for the others says, said openly', () => {
		expect(shareOf(quota, person('SA'))).toBe('SA');
		expect(shareOf({ ...quota, other: 'share' }, person('FR'))).toBe(commonShare);
		expect(shareOf({ ...quota, other: 'share' }, person(null))).toBe(commonShare);
		expect(shareOf({ ...quota, other: 'free' }, person(null))).toBeNull();
		expect(createLedger([quota]).take(1, person(null), 1)).toEqual({
			blocked: { dimension: 'country', scope: 'season', why: 'no-share' },
			short: false
		});
	});

	it('is the common one for everybody who is listed, once unused shares were returned', () => {
		expect(shareOf({ ...quota, returned: true }, person('SA'))).toBe(commonShare);
		expect(createLedger([{ ...quota, returned: true }]).take(1, person('FR'), 1)).toHaveProperty('blocked');
	});
});

describe('the ledger', () => {
	it('says which level blocks: 30 and 30 in 60, level A full', () => {
		const slot = quotaOf(9, 'slot', { '': [60] }, { slot: 1, other: 'share' });
		const levels = quotaOf(1, 'category', { A: [30], B: [30] });
		const ledger = createLedger([levels, slot]);
		for (let turn = 0; turn < 30; turn++) ledger.take(1, person(null, 'A'), 1);
		expect(ledger.take(1, person(null, 'A'), 1)).toMatchObject({
			blocked: { dimension: 'category', why: 'full' }
		});
		expect(ledger.take(1, person(null, 'B'), 1)).toHaveProperty('takes');
	});

	it('calls a full slot that, even where a share of the season is full, too', () => {
		const slot = quotaOf(9, 'slot', { '': [0] }, { slot: 1, other: 'share' });
		const ledger = createLedger([quotaOf(1, 'country', { SA: [0] }), slot]);
		expect(ledger.take(1, person('SA'), 1)).toMatchObject({ blocked: { dimension: 'slot' } });
	});

	it('takes a party from one shard where one holds it, else from several, whole or not at all', () => {
		const ledger = createLedger([quotaOf(1, 'country', { SA: [2, 5, 1] })]);
		expect(ledger.take(1, person('SA'), 4)).toEqual({
			takes: [{ quota: 1, value: 'SA', shard: 1, people: 4 }]
		});
		expect(ledger.take(1, person('SA'), 4)).toEqual({
			takes: [
				{ quota: 1, value: 'SA', shard: 0, people: 2 },
				{ quota: 1, value: 'SA', shard: 1, people: 1 },
				{ quota: 1, value: 'SA', shard: 2, people: 1 }
			]
		});
		expect(ledger.take(1, person('SA'), 1)).toHaveProperty('blocked');
	});

	it('an overbooked row holds nobody, and takes nothing away from the others', () => {
		const ledger = createLedger([quotaOf(1, 'country', { SA: [-3, 2] })]);
		expect(ledger.take(1, person('SA'), 3)).toHaveProperty('blocked');
		expect(ledger.take(1, person('SA'), 2)).toHaveProperty('takes');
	});

	it('is never oversold, never undersold with demand left, parties whole, whatever comes in whatever order', () => {
		const sizes = fc.array(fc.integer({ min: -2, max: 12 }), { minLength: 1, maxLength: 4 });
		const wish = fc.record({
			country: fc.constantFrom('SA', 'ID', 'FR', null),
			category: fc.constantFrom('A', 'B', null),
			slot: fc.integer({ min: 1, max: 2 }),
			party: fc.integer({ min: 1, max: 6 })
		});
		const other = fc.constantFrom('refuse', 'free', 'share' as const);
		fc.assert(
			fc.property(
				fc.tuple(sizes, sizes, sizes, sizes, sizes),
				fc.tuple(other, other),
				fc.boolean(),
				fc.array(wish, { maxLength: 60 }),
				([sa, id, common, a, b], [otherCountry, otherCategory], returned, wishes) => {
					const quotas = [
						quotaOf(1, 'country', { SA: sa, ID: id, '': common }, { other: otherCountry, returned }),
						quotaOf(2, 'category', { A: a, '': b }, { other: otherCategory, slot: 1 })
					];
					const left = new Map(
						quotas.flatMap(({ cells }) =>
							cells.map((cell) => [`${cell.quota} ${cell.value} ${cell.shard}`, cell.left])
						)
					);
					const ledger = createLedger(quotas);
					for (const { slot, party, ...attributes } of wishes) {
						const who = { ...attributes, provider: null };
						const counting = quotas.filter((quota) => quota.slot === null || quota.slot === slot);
						const free = counting.flatMap((quota) => {
							const value = shareOf(quota, who);
							if (value === null) return [];
							const own = quota.cells.filter((cell) => cell.value === value);
							return [
								own.reduce(
									(sum, cell) =>
										sum + Math.max(0, left.get(`${cell.quota} ${cell.value} ${cell.shard}`) ?? 0),
									0
								)
							];
						});
						const result = ledger.take(slot, who, party);
						expect('takes' in result).toBe(free.every((places) => places >= party));
						if (!('takes' in result)) continue;
						for (const quota of new Set(result.takes.map((take) => take.quota))) {
							const own = result.takes.filter((take) => take.quota === quota);
							expect(own.reduce((sum, { people }) => sum + people, 0)).toBe(party);
						}
						for (const take of result.takes) {
							const name = `${take.quota} ${take.value} ${take.shard}`;
							const rest = (left.get(name) ?? 0) - take.people;
							expect(rest).toBeGreaterThanOrEqual(0);
							left.set(name, rest);
						}
					}
				}
			)
		);
	});
});

describe('shards', () => {
	it('begin at about a thousand places and never hold fewer than fifty', () => {
		expect([1, 999, 1_000, 100_000].map(shardCount)).toEqual([1, 1, 16, 16]);
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 3_000_000 }), (places) => {
				const count = shardCount(places);
				if (count > 1) expect(places / count).toBeGreaterThanOrEqual(50);
				const parts = spread(places, count);
				expect(parts.reduce((sum, part) => sum + part, 0)).toBe(places);
				expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
			})
		);
	});

	it('are looked at from home on until they hold the demand, and all of them before "full" may be said', () => {
		const seen = cellsOf(1, { SA: [10, 0, 4, 3] });
		const pick = (people: number, home: number, all = false) => {
			const { picks, partial } = pickCells([{ quota: 1, value: 'SA', shards: 4, people }], seen, {
				all,
				home
			});
			return { shards: picks.map(({ shard }) => shard), partial: partial.length > 0 };
		};
		expect(pick(4, 2)).toEqual({ shards: [2], partial: true });
		expect(pick(8, 2)).toEqual({ shards: [2, 3, 0], partial: true });
		expect(pick(18, 3)).toEqual({ shards: [3, 0, 1, 2], partial: false });
		expect(pick(1, 0, true)).toEqual({ shards: [0, 1, 2, 3], partial: false });
	});

	it('a share that was only looked at in part is called short, not full', () => {
		const quota = quotaOf(1, 'country', { SA: [1] }, { partial: new Set(['SA']) });
		expect(createLedger([quota]).take(1, person('SA'), 2)).toMatchObject({ short: true });
	});

	it('give back what was taken, where it was taken; after a return the place goes to the common share', () => {
		const takes = [
			{ quota: 1, value: 'SA', shard: 0, people: 2 },
			{ quota: 1, value: 'SA', shard: 3, people: 1 }
		];
		const sum = (returned: boolean) =>
			[1, -1].map((sign) => {
				const changes = changesOf(takes, sign as 1 | -1, [{ id: 1, returned }]);
				return {
					people: changes.reduce((all, change) => all + change.people, 0),
					permits: changes.reduce((all, change) => all + change.permits, 0),
					places: changes.reduce((all, change) => all + change.places.total, 0),
					free: changes.reduce((all, change) => all + change.places.free, 0)
				};
			});
		expect(sum(false)).toEqual([
			{ people: 3, permits: 1, places: 0, free: -3 },
			{ people: -3, permits: -1, places: 0, free: 3 }
		]);
		expect(sum(true)[1]).toEqual({ people: -3, permits: -1, places: 0, free: 3 });
		const back = changesOf(takes, -1, [{ id: 1, returned: true }]);
		expect(back.filter(({ value }) => value === commonShare).every(({ shard }) => shard === 0)).toBe(true);
	});
});

describe('the order of levels', () => {
	it('is one, seasons first and the slot itself last', () => {
		const levels = ([null, 1] as const).flatMap((slot) =>
			(['category', 'provider', 'country'] as const).map((dimension) => levelOrder({ slot, dimension }))
		);
		expect([...levels, levelOrder({ slot: 1, dimension: 'slot' })]).toEqual([0, 1, 2, 10, 11, 12, 13]);
	});
});
