import { describe, expect, it } from 'vitest';
import { seconds, watchZone } from './zones.fixture.ts';

const recounted = { flowIn: 0, error: null, night: null };
describe('a zone counted at its boundary', () => {
	it('is unknown, never 0, until it is heard', () => {
		const { lookUntil } = watchZone('hall');
		expect(lookUntil(0)).toMatchObject({
			present: null,
			occupancy: null,
			quality: 'unknown',
			at: null,
			sources: { heard: 0, expected: 2 }
		});
	});

	it('holds who came in minus who went out, on both sides of a door', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		watch.setAnchor({ ...recounted, at: seconds(0), present: 100, netFlow: 0 });
		say(1, 'door-1', { in: 20, out: 5 });
		say(1, 'door-2', { in: 8, out: 2 });
		expect(lookUntil(2)).toMatchObject({
			present: 109,
			occupancy: 0.218,
			density: 0.11,
			quality: 'live',
			sources: { heard: 2, expected: 2 },
			at: seconds(1),
			drift: false,
			mark: 'simulated'
		});
	});

	it('counts an optional door when it speaks, and does not miss it when it is silent', () => {
		const { say, lookUntil } = watchZone('hall');
		say(1, 'door-1', { in: 1 });
		say(1, 'door-2', { in: 0 });
		say(1, 'tally', { in: 30 });
		expect(lookUntil(2)).toMatchObject({ present: 31, quality: 'live', sources: { heard: 3, expected: 3 } });
		say(19, 'door-1', { in: 0 });
		say(19, 'door-2', { in: 0 });
		expect(lookUntil(20)).toMatchObject({ present: 31, quality: 'live', sources: { heard: 2, expected: 2 } });
	});

	it('knows as last what was said between two looks, though it was silent at both', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		say(1, 'door-1', { in: 40 });
		say(1, 'door-2', { in: 0 });
		expect(lookUntil(100)).toMatchObject({ present: null, lastKnown: { present: 40 } });
		say(101, 'door-1', { in: 7 });
		say(101, 'door-2', { in: 0 });
		watch.look(seconds(200));
		expect(watch.figures('en')).toMatchObject({ lastKnown: { present: 47, at: seconds(101) } });
	});

	it('keeps the signed number, shows 0, and flags drift', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		say(1, 'door-1', { in: 5, out: 9 });
		say(1, 'door-2', { in: 0 });
		expect(lookUntil(2)).toMatchObject({ present: 0, drift: true });
		expect(watch.signed()).toBe(-4);
	});

	it('stays wrong once it was clearly below 0, however it rises, until it is counted', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		say(1, 'door-1', { out: 20 });
		say(1, 'door-2', { in: 0 });
		expect(lookUntil(2)).toMatchObject({ present: 0, drift: true });
		say(6, 'door-1', { in: 30 });
		say(6, 'door-2', { in: 0 });
		expect(lookUntil(7)).toMatchObject({ present: 10, drift: true });
		watch.setAnchor({ ...recounted, at: seconds(8), present: 30, netFlow: watch.netFlow() });
		expect(lookUntil(8)).toMatchObject({ present: 30, drift: false });
		say(11, 'door-1', { out: 32 });
		say(16, 'door-1', { in: 9 });
		// A few below 0 for a moment is two doors that report one after the other.
		expect(lookUntil(16)).toMatchObject({ present: 7, drift: false });
	});

	it('goes from live over partial and stale to unknown, and keeps its last value and a growing worst case', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		watch.setAnchor({ ...recounted, at: seconds(0), present: 200, netFlow: 0 });
		for (let at = 0; at <= 120; at += 5) {
			say(at, 'door-1', { in: 10 });
			say(at, 'door-2', { in: 0 });
		}
		const live = lookUntil(120);
		expect(live).toMatchObject({ quality: 'live', present: 450, worstCase: null, lastKnown: null });
		say(125, 'door-2', { in: 0 });
		say(130, 'door-2', { in: 0 });
		say(135, 'door-2', { in: 0 });
		const partial = lookUntil(136);
		expect(partial).toMatchObject({ quality: 'partial', sources: { heard: 1, expected: 2 }, present: 450 });
		expect(partial.worstCase?.high).toBeGreaterThan(450);
		const stale = lookUntil(160);
		expect(stale).toMatchObject({
			quality: 'stale',
			present: 450,
			lastKnown: { present: 450, at: seconds(135) }
		});
		const unknown = lookUntil(196);
		expect(unknown).toMatchObject({
			quality: 'unknown',
			present: null,
			occupancy: null,
			lastKnown: { present: 450 }
		});
		expect(unknown.worstCase?.high).toBe(500);
		// 450 of 500 is step 90; unknown is one step worse, and the worst case is full.
		expect(stale.step?.percent).toBeGreaterThan(90);
		expect(unknown.step?.percent).toBe(100);
	});

	it('says how long until it is full, and that it counts down when nobody is heard', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		watch.setAnchor({ ...recounted, at: seconds(0), present: 100, netFlow: 0 });
		for (let at = 0; at <= 300; at += 5) {
			say(at, 'door-1', { in: 4 });
			say(at, 'door-2', { in: 0 });
		}
		const before = lookUntil(300);
		expect(before.netInflowPerMinute).toBe(48);
		// (500 − 344) ÷ 0.8 a second is 195 s.
		expect(before.timeToCapacity?.fromSeconds).toBeGreaterThanOrEqual(180);
		expect(before.timeToCapacity?.toSeconds).toBeLessThanOrEqual(210);
		const silent = lookUntil(400);
		expect(silent).toMatchObject({ quality: 'unknown' });
		expect(silent.timeToCapacity?.since).toBeLessThanOrEqual(seconds(320));
	});

	it('names no time to capacity while people leave', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		watch.setAnchor({ ...recounted, at: seconds(0), present: 400, netFlow: 0 });
		for (let at = 0; at <= 60; at += 5) {
			say(at, 'door-1', { out: 3 });
			say(at, 'door-2', { in: 0 });
		}
		expect(lookUntil(60)).toMatchObject({ timeToCapacity: null, netInflowPerMinute: -36 });
	});

	it('never says at one time that people leave and that it fills', () => {
		const { say, lookUntil, watch } = watchZone('hall');
		watch.setAnchor({ ...recounted, at: seconds(0), present: 200, netFlow: 0 });
		for (let at = 0; at <= 300; at += 5) {
			say(at, 'door-1', at % 70 < 35 ? { in: 9 } : { out: 11 });
			say(at, 'door-2', { in: 0 });
			for (let second = at; second < at + 5; second++) {
				const { netInflowPerMinute, timeToCapacity } = lookUntil(second);
				if (timeToCapacity) expect(netInflowPerMinute).toBeGreaterThan(0);
			}
		}
	});
});

describe('a zone seen by a camera', () => {
	it('is unknown at once when its host goes, and stays so until a new value', () => {
		const { say, state, lookUntil } = watchZone('yard');
		say(1, 'frigate', { present: 37 }, 'yard_1');
		expect(lookUntil(2)).toMatchObject({ present: 37, quality: 'live', sources: { heard: 1, expected: 1 } });
		state(3, 'frigate', false);
		expect(lookUntil(4)).toMatchObject({
			present: null,
			quality: 'unknown',
			lastKnown: { present: 37, at: seconds(1) }
		});
		state(5, 'frigate', true);
		expect(lookUntil(6)).toMatchObject({ quality: 'unknown' });
		say(7, 'frigate', { present: 35 }, 'yard_1');
		expect(lookUntil(8)).toMatchObject({ present: 35, quality: 'live', lastKnown: null });
	});

	it('lets a check camera decide nothing', () => {
		const { say, lookUntil } = watchZone('yard');
		say(1, 'frigate', { present: 400 }, 'yard_2');
		expect(lookUntil(2)).toMatchObject({ present: null, quality: 'unknown' });
	});

	it('believes a recount while it is unknown, and the camera again once that speaks', () => {
		const { say, state, lookUntil, watch } = watchZone('yard');
		say(1, 'frigate', { present: 37 }, 'yard_1');
		state(2, 'frigate', false);
		lookUntil(3);
		watch.setAnchor({ ...recounted, at: seconds(4), present: 60, netFlow: watch.netFlow() });
		expect(lookUntil(5)).toMatchObject({
			quality: 'unknown',
			present: null,
			lastKnown: { present: 60, at: seconds(4) }
		});
		say(6, 'frigate', { present: 44 }, 'yard_1');
		expect(lookUntil(7)).toMatchObject({ present: 44, quality: 'live' });
	});
});
