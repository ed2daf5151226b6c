// Runs on the Node that the machine has (18 or later) with nothing installed: plain JavaScript, no dependency.
// Installs what is missing, then hands over to the right script on Node 24.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withPidLock } from './lib/pid-lock.js';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.marsad-lock');
const nodeMajorMin = 24;

/** @type {Record<string, string>} */
const targets = {
	demo: 'scripts/demo.ts',
	start: 'scripts/start.ts',
	test: 'scripts/test.ts',
	bench: 'scripts/bench.ts',
	check: 'scripts/check.ts',
	'check-site': 'scripts/check-site.ts',
	sim: 'simulators/src/main.ts',
	'read-payload': 'scripts/read-payload.ts',
	keys: 'scripts/keys.ts'
};
/** Being stopped is a good end for these, and no result for the others. */
const stopsWell = new Set(['demo', 'start', 'sim']);

const [name = '', ...args] = process.argv.slice(2);

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
/** @type {NodeJS.Signals | undefined} */
let stopSignal;

main().catch((error) => fail(error instanceof Error ? error.message : String(error)));

async function main() {
	const target = targets[name];
	if (!target) fail(`there is no command "${name}": use ${Object.keys(targets).join(', ')}`);
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => stop(signal));
	}
	watchParent();
	await ensureInstalled();
	run(findNode(), /** @type {string} */ (target));
}

/** @param {string} message @returns {never} */
function fail(message) {
	process.stderr.write(`marsad: ${message}\n`);
	process.exit(1);
}

/** @param {string} message */
function say(message) {
	process.stdout.write(`marsad: ${message}\n`);
}

/**
 * Ctrl-C in a terminal reaches the whole group and npm sends it again: only the first one is handed on.
 * @param {NodeJS.Signals} signal
 */
function stop(signal) {
	if (stopSignal) return;
	stopSignal = signal;
	if (child) child.kill(signal);
	else process.exit(interruptedCode(signal));
}

/** @param {NodeJS.Signals} signal */
function interruptedCode(signal) {
	return stopsWell.has(name) ? 0 : 128 + constants.signals[signal];
}

/** npm (or the shell it starts us with) may be killed without a word to us: then our parent changes. */
function watchParent() {
	if (process.env.npm_lifecycle_event === undefined) return;
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) stop('SIGTERM');
	}, 500).unref();
}

function lockHash() {
	return createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
}

async function ensureInstalled() {
	if (isInstalled()) return;
	const lock = join(root, '.cache/install.lock');
	await withPidLock(
		lock,
		(pid, waitedSeconds) => {
			if (waitedSeconds % 10 === 0) say(`waiting for process ${pid}, which installs the packages`);
		},
		async () => {
			if (!isInstalled()) await install();
		}
	);
}

function isInstalled() {
	const hash = lockHash();
	try {
		if (readFileSync(stampFile, 'utf8') === hash) return true;
	} catch {
		// No stamp yet.
	}
	if (!matchesLock()) return false;
	writeFileSync(stampFile, hash);
	return true;
}

/** Whether npm's own list of what it installed agrees with the lockfile, as after an `npm ci` by hand. */
function matchesLock() {
	try {
		const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
		const present = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages;
		return Object.entries(wanted).every(([path, entry]) => {
			if (path === '' || !path.includes('node_modules/')) return true;
			const found = present[path];
			if (!found) return entry.optional === true;
			return found.version === entry.version && found.integrity === entry.integrity;
		});
	} catch {
		return false;
	}
}

async function install() {
	say('installing the packages (npm ci), about a minute the first time');
	const startedAt = Date.now();
	const seconds = () => Math.round((Date.now() - startedAt) / 1000);
	const heartbeat = setInterval(
		() => say(`installing: ${seconds()} s, ${countPackages()} packages so far`),
		10_000
	);
	const code = await npmCi();
	clearInterval(heartbeat);
	if (stopSignal) process.exit(interruptedCode(stopSignal));
	if (code !== 0) fail('npm ci failed, see the lines above; start again when that is mended');
	writeFileSync(stampFile, lockHash());
	say(`installed in ${seconds()} s`);
}

function countPackages() {
	try {
		// npm makes all folders first and fills them later.
		return readdirSync(modules).filter((entry) => existsSync(join(modules, entry, 'package.json'))).length;
	} catch {
		return 0;
	}
}

/** @returns {Promise<number>} */
function npmCi() {
	const options = [
		'ci',
		'--include=dev',
		'--include=optional',
		'--no-audit',
		'--no-fund',
		'--loglevel=error'
	];
	const { npm_execpath: npm, npm_node_execpath: node } = process.env;
	// npm ci replaces node_modules, and with it the Node that may run us: npm runs on the machine's own.
	const [program, first] = npm ? [node ?? process.execPath, [npm]] : ['npm', []];
	return new Promise((done) => {
		child = spawn(program, [...first, ...options], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
		let errors = '';
		child.stderr?.on('data', (chunk) => (errors = (errors + chunk).slice(0, 4000)));
		child.on('error', (error) => {
			process.stderr.write(`marsad: npm cannot be started: ${error.message}\n`);
			done(1);
		});
		child.on('close', (code) => {
			child = undefined;
			// What is wrong stands first; npm's help text follows.
			if (code !== 0 && !stopSignal) process.stderr.write(`${errors.split('\n').slice(0, 15).join('\n')}\n`);
			done(code ?? 1);
		});
	});
}

function findNode() {
	const shipped = join(modules, `node-${process.platform}-${process.arch}/bin/node`);
	if (existsSync(shipped)) return shipped;
	if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) return process.execPath;
	return fail(
		`Node ${nodeMajorMin} or later is needed on ${process.platform} ${process.arch}, this is ${process.version}: install it, then start again`
	);
}

/** @param {string} node @param {string} target */
function run(node, target) {
	if (stopSignal) process.exit(interruptedCode(stopSignal));
	const preload = pathToFileURL(join(root, 'scripts/lib/stop-with-parent.js')).href;
	child = spawn(node, ['--import', preload, join(root, target), ...args], {
		cwd: root,
		// The channel closes when this process dies in whatever way, and the child stops.
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
		env: { ...process.env, PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter) }
	});
	child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
	child.on('exit', (code, signal) => {
		if (code !== null) process.exit(code);
		process.exit(128 + (signal ? constants.signals[signal] : 1));
	});
}
