import { describe, expect, it } from 'vitest';
import { decodeText, parseCount, parseJson, parseTime } from './strict-parse.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const refusal = (reason: string) => ({ ok: false, reason });

describe('strict parsing', () => {
	it.each([
		['{"people": NaN}', 'bad_json'],
		['{"a":1}{"a":2}', 'bad_json'],
		['{"a":1,}', 'bad_json'],
		['// no\n{}', 'bad_json'],
		['', 'bad_json'],
		['{"in":18446744073709551615}', 'bad_number'],
		[`${'['.repeat(18)}${']'.repeat(18)}`, 'bad_shape']
	])('refuses %s', (text, reason) => expect(parseJson(bytes(text))).toEqual(refusal(reason)));

	it('refuses invalid UTF-8 and what is too large', () => {
		expect(parseJson(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).toEqual(refusal('bad_utf8'));
		expect(decodeText(Buffer.alloc(65_537, 0x20))).toEqual(refusal('too_large'));
		expect(decodeText(Buffer.alloc(65_536, 0x20)).ok).toBe(true);
	});

	it.each(['{"boot":"a\\u0000b"}', '{"boot":"\\ud800"}', '{"a":[{"\\u0000":1}]}', '"\\udc00x"'])(
		'refuses %s, which no store takes',
		(text) => expect(parseJson(bytes(text))).toEqual(refusal('bad_utf8'))
	);
	it('refuses U+0000 in plain text', () =>
		expect(decodeText(bytes('on\0line'))).toEqual(refusal('bad_utf8')));

	it('strips one byte-order mark', () =>
		expect(parseJson(bytes('\uFEFF{"a":12}'))).toEqual({ ok: true, value: { a: 12 } }));

	it('drops keys that reach into prototypes, and leaves prototypes alone', () => {
		const parsed = parseJson(
			bytes('{"__proto__":{"present":9},"constructor":{"prototype":{"x":1}},"present":1}')
		);
		expect(parsed).toEqual({ ok: true, value: { present: 1 } });
		expect(({} as Record<string, unknown>)['x']).toBeUndefined();
	});

	it.each([
		['3', 3],
		['0', 0],
		['7\r\n', 7],
		[' 4 ', 4]
	])('reads the count %j', (text, value) => expect(parseCount(text)).toEqual({ ok: true, value }));
	it.each(['', ' ', '0x10', '-1', '2.1', '1e3', 'nan', 'unavailable', '٣', '12345678901234567'])(
		'is no count: %j',
		(text) => expect(parseCount(text)).toEqual(refusal('bad_number'))
	);

	it('reads times with an offset only', () => {
		expect(parseTime('2026-02-25T21:00:00+03:00')).toBe(Date.UTC(2026, 1, 25, 18));
		expect(parseTime('2026-02-25T18:00:00.250Z')).toBe(Date.UTC(2026, 1, 25, 18, 0, 0, 250));
		expect(parseTime(1_772_000_000_000)).toBe(1_772_000_000_000);
		for (const text of ['2026-02-25T18:00:00', 'yesterday', '2026-02-31T99:00:00Z', '18:00'])
			expect(parseTime(text)).toBeNull();
	});
});
