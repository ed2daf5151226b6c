import type { FastifyRequest } from 'fastify';
import {
	createHijriCalendar,
	nextSpike,
	announcedMonths,
	type HijriCalendar,
	type KnownSpike,
	type Mark,
	type SeasonPlan
} from '../../../contract/index.ts';
import type { PrayerRule } from '../../calendar/prayer-times.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { People } from '../people/index.ts';
import type { Record } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import { ensureDemoSeason } from './demo-season.ts';
import { freezeOf, reasonThrough } from './freeze-guard.ts';
import { createSeasonBoard } from './season-board.ts';
import { seasonRoutes } from './season-routes.ts';
import { prayerRuleOf } from './site-prayers.ts';

/** The calendar of the season: known spikes, freezes, capacity orders, roster, months as they were announced. */
export interface Season extends Feature {
	/** As of the last reading. */
	plan(): SeasonPlan;
	/** The spike that runs or comes next; null: none is known. */
	next(): KnownSpike | null;
	/** The Hijri calendar in force, announced months included. */
	calendar(): HijriCalendar;
	/** How the site reckons its prayer times. */
	prayerRule: PrayerRule;
	/**
	 * In front of every staff command: refuses what a freeze covers, or writes down why it goes through.
	 * @throws AppError frozen
	 */
	guardFreeze(request: FastifyRequest): Promise<void>;
}

export interface SeasonDeps {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	record: Record;
	people: Pick<People, 'holdsRole' | 'peopleOfRole'>;
	site: Site;
	season: string;
	mark: Mark;
	notices: Notices | undefined;
	/** A plan to look at comes with the first start. */
	demo: boolean;
}

export function createSeason(deps: SeasonDeps): Season {
	const { db, clock, record, site } = deps;
	const { timeZone } = site;
	const scope = { season: deps.season, site: site.id };
	const rule = prayerRuleOf(site.file);
	const board = createSeasonBoard({ ...deps, scope, context: { timeZone, rule, mark: deps.mark } });
	const places = new Set(site.places.map(({ id }) => id));
	return {
		name: 'season',
		plan: board.plan,
		next: () => nextSpike(board.plan().spikes, clock.now()),
		calendar: () => createHijriCalendar(announcedMonths(board.plan().sightings)),
		prayerRule: rule,
		async guardFreeze(request) {
			if (request.method === 'GET' || !request.account) return;
			const call = `${request.method} ${request.routeOptions.url ?? ''}`;
			const freeze = freezeOf(board.plan(), call, clock.now());
			if (!freeze) return;
			const reason = reasonThrough(request, freeze);
			const { email } = request.account;
			await db.transaction().execute((tx) =>
				record.append(tx, {
					...{ actor: email, action: 'season.freeze.through', subject: `freeze:${freeze.id}`, reason },
					after: { call }
				})
			);
		},
		staffRoutes: (app) => seasonRoutes(app, { ...deps, board, scope, timeZone, rule, places }),
		async start() {
			if (deps.demo) {
				const place = site.places[0]?.id ?? null;
				await ensureDemoSeason(db, { scope, now: clock.now(), timeZone, place, people: deps.people });
			}
			await board.start();
		},
		async stop() {
			board.stop();
		}
	};
}
