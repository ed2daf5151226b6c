import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SiteFile } from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { createCrowd, type Crowd } from './crowd.ts';
import { readCrowdSite } from './crowd-site.ts';
import { createGateOrders, type GateOrders } from './gate-orders.ts';
import type { SensorScenario } from './sensors-faults.ts';
import { createFleet, type Fleet } from './sensors-fleet.ts';
import { askSession, SimulatorError, unreachable } from './session.ts';
import { openLink, type Link } from './session-link.ts';
import { storyAt, type Story } from './story.ts';

export interface SensorsOptions {
	/** A server on this machine that allows simulated sources. */
	server: URL;
	story: Story;
	print?: (line: string) => void;
	/** The same number gives the same crowd, and the same counters that fail. */
	seed?: number;
	/** What is wrong with the counters; nothing without it. */
	scenario?: SensorScenario;
	/** The crowd that will walk, for others who follow it. */
	onCrowd?: (crowd: Crowd, siteFile: SiteFile) => void;
}

interface Parts {
	crowd: Crowd;
	story: Story;
	fleet: Fleet;
	link: Link;
	orders: GateOrders;
	print: (line: string) => void;
}

const tickMs = 50;
const crowdStepSeconds = 1;
const printEverySeconds = 30;
/** Time that this process did not run (a machine that slept) is not made up for. */
const catchUpSecondsMax = 30;
const goodbyeTimeoutMs = 3_000;

/**
 * Lets a crowd move on the site and every counter of the site file report it, one reading each period, until the
 * signal aborts.
 * @throws SimulatorError when the server takes no simulated data, or comes back with another site
 */
export async function runSensors(options: SensorsOptions, signal: AbortSignal): Promise<void> {
	const { server, story } = options;
	const print = options.print ?? ((line: string) => process.stdout.write(`${line}\n`));
	const { siteFile } = await askSession(server).catch((error: unknown) => {
		throw unreachable(error, server);
	});
	const seed = options.seed ?? randomInt(2 ** 31);
	const crowd = createCrowd(readCrowdSite(siteFile), {
		random: createRandom(seed),
		startShare: storyAt(story, 0).zoneShare
	});
	options.onCrowd?.(crowd, siteFile);
	const fleet = createFleet({
		...{ siteFile, crowd, boot: randomBytes(4).toString('hex') },
		...{ scenario: options.scenario, random: createRandom(seed + 1) }
	});
	const orders = createGateOrders(siteFile.marsad.site);
	const known = JSON.stringify(siteFile);
	const { promise: siteChanged, reject } = Promise.withResolvers<never>();
	siteChanged.catch(() => undefined);
	const link = await openLink({
		server,
		present: crowd.presentByZone(),
		...(fleet.will && { will: fleet.will }),
		listen: orders,
		onUp(up) {
			if (JSON.stringify(up.session().siteFile) !== known)
				return reject(new SimulatorError('the server works with another site now: start the sensors again'));
			fleet.sayHello(up);
		},
		print: (line) => print(`sensors · ${line}`)
	});
	try {
		await Promise.race([
			link.failed,
			siteChanged,
			play({ crowd, story, fleet, link, orders, print }, signal)
		]);
	} finally {
		await Promise.race([fleet.sayGoodbye(link), delay(goodbyeTimeoutMs, undefined, { ref: false })]);
		await link.close();
	}
}

async function play({ crowd, story, fleet, link, orders, print }: Parts, signal: AbortSignal): Promise<void> {
	const startedAt = performance.now();
	let walkedSeconds = 0;
	let printAt = printEverySeconds;
	while (!signal.aborted) {
		const elapsed = (performance.now() - startedAt) / 1_000;
		walkedSeconds = Math.max(walkedSeconds, elapsed - catchUpSecondsMax);
		while (elapsed - walkedSeconds >= crowdStepSeconds) {
			walkedSeconds += crowdStepSeconds;
			const moment = storyAt(story, walkedSeconds);
			crowd.step(crowdStepSeconds, moment.zoneShare, orders);
			fleet.silence(moment.silentShare);
		}
		fleet.turn(link, elapsed);
		if (elapsed >= printAt) {
			printAt = elapsed + printEverySeconds;
			print(describe({ crowd, story, fleet, link, orders }, elapsed));
		}
		await delay(tickMs, undefined, { signal }).catch(() => undefined);
	}
}

function describe({ crowd, story, fleet, link, orders }: Omit<Parts, 'print'>, elapsed: number): string {
	const people = Object.values(crowd.presentByZone()).reduce((sum, present) => sum + present, 0);
	const parts = [
		storyAt(story, elapsed).phase.name,
		`${fleet.takeCount()} readings in ${printEverySeconds} s`,
		`${people} people on site`
	];
	if (fleet.silentCount() > 0) parts.push(`${fleet.silentCount()} counters silent`);
	parts.push(...orders.describe());
	if (!link.isUp()) parts.push('no broker');
	return `sensors · ${parts.join(' · ')}`;
}
