import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { profileFacts, runPhases, runProfiles, sizeOf } from '@marsad/server/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../../server/test/kit/global-setup.ts';
import { createTestApp, demoPassword, type TestApp } from '../../../server/test/kit/index.ts';

const runner = fileURLToPath(new URL('./run.ts', import.meta.url));
const scriptFile = (name: string) => fileURLToPath(new URL(`../../../k6/${name}`, import.meta.url));

interface Measured {
	metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
	failedChecks: string[];
}

async function run(name: string, env: Record<string, string>): Promise<{ text: string; measured: Measured }> {
	const child = spawn(process.execPath, [runner, scriptFile(name)], {
		env: { PATH: process.env['PATH'] ?? '', PEOPLE: '1', ...env },
		stdio: ['ignore', 'pipe', 'pipe']
	});
	let text = '';
	let trouble = '';
	child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (trouble += chunk.toString()));
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	if (code !== 0) throw new Error(`${name} ended with ${code}: ${trouble}`);
	return { text, measured: JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as Measured };
}

const brokenLimits = ({ metrics }: Measured) =>
	Object.entries(metrics).flatMap(([name, { thresholds = {} }]) =>
		Object.entries(thresholds)
			.filter(([, { ok }]) => !ok)
			.map(([limit]) => `${name} ${limit}`)
	);

describe('the k6 scripts, through a stand-in for k6 (one iteration each, no load)', () => {
	let app: TestApp;
	beforeAll(async () => {
		app = await createTestApp({ env: { LAB: '1', LAB_CHECK_MS: '1' } });
	});
	afterAll(() => app.close());

	it.each([
		['no-gate.js', {}],
		['gated.js', { JITTER: '1', POLL_MS: '200' }],
		['gated.js', { JITTER: '0', POLL_MS: '200' }]
	])('%s %o books one person on a live server and keeps its limits', async (name, env) => {
		const { text, measured } = await run(name, { BASE_URL: app.url, ...env });
		expect(text).toContain('a stand-in for k6');
		expect(text).toContain('PASSED');
		expect(measured.failedChecks).toEqual([]);
		expect(brokenLimits(measured)).toEqual([]);
		expect(measured.metrics['people_booked']?.values['count']).toBe(1);
		const stats = await app.call('GET', '/stats');
		expect(stats.body).toMatchObject({ bookings: 1, booked: 1 });
	});

	it('storm.js cuts one screen of a live server, which comes back and shows a state', async () => {
		const { text, measured } = await run('storm.js', {
			...{ BASE_URL: app.url, DEMO_PASSWORD: demoPassword, SOCKETS: '1', SPREAD_MS: '500' },
			...{ OPEN_SECONDS: '0.1', HOLD_SECONDS: '2', BACK_SECONDS: '4' }
		});
		expect(text).toContain('PASSED');
		expect(measured.failedChecks).toEqual([]);
		expect(measured.metrics['handshakes']?.values['count']).toBeGreaterThanOrEqual(2);
		expect(measured.metrics['screens_back']?.values['count']).toBe(1);
	});

	it('spike.js plays one arrival of a profile, and keeps its limits', async () => {
		const { text, measured } = await run('spike.js', { BASE_URL: app.url, PROFILE: 'bots', PEAK: '12' });
		expect(text).toContain('profile bots');
		expect(text).toContain('PASSED');
		expect(brokenLimits(measured)).toEqual([]);
		expect(measured.metrics['people_arrived']?.values['count']).toBe(1);
		expect(measured.metrics['people_booked']?.values['count']).toBe(1);
		await expect(run('spike.js', { BASE_URL: app.url, PROFILE: 'nothing' })).rejects.toThrow(
			'PROFILE is one of'
		);
	});

	it('says FAILED when a person could not book', async () => {
		await app.call('POST', '/book', { body: { user: 'k6-1-0', slot: 9 } });
		const { text, measured } = await run('no-gate.js', { BASE_URL: app.url, SLOTS: '1', RESET: '0' });
		expect(text).toContain('FAILED');
		expect(brokenLimits(measured)).toContain('people_booked count==1');
	});

	it('goes to a server on this machine only, unless told otherwise', async () => {
		await expect(run('no-gate.js', { BASE_URL: 'http://tickets.example.org' })).rejects.toThrow(
			'not on this machine'
		);
	});
});

describe('what k6 0.47 can read', () => {
	const files = [
		...['no-gate.js', 'gated.js', 'storm.js', 'spike.js', 'lib/people.js', 'lib/booking.js', 'lib/room.js'],
		...['lib/profiles.js', 'lib/summary.js']
	];

	it('has the phases and profiles of the board, with their sizes', async () => {
		const k6 = (await import(pathToFileURL(scriptFile('lib/profiles.js')).href)) as {
			phaseNames: string[];
			profiles: Record<string, object>;
			peopleOf(of: object): number;
		};
		expect(k6.phaseNames).toEqual(runPhases);
		expect(Object.keys(k6.profiles)).toEqual(runProfiles);
		for (const [name, shape] of Object.entries(k6.profiles)) {
			const { people } = sizeOf(profileFacts[name as (typeof runProfiles)[number]].defaults);
			// Rates of k6 are whole, and its stages join without a step.
			expect(Math.abs(k6.peopleOf(shape) - people) / people, name).toBeLessThan(0.3);
		}
	});

	it.each(files)('%s keeps to the syntax of ES2015', (name) => {
		const source = readFileSync(scriptFile(name), 'utf8');
		const tree = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
		const newer = new Set([
			ts.SyntaxKind.QuestionDotToken,
			ts.SyntaxKind.QuestionQuestionToken,
			ts.SyntaxKind.QuestionQuestionEqualsToken,
			ts.SyntaxKind.SpreadAssignment,
			ts.SyntaxKind.AwaitExpression,
			ts.SyntaxKind.BigIntLiteral,
			ts.SyntaxKind.AsteriskAsteriskToken
		]);
		const found: string[] = [];
		const visit = (node: ts.Node) => {
			if (newer.has(node.kind)) found.push(node.getText());
			if (ts.isCatchClause(node) && !node.variableDeclaration) found.push('catch without a name');
			if (ts.isNumericLiteral(node) && node.getText().includes('_')) found.push(node.getText());
			ts.forEachChild(node, visit);
		};
		visit(tree);
		expect(found).toEqual([]);
		expect(source.startsWith('// @ts-check')).toBe(true);
	});
});
