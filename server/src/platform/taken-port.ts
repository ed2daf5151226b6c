import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Tries for a moment whether these can be listened on, so that a taken one is told before anything is built or
 * started. 0 is any free port. @throws the system's own error (EADDRINUSE, EACCES …) with its `port`
 */
export async function refuseTakenPorts(ports: readonly number[], host: string): Promise<void> {
	for (const port of ports) {
		if (port === 0) continue;
		const probe = createServer().listen({ port, host });
		await once(probe, 'listening');
		probe.close();
		await once(probe, 'close');
	}
}
