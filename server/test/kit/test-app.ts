import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildApp, type App } from '../../src/app.ts';
import { loadConfig, type Config } from '../../src/config.ts';
import { createClock, type Clock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Password of the demo accounts in tests. */
export const demoPassword = 'watch-tower-test';

export interface TestApp {
	app: App;
	url: string;
	mqttPort: number;
	config: Config;
	database: TestDatabase;
	/** Signs in as one of the demo accounts (`duty`, `second`, `crowd`, …) and returns the cookie header. */
	signIn(who: string): Promise<string>;
	/** fetch on this server; JSON body, cookie and Idempotency-Key made easy. */
	call(
		method: string,
		path: string,
		options?: CallOptions
	): Promise<{ status: number; body: ReturnType<JSON['parse']>; headers: Headers }>;
	close(): Promise<void>;
}
export interface CallOptions {
	cookie?: string;
	body?: unknown;
	headers?: Record<string, string>;
	/** Sent for commands; made up when missing. */
	key?: string;
}

/** The whole application on free ports: real PostgreSQL, embedded broker, demo accounts. */
export async function createTestApp(
	options: {
		env?: Record<string, string>;
		clock?: Clock;
		database?: TestDatabase;
		onFirstStart?: (path: string) => void;
	} = {}
): Promise<TestApp> {
	const database = options.database ?? (await createTestDatabase());
	const dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-app-'));
	const config = loadConfig({
		PORT: '0',
		MQTT_PORT: '0',
		DATA_DIR: dataDir,
		DEMO: '1',
		DEMO_PASSWORD: demoPassword,
		LOG_LEVEL: 'silent',
		DATABASE_URL: database.url,
		...options.env
	});
	const app = await buildApp({
		config,
		log: createLog(config.logLevel),
		clock: options.clock ?? createClock(config.lab?.timeScale ?? 1),
		databaseUrl: database.url,
		databaseDirectUrl: database.url,
		secret: 'a secret for tests only, long enough to be one',
		onFirstStart: options.onFirstStart ?? (() => undefined)
	});
	const { url, mqttPort } = await app.listen();
	const call: TestApp['call'] = (method, target, callOptions = {}) =>
		callServer(url, method, target, callOptions);
	return {
		app,
		url,
		mqttPort: mqttPort ?? 0,
		config,
		database,
		call,
		async signIn(who) {
			const { status, headers } = await call('POST', '/api/v1/session', {
				body: { email: `${who}@example.org`, password: demoPassword }
			});
			if (status !== 200) throw new Error(`sign-in of ${who} answered ${status}`);
			return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
		},
		async close() {
			await app.close();
			if (!options.database) await database.close();
			await rm(dataDir, { recursive: true, force: true });
		}
	};
}

async function callServer(url: string, method: string, target: string, options: CallOptions) {
	const response = await fetch(url + target, {
		method,
		headers: {
			...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
			...(options.cookie ? { cookie: options.cookie } : {}),
			...(method === 'GET' ? {} : { 'idempotency-key': options.key ?? crypto.randomUUID() }),
			...options.headers
		},
		...(options.body === undefined ? {} : { body: JSON.stringify(options.body) })
	});
	const text = await response.text();
	const isJson = /json/.test(response.headers.get('content-type') ?? '');
	return {
		status: response.status,
		body: isJson && text ? JSON.parse(text) : text,
		headers: response.headers
	};
}
