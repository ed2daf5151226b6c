import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Scanner } from '@marsad/server/contract';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp, demoPassword } from '../../server/test/kit/index.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Nothing listens here. */
const nowhere = 'http://127.0.0.1:9';

const start = (...args: string[]) => startWith({}, ...args);

function startWith(env: Record<string, string>, ...args: string[]) {
	const child = spawn(process.execPath, [program, ...args], {
		env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...env },
		stdio: ['ignore', 'pipe', 'pipe']
	});
	const text = { output: '', errors: '' };
	child.stdout.on('data', (chunk: Buffer) => (text.output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (text.errors += chunk.toString()));
	const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...text }));
	return { child, text, ended };
}

describe('npm run sim', { timeout: 180_000 }, () => {
	it('names its simulators', async () => {
		const { code, output, errors } = await start('--help').ended;
		expect(code).toBe(0);
		expect(errors).toBe('');
		for (const name of ['sensors', 'replay FILE', 'people', 'scanners', 'storm', 'spike', 'demo'])
			expect(output).toContain(name);
	});

	it('says before a replay that it moves live figures', async () => {
		const { output } = await start('replay', '--help').ended;
		expect(output).toContain('Its people enter the live figures');
		expect(output).toContain('until it is recounted');
	});

	it.each([
		[['crowds'], 'there is no simulator "crowds": use sensors, replay, people, scanners, storm, spike, demo'],
		[['sensors', 'now'], 'sensors takes no "now"'],
		[['sensors', '--server', 'http://marsad.example.org'], 'marsad.example.org is not this machine'],
		[['sensors', '--server', nowhere], `no server answers at ${nowhere}`],
		[['sensors', '--loud'], '--loud'],
		[['replay', '--server', nowhere], 'replay takes one file'],
		[['replay', 'x.csv', '--speed', '0'], '--speed takes a number above 0, or max; not "0"'],
		[['replay', '/nowhere/x.csv'], 'there is no file /nowhere/x.csv'],
		[['scanners', 'golden'], 'scanners takes no "golden": there is good, offline'],
		[['scanners', '--mix', 'real'], '--mix belongs to a scenario of people'],
		[['storm', 'now'], 'storm takes no "now"'],
		[['storm', '--sockets', '100000'], '--sockets takes a whole number from 1 to 6000'],
		[['storm'], 'DEMO_PASSWORD must name the password'],
		[['people', '--scale', 'many'], '--scale takes a number above 0, not "many"']
	])('explains %j in one line', async (args, message) => {
		const { code, output, errors } = await start(...args).ended;
		expect(code).toBe(1);
		expect(output).toBe('');
		expect(errors).toContain(message);
		expect(errors.trimEnd().split('\n')).toHaveLength(1);
	});

	it('plays the demo until it is told to stop', async () => {
		const app = await createTestApp();
		const { child, text, ended } = startWith(
			{ DEMO_PASSWORD: demoPassword },
			...['demo', '--server', app.url, '--scale', '0.5']
		);
		await expect.poll(() => text.output, { timeout: 120_000 }).toContain('people · calm');
		const cookie = await app.signIn('viewer');
		const readings = async () =>
			((await app.call('GET', '/api/v1/sensors', { cookie })).body as { summary: { readings: number } })
				.summary.readings;
		await expect.poll(readings, { timeout: 60_000 }).toBeGreaterThan(400);
		const admin = await app.signIn('admin');
		const scanners = async () =>
			(await app.call('GET', '/api/v1/scanners', { cookie: admin })).body.scanners as Scanner[];
		const scanned = async () => (await scanners()).reduce((sum, { entries }) => sum + entries, 0);
		await expect.poll(scanned, { timeout: 90_000 }).toBeGreaterThan(0);
		child.kill('SIGTERM');
		const { code, errors } = await ended;
		expect([code, errors]).toEqual([0, '']);
		expect((await scanners()).map(({ state }) => state)).not.toContain('online');
		await app.close();
	});
});
