import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const mainFile = fileURLToPath(new URL('../../../simulators/src/main.ts', import.meta.url));

/** A simulator against a real server, as `npm run sim` starts it. */
export interface Simulator {
	stop(): Promise<void>;
	output(): string;
}

export function startSimulator(serverUrl: string, ...args: string[]): Simulator {
	const child = spawn(process.execPath, [mainFile, ...args, '--server', serverUrl], {
		stdio: ['ignore', 'pipe', 'pipe']
	});
	let text = '';
	child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
	const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
	return {
		output: () => text,
		async stop() {
			child.kill('SIGTERM');
			await gone;
		}
	};
}
