import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countMissed, markSeen, markTime, wasSeen, wasTimeSeen, type Seen, type SeenTimes } from './seen.ts';

describe('messages that were taken', () => {
	it('are known again in any order, and no others are', () => {
		const message = fc.record({ boot: fc.constantFrom('a', 'b', 'c'), seq: fc.nat(60) });
		fc.assert(
			fc.property(fc.array(message, { maxLength: 120 }), (messages) => {
				const seen: Seen = [];
				const truth = new Set<string>();
				for (const { boot, seq } of messages) {
					expect(wasSeen(seen, boot, seq)).toBe(truth.has(`${boot} ${seq}`));
					markSeen(seen, boot, seq);
					truth.add(`${boot} ${seq}`);
				}
				for (const boot of ['a', 'b', 'c'])
					for (let seq = 0; seq <= 61; seq++)
						expect(wasSeen(seen, boot, seq)).toBe(truth.has(`${boot} ${seq}`));
			}),
			{ numRuns: 200 }
		);
	});

	it('are known by their time, too, whatever order they come in', () => {
		const message = fc.record({ channel: fc.constantFrom('', 'line-2'), deviceAt: fc.nat(40) });
		fc.assert(
			fc.property(fc.array(message, { maxLength: 80 }), (messages) => {
				const seen: SeenTimes = new Map();
				const truth = new Set<string>();
				for (const { channel, deviceAt } of messages) {
					expect(wasTimeSeen(seen, channel, deviceAt)).toBe(truth.has(`${channel} ${deviceAt}`));
					markTime(seen, channel, deviceAt);
					truth.add(`${channel} ${deviceAt}`);
				}
			})
		);
	});

	it('stay bounded by time, too: two days of a reading each five seconds are kept', () => {
		const seen: SeenTimes = new Map();
		for (let at = 0; at < 100_000; at++) markTime(seen, '', at);
		expect(seen.get('')?.times.length).toBeLessThanOrEqual(44_000);
		expect(wasTimeSeen(seen, '', 100_000 - 34_560)).toBe(true);
	});

	it('need one range for a device that loses nothing', () => {
		const seen: Seen = [];
		for (let seq = 0; seq < 10_000; seq++) markSeen(seen, 'b', seq);
		expect(seen).toEqual([{ boot: 'b', ranges: [[0, 9_999]] }]);
	});

	it('stay bounded: of many holes the oldest closes', () => {
		const seen: Seen = [];
		for (let seq = 0; seq < 2_000; seq += 2) markSeen(seen, 'b', seq);
		expect(seen[0]?.ranges.length).toBeLessThanOrEqual(200);
		expect(wasSeen(seen, 'b', 1)).toBe(true);
		expect(wasSeen(seen, 'b', 1_997)).toBe(false);
	});

	it('forget the oldest of very many boots only', () => {
		const seen: Seen = [];
		for (let boot = 0; boot < 70; boot++) markSeen(seen, String(boot), 1);
		expect(wasSeen(seen, '0', 1)).toBe(false);
		expect(wasSeen(seen, '69', 1)).toBe(true);
		expect(seen.length).toBe(64);
	});

	it('say how many of the newest boot never came, until they do', () => {
		const seen: Seen = [];
		for (const seq of [0, 1, 3, 7]) markSeen(seen, 'a', seq);
		expect(countMissed(seen)).toBe(4);
		markSeen(seen, 'a', 2);
		expect(countMissed(seen)).toBe(3);
		markSeen(seen, 'b', 40);
		expect(countMissed(seen)).toBe(0);
		expect(countMissed([])).toBe(0);
	});
});
