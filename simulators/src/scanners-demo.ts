import { setTimeout as delay } from 'node:timers/promises';
import type { Permit, SiteFile } from '@marsad/server/contract';
import type { Crowd } from './crowd.ts';
import { createPeopleApi, type Answer, type PeopleApi } from './people-api.ts';
import { createScannersApi, type ScannersApi } from './scanners-api.ts';
import { createDeviceClock } from './scanners-clock.ts';
import { createScannerDevice, toRoots, type ScannerDevice } from './scanners-device.ts';
import {
	listEntrances,
	makeScanner,
	must,
	openEarly,
	revokeScanners,
	signInAsAdmin,
	type Entrance
} from './scanners-setup.ts';

/** What sensors and people of the demo tell its scanners. */
export interface GateNews {
	/** The crowd that walks past the doors. */
	onCrowd(crowd: Crowd, siteFile: SiteFile): void;
	/** Somebody has booked. */
	onBooked(user: string): void;
}

const tickMs = 2_000;
const syncEveryTicks = 5;
const refreshEveryTicks = 30;
/** Of the people whom the doors count, so many are scanned: some come in behind others. */
const scannedShare = 0.97;
const permitsPerTick = 2;
const countedAtOnce = 200;
const usersKept = 400;
const textsKept = 60;
const goodbyeTimeoutMs = 2_500;

/**
 * A scanner at one gate of each place: it scans as many people as the doors of the gate count, less a few, by permits of
 * people who have booked as long as there are some, and counts the others. A demo without it is still a demo: what goes
 * wrong here is said in one line and ends nothing else.
 */
export function createDemoScanners(options: {
	server: URL;
	password: string | undefined;
	print: (line: string) => void;
}) {
	const users: string[] = [];
	let walk: { crowd: Crowd; siteFile: SiteFile } | null = null;
	const news: GateNews = {
		onCrowd: (crowd, siteFile) => void (walk = { crowd, siteFile }),
		onBooked(user) {
			users.push(user);
			if (users.length > usersKept) users.shift();
		}
	};
	return {
		news,
		async run(signal: AbortSignal): Promise<void> {
			const { server, password, print } = options;
			if (password === undefined) return;
			try {
				while (!walk && !signal.aborted) await sleep(tickMs, signal);
				if (walk) await stand({ server, password, walk, users, print }, signal);
			} catch (error) {
				if (!signal.aborted)
					print(`scanners · none any more: ${error instanceof Error ? error.message : String(error)}`);
			}
			// The others go on until they are stopped.
			while (!signal.aborted) await sleep(tickMs * 10, signal);
		}
	};
}

interface Stand {
	server: URL;
	password: string;
	walk: { crowd: Crowd; siteFile: SiteFile };
	users: string[];
	print: (line: string) => void;
}

interface Post {
	entrance: Entrance;
	device: ScannerDevice;
	passedBefore: number;
	owed: number;
}

async function stand({ server, password, walk, users, print }: Stand, signal: AbortSignal): Promise<void> {
	const api = createScannersApi(() => server);
	const people = createPeopleApi(server.origin, { quickConnections: 2 });
	let cookie = '';
	let setBack = async (): Promise<void> => undefined;
	const made: string[] = [];
	try {
		cookie = await signInAsAdmin(api, password);
		const slots = await people.slots();
		const entrances = onePerPlace(listEntrances(walk.siteFile, slots.ok ? slots.body.slots : []));
		setBack = await openEarly(
			api,
			cookie,
			entrances.map(({ place }) => place)
		);
		const posts = await setUp(api, cookie, entrances, signal, made);
		for (const post of posts) post.passedBefore = passedIn(walk, post.entrance.gate);
		print(`scanners · at ${posts.map(({ entrance }) => entrance.gate).join(', ')}`);
		await work({ posts, people, users, walk }, signal);
	} finally {
		await Promise.race([
			cookie === '' ? undefined : goAway(api, cookie, setBack, made).catch(() => undefined),
			delay(goodbyeTimeoutMs, undefined, { ref: false })
		]);
		await Promise.all([api.close(), people.close()]);
	}
}

/** Gates let in as they did before, and nobody scans with these scanners any more. */
async function goAway(
	api: ScannersApi,
	cookie: string,
	setBack: () => Promise<void>,
	scanners: readonly string[]
): Promise<void> {
	await setBack();
	await revokeScanners(api, cookie, scanners);
}

async function setUp(
	api: ScannersApi,
	cookie: string,
	entrances: readonly Entrance[],
	signal: AbortSignal,
	ids: string[]
): Promise<Post[]> {
	const roots = toRoots(must(await api.roots()).roots);
	const posts: Post[] = [];
	for (const entrance of entrances) {
		const made = await makeScanner(api, cookie, entrance.gate, 'of the demo');
		ids.push(made.id);
		const clock = createDeviceClock({ now: Date.now, elapsedMs: () => performance.now(), boot: 'boot-1' });
		const device = createScannerDevice({
			...{ ...made, gate: entrance.gate, api, clock, roots, random: Math.random },
			sleep: (ms) => sleep(ms, signal)
		});
		await device.refresh();
		posts.push({ entrance, device, passedBefore: 0, owed: 0 });
	}
	return posts;
}

async function work(
	{ posts, people, users, walk }: { posts: Post[]; people: PeopleApi; users: string[]; walk: Stand['walk'] },
	signal: AbortSignal
): Promise<void> {
	const texts = new Map(posts.map(({ entrance }) => [entrance.place, [] as string[]]));
	for (let tick = 1; !signal.aborted; tick += 1) {
		await sleep(tickMs, signal);
		for (let n = 0; n < permitsPerTick * posts.length; n += 1) await fetchText(people, users, texts);
		for (const post of posts) {
			const passed = passedIn(walk, post.entrance.gate);
			post.owed += (passed - post.passedBefore) * scannedShare;
			post.passedBefore = passed;
			await scanSome(post, texts.get(post.entrance.place)!);
			if (tick % refreshEveryTicks === 0) await post.device.refresh();
			if (tick % syncEveryTicks === 0) await post.device.sync();
		}
	}
}

async function scanSome(post: Post, texts: string[]): Promise<void> {
	const { device } = post;
	for (let n = 0; n < permitsPerTick && post.owed >= 1 && device.settings(); n += 1) {
		const text = texts.pop();
		if (text === undefined) break;
		post.owed -= (await device.scan(text)).people;
	}
	const rest = Math.min(countedAtOnce, Math.floor(post.owed));
	if (rest < 1) return;
	device.count(rest, 'pressure');
	post.owed -= rest;
}

/** One who has booked shows the permit at a gate of its place. */
async function fetchText(people: PeopleApi, users: string[], texts: Map<string, string[]>): Promise<void> {
	if ([...texts.values()].every(({ length }) => length >= textsKept)) return;
	const user = users.pop();
	if (user === undefined) return;
	const path = `/permits/mine?user=${encodeURIComponent(user)}`;
	const answer = (await people.raw({ name: 'permit', method: 'GET', path })) as Answer<Permit>;
	if (!answer.ok || answer.body.text === undefined) return;
	const own = texts.get(answer.body.place);
	if (own && own.length < textsKept) own.push(answer.body.text);
}

/** People who have gone in by a gate since the crowd began, as its door counters would have it. */
function passedIn({ crowd, siteFile }: Stand['walk'], gate: string): number {
	const properties = siteFile.features.map((feature) => feature.properties);
	const own = properties.find((one) => one.kind === 'gate' && one.id === gate);
	if (own?.kind !== 'gate') return 0;
	return (own.counters ?? []).reduce((sum, id) => {
		const counter = properties.find((one) => one.kind === 'counter' && one.id === id);
		const way = counter?.kind === 'counter' && counter.to === own.zone ? 'in' : 'out';
		return sum + crowd.passed(id)[way];
	}, 0);
}

function onePerPlace(entrances: readonly Entrance[]): Entrance[] {
	return [...new Map(entrances.toReversed().map((one) => [one.place, one])).values()].toReversed();
}

const sleep = (ms: number, signal: AbortSignal): Promise<unknown> =>
	delay(ms, undefined, { signal }).catch(() => undefined);
