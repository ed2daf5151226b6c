import {
	unansweredAfterMs,
	type Dispatch,
	type DispatchCondition,
	type DispatchConditionKey,
	type LocalText
} from '../../../contract/index.ts';
import type { AlarmPort } from './ports.ts';

/** An alarm about a team: what it means, and what is to be done. */
export interface DispatchAlarm {
	key: DispatchConditionKey;
	kind: 'dispatch';
	priority: 'critical' | 'high';
	title: LocalText;
	cause: LocalText;
	consequence: LocalText;
	action: LocalText;
	timeToRespondSeconds: number;
}

const text = (ar: string, en: string): LocalText => ({ ar, en });

/** Alarms about teams. */
export const dispatchAlarms: readonly DispatchAlarm[] = [
	{
		key: 'dispatch-unanswered',
		kind: 'dispatch',
		priority: 'high',
		title: text('لم يقرّ الفريق بالتوجيه', 'A team has not acknowledged its order'),
		cause: text('مضت 60 ثانية على التوجيه دون إقرار', 'Sent 60 seconds ago and not acknowledged'),
		consequence: text('قد لا يتحرك أحد إلى الموقع', 'Perhaps nobody is moving'),
		action: text('اتصل بالفريق لاسلكياً أو وجّه فريقاً آخر', 'Call the team by radio, or send another one'),
		timeToRespondSeconds: 60
	},
	{
		key: 'dispatch-welfare',
		kind: 'dispatch',
		priority: 'critical',
		title: text('الفريق لا يجيب على الاطمئنان', 'A team does not answer that it is well'),
		cause: text('فات موعد الاطمئنان مرتين', 'The welfare check was missed twice'),
		consequence: text('قد يكون الفريق في خطر', 'The team may be in danger'),
		action: text('اتصل لاسلكياً، فإن لم يجب فأرسل إسناداً', 'Call by radio; without an answer send support'),
		timeToRespondSeconds: 120
	},
	{
		key: 'dispatch-support',
		kind: 'dispatch',
		priority: 'critical',
		title: text('فريق يطلب الإسناد', 'A team needs support'),
		cause: text('طلب الفريق إسناداً من الميدان', 'The team asked for support'),
		consequence: text('لا يكفي من في الموقع', 'Those on the spot are not enough'),
		action: text('وجّه أقرب فريق متاح', 'Send the nearest free team'),
		timeToRespondSeconds: 60
	},
	{
		key: 'dispatch-returned',
		kind: 'dispatch',
		priority: 'high',
		title: text('تعذّر على الفريق تنفيذ التوجيه', 'A team cannot carry out its order'),
		cause: text('أعاد الفريق المهمة مع ذكر السبب', 'The team gave the job back, with its reason'),
		consequence: text('لا أحد يتولى المهمة الآن', 'Nobody does this job now'),
		action: text('وجّه فريقاً آخر أو ألغِ التوجيه', 'Send another team, or cancel the order'),
		timeToRespondSeconds: 60
	}
];

const missedMax = 2;

/** What every order says to the alarms at this moment: every key, on or off. Pure. */
export function conditionsOf(
	orders: readonly Dispatch[],
	{ now, fresh }: { now: number; fresh: boolean }
): DispatchCondition[] {
	return orders.flatMap((order) => {
		const { steps, welfare, support, mark } = order;
		const lastAt = steps.at(-1)?.at ?? now;
		const say = (
			key: DispatchConditionKey,
			on: boolean,
			since: number,
			more: Partial<DispatchCondition> = {}
		): DispatchCondition => ({
			...{ key, subject: { kind: 'dispatch', id: order.id, names: order.teamNames }, mark },
			zone: order.place.zone,
			// Nothing is over because nobody can look.
			state: fresh ? (on ? 'on' : 'off') : 'unknown',
			since: on ? since : null,
			value: on ? Math.round((now - since) / 1_000) : null,
			...{ limit: null, unit: 'seconds', quality: fresh ? 'live' : 'unknown' },
			...more
		});
		const missed = welfare?.missed ?? 0;
		return [
			say('dispatch-unanswered', order.unanswered, lastAt, { limit: unansweredAfterMs / 1_000 }),
			say('dispatch-welfare', missed >= missedMax, welfare?.lastAt ?? now, {
				...{ value: missed, limit: missedMax, unit: 'times' }
			}),
			say('dispatch-support', support !== null, support?.at ?? now),
			say('dispatch-returned', order.state === 'cannot' && order.replacedBy === null, lastAt)
		];
	});
}

/** Says all conditions to the alarms; what still rings about an order that is no longer listed is over. */
export function feedAlarms(
	alarms: AlarmPort,
	conditions: readonly DispatchCondition[],
	fresh: boolean
): void {
	for (const { key, subject, since: _, ...condition } of conditions)
		alarms.feed(key, { kind: 'dispatch', id: subject.id }, { ...condition, names: subject.names });
	if (!fresh) return;
	const listed = new Set(conditions.map(({ subject }) => subject.id));
	for (const { key } of dispatchAlarms)
		for (const id of alarms.raised(key))
			if (!listed.has(id)) alarms.feed(key, { kind: 'dispatch', id }, { state: 'off', value: null });
}
