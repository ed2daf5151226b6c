import { topics, type CounterProperties, type SiteFile } from '@marsad/server/contract';
import { crossingSpeaker } from './crossing-speaker.ts';
import type { Crowd } from './crowd.ts';
import { chooseFaults, faultFromSeconds, type SensorScenario } from './sensors-faults.ts';
import type { Link } from './session-link.ts';

/** All counters of a site, as devices that report what passes them. */
export interface Fleet {
	/** Sends what is due so many seconds after the start. */
	turn(link: Link, elapsedSeconds: number): void;
	/** From now on so much of each zone's deciding counters is silent. */
	silence(shareOf: (zone: string) => number): void;
	/** How many counters are silent now. */
	silentCount(): number;
	/** Messages acknowledged since the last call. */
	takeCount(): number;
	/** Says that the devices are there, and what Frigate says on change only. */
	sayHello(link: Link): void;
	/** Says that the devices are gone. */
	sayGoodbye(link: Link): Promise<unknown>;
	/** What the broker says for Frigate when the connection breaks; undefined without such a host. */
	will: { topic: string; payload: string; retain: boolean } | undefined;
}

/** One counter that speaks when it is its turn. */
interface Speaker {
	counter: CounterProperties;
	dueAt: number;
	speak(link: Link, isSilent: boolean, elapsedSeconds: number, isBurst?: boolean): void;
	/** The connection is new: what was said on the last one only on change is said again. */
	renew(link: Link): void;
}

const periodSecondsMin = 1;
const periodSecondsMax = 3_600;
const frigateStatsSeconds = 5;

/**
 * @param boot names this start of all devices: their sequence numbers begin again
 * @param scenario what is wrong with them, chosen by `random`
 */
export function createFleet(options: {
	siteFile: SiteFile;
	crowd: Crowd;
	boot: string;
	scenario?: SensorScenario | undefined;
	random?: () => number;
}): Fleet {
	const { siteFile, crowd } = options;
	const { site } = siteFile.marsad;
	const counters = siteFile.features.flatMap(({ properties }) =>
		properties.kind === 'counter' && !properties.optional ? [properties] : []
	);
	const hosts = [
		...new Set(counters.flatMap(({ adapter, device }) => (adapter === 'frigate' ? [device] : [])))
	];
	const devices = [
		...new Set(counters.flatMap(({ adapter, device }) => (adapter === 'own' ? [device] : [])))
	];
	let silent: ReadonlySet<string> = new Set();
	let taken = 0;
	let statsDueAt = 0;
	const count = () => void (taken += 1);
	const areas = readAreas(siteFile);
	const { scenario, random = Math.random } = options;
	const faults = scenario ? chooseFaults(scenario, counters, random) : new Map<string, never>();
	let burstRound = 0;
	const speakers = counters.map((counter, index): Speaker => {
		const period = periodOf(counter);
		const shared = { counter, dueAt: (index / counters.length) * period };
		if (counter.measures === 'crossing')
			return {
				...shared,
				...crossingSpeaker({ site, counter, crowd, boot: options.boot, count, fault: faults.get(counter.id) })
			};
		const see = viewOf(counter, counters, crowd, areas);
		if (counter.adapter === 'frigate') return { ...shared, ...frigateSpeaker({ counter, see, count }) };
		return { ...shared, ...valueSpeaker({ site, counter, see, boot: options.boot, count }) };
	});
	const sayState = (link: Link, word: 'online' | 'offline') =>
		Promise.all([
			...devices.map((device) => link.say(topics.state(site, device), word, { retain: true })),
			...hosts.map((host) => link.say(`${host}/available`, word, { retain: true }))
		]);

	return {
		turn(link, elapsedSeconds) {
			if (!link.isUp()) return;
			for (const speaker of speakers) {
				if (speaker.dueAt > elapsedSeconds) continue;
				const period = periodOf(speaker.counter);
				// A turn that was missed is not made up for: what passed meanwhile is in the next reading.
				speaker.dueAt += period * Math.max(1, Math.ceil((elapsedSeconds - speaker.dueAt) / period));
				speaker.speak(link, silent.has(speaker.counter.id), elapsedSeconds);
			}
			const { messages, seconds } = scenario?.burst ?? { messages: 0, seconds: 1 };
			while (
				burstRound < messages &&
				elapsedSeconds >= faultFromSeconds + (burstRound * seconds) / messages
			) {
				burstRound += 1;
				for (const speaker of speakers)
					speaker.speak(link, silent.has(speaker.counter.id), elapsedSeconds, true);
			}
			if (elapsedSeconds < statsDueAt) return;
			statsDueAt = elapsedSeconds + frigateStatsSeconds;
			for (const host of hosts) void link.say(`${host}/stats`, '{}', { qos: 0 });
		},
		silence: (shareOf) => (silent = findSilent(siteFile, counters, shareOf)),
		silentCount: () => silent.size,
		takeCount() {
			const since = taken;
			taken = 0;
			return since;
		},
		sayHello(link) {
			void sayState(link, 'online');
			for (const speaker of speakers) speaker.renew(link);
		},
		sayGoodbye: (link) => (link.isUp() ? sayState(link, 'offline') : Promise.resolve()),
		will:
			hosts[0] === undefined
				? undefined
				: { topic: `${hosts[0]}/available`, payload: 'offline', retain: true }
	};
}

function periodOf({ periodSeconds }: CounterProperties): number {
	return Math.min(periodSecondsMax, Math.max(periodSecondsMin, periodSeconds));
}

/** Wet-bulb globe temperature of a warm evening; it swings slowly about this. */
const heat = { meanCelsius: 26.4, swingCelsius: 0.6, roundSeconds: 1_800 };

function heatNow(): number {
	const turn = (Date.now() / 1_000 / heat.roundSeconds) * 2 * Math.PI;
	return Math.round((heat.meanCelsius + heat.swingCelsius * Math.sin(turn)) * 10) / 10;
}

/** A device of the own format that sees how many people are there, how dense they stand, or how hot it is. */
function valueSpeaker(options: {
	site: string;
	counter: CounterProperties;
	see: () => { people: number; density: number };
	boot: string;
	count: () => void;
}): Pick<Speaker, 'speak' | 'renew'> {
	const { counter } = options;
	const topic = topics.reading(options.site, counter.device);
	let seq = 0;
	return {
		speak(link, isSilent) {
			if (isSilent) return;
			const { people, density } = options.see();
			const reading = {
				ts: Date.now(),
				boot: options.boot,
				seq: seq++,
				...(counter.channel === undefined ? {} : { channel: counter.channel }),
				...(counter.measures === 'heat'
					? { wbgtCelsius: heatNow() }
					: counter.measures === 'density'
						? { density }
						: { present: people }),
				sim: true
			};
			void link.say(topic, JSON.stringify(reading)).then((isTaken) => isTaken && options.count());
		},
		renew: () => undefined
	};
}

/** A camera behind Frigate: a bare number, on change alone, at QoS 0; it says of itself when it does not see. */
function frigateSpeaker(options: {
	counter: CounterProperties;
	see: () => { people: number };
	count: () => void;
}): Pick<Speaker, 'speak' | 'renew'> {
	const { device, channel = '' } = options.counter;
	let last: number | null = null;
	let wasSilent = false;
	const sayDetecting = (link: Link) =>
		void link.say(`${device}/${channel}/status/detect`, wasSilent ? 'offline' : 'online');
	return {
		speak(link, isSilent) {
			if (isSilent !== wasSilent) {
				wasSilent = isSilent;
				last = null;
				sayDetecting(link);
			}
			if (isSilent) return;
			const { people } = options.see();
			if (people === last) return;
			last = people;
			void link.say(`${device}/${channel}/person`, String(people), { qos: 0 }).then((isTaken) => {
				if (isTaken) options.count();
				else last = null;
			});
		},
		renew(link) {
			last = null;
			if (wasSilent) sayDetecting(link);
		}
	};
}

function readAreas(siteFile: SiteFile): ReadonlyMap<string, number> {
	return new Map(
		siteFile.features.flatMap(({ properties }) =>
			properties.kind === 'zone' ? [[properties.id, properties.areaSquareMetres ?? 0] as const] : []
		)
	);
}

/** What one of several views of a zone sees: each its own part, all together everybody. */
function viewOf(
	counter: CounterProperties,
	all: readonly CounterProperties[],
	crowd: Crowd,
	areas: ReadonlyMap<string, number>
): () => { people: number; density: number } {
	const zone = counter.to ?? counter.from ?? '';
	const views = all.filter(
		({ measures, to, from }) => measures === counter.measures && (to ?? from) === zone
	);
	// Views differ in size, the largest three times the smallest.
	const sizes = views.map((_, index) => 1 + ((index * 5) % 7) / 3);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	const at = views.findIndex(({ id }) => id === counter.id);
	const before = sizes.slice(0, at).reduce((sum, size) => sum + size, 0) / total;
	const after = before + (sizes[at] ?? 0) / total;
	const area = areas.get(zone) ?? 0;
	return () => {
		const present = crowd.present(zone);
		const density = area > 0 ? Math.round((present / area) * 100) / 100 : 0;
		return { people: Math.round(present * after) - Math.round(present * before), density };
	};
}

/** The counters that decide a zone's occupancy: views inside where there are any, else those at its border. */
function findSilent(
	siteFile: SiteFile,
	counters: readonly CounterProperties[],
	shareOf: (zone: string) => number
): ReadonlySet<string> {
	const silent = new Set<string>();
	for (const { properties } of siteFile.features) {
		if (properties.kind !== 'zone') continue;
		const share = shareOf(properties.id);
		if (share <= 0) continue;
		const touching = counters.filter(
			({ authority, from, to }) => authority && (from === properties.id || to === properties.id)
		);
		const inside = touching.filter(({ measures }) => measures !== 'crossing');
		const deciding = inside.length > 0 ? inside : touching;
		for (const { id } of deciding.slice(0, Math.ceil(deciding.length * share))) silent.add(id);
	}
	return silent;
}
