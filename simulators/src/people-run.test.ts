import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp } from '../../server/test/kit/index.ts';
import { readScenario, type GivenOptions } from './people-options.ts';
import { brokenRules, type Report } from './people-report.ts';
import { runScenario } from './people-run.ts';
import type { Mix } from './people-temper.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0)) await close();
});

/** A laboratory whose minutes pass in seconds. */
async function laboratory(env: Record<string, string> = {}) {
	const app = await createTestApp({ env: { LAB: '1', LAB_CHECK_MS: '20', ...env } });
	closers.push(() => app.close());
	return app;
}

/** Nobody thinks for long here. */
const play = (
	url: string,
	name: string,
	given: GivenOptions,
	{ mix = {}, signal = new AbortController().signal }: { mix?: Partial<Mix>; signal?: AbortSignal } = {}
) => {
	const options = readScenario(new URL(url), name, given);
	return runScenario({ ...options, mix: { ...options.mix, slow: 0, ...mix } }, signal);
};
const sum = (counts: Readonly<Record<string, number>>) =>
	Object.values(counts).reduce((total, count) => total + count, 0);
const broken = (report: Report) => report.rules.filter(({ count }) => count > 0);

describe('people of all kinds on a real server', { timeout: 300_000 }, () => {
	it('all end somewhere, none twice, and nobody gets what is another person’s', async () => {
		// Slow enough that a waiting line forms.
		const app = await laboratory({ LAB_TIME_SCALE: '10', ADMIT_PER_SECOND: '4' });
		const report = await play(app.url, 'opening', {
			...{ people: '160', seconds: '20', seed: '11', mix: 'rude' },
			...{ 'time-scale': '10', sockets: '100' }
		});
		expect(broken(report)).toEqual([]);
		expect(report.faults).toEqual({});
		expect(report.interrupted).toBe(false);
		expect(report.generator).toMatchObject({ offered: 160, started: 160, notSent: 0 });
		expect(sum(report.people)).toBe(160);
		expect(report.people['booked once']).toBeGreaterThan(60);
		expect(report.server.stats!.bookings).toBe(report.people['booked once']);
		// Everything that this mix has in it was really tried.
		for (const what of ['stood in several tabs', 'a shared link was refused', 'came back later'])
			expect(report.tried[what]).toBeGreaterThan(0);
		expect(report.waits!.count).toBeGreaterThan(60);
		expect(report.told!.count).toBeGreaterThan(10);
		// Who comes back after a missed turn has a second number; nobody else does.
		expect(report.server.numbersGiven).toBe(report.server.numbersOurs);
	});

	it('find their place again after two minutes without a network, wherever it was lost', async () => {
		const app = await laboratory({ LAB_TIME_SCALE: '10', ADMIT_PER_SECOND: '4' });
		const given = { people: '80', seconds: '10', seed: '5', 'time-scale': '10', sockets: '100' };
		const report = await play(app.url, 'returners', given, { mix: { losesNetwork: 1 } });
		expect(broken(report)).toEqual([]);
		for (const stage of ['joining', 'waiting', 'booking'])
			expect(report.tried[`lost the network while ${stage}`]).toBeGreaterThan(0);
		// In the laboratory turn and pass last two minutes, too: some come back too late, and wait once more.
		expect(report.people).toEqual({ 'booked once': 80 });
	});

	it('fare no worse for nine times as many bots, which get nothing and use up no number', async () => {
		const given = { people: '100', seconds: '10', seed: '3', mix: 'obedient', sockets: '100' };
		const play1 = await laboratory();
		const alone = await play(play1.url, 'bots', { ...given, bots: '0' });
		const play9 = await laboratory();
		const among = await play(play9.url, 'bots', { ...given, bots: '9' });
		expect(alone.people).toEqual({ 'booked once': 100 });
		expect(among.people).toEqual(alone.people);
		expect([broken(alone), broken(among)]).toEqual([[], []]);
		expect(among.bots).toMatchObject({ gotThrough: 0, faults: 0 });
		expect(sum(among.bots!.calls)).toBeGreaterThan(1_000);
		expect([alone.server.numbersGiven, among.server.numbersGiven]).toEqual([100, 100]);
		const p95 = ({ calls }: Report) =>
			`join p95 ${calls['join']!.p95Ms} ms, book p95 ${calls['book']!.p95Ms} ms`;
		console.info(`alone: ${p95(alone)}; among nine times as many bots: ${p95(among)}`);
	});

	it('that this machine cannot carry are not let loose, and that is said', async () => {
		const app = await laboratory();
		const report = await play(app.url, 'opening', { people: '60', seed: '1', alive: '10', mix: 'obedient' });
		expect(report.generator.notStarted).toBeGreaterThan(0);
		expect(report.generator.started + report.generator.notStarted).toBe(60);
		expect(report.generator.valid).toBe(false);
		expect(brokenRules(report)).toEqual([]);
	});

	it('are reported as far as they came when they are stopped', async () => {
		const app = await laboratory({ ADMIT_PER_SECOND: '0.5' });
		const stop = new AbortController();
		const running = play(
			app.url,
			'opening',
			{ people: '30', seed: '1', mix: 'obedient' },
			{ signal: stop.signal }
		);
		await expect
			.poll(async () => (await app.call('GET', '/queue/progress')).body.issued, { timeout: 60_000 })
			.toBe(30);
		stop.abort();
		const report = await running;
		expect(report.interrupted).toBe(true);
		expect(sum(report.people)).toBe(30);
		expect(report.people['still under way']).toBeGreaterThan(0);
		expect(report.brokenConnections).toBeLessThanOrEqual(30);
	});
});

describe('npm run sim -- people SCENARIO', { timeout: 180_000 }, () => {
	const program = fileURLToPath(new URL('./main.ts', import.meta.url));
	const start = (...args: string[]) => {
		const child = spawn(process.execPath, [program, 'people', ...args], {
			env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1' },
			stdio: ['ignore', 'pipe', 'pipe']
		});
		const text = { output: '', errors: '' };
		child.stdout.on('data', (chunk: Buffer) => (text.output += chunk.toString()));
		child.stderr.on('data', (chunk: Buffer) => (text.errors += chunk.toString()));
		const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...text }));
		return { child, text, ended };
	};

	it.each([
		[['opening', '--people', 'all'], '--people takes a whole number from 1 to 100000, not "all"'],
		[['opening', '--server', 'http://127.0.0.1:9'], 'no server answers at http://127.0.0.1:9']
	])('explains %j in one line', async (args, message) => {
		const { code, output, errors } = await start(...args).ended;
		expect([code, output]).toEqual([1, '']);
		expect(errors).toContain(message);
		expect(errors.trimEnd().split('\n')).toHaveLength(1);
	});

	it('prints the report as JSON and nothing else', async () => {
		const app = await laboratory({ LAB_TIME_SCALE: '10' });
		const args = [
			'steady',
			'--people',
			'12',
			'--seconds',
			'2',
			'--mix',
			'obedient',
			'--time-scale',
			'10',
			'--json'
		];
		const { code, output, errors } = await start(...args, '--server', app.url).ended;
		expect([code, errors]).toEqual([0, '']);
		const report = JSON.parse(output) as Report;
		expect(report.people).toEqual({ 'booked once': 12 });
		expect(report.replay).toContain('people steady');
	});

	it('prints the report so far at Ctrl-C', async () => {
		const app = await laboratory({ ADMIT_PER_SECOND: '0.5' });
		const { child, ended } = start('opening', '--people', '20', '--server', app.url);
		await expect
			.poll(async () => (await app.call('GET', '/queue/progress')).body.issued, { timeout: 90_000 })
			.toBe(20);
		child.kill('SIGINT');
		const { code, output } = await ended;
		expect(code).toBe(0);
		expect(output).toContain('ended before everybody was through');
		expect(output).toContain('people (20)');
	});

	it('does not play against a server for real people', async () => {
		const app = await createTestApp({ env: { DEMO: '', DEMO_PASSWORD: '' } });
		closers.push(() => app.close());
		const { code, errors } = await start('opening', '--server', app.url).ended;
		expect(code).toBe(1);
		expect(errors).toContain('takes no simulated people: start it with DEMO=1 or LAB=1');
	});
});
