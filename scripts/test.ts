import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../server/src/platform/embedded/postgres.ts';
import { onStop, startProgram } from './lib/child.ts';
import type { Child } from './lib/child.ts';
import { findChromium } from './lib/chromium.ts';
import { installPackages } from './lib/debian.ts';
import { root } from './lib/paths.ts';
import { closingLine, tally } from './lib/vitest-results.ts';
import type { Tally, VitestReport } from './lib/vitest-results.ts';
import { buildWebIfStale } from './lib/web-build.ts';

type Suite = { name: string; folder: string; config?: string; filters: string[] };

const suites: readonly Omit<Suite, 'filters'>[] = [
	{ name: 'scripts', folder: '.', config: 'scripts/vitest.config.ts' },
	{ name: 'server', folder: 'server' },
	{ name: 'simulators', folder: 'simulators' },
	{ name: 'web', folder: 'web' },
	{ name: 'e2e', folder: 'web/e2e' }
];
/** What tests need and npm does not carry, and the file by which it is known to be there. */
const debianParts: readonly { name: string; proof: string; variable?: string; without: string }[] = [
	{
		name: 'mosquitto',
		proof: '/usr/sbin/mosquitto',
		variable: 'TEST_MQTT5_URL',
		without: 'its tests are skipped, and fail in CI (or set TEST_MQTT5_URL)'
	},
	{
		name: 'redis-server',
		proof: '/usr/bin/redis-server',
		variable: 'TEST_VALKEY_URL',
		without: 'its tests are skipped, and fail in CI (or set TEST_VALKEY_URL)'
	},
	{ name: 'nginx', proof: '/usr/sbin/nginx', without: 'the test of the proxy is skipped, and fails in CI' },
	{
		name: 'fonts-beng',
		proof: '/usr/share/doc/fonts-beng',
		without: 'Bengali shows as boxes in the pictures'
	}
];

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const isCi = Boolean(process.env['CI']);

const cleanUps: (() => Promise<unknown>)[] = [];
let running: Child | undefined;
let isStopping = false;
onStop(async () => {
	isStopping = true;
	await running?.stop();
	await cleanUp();
}, 130);

let exitCode = 1;
try {
	exitCode = await test(process.argv.slice(2));
} catch (error) {
	if (!isStopping)
		process.stderr.write(`marsad: ${error instanceof Error ? error.message : String(error)}\n`);
}
if (!isStopping) {
	await cleanUp();
	process.exit(exitCode);
}

async function test(args: readonly string[]): Promise<number> {
	const chosen = chooseSuites(args);
	if (chosen.length === 0) throw new Error(`no test lies in ${args.join(' ')}`);
	const tallies: Tally[] = [];
	const env = await prepare(chosen, (failure) =>
		tallies.push({ passed: 0, failed: 1, failures: [failure], skipped: [] })
	);
	const options = args.filter((arg, index) => isOption(arg, args[index - 1]));
	for (const suite of chosen) {
		if (isStopping) return 130;
		tallies.push(await runSuite(suite, options, env));
	}
	await cleanUp();
	const skipped = tallies.flatMap((one) => one.skipped);
	const failures = tallies.flatMap((one) => one.failures);
	if (skipped.length > 0) process.stdout.write(list(`${skipped.length} skipped:`, skipped));
	if (failures.length > 0) process.stdout.write(list(`${failures.length} failed:`, failures));
	const { line, ok } = closingLine(tallies);
	process.stdout.write(`\n${line}\n`);
	return ok ? 0 : 1;
}

function say(line: string): void {
	process.stdout.write(`marsad: ${line}\n`);
}

function list(title: string, entries: readonly string[]): string {
	return `\n${title}\n${entries.map((entry) => `  ${entry.replace(`${root}/`, '')}\n`).join('')}`;
}

/** `-t name` and other options go to every suite as they are. */
function isOption(arg: string, before: string | undefined): boolean {
	return arg.startsWith('-') || before === '-t' || before === '--testNamePattern';
}

/** Paths choose the suites they lie in; without any, all run. */
function chooseSuites(args: readonly string[]): Suite[] {
	const paths = args
		.filter((arg, index) => !isOption(arg, args[index - 1]))
		.map((arg) => relative(root, join(root, arg)));
	const present = suites.filter((suite) => existsSync(join(root, suite.folder)));
	if (paths.length === 0) return present.map((suite) => ({ ...suite, filters: [] }));
	// The longest folder that holds a path is its suite: web/e2e lies in web and is one of its own.
	const suiteOf = (path: string): string =>
		suites.reduce(
			(best, { folder }) => (isInside(path, folder) && folder.length > best.length ? folder : best),
			'.'
		);
	return present.flatMap((suite) => {
		const mine = paths.filter((path) => suiteOf(path) === suite.folder);
		if (mine.length === 0) return [];
		const filters = mine.map((path) => relative(suite.folder, path)).filter(Boolean);
		return [{ ...suite, filters }];
	});
}

function isInside(path: string, folder: string): boolean {
	return path === folder || path.startsWith(`${folder}/`);
}

/** Everything the tests stand on. What is missing in CI fails there, in the tests that need it. */
async function prepare(chosen: readonly Suite[], fail: (what: string) => void): Promise<NodeJS.ProcessEnv> {
	const names = chosen.map((suite) => suite.name);
	const needsServer = names.some((name) => name === 'server' || name === 'e2e' || name === 'simulators');
	const env: NodeJS.ProcessEnv = isCi ? { NO_COLOR: '1', FORCE_COLOR: '0' } : {};
	for (const { name, proof, variable, without } of debianParts) {
		const isNeeded = proof.startsWith('/usr/share') ? names.includes('e2e') : needsServer;
		if (!isNeeded || (variable && process.env[variable]) || existsSync(proof)) continue;
		if (installPackages([name], say).length > 0) say(`${name} is not here: ${without}`);
	}
	if (names.includes('e2e') || names.includes('scripts')) {
		await buildWebIfStale(say, (child) => (running = child)).catch((error: Error) => fail(error.message));
	}
	if (names.includes('e2e')) {
		const chromium = await findChromium(say);
		if (chromium) env['TEST_CHROMIUM'] = chromium;
		else say('no Chromium starts here: the tests that drive one will fail (set TEST_CHROMIUM)');
	}
	if (needsServer && !process.env['TEST_DATABASE_URL']) env['TEST_DATABASE_URL'] = await startDatabase();
	return env;
}

async function startDatabase(): Promise<string> {
	say('starting a PostgreSQL for the tests');
	const dataDir = await mkdtemp(join(tmpdir(), 'marsad-test-'));
	cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
	const postgres = await startEmbeddedPostgres({
		dataDir,
		log: pino({ level: 'silent' }),
		// Many test databases at once, and nothing in them outlives the run.
		settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
	});
	cleanUps.push(() => postgres.stop());
	return postgres.url;
}

async function cleanUp(): Promise<void> {
	for (const one of cleanUps.splice(0).reverse()) await one();
}

async function runSuite(suite: Suite, options: readonly string[], env: NodeJS.ProcessEnv): Promise<Tally> {
	const cwd = join(root, suite.folder);
	if (suite.filters.length === 0 && !(await hasTests(suite)))
		return { passed: 0, failed: 0, failures: [], skipped: [] };
	process.stdout.write(`\n── ${suite.name} ──\n`);
	const folder = await mkdtemp(join(tmpdir(), 'marsad-report-'));
	cleanUps.push(() => rm(folder, { recursive: true, force: true }));
	const file = join(folder, 'report.json');
	const args = [
		...['run', ...suite.filters, ...(suite.config ? ['--config', join(root, suite.config)] : [])],
		...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...options]
	];
	running = startProgram(process.execPath, [vitest, ...args], { cwd, env });
	const code = await running.ended;
	const text = await readFile(file, 'utf8').catch(() => undefined);
	return tally(suite.name, text === undefined ? undefined : (JSON.parse(text) as VitestReport), code);
}

async function hasTests(suite: Suite): Promise<boolean> {
	if (suite.config) return true;
	for await (const path of glob('**/*.test.ts', {
		cwd: join(root, suite.folder),
		exclude: ['**/node_modules/**']
	})) {
		if (path) return true;
	}
	return false;
}
