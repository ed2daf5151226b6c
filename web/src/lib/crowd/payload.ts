import { CounterMapping, type AdapterName } from '@marsad/server/contract';
import { Compile } from 'typebox/compile';

const shape = Compile(CounterMapping);

export type ParsedMapping =
	| { kind: 'none' }
	| { kind: 'ok'; mapping: CounterMapping }
	| { kind: 'bad'; why: 'json' }
	| { kind: 'bad'; why: 'shape'; where: string };

/** Reads a mapping that was typed in; an empty text means: the one of the site file. */
export function parseMapping(text: string): ParsedMapping {
	if (text.trim() === '') return { kind: 'none' };
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { kind: 'bad', why: 'json' };
	}
	if (shape.Check(value)) return { kind: 'ok', mapping: value };
	const first = shape.Errors(value)[0];
	return { kind: 'bad', why: 'shape', where: first?.instancePath || '/' };
}

/** One small payload of a format, to begin with. */
export const samplePayloads: Partial<Record<AdapterName, string>> = {
	own: JSON.stringify({ ts: '2027-02-25T21:17:00+03:00', seq: 412, in: 7, out: 2 }, null, 2),
	frigate: '12',
	zigbee2mqtt: JSON.stringify({ occupancy: true, linkquality: 120 }, null, 2),
	milesight: JSON.stringify(
		{ line_total_data: [{ line: 1, total: { in_counted: 1204, out_counted: 1187 } }] },
		null,
		2
	)
};
