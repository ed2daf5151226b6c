import { floodWindowMs } from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Record } from '../record/index.ts';
import {
	insertAlarms,
	insertEvents,
	insertRings,
	listStanding,
	lockStanding,
	updateAlarms,
	type Scope,
	type WrittenAlarm
} from './alarm-store.ts';
import { decideAlarms, type Plan, type PointNow } from './decide.ts';
import { planFlood, type Ring } from './flood.ts';
import { pointKey, type Condition, type Definition, type PointId, type StoredAlarm } from './model.ts';
import { advanceRule, newRuleMemory, type RuleMemory } from './rule.ts';
import {
	beginFlood,
	countRings,
	deleteAside,
	endFlood,
	findFlood,
	listAsides,
	noteEvaluated
} from './watch-store.ts';

const recorded: ReadonlySet<string> = new Set(['raised', 'worsened', 'returned', 'escalated']);

/** As many as a zone can have steps. */
const levelsMax = 12;

/** Looks at all rules once a second, on the one instance that leads, and writes what changed. */
export interface Evaluator {
	/** One look. Resolves when what it found is stored. */
	look(): Promise<void>;
	/** Another term began: memory starts from the store. */
	forget(): void;
}

export function createEvaluator(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	scope: Scope;
	record: Pick<Record, 'append'>;
	definitions: ReadonlyMap<string, Definition>;
	/** What is true now; `heldOf` is the level in force of a point. */
	conditions(now: number, heldOf: (key: string) => number): Condition[];
	/** There is nothing left of which anybody could speak. */
	isPast(point: PointId): boolean;
	/** Refuses the transaction where another instance leads. */
	check(tx: Tx): Promise<void>;
	tell(tx: Tx): Promise<void>;
	onWritten(): Promise<void>;
	onRing(ring: Ring): void;
}): Evaluator {
	const { db, clock, scope, definitions } = deps;
	let memories: Map<string, RuleMemory> | null = null;

	/** What stands was true when it was stored: a restart goes on from there. */
	const prime = (standing: readonly WrittenAlarm[]) => {
		const primed = new Map<string, RuleMemory>();
		for (const alarm of standing) {
			if (alarm.returnedAt !== null) continue;
			primed.set(pointKey(alarm.point), newRuleMemory(levelsMax, alarm.level));
		}
		return primed;
	};

	const advance = (
		all: Map<string, RuleMemory>,
		standing: readonly WrittenAlarm[],
		now: number
	): PointNow[] => {
		const conditions = deps.conditions(now, (key) => all.get(key)?.held ?? 0);
		const heard = new Map(conditions.map((condition) => [pointKey(condition), condition]));
		// What nobody speaks of any more is unknown, and over only when there is nothing left to speak of.
		for (const alarm of standing) {
			const key = pointKey(alarm.point);
			if (alarm.returnedAt !== null || heard.has(key)) continue;
			const isPast = !definitions.has(alarm.point.definition) || deps.isPast(alarm.point);
			heard.set(key, lastSaid(alarm, isPast ? 0 : null));
		}
		const points: PointNow[] = [];
		for (const [key, condition] of heard) {
			const definition = definitions.get(condition.definition) ?? goneDefinition(condition);
			const before = all.get(key) ?? newRuleMemory(levelsMax);
			const memory = advanceRule(before, definition, condition.level, now);
			all.set(key, memory);
			points.push({ condition, held: memory.held, definition });
		}
		return points;
	};

	const write = async (points: readonly PointNow[], now: number) => {
		const rings: Ring[] = [];
		await db.transaction().execute(async (tx) => {
			await deps.check(tx);
			const standing = await lockStanding(tx, scope);
			const asides = await listAsides(tx, scope);
			const plan = decideAlarms({ points, standing, asides, now });
			for (const { point, how } of plan.ended) await deleteAside(tx, scope, point, how);
			const fresh = [...plan.changed.keys()].filter(({ id }) => id === null);
			await insertAlarms(tx, scope, fresh);
			rings.push(...(await sound(tx, plan, now)));
			const rang = new Set(rings.map(({ alarm }) => alarm));
			const changed = [...plan.changed.keys()].filter((alarm) => !fresh.includes(alarm) || rang.has(alarm));
			await updateAlarms(tx, changed as WrittenAlarm[]);
			await insertEvents(tx, [...plan.changed]);
			await note(tx, plan);
			await noteEvaluated(tx, scope, now);
			await deps.tell(tx);
		});
		for (const ring of rings) deps.onRing(ring);
	};
	/** What called people is on the record; what was put aside all the while stands in the alarm's own history. */
	const note = async (tx: Tx, { changed }: Plan) => {
		for (const [alarm, changes] of changed) {
			if (alarm.annunciatedAt === null) continue;
			for (const { kind, text } of changes.filter((change) => recorded.has(change.kind)))
				await deps.record.append(tx, {
					...{ actor: 'marsad', action: `alarm.${kind}`, subject: `alarm:${alarm.id}` },
					after: { ...describe(alarm), ...(text ? { to: text } : {}) }
				});
		}
	};
	const sound = async (tx: Tx, plan: Plan, now: number): Promise<Ring[]> => {
		const flood = await findFlood(tx, scope);
		const recent = await countRings(tx, scope, now - floodWindowMs);
		const { rings, begins, ends } = planFlood({ rings: plan.rings, recent, inFlood: flood !== null });
		const seqs = await insertRings(
			tx,
			scope,
			rings.map(({ alarm, why, sounds }) => ({
				...{ alarm: alarm?.id ?? null, at: now, why, priority: alarm?.priority ?? 'high', sounds }
			}))
		);
		for (const [index, { alarm, why, sounds }] of rings.entries()) {
			if (!alarm) continue;
			if (why !== 'escalated') alarm.annunciatedAt = now;
			if (sounds) alarm.soundSeq = seqs[index]!;
		}
		if (begins) await beginFlood(tx, scope, { at: now, first: firstOf(plan.rings)?.id ?? null });
		if (ends) await endFlood(tx, scope, now);
		return rings;
	};

	return {
		async look() {
			const now = clock.now();
			const standing = await listStanding(db, scope);
			memories ??= prime(standing);
			const points = advance(memories, standing, now);
			const asides = await listAsides(db, scope);
			const plan = decideAlarms({ points, standing, asides, now });
			const mayEndFlood = plan.changed.size === 0 && (await findFlood(db, scope)) !== null;
			if (plan.changed.size > 0 || plan.ended.length > 0 || mayEndFlood) await write(points, now);
			else await noteEvaluated(db, scope, now);
			await deps.onWritten();
		},
		forget() {
			memories = null;
		}
	};
}

const firstOf = (rings: Plan['rings']): StoredAlarm | undefined => rings[0]?.alarm;

function describe({ point, priority, evidence }: StoredAlarm) {
	return {
		...{ definition: point.definition, subject: `${point.kind}:${point.id}`, priority },
		value: evidence.value
	};
}

/** What an alarm says of itself, where no source does. */
function lastSaid({ point, shown, evidence, mark, suppressed }: WrittenAlarm, level: 0 | null): Condition {
	const { names, zone, action, cause, who } = shown;
	const { limit, unit } = evidence;
	return {
		...{ ...point, level, value: level === null ? evidence.value : null, limit, unit, names, zone },
		...{ quality: 'unknown', mark, action, cause, who, suppressed: suppressed?.why }
	};
}

/** A rule that is no more: what it raised ends. */
function goneDefinition({ definition, kind, names, unit }: Condition): Definition {
	const texts = { title: names, cause: names, consequence: names, action: names, timeToRespondSeconds: 0 };
	const rule = { onDelaySeconds: 0, offDelaySeconds: 0, deadband: 0, priorities: [] };
	return { key: definition, kind, ...texts, ...rule, unit, crowd: false };
}
