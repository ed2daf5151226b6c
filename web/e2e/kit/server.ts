import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../../../server/test/kit/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../../server/test/kit/server-process.ts';

/** Password of the demo accounts in these tests. */
export const password = 'watch-tower-e2e';

/** The product itself: a process of its own, on a database of its own, with the embedded broker. */
export interface RealServer {
	url: string;
	/** Ends the process and leaves everything it keeps. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	/** The same server again, on the same port. */
	startAgain(): Promise<void>;
	/** A public or staff call from outside a browser. */
	call(
		method: string,
		path: string,
		options?: { cookie?: string; body?: object }
		// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of every call there is
	): Promise<{ status: number; body: any }>;
	/** Signs in as `duty`, `second`, `crowd`, … and returns the cookie. */
	signIn(who: string): Promise<string>;
	mqttPort(): number;
	close(): Promise<void>;
}

export async function startServer(env: Record<string, string> = {}): Promise<RealServer> {
	const database = await createTestDatabase();
	const dataDir = await mkdtemp(join(tmpdir(), 'marsad-e2e-'));
	const settings = {
		DEMO: '1',
		DEMO_PASSWORD: password,
		DATA_DIR: dataDir,
		DATABASE_URL: database.url,
		...env
	};
	let running: ServerProcess | null = await startServerProcess(settings);
	const { url } = running;

	const call: RealServer['call'] = async (method, path, options = {}) => {
		const response = await fetch(url + path, {
			method,
			headers: {
				...(options.body ? { 'content-type': 'application/json' } : {}),
				...(options.cookie ? { cookie: options.cookie } : {}),
				...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() })
			},
			...(options.body ? { body: JSON.stringify(options.body) } : {})
		});
		return { status: response.status, body: await response.json().catch(() => null) };
	};
	return {
		url,
		call,
		mqttPort: () => running?.mqttPort ?? 0,
		async stop(signal = 'SIGTERM') {
			await running?.kill(signal);
			running = null;
		},
		async startAgain() {
			running = await startServerProcess({ ...settings, PORT: new URL(url).port });
		},
		async signIn(who) {
			const response = await fetch(`${url}/api/v1/session`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ email: `${who}@example.org`, password })
			});
			if (response.status !== 200) throw new Error(`sign-in of ${who} answered ${response.status}`);
			return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
		},
		async close() {
			await running?.kill('SIGTERM');
			await database.close();
			await rm(dataDir, { recursive: true, force: true });
		}
	};
}
