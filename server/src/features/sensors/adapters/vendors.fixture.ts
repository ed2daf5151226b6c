// What is expected of a payload has many shapes.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type {
	AdapterName,
	CounterMapping,
	CounterProperties,
	DecoderName
} from '../../../../contract/index.ts';

/**
 * Real payloads of vendors stand beside the repository, not in it: where they are missing, the tests of our own
 * literals say the same.
 */
const folder = fileURLToPath(new URL('../../../../../../shared/samples/', import.meta.url));
export const samplesAreThere = existsSync(folder);
export const readSample = (file: string): Buffer => readFileSync(folder + file);

export interface SampleRow {
	file: string;
	topic: string;
	expect: any[];
}
export const sampleRows: SampleRow[] = samplesAreThere
	? JSON.parse(readSample('expected.json').toString())
	: [];

/** How one sample reaches us: by which adapter, on which topic (none: by HTTP), from a device so described. */
export interface Delivery {
	adapter: AdapterName;
	device: string;
	topic: string | null;
	payload: Buffer;
	contentType?: string;
	decoder?: DecoderName;
	mappings?: { channel?: string; measures: CounterProperties['measures']; mapping: CounterMapping }[];
	/** Where the message leaves open what it counts: the counter says it. */
	measures?: Record<string, CounterProperties['measures']>;
}

const total = (into: string, out: string, more: Partial<CounterMapping> = {}) => [
	{ measures: 'crossing' as const, mapping: { kind: 'total' as const, in: into, out, ...more } }
];
const present = (value: string, channel?: string, more: Partial<CounterMapping> = {}) => [
	{
		...(channel !== undefined && { channel }),
		measures: 'present' as const,
		mapping: { kind: 'present' as const, value, ...more }
	}
];

/** Mappings that an operator would write for families without an adapter of their own. */
const mappings: Record<string, NonNullable<Delivery['mappings']>> = {
	'terabee-xl-http': total('/count_in', '/count_out', { time: { at: '/timestamp', unit: 'seconds' } }),
	'terabee-m-mqtt': total('/value/in', '/value/out', { time: { at: '/time', unit: 'seconds' } }),
	'vergesense-floor-report': present('/person_count', '820755', {
		where: [{ at: '/space_id', equals: 820_755 }],
		time: { at: '/timestamp', unit: 'iso' }
	}),
	'vergesense-space-report-zero': present('/person_count', '602439', {
		where: [{ at: '/event_type', equals: 'space_report' }]
	}),
	'vergesense-space-availability-null': [
		{ channel: '602439', measures: 'presence', mapping: { kind: 'presence', value: '/state' } },
		...present('/person_count', '602439')
	],
	'opendatacam-sse-frame': [
		{
			channel: '94afa4f8-1d24-4011-a481-ad3036e959b4/car',
			measures: 'crossing',
			mapping: {
				kind: 'total',
				in: '/counterSummary/94afa4f8-1d24-4011-a481-ad3036e959b4/car',
				epoch: '/appState/recordingStatus/recordingId'
			}
		}
	],
	'footfallcam-counting': [
		{
			channel: 'RoiId 1',
			measures: 'crossing',
			mapping: {
				kind: 'delta',
				out: '/PeopleTypeId',
				where: [{ at: '/MetricId', equals: 2 }],
				key: ['/EventEndTime', '/RoiId', '/PeopleId'],
				time: { at: '/EventEndTime', unit: 'seconds' }
			}
		}
	],
	'footfallcam-occupancy': present('/ObjectCount', 'RoiId 1', {
		time: { at: '/Timestamp', unit: 'seconds' }
	}),
	'fiware-crowdflowobserved': [
		{
			channel: 'urn:ngsi-ld:CrowdFlowObserved:Valladolid_1',
			measures: 'crossing',
			mapping: {
				kind: 'delta',
				in: '/peopleCountTowards',
				out: '/peopleCountAway',
				from: '/dateObservedFrom',
				time: { at: '/dateObservedTo', unit: 'iso' }
			}
		}
	],
	'homeassistant-value': present(''),
	hostile: present('/occupancy')
};
mappings['hostile-string-number'] = present('/human');
mappings['hostile-float-count'] = present('/people');
mappings['hostile-bigint'] = total('/in', '/out');

const lora = (file: string): Delivery => {
	const { hex, model } = JSON.parse(readSample(file).toString()) as { hex: string; model: string };
	const device = '24e124136b502217';
	return {
		adapter: 'chirpstack',
		device,
		topic: `application/a/device/${device}/event/up`,
		decoder: `milesight-${model.toLowerCase()}` as DecoderName,
		payload: Buffer.from(
			JSON.stringify({
				time: '2026-03-01T10:00:00.000000001+00:00',
				devAddr: '00189440',
				fCnt: 7,
				fPort: 85,
				data: Buffer.from(hex, 'hex').toString('base64')
			})
		)
	};
};

const topicOf = (topic: string, device: string): string =>
	topic.startsWith('<prefix>/') ? topic.replace('<prefix>', device) : topic;

/** @returns null for a sample of a family that no adapter and no mapping covers */
export function deliver({ file, topic }: SampleRow): Delivery | null {
	const name = file.slice('payloads/'.length).replace(/\.\w+$/, '');
	const payload = () => readSample(file);
	const plain = (adapter: AdapterName, device: string, on: string | null): Delivery => ({
		...{ adapter, device, topic: on },
		payload: payload()
	});
	if (/^frigate\//.test(topic)) return plain('frigate', 'frigate', topic);
	if (name.startsWith('xovis')) return plain('xovis', '80:1f:12:d5:30:dc', null);
	if (name === 'axis-3d-people-counter-push') return plain('axis', 'b8a44fa89c85', null);
	if (name.startsWith('axis-aoa'))
		return plain('axis', 'B8A44F941234', topic.replace('<serial>', 'B8A44F941234'));
	if (name.startsWith('axis-dataq')) return plain('axis', 'B8A44F7ADD87', topic);
	if (name === 'onvif-ej-deletion-empty') return plain('onvif', 'cam-1', topicOf(topic, 'cam-1'));
	if (name.startsWith('onvif'))
		return plain('onvif', 'MyDevice', 'MyDevice/onvif-ej/RuleEngine/CountAggregation/Counter/&1/MyLineInfo');
	if (name === 'milesight-vs121p-region') return plain('milesight', '369362028335', null);
	if (name.startsWith('milesight')) return lora(file);
	if (name === 'chirpstack-v4-up-vs350-composed')
		return {
			...plain('chirpstack', '24e124136b502217', topic.replace('<appId>', 'a')),
			decoder: 'milesight-vs350'
		};
	if (name.startsWith('chirpstack')) return plain('chirpstack', '0101010101010101', topic);
	if (name.startsWith('tts')) {
		const device = topic.split('/').at(-2) ?? '';
		return { ...plain('tts', device, topic), ...(device === 'gate-7' && { decoder: 'milesight-vs132' }) };
	}
	if (name.startsWith('zigbee2mqtt'))
		return plain('zigbee2mqtt', 'hall-1', topic.replace('<friendly_name>', 'hall-1'));
	if (name.startsWith('hikvision'))
		return { ...plain('hikvision', '84:9a:40:ec:f1:6d', null), contentType: 'application/xml' };
	if (name.startsWith('irisys'))
		return plain('irisys', 'V4D-17020025', topic === 'HTTP POST' ? null : 'irisys/v4d');
	if (name.startsWith('waltti-apc'))
		return plain('waltti', '3298a747', 'apc-from-vehicle/v1/fi/waltti/partner/3298a747');
	if (name.startsWith('waltti-hsl')) return plain('waltti', 'hsl-12-10', 'hsl/apc/12/10');
	const mapping =
		mappings[name] ??
		Object.entries(mappings).find(([prefix]) => prefix.length > 5 && name.startsWith(prefix))?.[1];
	return mapping ? { ...plain('generic', 'door-x', 'any/door-x'), mappings: mapping } : null;
}
