import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkSite } from '../server/src/features/site/check-site.ts';
import { makeGridSite } from './lib/bench/grid-site.ts';
import { percentile, readOptions } from './lib/bench/report.ts';
import { slopeOf } from './lib/bench/slope.ts';
import { playRoom } from './lib/bench/virtual-room.ts';
import { root } from './lib/paths.ts';

const run = promisify(execFile);
const bench = (...args: string[]) =>
	run(process.execPath, [join(root, 'scripts/bench.ts'), ...args], { cwd: root, timeout: 240_000 });

/** Each at a size that says nothing about speed: that it runs, counts right and says what it must. */
const tiny: Readonly<Record<string, readonly string[]>> = {
	booking: ['--seconds', '0.5', '--people', '40'],
	opening: ['--people', '60'],
	gated: ['--people', '80'],
	join: ['--rounds', '1', '--count', '60', '--warm', '20', '--connections', '8'],
	progress: ['--rounds', '1', '--count', '100', '--people', '5', '--connections', '4'],
	waiting: ['--people', '400', '--arrive', '20', '--rate', '20'],
	glass: ['--seconds', '4'],
	scan: ['--permits', '3'],
	storm: ['--sockets', '40', '--rounds', '1', '--cuts', '1'],
	readings: ['--count', '2000', '--rounds', '1'],
	switch: ['--presses', '3'],
	memory: ['--people', '2000', '--screens', '10', '--seconds', '3'],
	fanout: ['--screens', '6', '--columns', '4', '--rows', '3', '--counters', '24', '--seconds', '4'],
	soak: ['--warm', '2', '--seconds', '6', '--every', '1', '--cut', '2'],
	history: ['--hours', '0.5', '--minutes', '5', '--days', '2']
};

/** What a report must have beside its goals: figures that are right on any machine, and the names of the others. */
const shape: Readonly<Record<string, readonly RegExp[]>> = {
	scan: [/^scan, verify: p50 [\d.]+ ms, p95 [\d.]+ ms, most [\d.]+ ms/m, /^scan, answer: p50 [\d.]+ ms/m],
	storm: [
		/back with a fresh state: 40 of 40,/,
		/screens that show what one sees who comes now: 40 of 40;/,
		/handshakes in any one second: at most \d+ \(/,
		/strongest beat of 3 to 15 s in \d+ handshakes: /,
		/pulls of a quiet tenant, alone: [1-9]\d* answered/,
		/^crashes of the server: 0;/m
	]
};

describe('npm run bench', () => {
	it('names every benchmark with its goal', async () => {
		const { stdout } = await bench('--list');
		const files = await readdir(join(root, 'scripts/bench'));
		for (const file of files) expect(stdout).toMatch(new RegExp(`^${file.replace('.ts', '')} +.*goal`, 'm'));
		for (const name of Object.keys(tiny)) expect(files).toContain(`${name}.ts`);
	});

	it.each(Object.entries(tiny))(
		'%s runs, says both sides, the goal and how busy the machine was',
		async (name, args) => {
			const { stdout } = await bench(name, ...args);
			expect(stdout).toMatch(new RegExp(`^${name}: `));
			expect(stdout).toMatch(/; goal .*: (met|MISSED)$/m);
			expect(stdout).toMatch(/^machine: CPU \d+ % in use, load average \d/m);
			for (const line of shape[name] ?? []) expect(stdout).toMatch(line);
		}
	);

	it('refuses what it does not know, in one line', async () => {
		await expect(bench('booking', '--fast', '1')).rejects.toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^marsad: booking is invalid: there is no option --fast/m)
		});
		await expect(bench('nothing')).rejects.toMatchObject({ code: 1 });
	});
});

describe('the parts of the benchmarks', () => {
	it('read options', () => {
		expect(readOptions(['--a', '3'], { a: 1, b: 2 })).toEqual({ a: 3, b: 2 });
		expect(() => readOptions(['--a', 'x'], { a: 1 })).toThrow('above 0');
	});
	it('tell percentiles', () => {
		expect([percentile([3, 1, 2], 50), percentile([1], 99), percentile([], 50)]).toEqual([2, 1, NaN]);
	});
	it('tell a slope from what scatters about it', () => {
		const steep = slopeOf([1, 2, 3, 4, 5].map((x) => [x, 10 + 2 * x]));
		expect([steep.perUnit, steep.rise, steep.scatter]).toEqual([2, 8, 0]);
		const flat = slopeOf([1, -1, -1, 1].map((y, x) => [x, y]));
		expect([flat.rise, flat.scatter]).toEqual([0, Math.SQRT2]);
		expect(() => slopeOf([])).toThrow('three points');
	});
	it('make a site of any size that the product accepts', () => {
		const site = makeGridSite({ columns: 20, rows: 10, counters: 500 });
		expect(checkSite(site)).toMatchObject({ ok: true, warnings: [] });
		const kinds = site.features.map(({ properties }) => properties.kind);
		expect(['zone', 'counter'].map((kind) => kinds.filter((one) => one === kind).length)).toEqual([200, 500]);
		expect(() => makeGridSite({ columns: 2, rows: 2, counters: 1 })).toThrow('needs 6 counters');
	});
	it('play the same room for the same seed, and let everybody book once', () => {
		const room = {
			...{ people: 300, arriveSeconds: 10, ratePerSecond: 10, pressSeconds: 2, claimWindowSeconds: 600 }
		};
		const [one, same, other] = [1, 1, 2].map((seed) => playRoom({ ...room, seed }));
		expect(one!.booked).toBe(300);
		expect(same!.asked).toBe(one!.asked);
		expect(other!.asked).not.toBe(one!.asked);
		expect(Math.max(...one!.perSecond.get('progress')!)).toBe(1);
		expect(one!.perSecond.get('join')!.reduce((a, b) => a + b, 0)).toBe(300);
	});
});
