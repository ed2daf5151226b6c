import { setTimeout as delay } from 'node:timers/promises';
import type { Scanner } from '@marsad/server/contract';
import { createRandom, drawSeed } from './chance.ts';
import { createPeopleApi } from './people-api.ts';
import { createScannersApi, type ScannersApi } from './scanners-api.ts';
import { createDeviceClock } from './scanners-clock.ts';
import { createScannerDevice, toRoots } from './scanners-device.ts';
import { scannerKinds, type ScannerKind, type ScannerKindName } from './scanners-kinds.ts';
import { bringIn, liveScanner, newTally, type ScannerLife } from './scanners-life.ts';
import { buildScannersReport, type ScannersReport } from './scanners-report.ts';
import {
	bookHolders,
	listEntrances,
	makeScanner,
	must,
	openEarly,
	revokeScanners,
	signInAsAdmin,
	type Entrance,
	type Holder
} from './scanners-setup.ts';
import { askSession, SimulatorError, unreachable } from './session.ts';

export interface ScannersOptions {
	/** A server on this machine that allows simulated sources. */
	server: URL;
	/** Password of the demo's accounts: scanners are made by its administrator. */
	password: string;
	/** One scanner each, at the entrances in turn. */
	kinds: readonly ScannerKindName[];
	/** Permits that are shown. */
	people: number;
	seconds: number;
	seed?: number;
	print?: (line: string) => void;
}

/** More would book out the demo. */
export const scannersPeopleMax = 5_000;

/**
 * Books people, lets scanners of these kinds read their permits at the gates, and holds what they made against what the
 * server keeps. Settings of the places that are changed for it are set back, and its own scanners revoked.
 * @throws SimulatorError when the server takes no simulated data or refuses the administrator
 */
export async function runScanners(options: ScannersOptions, signal: AbortSignal): Promise<ScannersReport> {
	const { server, people, seconds } = options;
	const seed = options.seed ?? drawSeed();
	const random = createRandom(seed);
	const { siteFile } = await askSession(server).catch((error: unknown) => {
		throw unreachable(error, server);
	});
	const api = createScannersApi(() => server);
	try {
		const cookie = await signInAsAdmin(api, options.password);
		const entrances = listEntrances(siteFile, await readSlots(server));
		const used = options.kinds.map((_, at) => entrances[at % entrances.length]!);
		const made: string[] = [];
		const places = [...new Set(used.map(({ place }) => place))];
		const setBack = await openEarly(api, cookie, places);
		try {
			options.print?.(`scanners · ${people} people book`);
			const lives = await setUp({ options, api, cookie, used, places, random, signal, made });
			options.print?.(`scanners · ${lives.length} of them at ${new Set(used).size} gates`);
			await Promise.all(lives.map(liveScanner));
			await Promise.all(lives.map(bringIn));
			const { scanners: kept } = must(
				await api.staff<{ scanners: Scanner[] }>('GET', '/api/v1/scanners', cookie)
			);
			const scanners = lives.map(({ device, tally }) => ({
				...{ device: device.id, queued: device.queue.length, tally }
			}));
			return buildScannersReport({ seed, seconds, people, scanners, kept });
		} finally {
			await setBack();
			await revokeScanners(api, cookie, made);
		}
	} finally {
		await api.close();
	}
}

async function readSlots(server: URL) {
	const api = createPeopleApi(server.origin);
	try {
		const answer = await api.slots();
		if (!answer.ok) throw new SimulatorError(`the server shows no slots (${answer.status})`);
		return answer.body.slots;
	} finally {
		await api.close();
	}
}

async function setUp(deps: {
	options: ScannersOptions;
	api: ScannersApi;
	cookie: string;
	used: readonly Entrance[];
	places: readonly string[];
	random: () => number;
	signal: AbortSignal;
	/** Filled with what was made, also where setting up fails. */
	made: string[];
}): Promise<ScannerLife[]> {
	const { options, api, cookie, used, places, random, signal, made } = deps;
	const holders = new Map<string, Holder[]>();
	for (const place of places) {
		const share = used.filter((one) => one.place === place).length / used.length;
		const count = Math.max(1, Math.round(options.people * share));
		holders.set(place, await bookHolders(options.server, place, count, random, { signal }));
	}
	const roots = toRoots(must(await api.roots()).roots);
	const lives: ScannerLife[] = [];
	for (const [at, kindName] of options.kinds.entries()) {
		const { gate, place } = used[at]!;
		const kind: ScannerKind = scannerKinds[kindName];
		const { id, token } = await makeScanner(api, cookie, gate, kindName);
		made.push(id);
		const clock = createDeviceClock({
			...{ now: Date.now, elapsedMs: () => performance.now(), boot: 'boot-1', offByMs: kind.offByMs ?? 0 }
		});
		const sleep = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
		const device = createScannerDevice({ id, token, gate, api, clock, roots, random, sleep });
		// Each is set up once while it has a network, like a real one.
		if (!(await device.refresh())) throw new SimulatorError(`a scanner at ${gate} could not be set up`);
		const atPlace = used.flatMap((one, index) => (one.place === place ? [index] : []));
		const own = holders.get(place)!.filter((_, index) => atPlace[index % atPlace.length] === at);
		lives.push({
			...{ device, kind, tally: newTally(kindName, gate), holders: own, random, sleep, signal },
			...{ otherGate: used.find((one) => one.gate !== gate)?.gate ?? `${gate}-other` },
			runMs: options.seconds * 1_000
		});
	}
	return lives;
}
