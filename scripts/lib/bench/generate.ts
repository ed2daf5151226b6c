import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stopWithParent } from '../paths.ts';
import type { Job, ResultOf } from './generator-jobs.ts';

/** Makes load from a process of its own. */
export type Generator = {
	/** @throws Error with what went wrong there */
	run<J extends Job>(job: J): Promise<ResultOf<J>>;
	stop(): Promise<void>;
};

export function startGenerator(): Generator {
	const child = fork(join(import.meta.dirname, 'generator.ts'), [], {
		execArgv: ['--import', stopWithParent],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		serialization: 'advanced'
	});
	return {
		async run<J extends Job>(job: J) {
			const answer = once(child, 'message') as Promise<[{ result?: ResultOf<J>; failure?: string }]>;
			child.send(job);
			const [{ result, failure }] = await answer;
			if (result === undefined) throw new Error(`the generator failed: ${failure ?? 'without a word'}`);
			return result;
		},
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill('SIGTERM');
			await once(child, 'exit');
		}
	};
}
