import { describe, expect, it } from 'vitest';
import { createDoor, type Visit } from './door.ts';

function build(insideMax = 5_000) {
	let now = 1_000_000;
	const door = createDoor({ elapsedMs: () => now, insideMax, deadlineMs: 10_000, random: () => 0.5 });
	return { door, pass: (ms: number) => (now += ms) };
}
const letIn = (door: ReturnType<typeof createDoor>, count: number) =>
	Array.from({ length: count }, () => door.enter()).filter((visit): visit is Visit => visit !== null);

describe('the door', () => {
	it('lets a whole opening second in, up to its bound, and refuses the next one', () => {
		const { door } = build(2_000);
		expect(letIn(door, 2_100)).toHaveLength(2_000);
		expect(door.figures().depth).toBe(2_000);
	});

	it('is free again when people were answered; leaving twice counts once', () => {
		const { door } = build(1);
		const [visit] = letIn(door, 1);
		expect(door.enter()).toBeNull();
		visit?.leave();
		visit?.leave();
		expect(door.figures().depth).toBe(0);
		expect(door.enter()).not.toBeNull();
	});

	it('refuses when the drain cannot meet the deadline, long before the bound', () => {
		const { door, pass } = build();
		const visits = letIn(door, 1_000);
		for (let second = 0; second < 3; second++) {
			pass(1_000);
			for (const visit of visits.splice(0, 50)) visit.leave();
		}
		// 850 inside at 50 a second: 17 s.
		expect(door.enter()).toBeNull();
		expect(door.retryAfterSeconds()).toBeGreaterThanOrEqual(17);
		for (const visit of visits.splice(0, 500)) visit.leave();
		expect(door.enter()).not.toBeNull();
	});

	it('bears a short stall and refuses in a long one', () => {
		const { door, pass } = build();
		letIn(door, 100);
		pass(3_000);
		expect(door.enter()).not.toBeNull();
		pass(3_000);
		expect(door.enter()).toBeNull();
		expect(door.figures().oldestSeconds).toBe(6);
	});

	it('forgets a stall once it was empty', () => {
		const { door, pass } = build();
		const visits = letIn(door, 100);
		pass(9_000);
		for (const visit of visits) visit.leave();
		expect(letIn(door, 2_000)).toHaveLength(2_000);
	});

	it('spreads the returning: between once and twice the time, whole seconds', () => {
		let random = 0;
		const door = createDoor({ elapsedMs: () => 0, insideMax: 0, deadlineMs: 10_000, random: () => random });
		expect(door.retryAfterSeconds()).toBe(2);
		random = 0.999;
		expect(door.retryAfterSeconds()).toBe(4);
	});
});
