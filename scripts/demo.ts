import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListeningMessage } from '../server/src/main.ts';
import { onStop, startScript } from './lib/child.ts';
import type { Child } from './lib/child.ts';
import { root } from './lib/paths.ts';
import { nextFreePort } from './lib/ports.ts';
import { buildWebIfStale } from './lib/web-build.ts';

const serverScript = join(root, 'server/src/main.ts');
const simulatorScript = join(root, 'simulators/src/main.ts');
const readyTimeoutMs = 120_000;
const simulatorDelayMsMax = 30_000;
/** A simulator that ran so long was healthy: its next crash is counted from one again. */
const healthyMs = 60_000;

const accounts: readonly (readonly [string, string, string])[] = [
	['duty', 'duty manager', 'مدير المناوبة'],
	['second', 'another duty manager', 'مدير مناوبة ثانٍ'],
	['crowd', 'crowd controller', 'مشرف الحشود'],
	['oncall', 'on-call engineer', 'المهندس المناوب'],
	['lead', 'team leader', 'قائد الفريق'],
	['steward', 'gate steward', 'منظّم البوابة'],
	['viewer', 'may look only', 'للاطلاع فقط'],
	['admin', 'administrator', 'مسؤول النظام']
];

let isStopping = false;
let build: Child | undefined;
let server: Child | undefined;
let simulator: Child | undefined;

onStop(async () => {
	isStopping = true;
	say('stopping');
	await build?.stop();
	await simulator?.stop();
	await server?.stop();
	say('stopped');
}, 0);

try {
	await demo();
} catch (error) {
	if (!isStopping) await leave(error instanceof Error ? error.message : String(error));
}

async function demo(): Promise<void> {
	await buildWebIfStale(say, (child) => (build = child));
	if (isStopping) return;
	const host = process.env['HOST'] || '127.0.0.1';
	const port = await choosePort('PORT', 3000, host);
	const mqttPort = process.env['MQTT_URL'] ? undefined : await choosePort('MQTT_PORT', 1883, host);
	const password = await demoPassword();
	if (isStopping) return;
	say('starting the server');
	const env = {
		DEMO: '1',
		DEMO_PASSWORD: password,
		PORT: port,
		...(mqttPort !== undefined && { MQTT_PORT: mqttPort }),
		LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn'
	};
	server = startScript(serverScript, [], { env, onLine: showLogLine });
	const url = await untilReady(server);
	if (isStopping) return;
	printWelcome(url, password);
	void server.ended.then(async (code) => {
		if (!isStopping)
			await leave(`the server ended by itself (${code}): see the lines above, then start again`);
	});
	await keepSimulating(url, password);
}

function say(line: string): void {
	process.stdout.write(`marsad: ${line}\n`);
}

async function leave(reason: string): Promise<never> {
	isStopping = true;
	if (reason) process.stderr.write(`marsad: ${reason}\n`);
	await simulator?.stop();
	await server?.stop();
	process.exit(1);
}

/** A port that the environment names is used as it is; else the next free one, said aloud when it is not the usual. */
async function choosePort(name: 'PORT' | 'MQTT_PORT', usual: number, host: string): Promise<string> {
	const given = process.env[name];
	if (given) return given;
	const port = await nextFreePort(usual, host);
	if (port !== usual) say(`port ${usual} is in use, taking ${port} (${name} names another)`);
	return String(port);
}

/** Made once and kept, so that a browser's saved password stays right. */
async function demoPassword(): Promise<string> {
	const given = process.env['DEMO_PASSWORD'];
	if (given) return given;
	const dataDir = resolve(process.env['DATA_DIR'] || '.data');
	const file = join(dataDir, 'demo-password');
	const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
	if (kept) return kept;
	// Without letters and digits that are taken for one another.
	const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
	const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
	const made = [group(), group(), group()].join('-');
	await mkdir(dataDir, { recursive: true, mode: 0o700 });
	await writeFile(file, `${made}\n`, { mode: 0o600 });
	return made;
}

/** The server logs for machines; here only what a person should see is shown. */
function showLogLine(line: string): void {
	// What breaks off while everything stops is no news.
	if (isStopping) return;
	try {
		const { level, msg, err } = JSON.parse(line) as {
			level: number;
			msg: string;
			err?: { message?: string };
		};
		const word = level >= 50 ? 'error' : level >= 40 ? 'warning' : 'note';
		process.stdout.write(`server ${word}: ${msg}${err?.message ? ` (${err.message.split('\n')[0]})` : ''}\n`);
	} catch {
		process.stdout.write(`${line}\n`);
	}
}

async function untilReady(child: Child): Promise<string> {
	const listening = new Promise<string>((done) => {
		child.process.on('message', (message) => {
			if ((message as Partial<ListeningMessage>).kind === 'listening')
				done((message as ListeningMessage).url);
		});
	});
	const url = await Promise.race([
		listening,
		child.ended.then(() => undefined),
		delay(readyTimeoutMs, undefined, { ref: false }).then(() => undefined)
	]);
	// The server has said in one line why it ended.
	if (url === undefined) return leave('');
	for (let waitedMs = 0; waitedMs < readyTimeoutMs && !isStopping; waitedMs += 50) {
		const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
			() => undefined
		);
		if (answer?.ok) return url;
		await delay(50);
	}
	return isStopping ? url : leave('the server does not become ready: see the lines above');
}

/** Simulators are guests: a crash is said and mended, and never takes the server along. */
async function keepSimulating(url: string, password: string): Promise<void> {
	if (!existsSync(simulatorScript)) return say('no simulators here: the board stays quiet');
	for (let crashes = 0; !isStopping;) {
		const startedAt = performance.now();
		simulator = startScript(simulatorScript, ['demo', '--server', url], { env: { DEMO_PASSWORD: password } });
		const code = await simulator.ended;
		if (isStopping) return;
		crashes = performance.now() - startedAt > healthyMs ? 1 : crashes + 1;
		const delayMs = Math.min(simulatorDelayMsMax, 1_000 * 2 ** Math.min(crashes - 1, 5));
		say(`the simulators ended (${code}): starting them again in ${delayMs / 1_000} s`);
		await delay(delayMs);
	}
}

function printWelcome(url: string, password: string): void {
	const rule = '─'.repeat(78);
	const rows = accounts.map(
		([name, english, arabic]) => `    ${`${name}@example.org`.padEnd(22)} ${english.padEnd(22)} ${arabic}`
	);
	process.stdout.write(
		[
			'',
			rule,
			'  Marsad runs. Everything you see is simulated.',
			'  مرصد يعمل. كل ما تراه محاكاة.',
			'',
			`    Control room   غرفة التحكم    ${url}/control`,
			`    Public page    صفحة الجمهور   ${url}/`,
			`    API            الواجهة        ${url}/api/docs`,
			'',
			'  Accounts / الحسابات',
			...rows,
			'',
			`  Password for all / كلمة المرور للجميع:   ${password}`,
			'',
			'  Ctrl-C stops everything / للإيقاف: Ctrl-C',
			rule,
			'',
			''
		].join('\n')
	);
}
