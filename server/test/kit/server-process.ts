import { fork } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ListeningMessage } from '../../src/main.ts';

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ServerProcess {
	url: string;
	mqttPort: number | null;
	pid: number;
	/** Ends the process by this signal and waits until it is gone. */
	kill(signal: NodeJS.Signals): Promise<number | null>;
	/** Ends the process and everything it started, at once, as a power cut would. */
	killEverything(): Promise<void>;
	output(): string;
}

/** Starts the real process on free ports and waits until it listens. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
	const child = fork(mainFile, [], {
		env: {
			PATH: process.env['PATH'] ?? '',
			HOME: process.env['HOME'] ?? '',
			PORT: '0',
			MQTT_PORT: '0',
			LOG_LEVEL: 'warn',
			...env
		},
		stdio: ['ignore', 'pipe', 'pipe', 'ipc']
	});
	let text = '';
	child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
	child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
	const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
	const listening = await new Promise<ListeningMessage>((resolve, reject) => {
		child.on('message', (message: ListeningMessage) => message.kind === 'listening' && resolve(message));
		void gone.then((code) => reject(new Error(`the server ended with ${code}: ${text}`)));
	});
	return {
		url: listening.url,
		mqttPort: listening.mqttPort,
		pid: child.pid!,
		kill(signal) {
			child.kill(signal);
			return gone;
		},
		async killEverything() {
			for (const pid of [child.pid!, ...descendants(child.pid!)]) killPid(pid);
			await gone;
		},
		output: () => text
	};
}

function killPid(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// Gone already.
	}
}

/** Every process below this one, by /proc. */
export function descendants(pid: number): number[] {
	const parents = new Map<number, number>();
	for (const name of readdirSync('/proc')) {
		if (!/^\d+$/.test(name)) continue;
		try {
			const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
			parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
		} catch {
			// Ended while we looked.
		}
	}
	const found: number[] = [];
	const waiting = [pid];
	for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
		for (const [child, of] of parents) {
			if (of !== parent) continue;
			found.push(child);
			waiting.push(child);
		}
	}
	return found;
}
