import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneCounter, reading, startAt, takeAll, totalsOf } from './device.fixture.ts';

const total = true;

describe('running totals', () => {
	it('start from a baseline that counts nobody', () => {
		const device = oneCounter();
		const [first] = takeAll(device, [reading(0, { in: 7_412_899, out: 3 }, { total })]);
		expect(first).toMatchObject({ accepted: 1, flags: ['baseline'] });
		expect(totalsOf(device)).toEqual({ in: 0, out: 0 });
	});

	it('reset at midnight: what it shows after the fall counts, nothing is taken away', () => {
		const device = oneCounter();
		const taken = takeAll(device, [
			reading(0, { in: 120, out: 100 }, { total }),
			reading(60, { in: 130, out: 112 }, { total }),
			reading(180, { in: 0, out: 0 }, { total }),
			reading(240, { in: 3, out: 1 }, { total })
		]);
		expect(totalsOf(device)).toEqual({ in: 13, out: 13 });
		expect(taken[2]?.flags).toContain('reset');
	});

	it('hold a small dip: it is jitter, not a reset that adds seven million people', () => {
		const device = oneCounter();
		const taken = takeAll(device, [
			reading(0, { in: 7_412_899, out: 2_516_565 }, { total }),
			reading(60, { in: 7_412_898, out: 2_516_565 }, { total }),
			reading(120, { in: 7_412_911, out: 2_516_573 }, { total })
		]);
		expect(taken[1]?.reason).toBe('held_jump');
		expect(totalsOf(device)).toEqual({ in: 12, out: 8 });
	});

	it('hold a small dip of a small total, too: two people fewer are not 498 more', () => {
		const device = oneCounter();
		takeAll(device, [
			reading(0, { in: 500 }, { total }),
			reading(60, { in: 498 }, { total }),
			reading(120, { in: 501 }, { total })
		]);
		expect(totalsOf(device).in).toBe(1);
	});

	it('roll over where the register is that wide', () => {
		const device = oneCounter({ modulus: 65_536 });
		const taken = takeAll(device, [
			reading(0, { in: 65_530, out: 10 }, { total }),
			reading(600, { in: 4, out: 12 }, { total })
		]);
		expect(totalsOf(device)).toEqual({ in: 10, out: 2 });
		expect(taken[1]?.flags).toContain('wrap');
	});

	it('hold an impossible jump, and take it as the new base after three readings confirm it', () => {
		const device = oneCounter();
		const taken = takeAll(device, [
			reading(0, { in: 100 }, { total }),
			reading(5, { in: 190_100 }, { total }),
			reading(10, { in: 190_103 }, { total }),
			reading(15, { in: 190_105 }, { total }),
			reading(20, { in: 190_109 }, { total })
		]);
		expect(taken.map(({ reason }) => reason)).toEqual([null, 'held_jump', 'held_jump', null, null]);
		expect(taken[3]?.flags).toContain('rebased');
		expect(totalsOf(device)).toEqual({ in: 4, out: 0 });
	});

	it('go on from the old base when the jump was a slip', () => {
		const device = oneCounter();
		takeAll(device, [
			reading(0, { in: 100 }, { total }),
			reading(5, { in: 999_999 }, { total }),
			reading(10, { in: 104 }, { total })
		]);
		expect(totalsOf(device)).toEqual({ in: 4, out: 0 });
	});

	it('start a new epoch with a new boot, also after a small fall', () => {
		const device = oneCounter();
		takeAll(device, [
			reading(0, { in: 5 }, { total, order: { session: 'a', seq: 9 } }),
			reading(5, { in: 2 }, { total, order: { session: 'b', seq: 0 } }),
			reading(10, { in: 3 }, { total, order: { session: 'b', seq: 1 } }),
			reading(11, { in: 5 }, { total, order: { session: 'a', seq: 10 } })
		]);
		expect(totalsOf(device)).toEqual({ in: 3, out: 0 });
	});

	it('go on where the sequence started anew but the people counter did not', () => {
		const device = oneCounter();
		takeAll(device, [
			reading(0, { in: 50 }, { total, order: { session: 'a', seq: 900 } }),
			reading(360, { in: 52 }, { total, order: { session: 'b', seq: 0 } })
		]);
		expect(totalsOf(device).in).toBe(2);
	});

	it('ignore a lower sequence that comes late', () => {
		const device = oneCounter();
		const order = (seq: number) => ({ total, order: { session: 'a', seq } });
		const taken = takeAll(device, [
			reading(0, { in: 100 }, order(10)),
			reading(120, { in: 110 }, order(12)),
			reading(125, { in: 104 }, order(11)),
			reading(180, { in: 111 }, order(13))
		]);
		expect(taken[2]?.reason).toBe('late');
		expect(totalsOf(device).in).toBe(11);
	});

	it('over a missed poll belong to the whole time, with the gap flagged', () => {
		const device = oneCounter({ periodSeconds: 86_400 });
		takeAll(device, [reading(0, { in: 1_000 }, { total })]);
		const [taken] = takeAll(device, [reading(4 * 86_400, { in: 1_900 }, { total })]);
		expect(taken?.flags).toContain('gap');
		expect(totalsOf(device).in).toBe(900);
	});
});

describe('deltas', () => {
	it('count each message once', () => {
		const device = oneCounter();
		const message = reading(0, { in: 3 });
		const taken = takeAll(device, [message, { ...message, receivedAt: message.receivedAt + 5_000 }]);
		expect(taken[1]?.reason).toBe('duplicate');
		expect(totalsOf(device).in).toBe(3);
		expect(device.rejects).toEqual({ duplicate: 1 });
	});

	it('count two equal crossings of two messages twice', () => {
		const device = oneCounter();
		takeAll(device, [
			reading(0, { in: 1 }, { order: { session: 'a', seq: 1 } }),
			reading(0, { in: 1 }, { order: { session: 'a', seq: 2 } })
		]);
		expect(totalsOf(device).in).toBe(2);
	});

	it('that are late are real people', () => {
		const device = oneCounter();
		const taken = takeAll(device, [
			reading(0, { in: 1 }, { order: { session: 'a', seq: 5 } }),
			reading(5, { in: 4 }, { order: { session: 'a', seq: 3 } })
		]);
		expect(taken[1]?.flags).toContain('late');
		expect(totalsOf(device).in).toBe(5);
	});

	it('that nobody could have walked are held', () => {
		const device = oneCounter();
		const taken = takeAll(device, [reading(0, { in: 1 }), reading(5, { in: 900 }), reading(10, { in: 2 })]);
		expect(taken[1]?.reason).toBe('held_jump');
		expect(totalsOf(device).in).toBe(3);
	});

	it('of a recording may bring what fits its own time, and no more', () => {
		const device = oneCounter();
		const recorded = (minutes: number) => ({ recordedAt: startAt - 1e9 + minutes * 60_000, simulated: true });
		const taken = takeAll(device, [
			reading(0, { in: 60 }, recorded(0)),
			reading(0.02, { in: 9_000 }, recorded(30)),
			reading(0.04, { in: 30_000 }, recorded(60)),
			reading(0.06, { in: 9_000 }, { simulated: true })
		]);
		expect(taken.map(({ reason }) => reason)).toEqual([null, null, 'held_jump', 'held_jump']);
		expect(totalsOf(device).in).toBe(9_060);
	});

	it('may leave fewer than nobody inside: the signed number stays', () => {
		const device = oneCounter();
		takeAll(device, [reading(0, { in: 4, out: 6 }), reading(5, { in: 5, out: 9 })]);
		expect(totalsOf(device)).toEqual({ in: 9, out: 15 });
	});
});

describe('people present', () => {
	const camera = () => oneCounter({ measures: 'present' });
	const present = (device: ReturnType<typeof camera>) => device.counters[0]?.state.present;

	it('keep the last good value between texts and failed reads', () => {
		const device = camera();
		takeAll(device, [reading(0, { present: 12 }), reading(5, { present: 13 })]);
		expect(present(device)).toBe(13);
	});

	it('follow arrival while a clock runs half an hour ahead', () => {
		const device = camera();
		const ahead = (seconds: number, value: number) =>
			reading(seconds, { present: value }, { deviceAt: startAt + (seconds + 1_800) * 1_000 });
		takeAll(device, [ahead(0, 50), ahead(60, 60)]);
		expect(present(device)).toBe(60);
		expect(device.counters[0]?.state.heardAt).toBe(startAt + 60_000);
	});

	it('follow a clock that was set back, and not a message that is old', () => {
		const device = camera();
		const at = (seconds: number, value: number, deviceSeconds: number) =>
			reading(seconds, { present: value }, { deviceAt: startAt + deviceSeconds * 1_000 });
		takeAll(
			device,
			[0, 5, 10].map((seconds) => at(seconds, 10, seconds))
		);
		expect(takeAll(device, [at(12, 99, 3)])[0]?.reason).toBe('late');
		takeAll(
			device,
			Array.from({ length: 9 }, (_, index) => at(15 + index * 5, 20 + index, index * 5 - 3_600))
		);
		expect(present(device)).toBe(28);
	});

	it('take a retained value as last known where there is none, with its own age', () => {
		const device = camera();
		const old = startAt - 12 * 3_600_000;
		const [taken] = takeAll(device, [reading(0, { present: 480 }, { retained: true, deviceAt: old })]);
		expect(taken?.reason).toBe('retained');
		expect(device.counters[0]?.state).toMatchObject({ present: 480, heardAt: old });
	});
});

describe('whatever the order', () => {
	it('deltas, states and sequenced totals come to the same', () => {
		const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 25 });
		fc.assert(
			fc.property(seqs, fc.infiniteStream(fc.nat()), (chosen, noise) => {
				const shuffled = [...chosen, ...chosen.slice(0, 5)]
					.map((seq) => ({ seq, key: noise.next().value ?? 0 }))
					.sort((a, b) => a.key - b.key)
					.map(({ seq }) => seq);
				const highest = Math.max(...chosen);
				const run = (
					device: ReturnType<typeof oneCounter>,
					of: (seq: number) => Parameters<typeof reading>[1],
					isTotal: boolean
				) =>
					takeAll(device, [
						reading(0, of(0), { total: isTotal, order: { session: 'a', seq: 0 } }),
						...shuffled.map((seq, index) =>
							reading(index + 1, of(seq), { total: isTotal, order: { session: 'a', seq } })
						)
					]);
				const deltas = oneCounter();
				run(deltas, (seq) => ({ in: seq % 5, out: seq % 3 }), false);
				const sum = (part: number) => chosen.reduce((total, seq) => total + (seq % part), 0);
				expect(totalsOf(deltas)).toEqual({ in: sum(5), out: sum(3) });
				const totals = oneCounter();
				run(totals, (seq) => ({ in: 1_000 + seq, out: 500 + seq }), true);
				expect(totalsOf(totals)).toEqual({ in: highest, out: highest });
				const states = oneCounter({ measures: 'present' });
				run(states, (seq) => ({ present: seq }), false);
				expect(states.counters[0]?.state.present).toBe(highest);
			}),
			{ numRuns: 200 }
		);
	});
});
