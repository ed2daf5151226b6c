import { createLog } from './platform/log.ts';
import type { Log } from './platform/log.ts';
import { buildApp } from './app.ts';
import type { App } from './app.ts';
import { ConfigError, loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { createClock } from './platform/clock.ts';
import { startEmbeddedPostgres } from './platform/embedded/postgres.ts';
import { loadMasterSecret } from './platform/embedded/secret.ts';
import { refuseTakenPorts } from './platform/taken-port.ts';

const stopTimeoutMs = 30_000;

/** What a parent process with an IPC channel is told once the server answers. */
export type ListeningMessage = { kind: 'listening'; url: string; port: number; mqttPort: number | null };

/** Runs the server until it is told to stop, then leaves the process: 0 after a graceful end, 1 with one line otherwise. */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
	const config = readConfig(env);
	const log = createLog(config.logLevel);
	const closers: (() => Promise<void>)[] = [];
	let starting: Promise<unknown> = Promise.resolve();
	// Told to stop while starting: what is half started is awaited, or it would be left behind.
	const { end, isEnding } = endOnce(
		() => starting.catch(() => undefined).then(() => closeAll(closers, log)),
		log
	);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
	for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
		process.on(event, (error: unknown) => {
			log.fatal({ err: error }, 'a fault that nobody caught');
			end(1);
		});
	}
	try {
		let firstPath: string | null = null;
		const noteFirst = (path: string) => {
			firstPath = path;
		};
		const listen = start(config, log, closers, noteFirst, isEnding).then((app) => app.listen());
		starting = listen;
		const listening = await listen;
		log.info(listening, 'listening');
		// Printed once, to the operator's terminal alone: it is a secret and has no place in a log.
		if (firstPath !== null)
			say(`open ${listening.url}${firstPath as string} within a day to create the first administrator`);
		const message: ListeningMessage = { kind: 'listening', ...listening };
		process.send?.(message);
	} catch (error) {
		if (isEnding()) return;
		if (!isOperators(error)) log.error({ err: error }, 'the server could not start');
		for (const line of faultsOf(error) ?? [explain(error, config)]) say(line);
		end(1);
	}
}

/** What can be known to be wrong before anything is built or started: one line, and the process ends with 1. */
export async function checkBeforeStart(env: NodeJS.ProcessEnv): Promise<void> {
	const config = readConfig(env);
	try {
		await refuseTakenPorts(portsOf(config), config.host);
	} catch (error) {
		say(explain(error, config));
		process.exit(1);
	}
}

function portsOf({ port, mqttPort, mqttUrl }: Config): number[] {
	return mqttUrl === undefined ? [port, mqttPort] : [port];
}

function readConfig(env: NodeJS.ProcessEnv): Config {
	try {
		return loadConfig(env);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		say(error.message);
		return process.exit(1);
	}
}

async function start(
	config: Config,
	log: Log,
	closers: (() => Promise<void>)[],
	onFirstStart: (path: string) => void,
	isEnding: () => boolean
): Promise<App> {
	await refuseTakenPorts(portsOf(config), config.host);
	let databaseUrl = config.databaseUrl;
	if (databaseUrl === undefined) {
		const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
		closers.push(() => postgres.stop());
		databaseUrl = postgres.url;
	}
	if (isEnding()) throw new Error('stopped while starting');
	const app = await buildApp({
		config,
		log,
		clock: createClock(config.lab?.timeScale, config.lab?.timeFrom),
		databaseUrl,
		databaseDirectUrl: config.databaseDirectUrl ?? databaseUrl,
		secret: await loadMasterSecret(config.dataDir, config.marsadSecret),
		onFirstStart
	});
	closers.push(() => app.close());
	return app;
}

/** The first call decides; a second signal (Ctrl-C reaches us from the terminal and from npm) changes nothing. */
function endOnce(
	close: () => Promise<boolean>,
	log: Log
): { end: (code: number) => void; isEnding: () => boolean } {
	let ending = false;
	const end = (code: number): void => {
		if (ending) return;
		ending = true;
		setTimeout(() => {
			log.error({}, 'the end took too long');
			process.exit(1);
		}, stopTimeoutMs).unref();
		void close().then((closed) => process.exit(closed ? code : 1));
	};
	return { end, isEnding: () => ending };
}

async function closeAll(closers: (() => Promise<void>)[], log: Log): Promise<boolean> {
	let closed = true;
	for (const close of closers.toReversed()) {
		try {
			await close();
		} catch (error) {
			log.error({ err: error }, 'a part did not close');
			closed = false;
		}
	}
	return closed;
}

/** The system's own refusals (port, folder, address) are the operator's to mend; a stack would only hide them. */
function isOperators(error: unknown): boolean {
	if (faultsOf(error)) return true;
	return error instanceof Error && ('code' in error || error.name === 'DataFolderInUseError');
}

/** A site or levels file that cannot be used explains itself, in as many lines as it needs. */
function faultsOf(error: unknown): readonly string[] | null {
	return error instanceof Error && 'faults' in error ? error.message.split('\n') : null;
}

function explain(error: unknown, config: Config): string {
	if (!(error instanceof Error)) return 'the server could not start';
	const { code, port } = error as NodeJS.ErrnoException & { port?: number };
	if (code === 'EADDRINUSE') {
		const isMqtt = config.mqttUrl === undefined && port === config.mqttPort && port !== config.port;
		return `port ${port} is in use: name another in ${isMqtt ? 'MQTT_PORT' : 'PORT'}`;
	}
	return (error.message || code || error.name).split('\n')[0] ?? '';
}

function say(line: string): void {
	process.stderr.write(`marsad: ${line}\n`);
}

if (import.meta.main) await main(process.env);
