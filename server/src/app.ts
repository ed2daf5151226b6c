import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { nameBuild, nameOf, readBuild, settingsOf } from './build-mark.ts';
import { linkDeeds, readPlaceFill } from './links.ts';
import { partFigures } from './part-figures.ts';
import type { Config } from './config.ts';
import { createConductor, type Conductor } from './conductor/conductor.ts';
import { createAlarms } from './features/alarms/index.ts';
import { createBoard } from './features/board/index.ts';
import { createBooking, type Booking } from './features/booking/index.ts';
import { createDispatch } from './features/dispatch/index.ts';
import { createEntries } from './features/entries/index.ts';
import { createForecast } from './features/forecast/index.ts';
import { createGates } from './features/gates/index.ts';
import { createLevels, loadLevels } from './features/levels/index.ts';
import { createPeople, type People } from './features/people/index.ts';
import { createIdentity, createIssuer, createPermits, listPlaces } from './features/permits/index.ts';
import { createReadiness } from './features/readiness/index.ts';
import { createRecord } from './features/record/index.ts';
import { createReductions } from './features/reductions/index.ts';
import { createRuns, type Runs } from './features/runs/index.ts';
import { createSeason, type Season } from './features/season/index.ts';
import { createSensors } from './features/sensors/index.ts';
import { createSite } from './features/site/index.ts';
import { createSpike } from './features/spike/index.ts';
import { createWaitingRoom } from './features/waiting-room/index.ts';
import { createZones } from './features/zones/index.ts';
import type { Clock } from './platform/clock.ts';
import { migrate } from './platform/database/migrate.ts';
import type { Feature } from './platform/feature.ts';
import { createFlags, type Flags } from './platform/flags/flags.ts';
import { createUnleashAdmin } from './platform/flags/unleash-admin.ts';
import { createUnleashSource, type UnleashSource } from './platform/flags/unleash.ts';
import type { Log } from './platform/log.ts';
import { openPlatform, type Platform } from './platform/platform.ts';
import { createRealtime, type Realtime } from './platform/realtime/realtime.ts';
import { probesOf } from './probes.ts';
import { readinessSources } from './readiness-sources.ts';
import { stormFigures } from './storm-figures.ts';
import { createSync } from './sync/index.ts';
import { syncSources } from './sync-sources.ts';
import { claims, credentials, pullers, seats } from './tenants.ts';
import { buildWebServer, credentialsOf } from './web-server.ts';

/** The simulators are a program of their own: it is started, never imported. */
const generatorFile = path.resolve(import.meta.dirname, '../../simulators/src/main.ts');

/** Key part of every ticket, slot and permit: one room for now. */
const room = 'main';

/** Key part likewise. What demo and laboratory leave in a data folder is never mistaken for a real season. */
function seasonOf(config: Config): string {
	if (config.lab) return 'laboratory';
	return config.demo ? 'demo' : 'main';
}

/** What the process hands to the application. */
export interface AppOptions {
	config: Config;
	log: Log;
	clock: Clock;
	databaseUrl: string;
	databaseDirectUrl: string;
	/** Master secret: keys of tickets, passes and permits are derived from it. */
	secret: string;
	/** Told the path of the one-time administrator link when nobody could sign in otherwise. */
	onFirstStart: (path: string) => void;
}

export interface App {
	/** Starts listening; resolves with the address. @throws the system's error when the port is in use. */
	listen(): Promise<{ url: string; port: number; mqttPort: number | null }>;
	close(): Promise<void>;
}

/** Brings the schema up to date, wires every part by hand, in the order in which they stand on each other. */
export async function buildApp(options: AppOptions): Promise<App> {
	await migrate(options.databaseDirectUrl, options.log);
	const parts = await openPlatform({ ...options, scope: `${seasonOf(options.config)} ${room}` });
	const unleash = openUnleash(options, parts);
	const { together } = parts;
	const conductor = createConductor({
		...options,
		shared: together ? { relay: together.relay, term: together.leader.term } : undefined
	});
	const house = await createFeatures(options, parts, createFlags(unleash), conductor);
	const http = await buildWebServer(options, parts, house);
	const { features, realtime } = house;

	return {
		async listen() {
			// Hundreds of schemas are compiled here: whatever asked the database meanwhile would look like a pool that is
			// too small, and the first people would be refused.
			await http.ready();
			unleash?.start();
			await together?.start();
			for (const feature of features) await feature.start?.();
			conductor.start();
			const { host, port } = options.config;
			await http.listen({ port, host });
			realtime.attach(http.server);
			together?.lead();
			const address = http.server.address() as AddressInfo;
			const url = `http://${host}:${address.port}`;
			house.runs.servesAt(url);
			return {
				url,
				port: address.port,
				mqttPort: parts.embeddedBroker?.port ?? null
			};
		},
		async close() {
			await conductor.stop();
			await realtime.stop();
			await http.close();
			for (const feature of features.toReversed()) await feature.stop?.();
			unleash?.stop();
			await together?.stop();
			await parts.close();
		}
	};
}

/** Tokens of native clients name the audience, those of the page its own client. */
function issuerOf({ issuer, audience, clientId }: NonNullable<Config['person']>) {
	return { issuer, clientId, audiences: [audience, clientId] };
}

function openUnleash({ config, clock, log }: AppOptions, { instance }: Platform): UnleashSource | null {
	return config.unleash ? createUnleashSource({ ...config.unleash, instance, clock, log }) : null;
}

function openUnleashAdmin({ unleash }: Config) {
	if (unleash?.adminToken === undefined) return null;
	return createUnleashAdmin({ ...unleash, adminToken: unleash.adminToken });
}

/** The features, and what the web server asks of some of them. */
export interface House {
	features: Feature[];
	booking: Booking;
	people: People;
	realtime: Realtime;
	flags: Flags;
	/** Told where it is served, once that is known. */
	runs: Runs;
	/** In front of every staff command. */
	guardFreeze: Season['guardFreeze'];
	/** Where the public page calls while it signs somebody in. */
	signInOrigins: () => readonly string[];
}

/** All features, each given exactly what it stands on. */
async function createFeatures(
	options: AppOptions,
	parts: Platform,
	flags: Flags,
	conductor: Conductor
): Promise<House> {
	const { config, log, clock, secret } = options;
	const { database, broker, hub, metrics, instance, runMark } = parts;
	const base = { clock, log, metrics, db: database.db };
	const season = seasonOf(config);
	const scope = { room, season };

	const record = createRecord(base);
	const people = createPeople({
		...{ ...base, record },
		...{ demo: config.demo, demoPassword: config.demoPassword, onFirstStart: options.onFirstStart }
	});
	const realtime = createRealtime({
		...{ ...base, hub },
		authenticate: (request, token) =>
			people.authenticate(credentialsOf(token ? { authorization: `Bearer ${token}` } : request.headers)),
		claimOf: claims(config.demo),
		seatOf: seats(config.demo)
	});
	endSockets(parts, people, realtime);
	const siteFeature = createSite({ siteFile: config.siteFile, log, flags });
	const { site } = siteFeature;
	const sensors = createSensors({
		...{ ...base, database, record, broker, site, instance, simulatedAllowed: config.demo },
		notices: parts.together?.notices,
		sessionOf: parts.sessionOf ?? undefined,
		mqttUrl: () => config.mqttUrl ?? `mqtt://127.0.0.1:${parts.embeddedBroker?.port}`
	});
	parts.setIdentify(sensors.authenticateDevice);
	parts.onDeviceTrouble(sensors.noteTrouble);
	const zones = createZones({
		...{ ...base, hub, record, sensors, broker, site, runMark },
		...{ openTopic: parts.together?.openTopic, notices: parts.together?.notices }
	});
	const identity = createIdentity({
		...{ secret, believeUser: config.demo, issuerName: config.person?.issuer },
		issuer: config.person && createIssuer({ ...issuerOf(config.person), clock, log })
	});
	const places = { timeZone: site.timeZone, places: listPlaces(site.file) };
	const permits = createPermits({
		...{ ...base, identity, site: places, season, record, secret },
		...{ mark: runMark, automaticRoot: config.demo }
	});
	const booking = createBooking({
		...{ ...base, ...scope, flags, record, permits, identity, site: places },
		poolMax: config.databasePoolMax,
		...{ demo: config.demo, lab: config.lab, eligibilityUrl: config.eligibilityUrl }
	});
	const entries = createEntries({ ...base, hub, record, site, sensors, permits, season, runMark });
	const reductions = createReductions({
		...{ ...base, ...scope, database, hub, record, identity, permits, booking, entries, instance },
		...{ site: places, zonesOf: new Map(site.places.map(({ id, zones: own }) => [id, own])) }
	});
	const waitingRoom = createWaitingRoom({
		timeZone: site.timeZone,
		...{ ...base, ...scope, flags, record, booking, identity, conductor, secret, mark: runMark },
		...{ admitPerSecond: config.admitPerSecond, laboratory: config.lab !== undefined },
		...{ instance, randomnessUrl: config.drawRandomnessUrl },
		shared: parts.valkey && parts.together && { valkey: parts.valkey, leader: parts.together.leader },
		level: () => levels.current().level,
		exercise: () => levels.current().exercise
	});
	const gates = createGates({
		...{ ...base, hub, record, sensors, zones, booking, broker, site, runMark },
		notices: parts.together?.notices
	});
	booking.setPlaceFill(readPlaceFill(site, zones, gates));
	const alarms = createAlarms({
		...{ ...base, database, hub, record, season, instance, mark: runMark },
		notices: parts.together?.notices,
		sources: {
			site,
			zones: () => zones.list(),
			gates: () => gates.conditions(),
			devices: () => (sensors.isReady() ? sensors.devices() : []),
			parts: () => partFigures(parts, sensors, { now: spike.now(), at: clock.now() })
		}
	});
	entries.connect({ gates: gates.list, evacuation: gates.evacuation, alarms });
	const dispatch = createDispatch({
		...{ ...base, hub, record, people, site, zones, season, mark: runMark, demo: config.demo },
		notices: parts.together?.notices,
		leads: () => parts.together === null || parts.together.leader.term() !== null,
		sheetFolder: path.join(config.dataDir, 'state-sheets'),
		alarms,
		sources: { alarms: () => alarms.list(), gates: () => gates.list(), level: () => levels.current() }
	});
	const spike = createSpike({
		...{ ...base, ...scope, database, hub, conductor, record, waitingRoom, booking, mark: runMark },
		...{ instance, shared: parts.together !== null, openTopic: parts.together?.openTopic },
		term: parts.together?.leader.term,
		...{ probes: probesOf(parts, booking, flags), build: readBuild(config.webRoot).then(nameBuild) },
		takeStorm: stormFigures({ realtime, entries, sync: () => sync }),
		level: () => levels.current().level
	});
	const levelsFile = await loadLevels(config.levelsFile);
	const levels = createLevels({
		...{ ...base, ...scope, database, hub, flags, record, people, conductor, instance },
		...{ alarms, spike, mark: runMark },
		file: levelsFile,
		unleashAdmin: openUnleashAdmin(config)
	});
	const forecast = createForecast({
		...{ ...base, ...scope, conductor, spike, levels, mark: runMark },
		claimWithinSeconds: waitingRoom.claimWithinSeconds
	});
	const seasonFeature = createSeason({
		...{ ...base, hub, record, people, site, season, mark: runMark },
		notices: parts.together?.notices,
		demo: config.demo && !config.lab
	});
	const build = await readBuild(config.webRoot);
	const runs = createRuns({
		...{ ...base, ...scope, record, people, booking, spike, levels, conductor, secret, mark: runMark },
		...{ seasonPlan: seasonFeature.plan, shared: parts.together !== null, simulated: config.demo },
		...{ timeScale: config.lab?.timeScale ?? 1, generatorFile, build: await nameBuild(build) },
		demoPassword: config.demoPassword,
		config: nameOf(settingsOf(config, site.file, levelsFile))
	});
	const readiness = createReadiness({
		...{ clock, record, mark: runMark },
		sources: readinessSources({
			...{ season: seasonFeature, runs, levels, permits, entries, sensors, booking, waitingRoom }
		})
	});
	linkDeeds({ gates, levels, alarms, log });
	const sync = createSync({
		...{ clock, log, metrics, scope: `${site.id} ${season}` },
		sources: syncSources({ site, zones, gates, permits, entries, levels, alarms, dispatch, record }),
		identify: pullers({
			...{ entries, simulatedAllowed: config.demo },
			authenticate: (request) => people.authenticate(credentialsOf(request.headers))
		}),
		credentialOf: credentials(config.demo),
		reconnectSpreadMs: () => realtime.door.spreadMs()
	});
	const board = createBoard({
		...{ hub, clock, mark: runMark, site, build },
		sources: {
			level: () => levels.current(),
			figuresAt: () => spike.now()?.at ?? 0,
			crowdAt: () => zones.total().at,
			onLevelSwitch: (listener) => levels.onSwitch.on(listener)
		}
	});
	const features: Feature[] = [
		...[record, people, siteFeature, sensors, zones, permits, booking, entries],
		...[reductions, waitingRoom, gates, alarms, dispatch, spike, levels],
		...[seasonFeature, forecast, runs, readiness, board, sync]
	];
	const { guardFreeze } = seasonFeature;
	const { signInOrigins } = identity;
	return { features, booking, people, realtime, flags, runs, guardFreeze, signInOrigins };
}

/** Signed out on any instance: the sockets of the account end on all. */
function endSockets({ together, database }: Platform, people: People, realtime: Realtime): void {
	const kind = 'people.session-ended';
	people.onSessionEnded.on(({ accountId }) => {
		realtime.disconnectAccount(accountId);
		void together?.notices.send(database.db, kind, accountId).catch(() => undefined);
	});
	together?.notices.on(kind, (accountId) => realtime.disconnectAccount(String(accountId)));
	// What was said while nobody listened is found out by asking everybody again.
	together?.notices.onConnect(() => void realtime.recheck());
}
