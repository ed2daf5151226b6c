import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp } from '../../server/test/kit/index.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Nothing listens here. */
const nowhere = 'http://127.0.0.1:9';

function start(...args: string[]) {
	const child = spawn(process.execPath, [program, ...args], {
		env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1' },
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
		for (const name of ['sensors', 'replay FILE', 'people', 'scanners', 'demo'])
			expect(output).toContain(name);
	});

	it('says before a replay that it moves live figures', async () => {
		const { output } = await start('replay', '--help').ended;
		expect(output).toContain('Its people enter the live figures');
		expect(output).toContain('until it is recounted');
	});

	it.each([
		[['crowds'], 'there is no simulator "crowds": use sensors, replay, people, scanners, demo'],
		[['sensors', 'now'], 'sensors takes no "now"'],
		[['sensors', '--server', 'http://marsad.example.org'], 'marsad.example.org is not this machine'],
		[['sensors', '--server', nowhere], `no server answers at ${nowhere}`],
		[['sensors', '--loud'], '--loud'],
		[['replay', '--server', nowhere], 'replay takes one file'],
		[['replay', 'x.csv', '--speed', '0'], '--speed takes a number above 0, or max; not "0"'],
		[['replay', '/nowhere/x.csv'], 'there is no file /nowhere/x.csv'],
		[['scanners', 'golden'], 'scanners takes no "golden": there is good, offline'],
		[['scanners', '--mix', 'real'], '--mix belongs to a scenario of people'],
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
		const { child, text, ended } = start('demo', '--server', app.url, '--scale', '0.5');
		await expect.poll(() => text.output, { timeout: 120_000 }).toContain('people · calm');
		const cookie = await app.signIn('viewer');
		const readings = async () =>
			((await app.call('GET', '/api/v1/sensors', { cookie })).body as { summary: { readings: number } })
				.summary.readings;
		await expect.poll(readings, { timeout: 60_000 }).toBeGreaterThan(400);
		child.kill('SIGTERM');
		const { code, errors } = await ended;
		expect([code, errors]).toEqual([0, '']);
		await app.close();
	});
});
