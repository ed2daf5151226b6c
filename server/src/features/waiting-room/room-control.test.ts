import { describe, expect, it } from 'vitest';
import type { Flag } from '../../../contract/index.ts';
import { decide, type Decision } from '../../conductor/decide.ts';
import { limits } from '../../limits.ts';
import { createTestClock } from '../../platform/clock.ts';
import type { QueueFigures } from './queue.ts';
import { createRoomControl } from './room-control.ts';

describe('the room after its clocks stood still', () => {
	/** A room with so many people inside, run second by second. */
	const open = () => {
		const clock = createTestClock();
		const off = new Set<Flag>();
		const control = createRoomControl({
			...{ clock, placesMax: 1_000, claimWindowMs: 60_000, passMs: 60_000, passMaxMs: 60_000 },
			flags: { isOn: (flag) => !off.has(flag) },
			releases: () => true
		});
		control.set({ mode: 'open', ratePerSecond: 10 });
		let decision: Decision | null = null;
		const second = (inside: number) => {
			clock.advance(1_000);
			const limit = { source: 'manager' as const, perSecond: 10 };
			decision = decide({ at: clock.now(), limits: [limit], health: [], previous: decision });
			const counts = { waiting: 100, called: 0, admitted: inside, done: 0, expired: 0, left: 0 };
			control.decide(decision, { counts } as unknown as QueueFigures);
			return control.budget(clock.now()).turns;
		};
		return { control, off, second };
	};

	it('calls nobody while they stand, nor while passes of before are being honoured', () => {
		const { control, off, second } = open();
		expect(second(5)).toBeGreaterThan(0);
		off.add('queue-clocks');
		expect(second(5)).toBe(0);
		off.delete('queue-clocks');
		expect(second(5)).toBe(0);
		expect(control.boundBy()).toBe('level');
		const seconds = limits.waitingRoom.returnHoldMs / 1_000;
		for (let n = 1; n < seconds - 1; n++) expect(second(5)).toBe(0);
		expect([second(5), second(5)].at(-1)).toBeGreaterThan(0);
		expect(control.boundBy()).toBeNull();
	});

	it('does not wait for anybody when nobody is inside', () => {
		const { off, second } = open();
		off.add('queue-clocks');
		expect(second(0)).toBe(0);
		off.delete('queue-clocks');
		expect(second(0)).toBeGreaterThan(0);
	});
});

describe('a room whose rate another instance decides', () => {
	it('tells the rate that it heard, and none when it has heard nothing new for some seconds', () => {
		const clock = createTestClock();
		let follows = true;
		const control = createRoomControl({
			...{ clock, placesMax: 1_000, claimWindowMs: 60_000, passMs: 60_000, passMaxMs: 60_000 },
			...{ flags: { isOn: () => true }, releases: () => true, follows: () => follows }
		});
		control.set({ mode: 'open', ratePerSecond: 10 });
		const counts = { waiting: 100, called: 0, admitted: 0, done: 0, expired: 0, left: 0 };
		const limit = { source: 'manager' as const, perSecond: 10 };
		const heard = decide({ at: clock.now(), limits: [limit], health: [], previous: null });
		/** The same one again, each second, while nothing new comes. */
		const tick = (decision: Decision) => {
			clock.advance(1_000);
			control.decide(decision, { counts } as unknown as QueueFigures);
			return control.expectedPerSecond();
		};
		const rate = tick(heard);
		expect(rate).toBeGreaterThan(0);
		for (let n = 0; n < 10; n++) expect(tick(heard)).toBe(rate);
		expect(tick(heard)).toBe(0);
		expect(control.slowedBy()).toBeNull();
		expect(tick({ ...heard, at: clock.now() })).toBe(rate);
		for (let n = 0; n < 20; n++) tick(heard);
		follows = false;
		expect(control.expectedPerSecond()).toBe(rate);
	});
});
