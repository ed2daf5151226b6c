import { describe, expect, it } from 'vitest';
import { own } from './own.ts';

const arrival = { receivedAt: Date.UTC(2026, 1, 25, 18), retained: false };
const topic = 'marsad/demo/gate-5-01/reading';
const parse = (body: unknown, on = topic) =>
	own.parse(on, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), arrival);
const ts = '2026-02-25T21:00:00+03:00';

describe('the own format', () => {
	it('reads deltas with their order', () =>
		expect(parse({ ts, boot: 'b1', seq: 7, in: 3, out: 0, sim: true })).toEqual({
			kind: 'reading',
			reading: {
				device: 'gate-5-01',
				channel: null,
				counts: { in: 3, out: 0 },
				total: false,
				order: { boot: 'b1', seq: 7 },
				deviceAt: arrival.receivedAt,
				recordedAt: null,
				receivedAt: arrival.receivedAt,
				retained: false,
				simulated: true
			}
		}));

	it('leaves out what a message does not say: absent is not zero', () =>
		expect(parse({ ts, present: 12 })).toMatchObject({
			reading: { counts: { present: 12 }, order: null, simulated: false }
		}));

	it('knows a message by its sequence only together with its boot', () =>
		expect(parse({ ts, seq: 7, in: 1 })).toMatchObject({ reading: { order: null } }));

	it('drops what it was not asked for, so that no name or face is ever kept', () => {
		const message = parse({ ts, in: 1, face: 'base64', plate: 'ABC 123', battery: 90 });
		expect(JSON.stringify(message)).not.toMatch(/base64|ABC|battery/);
		expect(message.kind).toBe('reading');
	});

	it('believes a recording time of simulated readings alone', () => {
		expect(parse({ ts, in: 1, sim: true, recordedAt: '2005-07-24T00:30:00' })).toMatchObject({
			reading: { recordedAt: Date.UTC(2005, 6, 24, 0, 30) }
		});
		expect(parse({ ts, in: 1, recordedAt: '2005-07-24T00:30:00' })).toMatchObject({
			reading: { recordedAt: null }
		});
	});

	it.each([
		[{ ts, in: -1 }, 'bad_number'],
		[{ ts, present: 2.1 }, 'bad_number'],
		[{ ts, in: '4' }, 'bad_number'],
		[{ ts, in: 4_294_967_296 }, 'bad_number'],
		[{ ts: 'soon', in: 4 }, 'bad_time'],
		[{ ts: '2026-02-25T21:00:00', in: 4 }, 'bad_time'],
		[{ in: 4 }, 'bad_shape'],
		[{ ts }, 'not_a_count'],
		[{ ts, linkquality: 77 }, 'not_a_count'],
		['[1]', 'bad_shape'],
		['12', 'bad_shape'],
		['unavailable', 'bad_json'],
		['{"ts": 1, "in": NaN}', 'bad_json']
	])('refuses %j as %s', (body, reason) =>
		expect(parse(body)).toEqual({ kind: 'refused', device: 'gate-5-01', reason })
	);

	it('takes an emptied retained message for nothing at all', () =>
		expect(parse('')).toEqual({ kind: 'ignored' }));

	it('reads the state topic', () => {
		const state = 'marsad/demo/gate-5-01/state';
		expect(parse('offline', state)).toEqual({
			kind: 'state',
			device: 'gate-5-01',
			channel: null,
			online: false
		});
		expect(parse('online', state)).toMatchObject({ online: true });
		expect(parse('asleep', state)).toMatchObject({ kind: 'refused', reason: 'bad_shape' });
	});
});
