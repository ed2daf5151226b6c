import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../limits.ts';
import { createTokenBucket } from '../token-bucket.ts';
import { createSocketDoor, type Seat } from './socket-door.ts';

describe('a token bucket', () => {
	it('lets through no more than burst and rate allow in any stretch of time, and no less when asked enough', () => {
		fc.assert(
			fc.property(
				fc.record({ burst: fc.integer({ min: 1, max: 50 }), perSecond: fc.integer({ min: 1, max: 100 }) }),
				fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 }),
				({ burst, perSecond }, gapsMs) => {
					let now = 0;
					const bucket = createTokenBucket({ burst, perSecond }, () => now);
					const taken: number[] = [];
					for (const gapMs of gapsMs) {
						now += gapMs;
						if (bucket.take()) taken.push(now);
					}
					taken.forEach((from, first) =>
						taken.slice(first).forEach((to, more) => {
							expect(more + 1).toBeLessThanOrEqual(burst + ((to - from) / 1_000) * perSecond + 1e-6);
						})
					);
					// Asked until it refuses: everything that was due has been given.
					let left = 0;
					while (bucket.take()) left += 1;
					expect(taken.length + left).toBeLessThanOrEqual(burst + (now / 1_000) * perSecond + 1e-6);
					expect(left + taken.length).toBeGreaterThanOrEqual(Math.min(burst, 1));
				}
			),
			{ numRuns: 60 }
		);
	});
});

describe('the door of the live feed', () => {
	const small = {
		...limits.realtime,
		socketsMax: 6,
		socketsPerTenantMax: 3,
		handshakesPerSecond: 10,
		handshakesBurst: 10
	};
	const make = (own = small) => {
		let now = 0;
		const refusals: string[] = [];
		const door = createSocketDoor({
			elapsedMs: () => now,
			random: () => 0.5,
			limits: own,
			onRefused: (reason) => refusals.push(reason)
		});
		return { door, refusals, pass: (ms: number) => (now += ms) };
	};

	it('counts places by tenant and in all, whatever comes and goes', () => {
		const seat = fc.record({
			tenant: fc.constantFrom('a', 'b', 'c'),
			kind: fc.constantFrom('screen', 'phone')
		});
		fc.assert(
			fc.property(fc.array(fc.record({ seat, leaves: fc.nat() }), { maxLength: 120 }), (steps) => {
				const { door } = make();
				const inside: Seat[] = [];
				for (const { seat: one, leaves } of steps) {
					const ofTenant = inside.filter(({ tenant }) => tenant === one.tenant).length;
					const refusal = door.sit(one);
					if (inside.length >= 6) expect(refusal?.reason).toBe('process-full');
					else if (ofTenant >= 3) expect(refusal?.reason).toBe('tenant-full');
					else expect(refusal).toBeNull();
					if (!refusal) inside.push(one);
					if (leaves % 3 === 0 && inside.length > 0) door.leave(inside.splice(leaves % inside.length, 1)[0]!);
					const { all, tenants, kinds } = door.connected();
					const sum = (counts: ReadonlyMap<string, number>) =>
						[...counts.values()].reduce((a, b) => a + b, 0);
					expect([all, sum(tenants), sum(kinds)]).toEqual([inside.length, inside.length, inside.length]);
				}
			})
		);
	});

	it('says why and when to come back, later the more were refused', () => {
		const { door, refusals } = make();
		for (let i = 0; i < 10; i++) expect(door.enter()).toBeNull();
		const first = door.enter();
		expect(first).toMatchObject({ code: 'busy', reason: 'handshakes' });
		for (let i = 0; i < 200; i++) door.enter();
		const last = door.enter();
		expect(last!.retryAfterSeconds).toBeGreaterThan(first!.retryAfterSeconds! + 5);
		expect(refusals).toHaveLength(202);
		expect(door.take()).toMatchObject({ handshakes: 212, refused: new Map([['handshakes', 202]]) });
		expect(door.take()).toMatchObject({ handshakes: 0, refused: new Map() });
	});

	it('one who hammers is told so by itself, and takes little from the bucket of the others', () => {
		const { door, pass } = make({ ...small, handshakesPerSecond: 200, handshakesBurst: 200 });
		const others: (string | null)[] = [];
		for (let tenth = 0; tenth < 300; tenth += 1) {
			pass(100);
			for (let n = 0; n < 100; n += 1) door.enter('noisy');
			// Fifteen others in a tenth of a second leave little of the bucket.
			for (let n = 0; n < 15; n += 1) others.push(door.enter(`other ${tenth} ${n}`)?.reason ?? null);
		}
		expect(others.filter((reason) => reason !== null)).toEqual([]);
		expect(door.enter('noisy')).toMatchObject({ code: 'busy', reason: 'pace' });
	});

	it('lets through again what the bucket has after a pause', () => {
		const { door, pass } = make();
		for (let i = 0; i < 50; i++) door.enter();
		pass(500);
		const passed = Array.from({ length: 20 }, () => door.enter()).filter((refusal) => refusal === null);
		expect(passed).toHaveLength(5);
	});

	it('does not even answer past a multiple of the bucket', () => {
		const { door, refusals } = make();
		const knocks = Array.from({ length: 80 }, () => door.knock());
		expect(knocks.filter(Boolean)).toHaveLength(50);
		expect(refusals).toHaveLength(30);
	});

	it('names a window wide enough for everybody it has, and remembers them after a cut', () => {
		const { door, pass } = make({ ...small, socketsMax: 4_000, socketsPerTenantMax: 4_000 });
		expect(door.spreadMs()).toBe(30_000);
		const seat = { tenant: 'a', kind: 'screen' };
		for (let i = 0; i < 800; i++) door.sit(seat);
		// 800 at 8 a second.
		expect([door.spreadMs(), door.networkSpreadMs()]).toEqual([100_000, 100_000]);
		for (let i = 0; i < 800; i++) door.leave(seat);
		expect(door.spreadMs()).toBe(100_000);
		pass(11 * 60_000);
		door.sit(seat);
		pass(11 * 60_000);
		expect(door.spreadMs()).toBe(30_000);
		// One alone needs no window when it was its own network that was away.
		expect(door.networkSpreadMs()).toBe(125);
		for (let i = 0; i < 3_900; i++) door.sit(seat);
		expect(door.spreadMs()).toBe(300_000);
	});
});
