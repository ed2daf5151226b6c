import { describe, expect, it } from 'vitest';
import { readLine, readSeries } from './replay-formats.ts';

const counts = ({ rows }: ReturnType<typeof readSeries>) => rows.map(({ in: into, out }) => [into, out]);

describe('recordings', () => {
	it('of counts stay what they are', () =>
		expect(readSeries('time_local,in,out\n2005-07-24T00:00:00,3,1')).toMatchObject({
			...{ isTotal: false, withoutNumber: 0 },
			rows: [{ in: 3, out: 1 }]
		}));

	it('of a turnstile are running totals, padded with zeros and blanks', () => {
		const recording = readSeries(
			'C/A,SCP,DATE,TIME,DESC,ENTRIES,EXITS   \nA002,02,03/28/2020,04:00:00,REGULAR,0007412831,0002516512      \n'
		);
		expect(recording.isTotal).toBe(true);
		expect(recording.rows).toMatchObject([
			{ in: 7_412_831, out: 2_516_512, recordedMs: Date.UTC(2020, 2, 28, 4) }
		]);
	});

	it('of a gate by the day leave out what is no number', () => {
		const recording = readSeries(
			'dates,counts\n01-Sep-21,9816\n02-Sep-21,NA\n03-Sep-21,Gate broken\n04-Sep-21,9844'
		);
		expect([recording.isTotal, recording.withoutNumber]).toEqual([true, 2]);
		expect(recording.rows).toMatchObject([
			{ in: 9_816, recordedMs: Date.UTC(2021, 8, 1) },
			{ in: 9_844, line: 5 }
		]);
	});

	const stations =
		'date,station,id,count\n2021-10-22,811,811_6,2230\n2021-10-22,812,812_6,\n2021-10-23,812,812_6,7';
	const columns = 'timestamp,Belmore Rd,Middle St A\n2024-03-15 00:00:00,2.0,\n2024-03-15 01:00:00,,4.0\n';
	it('of several stations are read one by one, an empty cell being no reading', () => {
		expect(readSeries(stations, { series: '812_6' })).toMatchObject({ withoutNumber: 1, rows: [{ in: 7 }] });
		expect(counts(readSeries(columns, { series: 'Middle St A' }))).toEqual([[4, undefined]]);
	});

	it('of walked paths are what a counter over the line says, second by second, whichever column is the person', () => {
		const rows = ['1 0 -1 0', '1 25 1 0', '2 25 0.5 0', '2 50 -0.5 0', '1 50 1.2 0'];
		const swapped = rows.map((row) => row.replace(/^(\d+) (\d+)/, '$2 $1'));
		for (const text of [`# framerate: 25 fps\n${rows.join('\n')}`, swapped.join('\n')])
			expect(counts(readSeries(text, { line: { axis: 'x', at: 0 } }))).toEqual([
				...[
					[0, 0],
					[1, 0],
					[0, 1]
				]
			]);
	});

	it.each([
		[stations, {}, 'name one with --series, such as 811_6, 812_6'],
		[columns, { series: 'High St' }, '"high st" is none'],
		['year_hijri,item,value\n1444,male,969694', {}, 'sums of whole years'],
		['1 0 2.1 2.6\n1 12 2.2 2.6', {}, '--line y=0'],
		['who,what\n1,2', {}, 'line 1: the header must name'],
		['dates,counts\n31-Foo-21,9816', {}, 'line 2: "2021-00-31T00:00" is no time']
	])('are refused in a sentence: %j', (text, choice, message) =>
		expect(() => readSeries(text, choice)).toThrow(message)
	);

	it('are counted over a line across the way', () => {
		expect(readLine('y=-0.5')).toEqual({ axis: 'y', at: -0.5 });
		expect(() => readLine('z=1')).toThrow('--line takes');
	});
});
