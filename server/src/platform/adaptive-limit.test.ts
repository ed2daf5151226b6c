import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAdaptiveLimit, type WorkEnd, type WorkPlace } from './adaptive-limit.ts';

const create = (extra: Partial<Parameters<typeof createAdaptiveLimit>[0]> = {}) =>
	createAdaptiveLimit({ min: 1, max: 10, initial: 4, waitingMax: 3, ...extra });
const take = (limit: ReturnType<typeof create>, count: number) =>
	Array.from({ length: count }, () => limit.tryEnter()).filter((place): place is WorkPlace => place !== null);

describe('a limit that adapts', () => {
	it('lets so many in, lets so many wait, and turns the others away', async () => {
		const limit = create();
		const inside = take(limit, 10);
		expect(inside).toHaveLength(4);
		const waiting = [limit.enter(), limit.enter(), limit.enter()];
		expect(await limit.enter()).toBeNull();
		inside[0]?.end('ignored');
		expect(await waiting[0]).not.toBeNull();
		expect([limit.running(), limit.waiting()]).toEqual([4, 2]);
	});

	it('grows while it is used, and not while it idles', () => {
		const used = create();
		for (let turn = 0; turn < 200; turn++) take(used, 4).forEach((place) => place.end('good'));
		expect(used.limit()).toBeGreaterThan(4);
		const idle = create();
		for (let turn = 0; turn < 200; turn++) take(idle, 1).forEach((place) => place.end('good'));
		expect(idle.limit()).toBe(4);
	});

	it('shrinks once for all that ran at a slow moment, and again for what began later', () => {
		const limit = create({ initial: 10, factor: 0.5 });
		take(limit, 10).forEach((place) => place.end('dropped'));
		expect(limit.limit()).toBe(5);
		take(limit, 1).forEach((place) => place.end('dropped'));
		expect(limit.limit()).toBe(2);
		for (let turn = 0; turn < 20; turn++) take(limit, 1).forEach((place) => place.end('dropped'));
		expect(limit.limit()).toBe(1);
	});

	it('a steady run of time-outs never makes it grow', () => {
		const limit = create({ initial: 10 });
		for (let turn = 0; turn < 500; turn++) take(limit, 10).forEach((place) => place.end('dropped'));
		expect(limit.limit()).toBe(1);
	});

	it('never passes its bounds, and never loses a place', () => {
		const ends = fc.constantFrom<WorkEnd>('good', 'dropped', 'ignored');
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), ends), { maxLength: 200 }), (steps) => {
				const limit = create({ max: 8, min: 2 });
				for (const [count, how] of steps) {
					const places = take(limit, count);
					expect(limit.running()).toBeLessThanOrEqual(limit.limit());
					places.forEach((place) => {
						place.end(how);
						place.end(how);
					});
				}
				expect(limit.running()).toBe(0);
				expect(limit.limit()).toBeGreaterThanOrEqual(2);
				expect(limit.limit()).toBeLessThanOrEqual(8);
			})
		);
	});
});
