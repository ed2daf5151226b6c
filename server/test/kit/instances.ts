import { createPeopleClient } from './people-client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { demoPassword } from './test-app.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { createTestValkey, type TestValkey } from './test-valkey.ts';

export type People = ReturnType<typeof createPeopleClient>;

/** One of several real server processes. */
export interface Instance extends ServerProcess {
	people: People;
	/** Signs in as one of the demo accounts and returns the cookie header. */
	signIn(who: string): Promise<string>;
	/** A staff call with cookie and Idempotency-Key. */
	staff(method: string, path: string, cookie: string, body?: unknown): ReturnType<People['send']>;
	/** Newest term of the conductor that this process has said it leads; 0: never. */
	led(): number;
	/** Stops the process in its tracks, or lets it run again. */
	setFrozen(frozen: boolean): void;
}

/** Real server processes on one PostgreSQL and one Redis-protocol server, all of one laboratory. */
export interface Instances {
	database: TestDatabase;
	valkey: TestValkey;
	all: Instance[];
	start(): Promise<Instance>;
	close(): Promise<void>;
}

export async function createInstances(count: number, env: Record<string, string> = {}): Promise<Instances> {
	const [database, valkey] = await Promise.all([createTestDatabase(), createTestValkey()]);
	const all: Instance[] = [];
	const timeFrom = String(Date.now());
	const start = async () => {
		const server = await startServerProcess({
			...{ LAB: '1', LAB_CHECK_MS: '0', LAB_TIME_FROM: timeFrom, DEMO_PASSWORD: demoPassword },
			...{ DATABASE_URL: database.url, VALKEY_URL: valkey.url, LOG_LEVEL: 'info' },
			MARSAD_SECRET: 'a secret for tests only, long enough to be one',
			...env
		});
		const instance = toInstance(server);
		all.push(instance);
		return instance;
	};
	await Promise.all(Array.from({ length: count }, start));
	return {
		...{ database, valkey, all, start },
		async close() {
			await Promise.all(
				all.map(async (instance) => {
					instance.people.close();
					instance.setFrozen(false);
					await instance.killEverything();
				})
			);
			await valkey.close();
			await database.close();
		}
	};
}

function toInstance(server: ServerProcess): Instance {
	const people = createPeopleClient(server.url, 50);
	const { send } = people;
	return {
		...server,
		people,
		async signIn(who) {
			const body = { email: `${who}@example.org`, password: demoPassword };
			const { status, headers } = await send('POST', '/api/v1/session', { body });
			if (status !== 200) throw new Error(`sign-in of ${who} answered ${status}`);
			return String([headers['set-cookie']].flat()[0]).split(';')[0]!;
		},
		staff: (method, path, cookie, body) =>
			send(method, path, {
				headers: { cookie, ...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }) },
				...(body === undefined ? {} : { body })
			}),
		led() {
			const lines = server.output().matchAll(/"name":"conductor[^"]*","term":(\d+),"msg":"leads"/g);
			return Math.max(0, ...[...lines].map(([, term]) => Number(term)));
		},
		setFrozen(frozen) {
			try {
				process.kill(server.pid, frozen ? 'SIGSTOP' : 'SIGCONT');
			} catch {
				// Gone already.
			}
		}
	};
}
