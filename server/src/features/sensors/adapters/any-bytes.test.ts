import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoderNames } from '../../../../contract/index.ts';
import type { Adapter, Source } from '../reading.ts';
import { readXml } from '../read-xml.ts';
import { adapters } from './index.ts';
import { readMilesightFrame } from './milesight-frames.ts';
import { deliver, readSample, sampleRows, samplesAreThere } from './vendors.fixture.ts';

const arrival = { receivedAt: Date.UTC(2026, 2, 1), retained: false };
const all = Object.values(adapters);
const sourceOf = (decoder: Source['decoder']): Source => ({
	device: 'd',
	decoder,
	counters: [
		{
			channel: null,
			measures: 'present',
			mapping: { kind: 'present', value: '/*', time: { at: '/t', unit: 'seconds' } }
		},
		{
			channel: 'x',
			measures: 'crossing',
			mapping: { kind: 'total', in: '/in', key: ['/k'], sequence: { at: '/n' } }
		}
	]
});
const topicsOf = (adapter: Adapter): string[] => [
	...adapter.topics('demo', 'd').map((filter) => filter.replaceAll(/[+#]/g, 'x')),
	adapter.httpTopic('demo', 'd', 'x'),
	'',
	'a/onvif-ej/RuleEngine/Counter'
];

/** JSON of the shapes that adapters look for, with anything in it. */
const likeVendors = fc.dictionary(
	fc.constantFrom(
		...[
			'APC',
			'vehiclecounts',
			'doorcounts',
			'live_data',
			'frames',
			'events',
			'logics_data',
			'logics',
			'records'
		],
		...[
			'content',
			'element',
			'measurement',
			'values',
			'CountLogs',
			'Counts',
			'uplink_message',
			'frm_payload'
		],
		...[
			'data',
			'message',
			'occupancy',
			'people',
			'Data',
			'Count',
			'UtcTime',
			'object',
			'__proto__',
			'in',
			't'
		]
	),
	fc.jsonValue({ maxDepth: 6 })
);

function isWellFormed(messages: readonly { kind: string }[]): void {
	for (const message of messages)
		expect(['reading', 'state', 'heartbeat', 'session', 'trouble', 'refused']).toContain(message.kind);
}

describe('any bytes', () => {
	it.each(all.map((adapter) => [adapter.name, adapter] as const))('never break %s', (_, adapter) => {
		const bytes = fc.oneof(
			fc.uint8Array({ maxLength: 200 }),
			fc.json().map((text) => Buffer.from(text)),
			likeVendors.map((value) => Buffer.from(JSON.stringify(value))),
			fc.string({ unit: 'binary' }).map((text) => Buffer.from(`<a>${text}</a>`))
		);
		const decoders = fc.constantFrom(null, ...decoderNames);
		const types = fc.constantFrom(undefined, 'multipart/form-data; boundary=a', 'application/xml');
		const property = fc.property(
			...([bytes, decoders, types, fc.constantFrom(...topicsOf(adapter))] as const),
			(payload, decoder, contentType, topic) =>
				isWellFormed(adapter.parse(topic, payload, { ...arrival, contentType }, sourceOf(decoder)))
		);
		fc.assert(property, { numRuns: 400 });
	});

	it('of a frame give whole numbers or a reason', () => {
		const property = fc.property(
			...([fc.constantFrom(...decoderNames), fc.uint8Array({ maxLength: 60 })] as const),
			(decoder, bytes) => {
				const frame = readMilesightFrame(decoder, bytes);
				expect(frame.ok || ['truncated', 'implausible'].includes(frame.reason)).toBe(true);
			}
		);
		fc.assert(property, { numRuns: 2_000 });
	});

	it.runIf(samplesAreThere)('cut out of real payloads never break an adapter', () => {
		for (const row of sampleRows) {
			const delivery = deliver(row);
			if (!delivery || readSample(row.file).byteLength > 5_000) continue;
			const { payload, topic, adapter, contentType, decoder } = delivery;
			for (let cut = 0; cut < payload.byteLength; cut += Math.ceil(payload.byteLength / 60))
				for (const other of adapter === 'generic' ? [adapters.generic] : [adapters[adapter], adapters.xovis])
					isWellFormed(
						other.parse(
							topic ?? '',
							payload.subarray(0, cut),
							{ ...arrival, contentType },
							sourceOf(decoder ?? null)
						)
					);
		}
	});
});

describe('XML', () => {
	it('is elements and texts by their local names', () =>
		expect(
			readXml('<?xml version="1.0"?>\n<h:a x="1" xmlns:h="u"><!-- c --><b> 7 </b><c/><d>&lt;&amp;</d></h:a>')
		).toMatchObject({
			ok: true,
			value: { name: 'a', children: [{ name: 'b', text: '7' }, { name: 'c' }, { name: 'd', text: '<&' }] }
		}));

	it.each([
		'<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>',
		'<a>&b;</a>',
		'<a>&#65;</a>',
		'<a><b></a></b>',
		'<a>',
		'<a/><b/>',
		'text',
		'<?xml-stylesheet href="x"?><a/>',
		'<a x=1/>',
		`${'<a>'.repeat(20)}${'</a>'.repeat(20)}`,
		`<a>${'<b/>'.repeat(3_000)}</a>`
	])('refuses %j', (text) => expect(readXml(text)).toEqual({ ok: false, reason: 'bad_xml' }));
});
