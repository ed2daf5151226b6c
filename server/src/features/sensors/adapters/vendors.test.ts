// What is expected of a payload has many shapes.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { describe, expect, it } from 'vitest';
import type { RejectReason } from '../../../../contract/index.ts';
import type { Message, Reading, Source } from '../reading.ts';
import { adapters } from './index.ts';
import { deliver, readSample, sampleRows, samplesAreThere, type Delivery } from './vendors.fixture.ts';

const arrival = { receivedAt: Date.UTC(2026, 2, 1, 10), retained: false };

/** Our words for the reasons that the samples use. */
const reasons: Record<string, RejectReason> = {
	'invalid-json': 'bad_json',
	'invalid-utf8': 'bad_utf8',
	'not-a-number': 'bad_number',
	'not-an-integer': 'bad_number',
	'out-of-range': 'bad_number',
	'implausible-value': 'implausible',
	truncated: 'truncated',
	'no-decoder-for-device-profile': 'no_decoder'
};
/** Families that the issue names no adapter for and that a mapping cannot honestly read: byte frames, CSV, protobuf. */
const notCovered =
	/parametric|terabee-xl-lorawan|imbuildings|hkt|yosensi|disruptive|sparkplug|opendatacam-counter|homeassistant-(birth|discovery)/;

export function sourceOf({ device, decoder, mappings = [] }: Delivery): Source {
	const mapped = mappings.map(({ channel, measures, mapping }) => ({
		...{ channel: channel ?? null, measures, mapping }
	}));
	return { device, decoder: decoder ?? null, counters: mapped };
}

const parse = (delivery: Delivery): Message[] =>
	adapters[delivery.adapter].parse(
		delivery.topic ?? adapters[delivery.adapter].httpTopic('demo', delivery.device, undefined),
		delivery.payload,
		{ ...arrival, contentType: delivery.contentType },
		sourceOf(delivery)
	);
const readingsOf = (messages: readonly Message[]): Reading[] =>
	messages.flatMap((message) => (message.kind === 'reading' ? [message.reading] : []));

describe.runIf(samplesAreThere)('payloads of vendors', () => {
	const covered = sampleRows.filter(({ file }) => !notCovered.test(file));

	it('are covered but for the families that are named', () => {
		expect(covered.filter((row) => deliver(row) === null).map(({ file }) => file)).toEqual([]);
		expect(covered.length).toBeGreaterThan(90);
	});

	it.each(covered.map((row) => [row.file, row] as const))('%s', (_, row) => {
		const delivery = deliver(row);
		if (!delivery) return expect.unreachable();
		const messages = parse(delivery);
		for (const wanted of row.expect) check(wanted, messages, delivery);
	});
});

function check(wanted: any, messages: Message[], { adapter, topic }: Delivery): void {
	const readings = readingsOf(messages);
	const channel = ['default', 'all'].includes(wanted.channel) ? null : (wanted.channel ?? null);
	// The adapter reads one series of Frigate, and leaves the others and its events alone.
	if (adapter === 'frigate' && !/^frigate\/([^/]+\/person|available)$/.test(topic ?? ''))
		return expect(messages).toEqual([]);
	if (wanted.kind === 'reject')
		return expect(messages).toEqual([
			expect.objectContaining({ kind: 'refused', reason: reasons[wanted.reason] })
		]);
	if (wanted.kind === 'ignore') return expect(readings).toEqual([]);
	if (wanted.kind === 'reset') return expect(readings.map(({ value }) => value.kind)).toEqual(['reset']);
	if (wanted.kind === 'health') return checkHealth(wanted.state, messages);
	if (wanted.kind === 'presence')
		return expect(readings).toMatchObject([{ value: { kind: 'presence', occupied: wanted.value } }]);
	if (wanted.kind === 'occupancy') {
		const of = readings.filter(
			({ value, channel: on }) => value.kind === 'present' && isOn(on, channel, adapter)
		);
		expect(of.at(-1)?.value).toEqual({ kind: 'present', people: wanted.value });
		return checkTime(wanted, of);
	}
	const kind = wanted.kind === 'cumulative' ? 'total' : 'delta';
	const of = readings.filter(
		({ value, channel: on }) =>
			value.kind === kind && (isOn(on, channel, adapter) || wanted.channel === undefined)
	);
	const sum = (side: 'in' | 'out') =>
		of.reduce(
			(people, { value }) => people + ((value as { in: number | null; out: number | null })[side] ?? 0),
			0
		);
	if (wanted.in !== undefined) expect(sum('in')).toBe(wanted.in);
	if (wanted.out !== undefined) expect(sum('out')).toBe(wanted.out);
	if (wanted.modulus !== undefined) expect(of[0]?.value).toMatchObject({ modulus: wanted.modulus });
	if (wanted.epoch !== undefined) expect(of[0]?.value).toMatchObject({ epoch: wanted.epoch });
	if (wanted.seq !== undefined) expect(of[0]?.order?.seq).toBe(wanted.seq);
	if (wanted.eventId !== undefined) expect(of[0]?.key).toBe(wanted.eventId);
	if (wanted.historical) expect(of.every(({ historical }) => historical)).toBe(true);
	if (wanted.from !== undefined) expect(of[0]?.value).toMatchObject({ from: timeOf(wanted.from) });
	checkTime(wanted, of);
}

const isOn = (on: string | null, channel: string | null, adapter: string): boolean => {
	if (channel === null) return on === null || ['generic', 'frigate'].includes(adapter);
	return on === channel || (adapter === 'frigate' && `${on}/person` === channel);
};

function checkHealth(state: string, messages: readonly Message[]): void {
	if (state === 'offline') return expect(messages).toMatchObject([{ kind: 'state', online: false }]);
	if (state === 'degraded')
		return expect(messages).toContainEqual(expect.objectContaining({ kind: 'trouble' }));
	expect(messages.length).toBeGreaterThan(0);
	for (const message of messages)
		expect(message.kind === 'state' ? message.online : ['heartbeat', 'session'].includes(message.kind)).toBe(
			true
		);
}

function timeOf(value: string | number): number {
	return typeof value === 'string' ? Date.parse(value) : value < 1e11 ? value * 1_000 : value;
}

function checkTime(wanted: any, of: readonly Reading[]): void {
	if (wanted.clock === 'bad' && of.at(-1)?.deviceAt === null) expect(of.at(-1)?.clock).toBe('bad');
	if (wanted.at !== undefined) expect(of.at(-1)?.deviceAt).toBe(timeOf(wanted.at));
	if (wanted.to !== undefined) expect(of.at(-1)?.deviceAt).toBe(timeOf(wanted.to));
}

describe.runIf(samplesAreThere)('personal keys of samples', () => {
	it('are gone from what an adapter hands on', () => {
		for (const row of sampleRows) {
			const delivery = deliver(row);
			if (!delivery) continue;
			const handedOn = JSON.stringify(parse(delivery));
			expect(handedOn).not.toMatch(
				/gender|female|male|mask|"age|face|plate|sub_label|password|username|view_direction|position|height/i
			);
		}
		expect(readSample('payloads/xovis-v5-live-addons-personal.json').toString()).toMatch(/gender/);
	});
});
