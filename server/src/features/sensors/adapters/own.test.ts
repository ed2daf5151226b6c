import { describe, expect, it } from 'vitest';
import { newReading } from '../reading.ts';
import { own } from './own.ts';

const arrival = { receivedAt: Date.UTC(2026, 1, 25, 18), retained: false };
const topic = 'marsad/demo/gate-5-01/reading';
const parse = (body: unknown, on = topic) =>
	own.parse(on, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), arrival, {
		device: '',
		decoder: null,
		counters: []
	});
const ts = '2026-02-25T21:00:00+03:00';

describe('the own format', () => {
	it('reads deltas with their order', () =>
		expect(parse({ ts, boot: 'b1', seq: 7, in: 3, out: 0, sim: true })).toEqual([
			{
				kind: 'reading',
				reading: newReading('gate-5-01', null, { kind: 'delta', in: 3, out: 0, from: null }, arrival, {
					order: { session: 'b1', seq: 7 },
					deviceAt: arrival.receivedAt,
					simulated: true
				})
			}
		]));

	it('tells the kinds apart: each number of a message is a reading of its own', () =>
		expect(
			parse({ ts, boot: 3, in: 9, total: true, present: 4, density: 0.5, wbgtCelsius: 31.5 }).map(
				(message) => (message.kind === 'reading' ? message.reading.value : message)
			)
		).toEqual([
			{ kind: 'total', in: 9, out: null, epoch: '3', modulus: null },
			{ kind: 'present', people: 4 },
			{ kind: 'density', peoplePerSquareMetre: 0.5 },
			{ kind: 'heat', wbgtCelsius: 31.5 }
		]));

	it('leaves out what a message does not say: absent is not zero', () =>
		expect(parse({ ts, present: 12 })).toMatchObject([
			{ reading: { value: { kind: 'present', people: 12 }, order: null, simulated: false } }
		]));

	it('knows a message by its sequence only together with its boot', () =>
		expect(parse({ ts, seq: 7, in: 1 })).toMatchObject([{ reading: { order: null } }]));

	it('drops what it was not asked for, so that no name or face is ever kept', () => {
		const messages = parse({ ts, in: 1, face: 'base64', plate: 'ABC 123', battery: 90 });
		expect(JSON.stringify(messages)).not.toMatch(/base64|ABC|battery/);
		expect(messages.map(({ kind }) => kind)).toEqual(['reading']);
	});

	it('believes a recording time of simulated readings alone', () => {
		expect(parse({ ts, in: 1, sim: true, recordedAt: '2005-07-24T00:30:00' })).toMatchObject([
			{ reading: { recordedAt: Date.UTC(2005, 6, 24, 0, 30) } }
		]);
		expect(parse({ ts, in: 1, recordedAt: '2005-07-24T00:30:00' })).toMatchObject([
			{ reading: { recordedAt: null } }
		]);
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
		expect(parse(body)).toEqual([{ kind: 'refused', device: 'gate-5-01', reason }])
	);

	it('takes an emptied retained message for nothing at all', () => expect(parse('')).toEqual([]));

	it('reads the state topic', () => {
		const state = 'marsad/demo/gate-5-01/state';
		expect(parse('offline', state)).toEqual([
			{ kind: 'state', device: 'gate-5-01', channel: null, online: false }
		]);
		expect(parse('online', state)).toMatchObject([{ online: true }]);
		expect(parse('asleep', state)).toMatchObject([{ kind: 'refused', reason: 'bad_shape' }]);
	});
});
