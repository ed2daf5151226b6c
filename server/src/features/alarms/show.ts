import {
	alarmPriorities,
	claimGoneAfterMs,
	staleAfterMs,
	type Alarm,
	type AlarmAside,
	type AlarmSummary,
	type LocalText,
	type Mark
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { WrittenAlarm } from './alarm-store.ts';
import { isShelvable, pointKey, stateOf, type Aside, type PointId } from './model.ts';
import type { StoredWatch } from './watch-store.ts';

/** Everything that is stored about what stands. */
export interface Stored {
	standing: WrittenAlarm[];
	watch: StoredWatch;
	/** Points that went on and off at least three times within a minute. */
	chattering: ReadonlySet<string>;
}

/** Alarms as screens see them. */
export interface Shown {
	alarms: Alarm[];
	summary: AlarmSummary;
	aside: AlarmAside[];
}

export interface ShowContext {
	now: number;
	mark: Mark;
	titleOf(definition: string): LocalText;
}

/** One occurrence as screens see it. Pure. */
export function showAlarm(
	alarm: WrittenAlarm,
	{ asides, chattering, now }: { asides: readonly Aside[]; chattering: ReadonlySet<string>; now: number }
): Alarm {
	const own = asides.filter(({ point }) => pointKey(point) === pointKey(alarm.point));
	const shelf = own.find(({ how, until }) => how === 'shelved' && (until ?? 0) > now);
	const out = own.find(({ how }) => how === 'out-of-service');
	const { shown, claim, point } = alarm;
	const { title, cause, consequence, action, timeToRespondSeconds, who, zone, names } = shown;
	return {
		...{ id: String(alarm.id), definition: point.definition, priority: alarm.priority },
		subject: { kind: point.kind, id: point.id, names },
		...{ zone, state: stateOf(alarm), dataLost: alarm.dataLost },
		...{ title, cause, consequence, action, who, timeToRespondSeconds },
		...{ raisedAt: alarm.raisedAt, worsenedAt: alarm.worsenedAt, returnedAt: alarm.returnedAt },
		...{ evidence: alarm.evidence, acknowledged: alarm.acknowledged, confirmed: alarm.confirmed },
		claim: claim && { ...claim, alive: now - claim.heartbeatAt <= claimGoneAfterMs },
		...{ links: alarm.links, ringsAgainAt: alarm.ringsAgainAt, rangAgain: alarm.rangAgain },
		escalation: alarm.escalation,
		shelved: shelf
			? { by: shelf.by, byId: shelf.byId, at: shelf.at, until: shelf.until ?? now, reason: shelf.reason }
			: null,
		...{ shelvable: isShelvable(alarm), suppressed: alarm.suppressed },
		outOfService: out ? { by: out.by, byId: out.byId, at: out.at, reason: out.reason } : null,
		...{ soundSeq: alarm.soundSeq, inFlood: alarm.inFlood, chattering: chattering.has(pointKey(point)) },
		stale: alarm.returnedAt === null && now - alarm.raisedAt >= staleAfterMs,
		...{ quality: alarm.quality, mark: alarm.mark }
	};
}

export const isAside = ({ shelved, suppressed, outOfService }: Alarm) =>
	shelved !== null || suppressed !== null || outOfService !== null;
const isActive = ({ state }: Alarm) => state === 'unacknowledged' || state === 'acknowledged';
const rank = ({ priority }: Alarm) => alarmPriorities.indexOf(priority);

/** Worst first, then what nobody has seen, then the oldest. */
export function inOrder(alarms: readonly Alarm[]): Alarm[] {
	const unseen = ({ state }: Alarm) => (state === 'unacknowledged' ? 0 : state === 'acknowledged' ? 1 : 2);
	return alarms.toSorted(
		(a, b) =>
			rank(a) - rank(b) || unseen(a) - unseen(b) || a.raisedAt - b.raisedAt || Number(a.id) - Number(b.id)
	);
}

/** All of them. Pure. */
export function showAll({ standing, watch, chattering }: Stored, context: ShowContext): Shown {
	const { now } = context;
	const { asides } = watch;
	const alarms = standing.map((alarm) => showAlarm(alarm, { asides, chattering, now }));
	const open = alarms.filter((alarm) => !isAside(alarm));
	const active = open.filter(isActive);
	const ordered = inOrder(active);
	const aside = showAsides(asides, alarms, context);
	const steps = active.flatMap(({ escalation }) => (escalation ? [escalation.step] : []));
	const summary: AlarmSummary = {
		at: now,
		active: countBy(active),
		unacknowledged: countBy(active.filter(({ state }) => state === 'unacknowledged')),
		returned: open.filter(({ state }) => state === 'returned-unacknowledged').length,
		shelved: aside.filter(({ how }) => how === 'shelved').length,
		suppressed: alarms.filter((alarm) => alarm.suppressed && isActive(alarm)).length,
		outOfService: aside.filter(({ how }) => how === 'out-of-service').length,
		dataLost: active.filter(({ dataLost }) => dataLost).length,
		perTenMinutes: watch.recent,
		flood: watch.flood && {
			since: watch.flood.since,
			first: watch.flood.first === null ? null : String(watch.flood.first),
			hidden: active.filter(({ inFlood }) => inFlood).length
		},
		sound: watch.sound,
		first: ordered.slice(0, 10).map(({ id }) => id),
		escalation: steps.includes('everybody') ? 'everybody' : (steps[0] ?? null),
		evaluatedAt: watch.evaluatedAt,
		more: alarms.length > limits.alarms.shownMax,
		mark: context.mark
	};
	return { alarms, summary, aside };
}

/** What is put aside now; what has ended is not. Pure. */
export function showAsides(
	asides: readonly Aside[],
	alarms: readonly Alarm[],
	context: Pick<ShowContext, 'now' | 'titleOf'>
): AlarmAside[] {
	return asides
		.filter(({ until }) => until === null || until > context.now)
		.map(({ point, how, by, at, until, reason, names }) => ({
			...{ definition: point.definition, subject: { kind: point.kind, id: point.id, names } },
			...{ title: context.titleOf(point.definition), how, by, at, until, reason },
			alarm: alarms.findLast((other) => isSame(other, point))?.id ?? null
		}));
}

const isSame = ({ definition, subject }: Alarm, point: PointId) =>
	definition === point.definition && subject.kind === point.kind && subject.id === point.id;

function countBy(alarms: readonly Alarm[]): AlarmSummary['active'] {
	const counts = { critical: 0, high: 0, medium: 0, low: 0 };
	for (const { priority } of alarms) counts[priority] += 1;
	return counts;
}
