import { describe, expect, it } from 'vitest';
import { filterCovers } from '../../../platform/broker/topic-filter.ts';
import { frigate } from './frigate.ts';

const arrival = { receivedAt: Date.UTC(2026, 1, 25, 18), retained: false };
const parse = (topic: string, body: string | Buffer) =>
	frigate.parse(topic, Buffer.from(body as string), arrival, {
		device: 'frigate',
		decoder: null,
		counters: []
	});

describe('the Frigate adapter', () => {
	it('reads people present as bare digits; 0 is a value', () => {
		expect(parse('frigate/gate_a/person', '3')).toMatchObject([
			{
				kind: 'reading',
				reading: {
					device: 'frigate',
					channel: 'gate_a',
					value: { kind: 'present', people: 3 },
					order: null,
					deviceAt: null
				}
			}
		]);
		expect(parse('frigate/gate_a/person', '0')).toMatchObject([{ reading: { value: { people: 0 } } }]);
		expect(parse('frigate/gate_a/person', '7\r\n')).toMatchObject([{ reading: { value: { people: 7 } } }]);
	});

	it.each(['', ' ', '0x10', 'unavailable', 'nan', '-1', '3.0'])('refuses %j', (body) =>
		expect(parse('frigate/gate_a/person', body)).toEqual([
			{ kind: 'refused', device: 'frigate', reason: 'bad_number' }
		])
	);

	it('knows the host and each camera by their state', () => {
		for (const word of ['offline', 'stopped'])
			expect(parse('frigate/available', word)).toEqual([
				{ kind: 'state', device: 'frigate', channel: null, online: false }
			]);
		expect(parse('frigate/available', 'online')).toMatchObject([{ online: true }]);
		expect(parse('frigate/cam_1/status/detect', 'offline')).toMatchObject([
			{ channel: 'cam_1', online: false }
		]);
	});

	it('takes statistics for a sign of life and never reads them', () =>
		expect(parse('frigate/stats', '{"cpu":{}}')).toEqual([{ kind: 'heartbeat', device: 'frigate' }]));

	it('neither subscribes pictures, events and other series, nor reads one that comes', () => {
		const filters = frigate.topics('demo', 'frigate');
		for (const topic of [
			'frigate/events',
			'frigate/gate_a/person/snapshot',
			'frigate/gate_a/person/active',
			'frigate/gate_a/all'
		]) {
			expect(filters.some((filter) => filterCovers(filter, topic))).toBe(false);
			expect(parse(topic, Buffer.from([0xff, 0xd8, 0xff]))).toEqual([]);
		}
		expect(filters.some((filter) => filterCovers(filter, 'frigate/gate_a/person'))).toBe(true);
	});
});
