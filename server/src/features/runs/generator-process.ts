import { spawn, type ChildProcess } from 'node:child_process';
import type { Log } from '../../platform/log.ts';

/** Starts the generator of a run beside this server, in demo and laboratory. */
export interface GeneratorProcess {
	/** @param password of the demo's accounts, for screens that are cut */
	start(run: { id: string; token: string; server: string; password?: string | undefined }): void;
	/** Ends it: asked first, then made to. */
	stop(): void;
	/** When the server ends. */
	close(): void;
}

/**
 * A process of its own: load that is made inside the server would measure itself.
 * @param file the simulators' entry
 */
export function createGeneratorProcess(deps: {
	file: string;
	log: Log;
	killAfterMs: number;
}): GeneratorProcess {
	let child: ChildProcess | null = null;
	const end = (signal: NodeJS.Signals) => {
		if (child?.exitCode === null) child.kill(signal);
	};
	return {
		start({ id, token, server, password }) {
			end('SIGKILL');
			const own = spawn(process.execPath, [deps.file, 'spike', '--run', id, '--server', server], {
				// Nothing of the server's own environment: no secret, no settings.
				env: { MARSAD_RUN_TOKEN: token, PATH: '', ...(password ? { DEMO_PASSWORD: password } : {}) },
				stdio: ['ignore', 'ignore', 'pipe']
			});
			child = own;
			let said = '';
			own.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
			own.once('error', (error) => deps.log.warn({ err: error }, 'the generator could not be started'));
			own.once('exit', (code) => {
				if (child === own) child = null;
				if (code !== 0) deps.log.warn({ run: id, code, said }, 'the generator ended with a fault');
			});
		},
		stop() {
			const own = child;
			end('SIGTERM');
			setTimeout(() => own?.exitCode === null && own.kill('SIGKILL'), deps.killAfterMs).unref();
		},
		close: () => end('SIGKILL')
	};
}
