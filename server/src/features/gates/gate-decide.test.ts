import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateStates, type GateProperties } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import {
	decideGate,
	reopenRate,
	rulesOf,
	type GateContext,
	type GateWish,
	type StoredGate
} from './gate-decide.ts';

const now = Date.UTC(2026, 2, 1, 18);
const properties = (direction: 'in' | 'out'): GateProperties => ({
	...{ kind: 'gate', id: 'gate-1', name: { ar: 'بوابة', en: 'Gate' }, lanes: 4, direction, zone: 'hall' }
});
const stored = (more: Partial<StoredGate> = {}): StoredGate => ({
	...{
		id: 'gate-1',
		direction: 'in',
		version: 3,
		revision: 5,
		state: 'open',
		ratePerMinute: null,
		hold: null
	},
	...{ reopening: null, by: 'Somebody', reason: null, at: now, confirmed: null },
	...more
});
const context = (more: Partial<GateContext> = {}): GateContext => ({
	...{ now, evacuating: false, outside: null },
	...more
});
const codeOf = (run: () => unknown): string => {
	try {
		run();
	} catch (error) {
		if (error instanceof AppError) return error.code;
		throw error;
	}
	return 'none';
};

const state = fc.constantFrom(...gateStates);
const wishes: fc.Arbitrary<GateWish> = fc.oneof(
	fc.record({
		kind: fc.constant('state' as const),
		state,
		ratePerMinute: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
		holdSeconds: fc.option(fc.integer({ min: 1, max: 2_000 }), { nil: undefined })
	}),
	fc.record({ kind: fc.constant('advance' as const), reason: fc.option(fc.constant('by radio')) }),
	fc.constant({ kind: 'evacuate' as const })
);
/** Also what should never have come to stand there. */
const standing = fc
	.record({
		state,
		reopening: fc.option(fc.record({ step: fc.integer({ min: 1, max: 3 }), steps: fc.constant(3) })),
		hold: fc.option(fc.record({ since: fc.constant(now - 60_000), until: fc.constant(now + 60_000) }))
	})
	.map((more) => stored(more));
const contexts = fc.record({
	now: fc.constant(now),
	evacuating: fc.boolean(),
	outside: fc.option(
		fc.record({
			people: fc.option(fc.nat(500)),
			quality: fc.constantFrom('live' as const, 'unknown' as const)
		})
	)
});

describe('what a gate is told to be', () => {
	it('is never anything but open for an exit, whatever is wished, stands there, or happens', () => {
		fc.assert(
			fc.property(standing, wishes, contexts, (current, wish, seen) => {
				try {
					expect(decideGate(rulesOf(properties('out')), current, wish, seen).state).toBe('open');
				} catch (error) {
					if (!(error instanceof AppError)) throw error;
				}
			})
		);
	});

	it('is never opened at once from a hold, nor anything but closed while people leave', () => {
		fc.assert(
			fc.property(standing, wishes, contexts, (current, wish, seen) => {
				try {
					const next = decideGate(rulesOf(properties('in')), current, wish, seen);
					if (current.state === 'held' && !current.reopening) expect(next.state).not.toBe('open');
					if (seen.evacuating) expect(next.state).toBe('closed');
				} catch (error) {
					if (!(error instanceof AppError)) throw error;
				}
			})
		);
	});

	it('rises over its steps, and opens after the last', () => {
		const rules = rulesOf(properties('in'));
		let current = stored({ state: 'held', hold: { since: now, until: now + 600_000 } });
		const rates: (number | null)[] = [];
		for (let version = 4; version < 8; version++) {
			const wish: GateWish =
				version === 4 ? { kind: 'state', state: 'open' } : { kind: 'advance', reason: null };
			const next = decideGate(rules, current, wish, context());
			rates.push(next.ratePerMinute);
			const confirmed = { state: next.state, version, at: now, by: 'Steward', byRadio: false };
			current = stored({ ...next, version, confirmed });
		}
		expect(rates).toEqual([11, 22, 33, null]);
		expect(current.state).toBe('open');
		expect(reopenRate(1, 1, 10)).toBe(1);
	});

	it('is held no longer than its maximum, counted from the beginning of the hold', () => {
		const rules = rulesOf(properties('in'));
		const held = decideGate(rules, stored(), { kind: 'state', state: 'held' }, context());
		expect(held.hold).toEqual({ since: now, until: now + 600_000 });
		const later = context({ now: now + 400_000 });
		const again = (holdSeconds: number) =>
			decideGate(rules, stored(held), { kind: 'state', state: 'held', holdSeconds }, later);
		expect(again(200).hold).toEqual({ since: now, until: now + 600_000 });
		expect(codeOf(() => again(201))).toBe('hold_too_long');
	});

	it('opens in steps after a hold, even where nobody is seen outside', () => {
		const held = stored({ state: 'held', hold: { since: now, until: now + 600_000 } });
		const clear = context({ outside: { people: 0, quality: 'live' } });
		const next = decideGate(rulesOf(properties('in')), held, { kind: 'state', state: 'open' }, clear);
		expect([next.state, next.reopening]).toEqual(['metered', { step: 1, steps: 3 }]);
	});

	it('opens a closed gate at once only where it is known that hardly anybody waits', () => {
		const rules = rulesOf(properties('in'));
		const open = (outside: GateContext['outside']) =>
			decideGate(rules, stored({ state: 'closed' }), { kind: 'state', state: 'open' }, context({ outside }))
				.state;
		expect(open({ people: 11, quality: 'live' })).toBe('open');
		expect(open({ people: 12, quality: 'live' })).toBe('metered');
		expect(open({ people: 0, quality: 'stale' })).toBe('metered');
		expect(open({ people: null, quality: 'unknown' })).toBe('metered');
		expect(open(null)).toBe('metered');
	});
});
