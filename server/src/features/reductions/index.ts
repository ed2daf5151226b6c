import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import type { OfferAnswer, OfferAnswered } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { createLeader, TermOver } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { Booking } from '../booking/index.ts';
import type { Entries } from '../entries/index.ts';
import type { Identity, Permits, SiteNames } from '../permits/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { answerOffer, findOffer } from './offers.ts';
import { offerRoutes } from './offer-routes.ts';
import { previewReduction } from './preview.ts';
import { createReductionCommands } from './reduction-commands.ts';
import { reductionRoutes } from './reduction-routes.ts';
import { createReductionWorker } from './reduction-worker.ts';
import { listReductions } from './reductions-store.ts';
import type { Settled } from './settle.ts';
import { showReductions } from './show.ts';

/** Slots that shrink or close: who is affected, what they are offered, and what comes of it. */
export interface Reductions extends Feature {
	/** One round of the leader by hand, for tests; nothing where another instance leads. */
	round(): Promise<void>;
	/** Reads what screens show, by hand, for tests. */
	look(): Promise<void>;
	/** True while this instance does the rounds. */
	leads(): boolean;
}

export interface ReductionDeps {
	database: Database;
	clock: Clock;
	log: Log;
	hub: Hub;
	metrics: Metrics;
	record: Pick<TheRecord, 'append' | 'runCommand'>;
	identity: Identity;
	permits: Permits;
	booking: Pick<Booking, 'moves'>;
	entries: Pick<Entries, 'movedGraceMs'>;
	site: SiteNames;
	/** The zones of each place. */
	zonesOf: ReadonlyMap<string, readonly string[]>;
	season: string;
	room: string;
	instance: string;
}

export function createReductions(deps: ReductionDeps): Reductions {
	const { clock, log, site, permits, season, room } = deps;
	const { db } = deps.database;
	const { moves } = deps.booking;
	const scope = { season, room };
	const now = () => clock.now();
	const leader = createLeader({ ...deps, name: `reductions ${season} ${room}` });
	const counted = createReductionMetrics(deps.metrics);
	const common = { ...{ scope, season, site, permits, moves, now }, zonesOf: deps.zonesOf };
	const settling = { ...common, db, graceMs: deps.entries.movedGraceMs };
	const worker = createReductionWorker({
		...settling,
		record: deps.record,
		check: (tx) => leader.check(tx),
		onSettled: counted.settled,
		onOffered: counted.offered,
		onMoved: moves.moved
	});

	const list = async () => {
		const stored = await listReductions(
			db,
			scope,
			now() - limits.reductions.shownAfterMs,
			limits.reductions.shownMax
		);
		return showReductions(db, season, site, stored);
	};
	const topic = deps.hub.topic('crowd');
	let shown = new Set<string>();
	/** Nothing is offered to anybody: permits are shown without asking. */
	let anyRunning = true;
	const look = async () => {
		const all = await list();
		anyRunning = all.some(({ state }) => state === 'running');
		for (const one of all) topic.set(`reduction:${one.id}`, one);
		const ids = new Set(all.map(({ id }) => id));
		for (const id of shown) if (!ids.has(id)) topic.remove(`reduction:${id}`);
		shown = ids;
	};

	let failing = false;
	const watch = async (work: () => Promise<void>) => {
		try {
			await work();
			failing = false;
		} catch (error) {
			if (error instanceof TermOver) return;
			if (!failing) log.warn({ err: error }, 'reductions wait');
			failing = true;
		}
	};
	let running: Promise<void> | null = null;
	/** One round at a time. */
	const round = async () => {
		if (leader.term() === null) return;
		running ??= worker.round().finally(() => (running = null));
		await running;
	};
	const soon = () => {
		anyRunning = true;
		void watch(async () => {
			await round();
			await look();
		});
	};

	const commands = createReductionCommands({ ...common, record: deps.record, onChanged: soon });
	const answers = bulkhead(limits.reductions.answersConcurrent, limits.reductions.answersWaiting);
	const answer = async (holder: string, id: string, said: OfferAnswer): Promise<OfferAnswered> => {
		try {
			const { answered, settled } = await answers.execute(() => answerOffer(settling, holder, id, said));
			counted.settled(settled);
			for (const { change } of settled) if (change) moves.moved(change);
			return answered;
		} catch (error) {
			if (isBulkheadRejectedError(error)) throw new AppError('busy', {}, 10);
			throw error;
		}
	};
	permits.setOffers(async (permit) => (anyRunning ? findOffer({ ...common, db }, permit) : null));

	const stops: StopTimer[] = [];
	return {
		name: 'reductions',
		round,
		look,
		leads: () => leader.term() !== null,
		hotRoutes: (app) => offerRoutes(app, { identity: deps.identity, answer }),
		staffRoutes: (app) =>
			reductionRoutes(app, {
				...{ record: deps.record, commands, list, now },
				preview: (request) => previewReduction(common, db, request)
			}),
		async start() {
			await watch(look);
			leader.start();
			stops.push(
				clock.setInterval(() => void watch(round), limits.reductions.roundMs),
				clock.setInterval(() => void watch(look), limits.reductions.pollMs)
			);
		},
		async stop() {
			for (const stop of stops.splice(0)) stop();
			await running?.catch(() => undefined);
			await leader.stop();
		}
	};
}

function createReductionMetrics(metrics: Metrics) {
	const offers = metrics.counter(
		'marsad_reductions_permits_total',
		'Permits of slots that shrank or closed, by what has come of them',
		['state']
	);
	return {
		offered(permits: { offered: number; waiting: number }) {
			offers.inc({ state: 'offered' }, permits.offered);
			offers.inc({ state: 'waiting' }, permits.waiting);
		},
		settled(settled: readonly Settled[]) {
			for (const { state } of settled) offers.inc({ state });
		}
	};
}
