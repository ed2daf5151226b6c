import { constants } from 'node:os';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { root, stopWithParent } from './paths.ts';

const stopTimeoutMs = 35_000;

export type Child = {
	process: ChildProcess;
	/** Resolves with the exit code (128 and more for a signal) when it is gone. */
	ended: Promise<number>;
	/** Asks it to stop, and ends it by force when it does not. */
	stop(): Promise<void>;
};

/** Starts a script of ours on this Node. It stops by itself when this process is gone, however that happens. */
export function startScript(
	script: string,
	args: readonly string[],
	options: { env?: NodeJS.ProcessEnv; onLine?: (line: string) => void } = {}
): Child {
	const child = spawn(process.execPath, ['--import', stopWithParent, script, ...args], {
		cwd: root,
		stdio: ['ignore', options.onLine ? 'pipe' : 'inherit', 'inherit', 'ipc'],
		env: { ...process.env, ...options.env }
	});
	if (options.onLine && child.stdout) createInterface(child.stdout).on('line', options.onLine);
	return keep(child);
}

/** Runs a program to its end, its output going where ours goes. */
export function startProgram(
	program: string,
	args: readonly string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv; output?: 'inherit' | 'pipe' } = {}
): Child {
	const output = options.output ?? 'inherit';
	return keep(
		spawn(program, args, {
			cwd: options.cwd ?? root,
			stdio: ['ignore', output, output],
			env: { ...process.env, ...options.env }
		})
	);
}

function keep(child: ChildProcess): Child {
	const ended = new Promise<number>((done) => {
		child.on('close', (code, signal) => done(code ?? (signal ? 128 + constants.signals[signal] : 1)));
		child.on('error', () => done(127));
	});
	const hasEnded = (): boolean =>
		child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
	return {
		process: child,
		ended,
		async stop() {
			if (hasEnded()) return;
			const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
			child.kill('SIGTERM');
			if (!hasEnded()) await once(child, 'exit');
			clearTimeout(force);
		}
	};
}

/** Runs `stop` at the first signal and leaves with `code`; further signals change nothing. */
export function onStop(stop: () => Promise<void>, code: number): void {
	let stopping = false;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (stopping) return;
			stopping = true;
			void stop().then(
				() => process.exit(code),
				() => process.exit(1)
			);
		});
	}
}
