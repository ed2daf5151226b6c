import { describe, expect, it } from 'vitest';
import type { PreviewRequest } from '../../../contract/index.ts';
import { buildSite } from '../site/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { claimsOf } from './claims.ts';
import { jsonHint } from './json-hint.ts';
import { previewPayload } from './preview.ts';

const claims = claimsOf('test', buildSite(smallSite()).countersByDevice);
const preview = (request: PreviewRequest) =>
	previewPayload(request, {
		site: 'test',
		claim: claims.get(request.device ?? ''),
		receivedAt: Date.UTC(2026, 2, 1)
	});

describe('how a payload would be read', () => {
	it('names its numbers and the counters that would take them', () => {
		const { readings, refused, ignored } = preview({
			...{ adapter: 'frigate', device: 'frigate', topic: 'frigate/yard_1/person', payload: '3\n' }
		});
		expect(readings).toMatchObject([
			{ kind: 'present', channel: 'yard_1', value: 3, in: null, counters: ['camera-1'] }
		]);
		expect({ refused, ignored }).toEqual({ refused: [], ignored: false });
	});

	it('names what is dropped, and never what stood there', () => {
		const answer = preview({
			adapter: 'own',
			device: 'door-1',
			payload: '{"ts": 1772359200000, "in": 2, "face": "aGVsbG8=", "plate": "ABC 123"}'
		});
		expect(answer.droppedKeys).toEqual(['face', 'plate']);
		expect(JSON.stringify(answer)).not.toMatch(/aGVsbG8|ABC/);
	});

	it('tries a mapping before anybody saves it', () => {
		const mapping = { kind: 'total', in: '/counts/in', out: '/counts/out' } as const;
		const payload = '{"counts": {"in": 23, "out": "12"}, "password": "secret"}';
		const answer = preview({ adapter: 'generic', mapping, payload });
		expect(answer.readings).toMatchObject([{ kind: 'total', in: 23, out: 12, counters: [] }]);
		expect(answer.droppedKeys).toEqual(['password']);
		expect(preview({ adapter: 'generic', payload }).refused).toEqual([{ reason: 'no_decoder' }]);
	});

	it('takes bytes as hexadecimal and base64, and says of a topic that it is nobody’s', () => {
		const hex = Buffer.from('7').toString('hex');
		const topic = 'frigate/yard_1/person';
		expect(preview({ adapter: 'frigate', topic, payload: hex, encoding: 'hex' }).readings[0]?.value).toBe(7);
		expect(
			preview({ adapter: 'frigate', topic: 'frigate/yard_1/person/snapshot', payload: 'ÿØ' }).ignored
		).toBe(true);
	});

	it.each([
		['{\n "a": 1, // people\n "b": 2\n}', 'line 2: a comment is not JSON'],
		['{“status”: “disconnected”}', 'line 1: typographic quotes are not JSON'],
		['{\n "a": {}\n "b": 2\n}', 'line 3: a comma is missing before this line'],
		['{"people": NaN}', 'line 1: a word that is no JSON value'],
		['{"a": 1,\n}', 'line 2: a comma before a closing bracket'],
		['{"a":1}{"a":2}', 'line 1: two messages in one'],
		['{"a": "// no comment"', 'line 1: the text ends too early']
	])('explains %j', (text, english) => expect(jsonHint(text)?.en).toBe(english));
});
