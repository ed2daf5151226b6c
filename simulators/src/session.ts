import { request } from 'undici';
import type { SimulatorSession, SiteFile } from '@marsad/server/contract';

/** What a person at the terminal is told in one line. */
export class SimulatorError extends Error {}

/** What a simulator may do, with the site file that the server works with. */
export type Session = Omit<SimulatorSession, 'siteFile'> & { siteFile: SiteFile };

const answerTimeoutMs = 10_000;
const loopbackHosts = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/** @throws SimulatorError when the address is none, or not of this machine: simulated data goes nowhere else */
export function checkServer(address: string): URL {
	const url = URL.canParse(address) ? new URL(address) : null;
	if (!url || url.protocol !== 'http:')
		throw new SimulatorError(`"${address}" is no http:// address of a server`);
	if (!loopbackHosts.test(url.hostname))
		throw new SimulatorError(`${url.hostname} is not this machine: simulators speak to a local server only`);
	return url;
}

/**
 * Asks the server how simulators may write, and tells it the crowd that stands on the site.
 * @param present people by zone, when a crowd begins
 * @throws SimulatorError when the server takes no simulated data; any other error when it cannot be reached now
 */
export async function askSession(server: URL, present?: Readonly<Record<string, number>>): Promise<Session> {
	const { statusCode, body } = await request(new URL('/api/v1/simulators/session', server), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(present ? { present } : {}),
		headersTimeout: answerTimeoutMs,
		bodyTimeout: answerTimeoutMs
	});
	const text = await body.text();
	if (statusCode >= 500 || statusCode === 429) throw new Error(`the server answered ${statusCode}`);
	if (statusCode !== 200)
		throw new SimulatorError(
			`${server.origin} takes no simulated data (${statusCode}): start it with DEMO=1 or LAB=1`
		);
	return JSON.parse(text) as Session;
}

/** The one line for a server that cannot be reached at the start; a refusal is already one. */
export function unreachable(error: unknown, server: URL): SimulatorError {
	if (error instanceof SimulatorError) return error;
	return new SimulatorError(`no server answers at ${server.origin}: start it, or name it with --server`);
}
