import { describe, expect, it } from 'vitest';
import { clientKeyOf, createPaceLimit, isOwnNetwork } from './client-limits.ts';

describe('the pace of one client', () => {
	const create = (extra: Partial<Parameters<typeof createPaceLimit>[0]> = {}) => {
		const state = { ms: 0 };
		const limit = createPaceLimit({
			...{ burst: 5, perSecond: 2, keysMax: 100, forgetMs: 60_000, elapsedMs: () => state.ms },
			...extra
		});
		return { state, limit };
	};

	it('allows a burst, then an even pace; the others are not touched', () => {
		const { state, limit } = create();
		const takes = (key: string, count: number) =>
			Array.from({ length: count }, () => limit.take(key)).filter((waitMs) => waitMs === 0).length;
		expect(takes('a', 50)).toBe(5);
		expect(limit.take('a')).toBe(500);
		expect(takes('b', 5)).toBe(5);
		state.ms = 1_000;
		expect(takes('a', 50)).toBe(2);
	});

	it('does not punish who kept knocking: the wait is the same afterwards', () => {
		const { state, limit } = create();
		for (let turn = 0; turn < 10_000; turn++) limit.take('a');
		state.ms = 2_500;
		expect(limit.take('a')).toBe(0);
	});

	it('never keeps more keys than it may, whatever is made up', () => {
		const { limit } = create();
		for (let turn = 0; turn < 5_000; turn++) limit.take(`made-up-${turn}`);
		expect(limit.keys()).toBeLessThanOrEqual(100);
	});

	it('four thousand people behind one address, each at an ordinary pace, are never refused', () => {
		const { state, limit } = create({ keysMax: 100_000 });
		let refused = 0;
		for (let second = 0; second < 30; second += 10) {
			state.ms = second * 1_000;
			for (let person = 0; person < 4_000; person++) if (limit.take(`p${person}`) > 0) refused += 1;
		}
		expect(refused).toBe(0);
	});
});

describe('who sends a request', () => {
	it('is told by what it carries, before its address', () => {
		const key = (headers: Record<string, string>, query: unknown = {}, body: unknown = undefined) =>
			clientKeyOf({ headers, query, body });
		expect(key({ 'x-browser-key': 'k1' })).toBe('k1');
		expect(key({}, { user: 'amal' })).toBe('amal');
		expect(key({}, {}, { user: 'amal', ticket: 't' })).toBe('amal');
		expect(key({}, { ticket: 't' })).toBe('t');
		expect(key({ authorization: `Bearer ${'x'.repeat(900)}` })?.length).toBe(44);
		expect(key({}, 'nothing', null)).toBeNull();
		expect(key({}, { user: ['a', 'b'] })).toBeNull();
	});

	it('is not told by the address of a proxy of ours', () => {
		for (const own of [
			'127.0.0.1',
			'::1',
			'::ffff:10.0.3.4',
			'172.20.0.5',
			'192.168.1.9',
			'fd00::1',
			undefined
		]) {
			expect(isOwnNetwork(own)).toBe(true);
		}
		for (const foreign of ['8.8.8.8', '172.32.0.1', '100.64.0.1', '2001:db8::1', '11.0.0.1']) {
			expect(isOwnNetwork(foreign)).toBe(false);
		}
	});
});
