import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { createRandom, drawPoisson } from './chance.ts';

/**
 * Makes the recorded series that the README replays: one evening at one door of gate 5, a row a minute, made up by a
 * seeded function. Run `node simulators/src/make-recording.ts` after a change; the file it writes is kept in the
 * repository.
 */

const seed = 5_1447;
const startsAt = Date.UTC(2026, 1, 25, 15);
const minutes = 331;
const zoneOffset = { text: '+03:00', ms: 3 * 3_600_000 };
/** People a minute at the door: [minute of the evening, in, out]; in between in a straight line. */
const flows: readonly (readonly [number, number, number])[] = [
	[0, 4, 3],
	[20, 14, 4],
	[45, 62, 6],
	[75, 95, 9],
	[95, 70, 8],
	[105, 12, 4],
	[135, 10, 6],
	[150, 34, 40],
	[180, 30, 58],
	[225, 22, 64],
	[270, 12, 74],
	[300, 6, 60],
	[330, 3, 32]
];
/** The counter was not heard: [first minute, last minute, which cells]. */
const gaps: readonly (readonly [number, number, 'both' | 'in' | 'out'])[] = [
	[58, 58, 'both'],
	[121, 124, 'both'],
	[188, 188, 'out'],
	[246, 248, 'in']
];

/** The CSV: `time,in,out`, times with their offset, empty where nothing was counted. */
export function makeRecording(): string {
	const random = createRandom(seed);
	const rows = Array.from({ length: minutes }, (_, minute) => {
		const [meanIn, meanOut] = meansAt(minute);
		const people = { in: drawPoisson(meanIn, random), out: drawPoisson(meanOut, random) };
		const gap = gaps.find(([first, last]) => minute >= first && minute <= last)?.[2];
		const cell = (name: 'in' | 'out') => (gap === 'both' || gap === name ? '' : String(people[name]));
		return `${timeAt(minute)},${cell('in')},${cell('out')}`;
	});
	return ['time,in,out', ...rows, ''].join('\n');
}

function meansAt(minute: number): [number, number] {
	const next = Math.max(
		1,
		flows.findIndex(([at]) => at >= minute)
	);
	const [from, to] = [flows[next - 1], flows[next]];
	if (!from || !to) return [0, 0];
	const part = (minute - from[0]) / (to[0] - from[0]);
	return [from[1] + (to[1] - from[1]) * part, from[2] + (to[2] - from[2]) * part];
}

function timeAt(minute: number): string {
	const local = new Date(startsAt + minute * 60_000 + zoneOffset.ms);
	return `${local.toISOString().slice(0, 19)}${zoneOffset.text}`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
	writeFileSync(fileURLToPath(new URL('../recordings/gate-5-evening.csv', import.meta.url)), makeRecording());
}
