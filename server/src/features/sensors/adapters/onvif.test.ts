import { describe, expect, it } from 'vitest';
import { onvif } from './onvif.ts';

const receivedAt = Date.UTC(2026, 1, 25, 18);
const source = { device: 'north', decoder: null, counters: [] };
const base = 'north/onvif-ej/RuleEngine/CountAggregation';
const parse = (topic: string, payload: unknown, retained = true) =>
	onvif.parse(
		`${base}/${topic}`,
		Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
		{ receivedAt, retained },
		source
	);
/** As the standard has it: when, which video and rule, and the count; in quotes or not. */
const event = (Count: string | number, more: object = {}) => ({
	UtcTime: '2026-02-25T18:00:00.000Z',
	PropertyOperation: 'Changed',
	Source: { VideoSource: '1', Rule: 'Gate 1' },
	Data: { Count, ...more }
});

describe('ONVIF events', () => {
	it('of a line are a running total of one direction, from the start that the camera names', () =>
		expect(parse('Counter/&1/Gate 1', event('152', { ResetTime: '2026-02-25T03:00:00' }))).toMatchObject([
			{
				kind: 'reading',
				reading: {
					...{ device: 'north', channel: 'Gate 1', deviceAt: receivedAt, retained: false },
					value: { kind: 'total', in: 152, out: null, epoch: '2026-02-25T03:00:00', modulus: null }
				}
			}
		]));

	it('of a field are people there now, signed, by the name of its rule in any script', () =>
		expect(parse('OccupancyCounter/&1/صحن المطاف', event(-3))).toMatchObject([
			{ reading: { channel: 'صحن المطاف', value: { kind: 'present', people: -3 } } }
		]));

	it('are retained also when they are live: their own time says how old they are', () => {
		const old = { ...event(8), UtcTime: '2026-02-25T06:00:00Z' };
		expect(parse('OccupancyCounter/&1/Hall', old)).toMatchObject([{ reading: { retained: true } }]);
		expect(parse('OccupancyCounter/&1/Hall', event(8))).toMatchObject([{ reading: { retained: false } }]);
	});

	it('of no bytes say that the rule is gone, not that nobody is there', () =>
		expect(parse('Counter/&1/Gate 1', '')).toEqual([
			{ kind: 'state', device: 'north', channel: 'Gate 1', online: false }
		]));

	it.each([
		[event(-1), 'implausible'],
		[event('many'), 'bad_number'],
		[event(1.5), 'bad_number'],
		['{"UtcTime": "2026', 'bad_json'],
		[{ UtcTime: '2026-02-25T18:00:00Z' }, 'bad_shape']
	])('are refused where they say nothing: %j', (payload, reason) =>
		expect(parse('Counter/&1/Gate 1', payload)).toEqual([{ kind: 'refused', device: 'north', reason }])
	);

	it('of other rules are none of our business', () =>
		expect(
			onvif.parse(
				'north/onvif-ej/VideoSource/Motion/&1',
				Buffer.from('{}'),
				{ receivedAt, retained: false },
				source
			)
		).toEqual([]));
});
