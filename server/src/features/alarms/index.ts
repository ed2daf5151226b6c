import {
	alarmPriorities,
	type Alarm,
	type AlarmFigures,
	type AlarmPriority,
	type AlarmSubjectKind,
	type LocalText,
	type Mark
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { createLeader, TermOver } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { Record } from '../record/index.ts';
import { createAlarmBoard } from './alarm-board.ts';
import { createAlarmCommands, toId } from './alarm-commands.ts';
import { alarmRoutes } from './alarm-routes.ts';
import { insertEvents, lockAlarms, updateAlarm } from './alarm-store.ts';
import { createRefusalRate } from './device-sources.ts';
import { createEvaluator } from './evaluator.ts';
import { createFed, type FedCondition } from './fed.ts';
import { makeFigures } from './figures.ts';
import type { AlarmTexts, Definition, PointId } from './model.ts';
import { definitionsOf, numbersOf } from './rule-numbers.ts';
import { isPast, readSources, type Sources } from './sources.ts';
import { forgetAlarms } from './watch-store.ts';

export type { FedCondition } from './fed.ts';
export type { PartFigures } from './sources.ts';

/** A kind of alarm that another feature brings; without delays of its own it rings and ends at once. */
export interface NewDefinition extends AlarmTexts {
	key: string;
	kind: AlarmSubjectKind;
	priority: AlarmPriority;
	onDelaySeconds?: number;
	offDelaySeconds?: number;
	/** About people in a crowd: a critical one is never shelved. */
	crowd?: boolean;
	/** Calls everybody from the first moment. */
	pagesEverybody?: boolean;
}

/** Alarms and their whole life. */
export interface Alarms extends Feature {
	/** Before the start. */
	define(definitions: readonly NewDefinition[]): void;
	/** The condition of one subject, to be said again and again: what is not repeated becomes unknown, never over. */
	feed(definition: string, subject: { kind: AlarmSubjectKind; id: string }, condition: FedCondition): void;
	/** Subjects with an active alarm of this definition. */
	raised(definition: string): string[];
	/** Something was done about it: it does not ring again. False when there is no such alarm, or it is over. */
	link(tx: Tx, alarm: string, links: Partial<Alarm['links']>, by?: string): Promise<boolean>;
	/** The same for every active alarm of these rules, about this subject where one is named: something was done. */
	linkActive(
		which: { definitions: readonly string[]; subject?: string | undefined },
		links: Partial<Alarm['links']>,
		by: string
	): Promise<void>;
	/** Everything that stands, as screens see it. */
	list(): Alarm[];
	/** One look by hand, for tests. */
	look(): Promise<void>;
}

export interface AlarmDeps {
	database: Database;
	clock: Clock;
	log: Log;
	hub: Hub;
	metrics: Metrics;
	notices: Notices | undefined;
	record: Pick<Record, 'append' | 'runCommand'>;
	season: string;
	mark: Mark;
	instance: string;
	/** Where what is true comes from; the numbers of the rules are those of the site file. */
	sources: Omit<Sources, 'numbers'>;
}

export function createAlarms(deps: AlarmDeps): Alarms {
	const { clock, log, database } = deps;
	const { db } = database;
	const { site } = deps.sources;
	const settings = site.file.marsad.alarms;
	const sources: Sources = { ...deps.sources, numbers: numbersOf(settings) };
	const scope = { season: deps.season, site: site.id };
	const definitions = new Map<string, Definition>(definitionsOf(settings).map((one) => [one.key, one]));
	const rings = deps.metrics.counter('marsad_alarm_annunciations_total', 'Annunciations, by reason', [
		'why',
		'sounds'
	]);
	const capped = deps.metrics.counter('marsad_alarm_conditions_refused_total', 'Conditions past the cap');
	const standing = deps.metrics.gauge('marsad_alarms_active', 'Active alarms by priority', ['priority']);
	const fed = createFed({ clock, onRefused: () => capped.inc() });
	const titleOf = (key: string): LocalText => definitions.get(key)?.title ?? { ar: key, en: key };
	const board = createAlarmBoard({ ...deps, db, scope, titleOf });
	const namesOf = ({ kind, id }: PointId): LocalText =>
		(kind === 'zone' ? site.zones.get(id)?.names : site.gates.find((gate) => gate.id === id)?.name) ?? {
			ar: id,
			en: id
		};
	const refusedPerMinute = createRefusalRate();
	let startedAt = clock.now();
	const leader = createLeader({
		...{ name: `alarms ${scope.season} ${scope.site}`, instance: deps.instance, database, clock, log },
		onElected() {
			startedAt = clock.now();
			evaluator.forget();
		}
	});
	const evaluator = createEvaluator({
		...{ db, clock, log, scope, definitions, record: deps.record },
		conditions: (now, heldOf) => [
			...readSources(sources, heldOf, { now, startedAt, refusedPerMinute }),
			...fed.conditions(definitions, namesOf)
		],
		isPast: (point) => isPast(point, sources),
		check: (tx) => leader.check(tx),
		tell: board.tell,
		onWritten: board.refresh,
		onRing: ({ why, sounds }) => rings.inc({ why, sounds: String(sounds) })
	});
	const commands = createAlarmCommands({ clock, scope, record: deps.record, board, definitions, namesOf });
	const figures = async (): Promise<AlarmFigures> =>
		makeFigures({ db, scope, now: clock.now(), mark: deps.mark, shown: await board.read() });
	const stops: StopTimer[] = [];
	let looking = false;
	let failing = false;

	const look = async () => {
		if (looking || leader.term() === null) return;
		looking = true;
		try {
			await evaluator.look();
			failing = false;
			const { active } = board.shown().summary;
			for (const priority of alarmPriorities) standing.set({ priority }, active[priority]);
		} catch (error) {
			if (!failing && !(error instanceof TermOver)) log.warn({ err: error }, 'alarms could not be looked at');
			failing = true;
		} finally {
			looking = false;
		}
	};
	const forget = () => {
		const before = clock.now() - limits.alarms.keepDays * 86_400_000;
		void forgetAlarms(db, scope, before).catch((error: unknown) =>
			log.warn({ err: error }, 'old alarms could not be deleted')
		);
	};

	const link: Alarms['link'] = async (tx, id, links, by = 'marsad') => {
		const [alarm] = await lockAlarms(tx, scope, [toId(id)]);
		if (!alarm || alarm.overAt !== null) return false;
		// Every instance hears of what was done: the first one writes it.
		const isNews = Object.entries(links).some(
			([key, value]) => alarm.links[key as keyof Alarm['links']] !== value
		);
		if (!isNews) return true;
		alarm.links = { ...alarm.links, ...links };
		alarm.ringsAgainAt = null;
		await updateAlarm(tx, alarm);
		const text = Object.entries(links)
			.map(([key, value]) => `${key} ${value}`)
			.join(', ');
		await insertEvents(tx, [[alarm, [{ at: clock.now(), kind: 'linked', by, text }]]]);
		await board.tell(tx);
		return true;
	};

	return {
		name: 'alarms',
		define(added) {
			for (const one of added) definitions.set(one.key, toDefinition(one));
		},
		feed: (definition, subject, condition) => fed.feed({ definition, ...subject }, condition),
		raised: (definition) =>
			board
				.shown()
				.alarms.filter(
					(alarm) => alarm.definition === definition && alarm.returnedAt === null && alarm.state !== 'normal'
				)
				.map(({ subject }) => subject.id),
		link,
		async linkActive({ definitions: rules, subject }, links, by) {
			const active = board
				.shown()
				.alarms.filter(
					(alarm) =>
						rules.includes(alarm.definition) &&
						(subject === undefined || alarm.subject.id === subject) &&
						alarm.returnedAt === null &&
						alarm.state !== 'normal'
				);
			if (active.length === 0) return;
			await db.transaction().execute(async (tx) => {
				for (const { id } of active.toSorted((a, b) => Number(a.id) - Number(b.id)))
					await link(tx, id, links, by);
			});
			await board.refresh();
		},
		list: () => board.shown().alarms,
		look,
		staffRoutes: (app) =>
			alarmRoutes(app, { db, clock, scope, board, commands, record: deps.record, definitions, figures }),
		async start() {
			await board.start();
			leader.start();
			stops.push(
				clock.setInterval(() => void look(), limits.alarms.lookEveryMs),
				clock.setInterval(forget, 3_600_000)
			);
		},
		async stop() {
			for (const stop of stops.splice(0)) stop();
			board.stop();
			await leader.stop();
		}
	};
}

function toDefinition(one: NewDefinition): Definition {
	const { priority, onDelaySeconds = 0, offDelaySeconds = 0, crowd = false, ...rest } = one;
	return { ...rest, priorities: [priority], onDelaySeconds, offDelaySeconds, crowd, deadband: 0, unit: '' };
}
