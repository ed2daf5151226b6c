import type { FastifyRequest } from 'fastify';
import type {
	EvacuationState,
	Gate,
	Mark,
	MovedPermit,
	Scanner,
	ScannerMode,
	ScannerSettings
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { Permits } from '../permits/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Sensors } from '../sensors/index.ts';
import type { Site } from '../site/index.ts';
import { entryAlarms, type AlarmDesk } from './entry-alarms.ts';
import { createEntryBoard } from './entry-board.ts';
import { createEntryCommands, withNames } from './entry-commands.ts';
import { createEntryMetrics } from './entry-metrics.ts';
import { createEntryQueue, createSignIn, entryRoutes, type EntryCalls } from './entry-routes.ts';
import { entryStaffRoutes } from './entry-staff-routes.ts';
import { defaultPlace, listPlaceSettings } from './place-store.ts';
import { findScanner, type StoredScanner } from './scanner-store.ts';
import { takeBatch } from './take-batch.ts';
import { forgetOld, forgetTrails } from './trail-store.ts';

/** What stands after entries in the order of the house, and is handed in before the start. */
export interface EntryNeighbours {
	gates(): readonly Gate[];
	evacuation(): EvacuationState;
	alarms: AlarmDesk;
}

/** What gates scanned, and the scanners themselves. */
export interface Entries extends Feature {
	connect(neighbours: EntryNeighbours): void;
	/** Who sends a request, by its token. @throws AppError for one that is unknown, revoked or too fast */
	signIn(request: FastifyRequest): Promise<{ id: string; gate: string }>;
	/** Everything that this scanner needs to judge alone; undefined when there is no such scanner. */
	settingsOf(scanner: string): Promise<ScannerSettings | undefined>;
	gateOf(scanner: string): Promise<string | undefined>;
	/** The place that a gate belongs to. */
	placeOf(gate: string): string | undefined;
	/** As of the last look. */
	scanners(): readonly Scanner[];
	/** Batches refused since the start, by reason. */
	refused(): ReadonlyMap<string, number>;
	/** Batches that wait for their turn. */
	queue(): ReturnType<FairQueue['figures']>;
	/** For so long gates honour a permit of this place after it was moved. */
	movedGraceMs(db: Db | Tx, place: string): Promise<number>;
	/** One round by hand, for tests: screens, alarms, counters. */
	look(): Promise<void>;
	/** Deletes the trails that are due, by hand, for tests. @returns how many */
	forget(): Promise<number>;
}

export interface EntryDeps {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	metrics: Metrics;
	record: Pick<TheRecord, 'append' | 'runCommand' | 'newest'>;
	site: Site;
	sensors: Sensors;
	permits: Pick<Permits, 'facts' | 'isGenuine' | 'listMoved'>;
	season: string;
	runMark: Mark;
}

export function createEntries(deps: EntryDeps): Entries {
	const { db, clock, log, site, season } = deps;
	const scope = { site: site.id, season };
	let neighbours: EntryNeighbours | undefined;
	const counted = createEntryMetrics(deps.metrics);
	const board = createEntryBoard({
		...{ db, clock, site, scope, sensors: deps.sensors, mark: deps.runMark },
		topic: deps.hub.topic('crowd'),
		alarms: () => neighbours?.alarms
	});
	const placeOf = (gate: string) => placeOfGate(site, gate);
	const commands = createEntryCommands({ clock, site, scope, record: deps.record, placeOf });
	const movedOf = createMovedList(deps);
	const onError = (error: unknown) =>
		log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'entries could not be looked at');

	const take: EntryCalls['take'] = async (id, batch, receivedAt) => {
		const taken = await db.transaction().execute(async (tx) => {
			const settings = await listPlaceSettings(tx, season);
			return takeBatch(
				tx,
				{
					...{ scope, placeOf, facts: deps.permits.facts },
					settingsOf: (place) => settings.get(place ?? '') ?? defaultPlace(place ?? ''),
					isGenuine: deps.permits.isGenuine,
					record: (inTx, entry) => deps.record.append(inTx, entry)
				},
				id,
				batch,
				receivedAt
			);
		});
		counted.taken(taken);
		return taken;
	};

	const find = (id: string) => findScanner(db, scope, id);
	const refusals = new Map<string, number>();
	const onRefused: EntryCalls['onRefused'] = (why) => {
		refusals.set(why, (refusals.get(why) ?? 0) + 1);
		counted.refused(why);
	};
	const signIn = createSignIn({ clock, find, onRefused });
	const queue = createEntryQueue(clock);
	const settings = (scanner: StoredScanner) =>
		settingsFor(scanner, { ...deps, placeOf, movedOf, neighbours });

	let looking: Promise<void> | null = null;
	/** One round at a time; who asks meanwhile waits for the one that runs, and for one more. */
	const look = async (): Promise<void> => {
		await looking?.catch(() => undefined);
		looking ??= board.look().finally(() => (looking = null));
		return looking;
	};
	const forget = async () => {
		const went = await db.transaction().execute((tx) => forgetTrails(tx, season, clock.now()));
		const ago = (ms: number) => clock.now() - ms;
		await forgetOld(db, {
			setAside: ago(limits.entries.trailHours * 3_600_000),
			minutes: ago(limits.entries.keepMinutesDays * 86_400_000)
		});
		return went;
	};
	const stopTimers: StopTimer[] = [];

	return {
		name: 'entries',
		connect(next) {
			neighbours = next;
			next.alarms.define(entryAlarms);
		},
		async movedGraceMs(on, place) {
			const settings = await listPlaceSettings(on, season);
			return (settings.get(place) ?? defaultPlace(place)).movedGraceSeconds * 1_000;
		},
		look,
		forget,
		signIn,
		async settingsOf(id) {
			const scanner = await find(id);
			return scanner && settings(scanner);
		},
		gateOf: async (id) => (await find(id))?.gate,
		placeOf,
		scanners: board.scanners,
		refused: () => refusals,
		queue: queue.figures,
		staffRoutes(app) {
			entryRoutes(app, {
				...{ clock, take, queue, placeOf, signIn, settings, onRefused }
			});
			entryStaffRoutes(app, {
				...{ db, clock, site, scope, record: deps.record, commands },
				onChanged: () => void look().catch(onError)
			});
		},
		async start() {
			await look().catch(onError);
			stopTimers.push(
				clock.setInterval(() => {
					if (!looking) void look().catch(onError);
				}, limits.entries.pollMs),
				clock.setInterval(() => void forget().catch(onError), limits.entries.forgetEveryMs)
			);
		},
		async stop() {
			for (const stop of stopTimers.splice(0)) stop();
			await looking?.catch(() => undefined);
		}
	};
}

/** The place that a gate belongs to, else the one that has the zone behind it. */
function placeOfGate({ places, gates }: Site, id: string): string | undefined {
	const own = places.find((place) => place.gates.includes(id));
	if (own) return own.id;
	const zone = gates.find((gate) => gate.id === id)?.zone;
	return places.find((place) => zone !== undefined && place.zones.includes(zone))?.id;
}

/** Moved permits by place, a moment old: a thousand scanners that come back at once ask the database once. */
function createMovedList({ clock, permits }: EntryDeps) {
	const known = new Map<string, { readMs: number; list: Promise<MovedPermit[]> }>();
	return (place: string): Promise<MovedPermit[]> => {
		const before = known.get(place);
		if (before && clock.elapsedMs() - before.readMs < limits.entries.movedFreshMs) return before.list;
		// Who comes late with an old permit is still told where the new one is good.
		const list = permits.listMoved(place, clock.now() - limits.entries.lateSeconds * 1_000);
		known.set(place, { readMs: clock.elapsedMs(), list });
		list.catch(() => known.delete(place));
		return list;
	};
}

/** Everything that one scanner needs to judge alone. */
async function settingsFor(
	scanner: StoredScanner,
	deps: EntryDeps & {
		placeOf(gate: string): string | undefined;
		movedOf(place: string): Promise<MovedPermit[]>;
		neighbours: EntryNeighbours | undefined;
	}
): Promise<ScannerSettings> {
	const { db, clock, site, season, neighbours } = deps;
	const gate = site.gates.find(({ id }) => id === scanner.gate);
	const place = site.places.find(({ id }) => id === deps.placeOf(scanner.gate));
	const stored = place && ((await listPlaceSettings(db, season)).get(place.id) ?? defaultPlace(place.id));
	const now = neighbours?.gates().find(({ id }) => id === scanner.gate);
	const names = (id: string) => site.gates.find((one) => one.id === id)?.name;
	return {
		...{ device: scanner.id, name: scanner.name, season },
		gate: {
			id: scanner.gate,
			names: gate?.name ?? { ar: scanner.gate, en: scanner.gate },
			direction: gate?.direction ?? 'in',
			state: now?.commanded.state ?? null,
			ratePerMinute: now?.commanded.ratePerMinute ?? null,
			holdUntil: now?.commanded.holdUntil ?? null
		},
		mode: modeOf(now, neighbours?.evacuation()),
		place: place && stored ? withNames(stored, place.name) : null,
		moved: place ? await deps.movedOf(place.id) : [],
		gates: (place?.gates ?? []).flatMap((id) => {
			const known = names(id);
			return known ? [{ id, names: known }] : [];
		}),
		places: site.places.map(({ id, name }) => ({ id, names: name })),
		...{ nextSeq: scanner.newestSeq + 1, serverAt: clock.now(), timeZone: site.timeZone, mark: deps.runMark }
	};
}

/** Evacuation comes before everything: no check, people are counted out. A gate nobody knows of goes on checking. */
function modeOf(gate: Gate | undefined, evacuation: EvacuationState | undefined): ScannerMode {
	if (gate && evacuation?.active?.gates.includes(gate.id)) return 'count-out';
	if (gate?.commanded.state === 'held' || gate?.commanded.state === 'closed') return gate.commanded.state;
	return 'check';
}
