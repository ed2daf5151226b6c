import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, drawSeed } from './chance.ts';
import { createScannersApi } from './scanners-api.ts';
import { askSession, SimulatorError, unreachable } from './session.ts';
import { createStormCrowd, type StormCrowd, type StormGroup } from './storm-crowd.ts';
import { buildStormReport, type StormReport } from './storm-report.ts';
import { openStormSocket, type ScreenCopy } from './storm-socket.ts';

export interface StormOptions {
	/** A server on this machine that allows simulated sources. */
	server: URL;
	/** Password of the demo's accounts: everybody watches as its viewer. */
	password: string;
	groups: readonly StormGroup[];
	seed?: number;
	/** How the connections are cut; without it they are dropped here. */
	cut?: () => unknown;
	/** How long everybody who obeys is waited for. */
	patienceSeconds: number;
	print?: (line: string) => void;
}

/** More would not fit into one process here. */
export const stormSocketsMax = 6_000;
const openPerSecond = 150;
const openPatienceMs = 60_000;
const settleMs = 3_000;
const topic = 'overview';

/** Who comes in a storm of so many, when nothing else is said: most obey. */
export function mixedGroups(sockets: number): StormGroup[] {
	const part = (share: number) => Math.max(1, Math.round(sockets * share));
	const tenants = (count: number) => Math.max(1, Math.ceil(count / 25));
	const group = (name: string, temper: StormGroup['temper'], count: number): StormGroup => ({
		...{ name, temper, sockets: count, tenants: tenants(count) }
	});
	return [
		group('screens', 'obedient', part(0.8)),
		// Five tabs of one person each: they come back like five people.
		{
			name: 'five tabs',
			temper: 'obedient',
			sockets: part(0.1),
			tenants: Math.max(1, Math.ceil(part(0.1) / 5))
		},
		group('others', 'library', part(0.08)),
		// One tenant that may have 40 connections, and wants more.
		{ name: 'noisy tenant', temper: 'hammering', sockets: part(0.02), tenants: 1 }
	];
}

/**
 * Opens thousands of sockets, cuts them all at once, and watches who comes back when.
 * @throws SimulatorError when the server takes no simulated data, or not everybody could connect at first
 */
export async function runStorm(options: StormOptions, signal: AbortSignal): Promise<StormReport> {
	const { server, groups } = options;
	const seed = options.seed ?? drawSeed();
	const print = options.print ?? (() => undefined);
	await askSession(server).catch((error: unknown) => {
		throw unreachable(error, server);
	});
	const cookie = await signInAs(server, 'viewer@example.org', options.password);
	const random = createRandom(seed);
	const crowd = createStormCrowd({ server, cookie, topic, groups, random, run: `storm-${seed}` });
	const stop = () => crowd.close();
	signal.addEventListener('abort', stop, { once: true });
	try {
		const wanted = groups.reduce((sum, { sockets }) => sum + sockets, 0);
		const open = await crowd.open(openPerSecond, openPatienceMs);
		print(`storm · ${open} of ${wanted} are connected`);
		await delay(settleMs);
		await crowd.cut(options.cut ?? (() => crowd.dropAll()));
		print('storm · cut');
		// Who obeys nothing may be kept out for as long as it likes to try.
		await crowd.untilBack(options.patienceSeconds * 1_000, ({ temper }) => temper === 'obedient');
		await delay(settleMs);
		return await judge({ seed, server, cookie, crowd });
	} finally {
		signal.removeEventListener('abort', stop);
		crowd.close();
	}
}

/** Holds every screen against one that has just been opened. */
export async function judge(deps: {
	seed: number;
	server: URL;
	cookie: string;
	crowd: StormCrowd;
}): Promise<StormReport> {
	const { seed, server, cookie, crowd } = deps;
	const reference = await lookOnce(server, cookie);
	return buildStormReport(seed, crowd.figures(), (group) => crowd.copies(group), reference);
}

/** The state as somebody sees it who comes now. @throws SimulatorError when nobody gets in */
async function lookOnce(server: URL, cookie: string): Promise<ScreenCopy> {
	for (let tries = 0; tries < 30; tries += 1) {
		const copy = await new Promise<ScreenCopy | null>((resolve) => {
			const socket = openStormSocket(
				server,
				{ cookie, topic, auth: { simulatedTenant: 'storm-reference' } },
				{
					onSpread: () => undefined,
					onRefused: () => resolve(null),
					onGone: () => resolve(null),
					onLive() {
						resolve(socket.copy());
						socket.drop();
					}
				}
			);
		});
		if (copy) return copy;
		await delay(1_000);
	}
	throw new SimulatorError('nobody gets in any more');
}

/** The cookie of one of the demo's accounts. @throws SimulatorError when it is refused */
export async function signInAs(server: URL, email: string, password: string): Promise<string> {
	const api = createScannersApi(() => server);
	try {
		const answer = await api.signIn(email, password);
		if (answer.ok) return answer.body;
		throw new SimulatorError(
			`${email} was refused (${answer.code}): DEMO_PASSWORD names the password that the demo shows`
		);
	} finally {
		await api.close();
	}
}
