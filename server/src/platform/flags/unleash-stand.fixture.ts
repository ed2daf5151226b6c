import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const script = path.join(import.meta.dirname, 'unleash-server.fixture.ts');

/** A real Unleash for tests and benchmarks, as a process of its own, on a database of its own. */
export interface UnleashStand {
	url: string;
	clientToken: string;
	adminToken: string;
	/** POST below the features of its project. @throws when it does not answer well */
	post(target: string, body?: unknown): Promise<void>;
	setFlag(flag: string, state: 'on' | 'off'): Promise<void>;
	/** What it says of a flag in the environment `development`; undefined when it has none. */
	read(flag: string): Promise<boolean | undefined>;
	/** Ends the process at once; `start` begins it again on the same port. */
	stop(): Promise<void>;
	start(): Promise<void>;
	/** Stops it in its tracks, as a server that hangs, or lets it run again. */
	setFrozen(frozen: boolean): void;
}

export async function startUnleash(databaseUrl: string): Promise<UnleashStand> {
	const clientToken = `*:development.${randomBytes(20).toString('hex')}`;
	const adminToken = `*:*.${randomBytes(20).toString('hex')}`;
	let child: ChildProcess;
	let url = '';
	const start = async () => {
		const port = url ? new URL(url).port : '0';
		child = spawn(process.execPath, [script, databaseUrl, clientToken, adminToken, port], {
			// It ends with us: its input does.
			stdio: ['pipe', 'pipe', 'inherit']
		});
		for await (const line of createInterface({ input: child.stdout! })) {
			if (!line.startsWith('{')) continue;
			({ url } = JSON.parse(line) as { url: string });
			return;
		}
		throw new Error('Unleash did not start');
	};
	await start();
	const features = () => `${url}/api/admin/projects/default/features`;
	const headers = { authorization: adminToken, 'content-type': 'application/json' };
	const post = async (target: string, body: unknown = {}) => {
		const response = await fetch(features() + target, {
			...{ method: 'POST', headers },
			body: JSON.stringify(body)
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${target} answered ${response.status}: ${text}`);
	};
	return {
		get url() {
			return url;
		},
		...{ clientToken, adminToken, post, start },
		setFlag: (flag, state) => post(`/${flag}/environments/development/${state}`),
		async read(flag) {
			const response = await fetch(`${features()}/${flag}/environments/development`, { headers });
			return response.ok ? ((await response.json()) as { enabled: boolean }).enabled : undefined;
		},
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill('SIGKILL');
			await once(child, 'exit');
		},
		setFrozen: (frozen) => void child.kill(frozen ? 'SIGSTOP' : 'SIGCONT')
	};
}

/** Stands in front of Unleash: hands on, waits first, or answers with a status of its own. */
export interface UnleashGate {
	url: string;
	delayMs: number;
	/** 200: hands on. */
	status: number;
	stop(): void;
}

export async function startGate(target: () => string): Promise<UnleashGate> {
	const gate: UnleashGate = { delayMs: 0, status: 200, url: '', stop: () => {} };
	const server = createServer((incoming, response) => {
		const refuse = () => response.writeHead(gate.status, { 'content-type': 'application/json' }).end('{}');
		const hand = () => {
			const { method, headers, url } = incoming;
			const onward = ask(new URL(url ?? '/', target()), { method: method ?? 'GET', headers }, (answer) => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.pipe(response);
			});
			onward.on('error', () => response.destroy());
			incoming.pipe(onward);
		};
		if (gate.status !== 200) refuse();
		else setTimeout(hand, gate.delayMs);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	gate.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	gate.stop = () => {
		server.closeAllConnections();
		server.close();
	};
	return gate;
}
