import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapOf } from './entry-gap.ts';
import { judgeUse, type Use } from './judge-use.ts';
import { readEntry } from './read-entry.ts';
import { toRanges } from './seq-ranges.ts';

const now = Date.UTC(2026, 2, 5, 18);
describe('the use of a permit', () => {
	const use = (minute: number, more: Partial<Use> = {}): Use => ({
		...{ scanner: 's-1', seq: minute + 1, gate: 'gate-1', direction: 'in', people: 1 },
		...{ at: now + minute * 60_000, offline: true, ...more }
	});

	it('is once where that is the policy: a party may come in parts, and no more than the party', () => {
		expect(judgeUse([use(0, { people: 4 }), use(1, { people: 2 })], 'single', 6)).toBeNull();
		expect(judgeUse([use(0, { people: 4 }), use(1, { people: 3 })], 'single', 6)?.kind).toBe('second-use');
		const two = judgeUse([use(0), use(90, { gate: 'gate-2' })], 'single', 1);
		expect(two).toMatchObject({ kind: 'two-gates', gates: ['gate-1', 'gate-2'], people: 2, offline: true });
	});

	it('is again within the window, but not at two gates within minutes', () => {
		expect(judgeUse([use(0), use(90)], 're-entry', 1)).toBeNull();
		expect(judgeUse([use(0), use(90, { gate: 'gate-2' })], 're-entry', 1)).toBeNull();
		expect(judgeUse([use(0), use(2, { gate: 'gate-2' })], 're-entry', 1)?.kind).toBe('two-gates');
	});

	it('is as often as people also left', () => {
		const out = use(30, { direction: 'out' });
		expect(judgeUse([use(0), out, use(60)], 'in-and-out', 1)).toBeNull();
		expect(judgeUse([use(0), use(20), out], 'in-and-out', 1)?.kind).toBe('second-use');
	});

	it('is judged the same in whatever order it became known', () => {
		const one = fc.record({
			minute: fc.integer({ min: 0, max: 20 }),
			gate: fc.constantFrom('gate-1', 'gate-2'),
			direction: fc.constantFrom('in' as const, 'out' as const),
			people: fc.integer({ min: 1, max: 3 }),
			scanner: fc.constantFrom('s-1', 's-2')
		});
		fc.assert(
			fc.property(
				fc
					.array(one, { maxLength: 8 })
					.chain((list) =>
						fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))
					),
				fc.constantFrom('single' as const, 're-entry' as const, 'in-and-out' as const),
				([list, shuffled], policy) => {
					const numbered = new Map(list.map((entry, at) => [entry, at + 1]));
					const toUses = (of: typeof list) =>
						of.map((entry) => {
							const { minute, ...rest } = entry;
							return use(minute, { ...rest, seq: numbered.get(entry)! });
						});
					expect(judgeUse(toUses(shuffled), policy, 2)).toEqual(judgeUse(toUses(list), policy, 2));
				}
			)
		);
	});
});

describe('an entry by itself', () => {
	const good = {
		...{ kind: 'permit', seq: 1, boot: 'b', gate: 'gate-1', direction: 'in', deviceAt: now, uptimeMs: 1 },
		...{ offline: true, verdict: 'green', permit: '7Q4M-KX2D-9RHT-WC3E', people: 1 }
	};
	const codeOf = (change: object) => {
		const read = readEntry({ ...good, ...change }, 0, 'gate-1');
		return 'aside' in read ? read.aside.code : 'good';
	};

	it('is taken or set aside with its reason', () => {
		expect(codeOf({})).toBe('good');
		expect(codeOf({ seq: 0 })).toBe('bad_shape');
		expect(codeOf({ name: 'somebody' })).toBe('bad_shape');
		expect(codeOf({ gate: 'gate-2' })).toBe('other_gate');
		expect(codeOf({ people: 0 })).toBe('contradicts_itself');
		expect(codeOf({ permit: undefined })).toBe('contradicts_itself');
		expect(codeOf({ verdict: 'red', people: 0 })).toBe('contradicts_itself');
		expect(codeOf({ verdict: 'red', people: 0, cause: 'late' })).toBe('good');
		expect(codeOf({ verdict: 'red', people: 1, cause: 'late', flags: ['supervisor'] })).toBe('good');
		expect(codeOf({ verdict: 'amber', permit: undefined, flags: ['unknown-key'] })).toBe('good');
	});

	it('never throws, and tells a repeat by content', () => {
		fc.assert(fc.property(fc.anything(), (raw) => 'aside' in readEntry(raw, 0, 'gate-1')));
		const backwards = Object.fromEntries(Object.entries(good).reverse());
		const [one, other] = [good, backwards].map((raw) => readEntry(raw, 0, 'gate-1'));
		expect(
			'good' in one! && 'good' in other! && one.good.contentSha256.equals(other.good.contentSha256)
		).toBe(true);
	});

	it('that is set aside keeps nothing of what was scanned', () => {
		const read = readEntry({ ...good, gate: 'gate-2', text: 'P1:SECRET' }, 0, 'gate-1');
		expect('aside' in read && read.aside.content).not.toContain('SECRET');
	});
});

describe('numbers and the gap', () => {
	it('acknowledges in ranges', () => {
		expect(toRanges([5, 1, 2, 3, 7, 6, 3])).toEqual([
			[1, 3],
			[5, 7]
		]);
		expect(toRanges([])).toEqual([]);
	});

	it('is unknown while either side was never heard, and as good as the worse of the two', () => {
		const scanner = {
			...{ id: 's-1', name: 'one', gate: 'gate-1', createdAt: 0, createdBy: 'a', revokedAt: null },
			...{ seenAt: now, state: 'online' as const, clock: null, report: null },
			...{ entries: 1, setAside: 0, newestSeq: 1 }
		};
		const base = {
			...{ gate: 'gate-1', authority: 'counters' as const, scanners: [scanner], windowSeconds: 3_600 },
			...{ scans: { scannedIn: 90, countedIn: 5, unprovenIn: 2 }, mark: 'none' as const }
		};
		const door = { in: 103, isHeard: true, heardAt: now - 1_000 };
		expect(gapOf({ ...base, doors: [door] })).toMatchObject({
			...{ scanned: 95, counted: 103, gap: 8, countOnly: 5, unproven: 2, at: now - 1_000, quality: 'live' }
		});
		expect(gapOf({ ...base, doors: [] })).toMatchObject({ counted: null, gap: null, quality: 'unknown' });
		const silent = { ...scanner, state: 'silent' as const };
		expect(gapOf({ ...base, scanners: [scanner, silent], doors: [door] }).quality).toBe('partial');
	});
});
