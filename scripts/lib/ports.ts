import { once } from 'node:events';
import { createServer } from 'node:net';

const triesMax = 200;

/** The first port from `wanted` upwards that nobody listens on. */
export async function nextFreePort(wanted: number, host: string): Promise<number> {
	for (let port = wanted; port < Math.min(wanted + triesMax, 65_536); port++) {
		if (await isFree(port, host)) return port;
	}
	throw new Error(`no free port from ${wanted} upwards`);
}

async function isFree(port: number, host: string): Promise<boolean> {
	const probe = createServer().listen(port, host);
	try {
		await once(probe, 'listening');
	} catch {
		return false;
	}
	probe.close();
	await once(probe, 'close');
	return true;
}
