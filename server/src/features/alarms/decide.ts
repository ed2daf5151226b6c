import {
	claimGoneAfterMs,
	escalateAfterMs,
	ringAgainAfterMs,
	type AlarmEventKind
} from '../../../contract/index.ts';
import {
	isLinked,
	isShelvable,
	pointKey,
	type AlarmChange,
	type Aside,
	type Condition,
	type Definition,
	type StoredAlarm,
	type Why
} from './model.ts';

/** One point as the rules see it now. */
export interface PointNow {
	condition: Condition;
	held: number;
	definition: Definition;
}

/** What has to be written. Alarms are new objects; what is not named stays as it is. */
export interface Plan {
	changed: Map<StoredAlarm, AlarmChange[]>;
	/** Annunciations asked for, in order. */
	rings: { alarm: StoredAlarm; why: Why }[];
	/** Shelves whose time is over. */
	ended: Aside[];
}

/** Evidence that moves is written at this pace. */
const evidenceEveryMs = 5_000;

/**
 * What becomes of all standing alarms by what is true now. Pure: given the same store and the same conditions it says
 * the same, so that a restart repeats nothing.
 */
export function decideAlarms(options: {
	points: readonly PointNow[];
	standing: readonly StoredAlarm[];
	asides: readonly Aside[];
	now: number;
}): Plan {
	const { now } = options;
	const plan: Plan = { changed: new Map(), rings: [], ended: [] };
	const standing = options.standing.map((alarm) => ({ ...alarm }));
	const note = (alarm: StoredAlarm, kind: AlarmEventKind | null, text: string | null = null) => {
		const changes = plan.changed.get(alarm) ?? [];
		if (kind) changes.push({ at: now, kind, by: null, text });
		plan.changed.set(alarm, changes);
	};
	const ring = (alarm: StoredAlarm, why: Why) => void plan.rings.push({ alarm, why });
	const aside = new Set(options.asides.map(({ point }) => pointKey(point)));
	const isQuiet = (alarm: StoredAlarm) => aside.has(pointKey(alarm.point)) || alarm.suppressed !== null;
	const context: Context = { now, note, ring, isQuiet };

	const activeOf = new Map(
		standing.filter(({ returnedAt }) => returnedAt === null).map((alarm) => [pointKey(alarm.point), alarm])
	);
	for (const point of options.points) {
		const key = pointKey(point.condition);
		const active = activeOf.get(key);
		if (!active && point.held > 0) activeOf.set(key, raise(point, standing, context));
		else if (active) follow(active, point, context);
	}
	plan.ended = options.asides.filter((one) => isEnded(one, activeOf.get(pointKey(one.point)), now));
	for (const ended of plan.ended) {
		const key = pointKey(ended.point);
		const isHeld = options.asides.some((one) => pointKey(one.point) === key && !plan.ended.includes(one));
		if (!isHeld) aside.delete(key);
		const alarm = activeOf.get(key);
		if (alarm && alarm.returnedAt === null) note(alarm, 'unshelved');
	}
	const rung = new Set(plan.rings.map(({ alarm }) => alarm));
	/** Held by its off-delay alone: nobody is called for what is about to go. */
	const isLeaving = new Set(
		options.points
			.filter(({ condition }) => condition.level === 0)
			.map(({ condition }) => pointKey(condition))
	);
	for (const [key, alarm] of activeOf) {
		if (alarm.returnedAt !== null || isQuiet(alarm) || rung.has(alarm)) continue;
		// What was put aside is heard when it comes back.
		if (alarm.annunciatedAt !== null) runClocks(alarm, context);
		else if (!isLeaving.has(key)) wake(alarm, context);
	}
	return plan;
}

/** A shelf is for a time, and not for what has become too bad to be put aside. */
function isEnded({ how, until }: Aside, alarm: StoredAlarm | undefined, now: number): boolean {
	if (until !== null && until <= now) return true;
	return how === 'shelved' && alarm?.returnedAt === null && !isShelvable(alarm);
}

interface Context {
	now: number;
	note(alarm: StoredAlarm, kind: AlarmEventKind | null, text?: string | null): void;
	ring(alarm: StoredAlarm, why: Why): void;
	isQuiet(alarm: StoredAlarm): boolean;
}

/** Every raise is an occurrence of its own; the one before, if nobody has seen it, is followed by it. */
function raise(point: PointNow, standing: StoredAlarm[], context: Context): StoredAlarm {
	const { condition, held, definition } = point;
	const { now } = context;
	for (const before of standing) {
		if (before.overAt !== null || pointKey(before.point) !== pointKey(condition)) continue;
		before.overAt = now;
		context.note(before, 'over', 'again');
	}
	const alarm: StoredAlarm = {
		...{ id: null, level: held, priority: priorityOf(point), raisedAt: now, dataLost: false },
		point: { definition: condition.definition, kind: condition.kind, id: condition.id },
		shown: shownOf(definition, condition),
		evidence: evidenceOf(condition, now),
		...{ worsenedAt: null, returnedAt: null, overAt: null, acknowledged: null, confirmed: null, claim: null },
		...{ quality: condition.quality, mark: condition.mark },
		links: { team: null, dispatch: null, gate: null, level: null },
		...{ annunciatedAt: null, ringsAgainAt: null, rangAgain: 0, soundSeq: 0 },
		escalation: definition.pagesEverybody ? { step: 'everybody', at: now } : null,
		suppressed: condition.suppressed ? { since: now, why: condition.suppressed } : null,
		inFlood: false
	};
	context.note(alarm, 'raised');
	if (alarm.escalation) context.note(alarm, 'escalated', 'everybody');
	if (alarm.suppressed) context.note(alarm, 'suppressed');
	if (!context.isQuiet(alarm)) context.ring(alarm, 'raised');
	return alarm;
}

/** Worse, milder, gone, without data, put aside by design: whatever the condition says of an active alarm. */
function follow(alarm: StoredAlarm, point: PointNow, context: Context): void {
	const { condition, held } = point;
	const { now, note } = context;
	if (held === 0) return comeBack(alarm, condition, context);
	const dataLost = condition.level === null;
	if (dataLost !== alarm.dataLost) {
		alarm.dataLost = dataLost;
		note(alarm, dataLost ? 'data-lost' : 'data-back');
	}
	noteEvidence(alarm, point, context);
	const wasSuppressed = alarm.suppressed !== null;
	// What is about to go by its off-delay alone is not brought back onto the list for those seconds.
	const isLeaving = wasSuppressed && condition.level === 0;
	if (wasSuppressed !== Boolean(condition.suppressed) && !isLeaving) {
		alarm.suppressed = condition.suppressed ? { since: now, why: condition.suppressed } : null;
		if (alarm.suppressed) alarm.annunciatedAt = null;
		note(alarm, condition.suppressed ? 'suppressed' : 'unsuppressed');
	}
	if (held > alarm.level) {
		Object.assign(alarm, { level: held, priority: priorityOf(point), worsenedAt: now });
		note(alarm, 'worsened');
		if (!context.isQuiet(alarm)) wake(alarm, context, 'worsened');
		return;
	}
	if (held < alarm.level) {
		Object.assign(alarm, { level: held, priority: priorityOf(point) });
		note(alarm, 'eased');
	}
}

function comeBack(alarm: StoredAlarm, condition: Condition, { now, note }: Context): void {
	// What was put aside all the while called nobody: nobody has to say that it was seen.
	const isSeen = alarm.acknowledged !== null || alarm.annunciatedAt === null;
	Object.assign(alarm, {
		...{ returnedAt: now, overAt: isSeen ? now : null, dataLost: false },
		...{ ringsAgainAt: null, escalation: null, claim: isSeen ? null : alarm.claim },
		evidence: evidenceOf(condition, now)
	});
	note(alarm, 'returned');
	if (isSeen) note(alarm, 'over');
}

function noteEvidence(alarm: StoredAlarm, { condition, definition }: PointNow, { now, note }: Context): void {
	const { evidence } = alarm;
	const { quality, mark } = condition;
	// Without data the last value that was known stays, at its own moment.
	const next = condition.level === null ? evidence : evidenceOf(condition, now);
	const shown = shownOf(definition, condition);
	const isSame =
		next.value === evidence.value &&
		next.limit === evidence.limit &&
		quality === alarm.quality &&
		JSON.stringify(shown) === JSON.stringify(alarm.shown);
	if (isSame || (now - evidence.at < evidenceEveryMs && quality === alarm.quality)) return;
	Object.assign(alarm, { evidence: next, shown, quality, mark });
	note(alarm, null);
}

/** It needs a hand again: as if it had just been raised. */
function wake(alarm: StoredAlarm, { ring, note }: Context, why: Why = 'raised'): void {
	Object.assign(alarm, { acknowledged: null, confirmed: null, ringsAgainAt: null, escalation: null });
	note(alarm, null);
	ring(alarm, why);
}

/** Acknowledged is not done; and a critical one that nobody touches calls others. */
function runClocks(alarm: StoredAlarm, { now, note, ring }: Context): void {
	if (alarm.ringsAgainAt !== null && (alarm.confirmed || isLinked(alarm))) {
		alarm.ringsAgainAt = null;
		note(alarm, null);
	}
	if (alarm.ringsAgainAt !== null && now >= alarm.ringsAgainAt) {
		Object.assign(alarm, { acknowledged: null, ringsAgainAt: null, rangAgain: alarm.rangAgain + 1 });
		note(alarm, 'rang-again');
		ring(alarm, 'again');
		return;
	}
	if (alarm.priority !== 'critical' || alarm.acknowledged || alarm.annunciatedAt === null) return;
	// Who has it and is gone has it no more: from then on nobody touches it.
	const heldUntil = alarm.claim ? alarm.claim.heartbeatAt + claimGoneAfterMs : 0;
	const untouchedMs = now - Math.max(alarm.annunciatedAt, heldUntil);
	const step =
		untouchedMs >= escalateAfterMs.everybody
			? 'everybody'
			: untouchedMs >= escalateAfterMs.dutyManager
				? 'duty-manager'
				: null;
	if (step === null || alarm.escalation?.step === step || alarm.escalation?.step === 'everybody') return;
	alarm.escalation = { step, at: now };
	note(alarm, 'escalated', step);
	ring(alarm, 'escalated');
}

/** When an acknowledged alarm rings again; null: it does not. */
export function ringsAgainAt(alarm: StoredAlarm, now: number): number | null {
	const afterMs = ringAgainAfterMs[alarm.priority];
	return afterMs === null || alarm.confirmed || isLinked(alarm) || alarm.returnedAt !== null
		? null
		: now + afterMs;
}

function priorityOf({ condition, definition, held }: PointNow) {
	const priorities = condition.priorities ?? definition.priorities;
	return priorities[Math.min(held, priorities.length) - 1] ?? 'low';
}

function evidenceOf({ value, limit, unit }: Condition, at: number): StoredAlarm['evidence'] {
	return { value, limit, unit, at };
}

function shownOf(definition: Definition, condition: Condition): StoredAlarm['shown'] {
	const { title, consequence, timeToRespondSeconds, crowd } = definition;
	return {
		...{ title, consequence, timeToRespondSeconds, crowd },
		cause: condition.cause ?? definition.cause,
		action: condition.action ?? definition.action,
		...{ names: condition.names, zone: condition.zone, who: condition.who ?? null }
	};
}
