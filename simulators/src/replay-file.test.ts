import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeRecording } from './make-recording.ts';
import { readRecording } from './replay-file.ts';

describe('a recorded series', () => {
	it('is read by the names of its columns, with or without a zone, whatever ends its lines', () => {
		expect(readRecording('\uFEFFtime_local,in,out\r\n2005-07-24T00:30:00,3,1\r\n')).toEqual([
			{
				line: 2,
				recordedAt: '2005-07-24T00:30:00',
				recordedMs: Date.UTC(2005, 6, 24, 0, 30),
				in: 3,
				out: 1
			}
		]);
		expect(readRecording('out,door,Time,in\n4,A,2026-02-25T18:00:00+03:00,2')).toEqual([
			{
				line: 2,
				recordedAt: '2026-02-25T18:00:00+03:00',
				recordedMs: Date.UTC(2026, 1, 25, 15),
				in: 2,
				out: 4
			}
		]);
	});

	it('takes an empty cell for no reading, and sends the other', () => {
		const rows = readRecording(
			'time,in,out\n2026-02-25 18:00,,5\n2026-02-25 18:01,,\n2026-02-25 18:02,0, \n\n'
		);
		expect(rows.map(({ line, in: into, out }) => [line, into, out])).toEqual([
			[2, undefined, 5],
			[4, 0, undefined]
		]);
	});

	it.each([
		['when,in,out\n', 'line 1: the header'],
		['time,count\n', 'line 1: the header'],
		['time,in,out\n2026-02-25T18:00:00,1,2\n2026-02-25T18:01:00,-1,2', 'line 3: in is "-1"'],
		['time,in,out\n2026-02-25T18:00:00,1,2.5', 'line 2: out is "2.5"'],
		['time,in,out\n2026-02-25T18:00:00,1,nan', 'line 2: out is "nan"'],
		['time,in,out\n2026-02-25T18:00:00,1,9999999999', 'line 2: out is "9999999999"'],
		['time,in,out\n25.02.2026 18:00,1,2', 'line 2: "25.02.2026 18:00" is no time'],
		['time,in,out\n2026-13-25T18:00:00,1,2', 'line 2: "2026-13-25T18:00:00" is no time'],
		['time,in,out\n2026-02-25T18:00:00,1', 'line 2: 2 columns where the header has 3']
	])('refuses %j and names the line', (text, message) => {
		expect(() => readRecording(text)).toThrow(message);
	});

	it('of our own stands in the repository as its maker makes it, with gaps', () => {
		const kept = readFileSync(new URL('../recordings/gate-5-evening.csv', import.meta.url), 'utf8');
		expect(kept).toBe(makeRecording());
		const rows = readRecording(kept);
		expect(rows.length).toBeLessThan(331);
		expect(rows.some((row) => row.in === undefined)).toBe(true);
		expect(rows.some((row) => row.out === undefined)).toBe(true);
	});
});
