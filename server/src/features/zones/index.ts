import type { CrowdTotal, Mark, Quality, Zone } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Broker } from '../../platform/broker/broker.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { plainTopics, type OpenTopic } from '../../platform/realtime/mirror.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { isHeard, type Sensors } from '../sensors/index.ts';
import type { Site } from '../site/index.ts';
import { actionStep } from './action-step.ts';
import { sumZones } from './crowd-total.ts';
import { createRecount } from './recount.ts';
import { dueAnchors, type DueAnchor } from './nightly.ts';
import { createTrendMemory, trendStepSeconds } from './trend.ts';
import { createZoneLive } from './zone-live.ts';
import { zoneRoutes } from './zone-routes.ts';
import { forgetSamples, insertSamples, loadAnchors, loadSamples } from './zone-store.ts';
import { createZoneWatch } from './zone-watch.ts';

const recountedKind = 'zones.recounted';
/** How long news may wait here, before it waits for the next patch of the hub (four a second at the most). */
const newsEveryMs = 100;
const lookEveryMs = 1_000;
/** Another instance may be so late with a sample. */
const lookBackMs = 60_000;

/** Occupancy of every zone, with its age, sources and quality. */
export interface Zones extends Feature {
	/** All zones in file order, as of the last second. */
	list(language?: 'ar' | 'en'): Zone[];
	total(): CrowdTotal;
	/** One look by hand, for tests. */
	look(): void;
}

export function createZones(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	/** Where several instances show what one of them counts. */
	openTopic?: OpenTopic | undefined;
	notices?: Notices | undefined;
	broker: Broker;
	record: Pick<TheRecord, 'append' | 'runCommand'>;
	site: Site;
	sensors: Sensors;
	runMark: Mark;
}): Zones {
	const { db, clock, log, site, sensors, runMark: mark } = deps;
	const watches = new Map(
		[...site.zones.values()].map((zone) => [
			zone.id,
			createZoneWatch({
				zone,
				counters: sensors.counters.values(),
				retiredNetFlow: () => sensors.retiredNetFlow(zone.id),
				corridors: site.corridors,
				mark
			})
		])
	);
	const counters = [...new Set([...watches.values()].flatMap(({ deciding }) => deciding))];
	const trend = createTrendMemory([...site.zones.keys()], limits.zones.trendKeepMinutes);
	const onError = (error: unknown) =>
		log.warn(
			{ error: error instanceof Error ? error.message : 'unknown' },
			'zones could not be written or told'
		);
	const topic = (deps.openTopic ?? plainTopics(deps.hub))({
		name: 'crowd',
		term: sensors.term,
		whenSilent: (_key, heard, own) => silenced(site, heard ?? own)
	});
	const live = createZoneLive({
		site: site.id,
		topic,
		broker: deps.broker,
		onError
	});
	const loadAnchored = async () => {
		for (const [zone, anchor] of await loadAnchors(db, site.id)) watches.get(zone)?.setAnchor(anchor);
	};
	const recount = createRecount({
		site: site.id,
		watches,
		now: () => clock.now(),
		async flush() {
			await sensors.settle();
			// What other instances set; where readings are folded here, it is known already.
			if (!sensors.isReady()) await loadAnchored();
		},
		tell: async (tx) => deps.notices?.send(tx, recountedKind, site.id),
		record: deps.record
	});
	const stopTimers: StopTimer[] = [];
	let lookedAt = clock.now();
	let seenRevision = -1;

	const figures = (language: 'ar' | 'en' = 'en') =>
		[...watches.values()].map((watch) => watch.figures(language));
	/** Figures of the instance that counts, in the words of this file. */
	const seen = (language: 'ar' | 'en'): Zone[] =>
		figures(language).map((own) => {
			const zone = topic.shown(`zone:${own.id}`) as Zone | undefined;
			return zone ? { ...zone, name: own.name } : (silenced(site, own) as Zone);
		});
	const list = (language: 'ar' | 'en' = 'en') =>
		(topic.source() === 'own' ? figures(language) : seen(language)).map((zone) => ({
			...zone,
			ageSeconds: zone.at === null ? null : Math.max(0, (clock.now() - zone.at) / 1_000)
		}));
	const ownTotal = () => {
		const expected = counters.filter((counter) => !counter.properties.optional || isHeard(counter, lookedAt));
		const heard = expected.filter((counter) => isHeard(counter, lookedAt)).length;
		return sumZones(figures(), { sources: { heard, expected: expected.length }, mark, now: lookedAt });
	};
	const total = () =>
		topic.source() === 'own'
			? ownTotal()
			: ((topic.shown('total') ?? silenced(site, ownTotal())) as CrowdTotal);

	const look = () => {
		lookedAt = clock.now();
		seenRevision = sensors.revision();
		for (const watch of watches.values()) watch.look(lookedAt);
		const shown = new Map(figures().map((zone) => [zone.id, zone]));
		for (const watch of watches.values()) watch.relate((id) => shown.get(id));
		live.show(figures(), ownTotal(), lookedAt, sensors.isReady());
	};
	/** What was read goes on to the glass at once; what only grows old is looked at once a second. */
	const lookAtNews = () => {
		const sinceMs = clock.now() - lookedAt;
		if (sensors.revision() !== seenRevision || sinceMs >= lookEveryMs || sinceMs < 0) look();
	};

	const sample = async () => {
		if (!sensors.isReady()) {
			// Another instance stores them: they are read as it wrote them.
			trend.add(await loadSamples(db, site.id, clock.now() - lookBackMs));
			return;
		}
		const at = Math.floor(lookedAt / 1_000) * 1_000;
		const samples = figures().map((zone) => ({
			zone: zone.id,
			at,
			present: zone.present,
			netPerMinute: zone.netInflowPerMinute,
			quality: zone.quality
		}));
		trend.add(samples);
		await insertSamples(db, site.id, samples);
	};

	/** Starts the counting of a zone anew each night; only where readings are folded. */
	let anchoring = false;
	const anchored = new Set<string>();
	const anchorNightly = async () => {
		if (anchoring || !sensors.isReady()) return;
		const isNews = ({ zone, night, dueAt }: DueAnchor) =>
			watches.get(zone)?.anchoredSince(dueAt) === false && !anchored.has(`${zone} ${night}`);
		const due = dueAnchors(site.zones.values(), site.timeZone, clock.now()).filter(isNews);
		if (due.length === 0) return;
		anchoring = true;
		try {
			await recount.prepare();
			for (const { zone, present, night } of due) {
				const reason = `nightly anchor of ${night}`;
				const request = { zones: { [zone]: present }, actor: 'site', reason, night };
				const settle = await db.transaction().execute((tx) => recount.write(tx, request));
				settle();
				anchored.add(`${zone} ${night}`);
			}
		} finally {
			anchoring = false;
		}
	};

	const loadStored = async () => {
		await loadAnchored();
		for (const watch of watches.values()) watch.forgetFlows();
	};

	/** A recount on another instance holds here, too; told by a notice, and looked for where one was missed. */
	const takeAnchors = async () => {
		if (!sensors.isReady()) return;
		for (const [zone, anchor] of await loadAnchors(db, site.id)) watches.get(zone)?.adoptAnchor(anchor);
	};
	deps.notices?.on(recountedKind, (of) => of === site.id && void takeAnchors().catch(onError));
	deps.notices?.onConnect(() => void takeAnchors().catch(onError));

	sensors.onReady(() => void loadStored().catch(onError));
	sensors.onCrowd(async (present) => {
		await recount.prepare();
		const request = { zones: present, actor: 'simulator', reason: 'a simulated crowd starts' };
		const settle = await db.transaction().execute((tx) => recount.write(tx, request));
		settle();
	});

	return {
		name: 'zones',
		list,
		total,
		look,
		staffRoutes: (app) => zoneRoutes(app, { list, total, trend, recount, record: deps.record, clock }),
		async start() {
			trend.add(await loadSamples(db, site.id, clock.now() - limits.zones.trendKeepMinutes * 60_000));
			await loadStored();
			topic.start();
			look();
			const forget = () =>
				void forgetSamples(db, clock.now() - limits.readings.keepHours * 3_600_000).catch(onError);
			stopTimers.push(
				clock.setInterval(lookAtNews, newsEveryMs),
				clock.setInterval(() => void anchorNightly().catch(onError), 1_000),
				clock.setInterval(() => void sample().catch(onError), trendStepSeconds * 1_000),
				clock.setInterval(forget, 3_600_000)
			);
		},
		async stop() {
			for (const stop of stopTimers.splice(0)) stop();
			topic.stop();
		}
	};
}

/** The instance that counts is not heard: nothing of it is live, and a zone is treated one step worse. */
function silenced(site: Site, value: unknown): unknown {
	const figures = value as Zone | CrowdTotal;
	const quality: Quality = figures.quality === 'unknown' ? 'unknown' : 'stale';
	if (!('id' in figures)) return { ...figures, quality };
	const zone = site.zones.get(figures.id);
	const { present: people, worstCase, capacity } = figures;
	const judged = {
		...{ capacity, people, quality, worst: worstCase?.high ?? null, secondsToCapacity: null },
		areaSquareMetres: zone && zone.areaSquareMetres > 0 ? zone.areaSquareMetres : null
	};
	const step = zone ? actionStep(zone.steps, judged, figures.step) : figures.step;
	return { ...figures, quality, netInflowPerMinute: null, step };
}
