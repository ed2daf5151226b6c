import type { LocalText } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Record } from '../record/index.ts';
import type { Board } from './board.ts';
import { forgetIncidentWords } from './incident-store.ts';
import { isWorking } from './order-steps.ts';
import { forgetOrderWords, lockDueOrders, setHeat, updateOrder } from './order-store.ts';
import type { AlarmDefinition, AlarmPort, ZonePort } from './ports.ts';
import { forgetHandovers } from './sheet-store.ts';
import type { Shown } from './shown.ts';
import type { Scope } from './team-store.ts';

const text = (ar: string, en: string): LocalText => ({ ar, en });

/** Alarms about teams. */
export const dispatchAlarms: readonly AlarmDefinition[] = [
	{
		key: 'dispatch-unanswered',
		priority: 'high',
		title: text('لم يقرّ الفريق بالتوجيه', 'A team has not acknowledged its order'),
		cause: text('مضت 60 ثانية على التوجيه دون إقرار', 'Sent 60 seconds ago and not acknowledged'),
		consequence: text('قد لا يتحرك أحد إلى الموقع', 'Perhaps nobody is moving'),
		action: text('اتصل بالفريق لاسلكياً أو وجّه فريقاً آخر', 'Call the team by radio, or send another one'),
		timeToRespondSeconds: 60
	},
	{
		key: 'dispatch-welfare',
		priority: 'critical',
		title: text('الفريق لا يجيب على الاطمئنان', 'A team does not answer that it is well'),
		cause: text('فات موعد الاطمئنان مرتين', 'The welfare check was missed twice'),
		consequence: text('قد يكون الفريق في خطر', 'The team may be in danger'),
		action: text('اتصل لاسلكياً، فإن لم يجب فأرسل إسناداً', 'Call by radio; without an answer send support'),
		timeToRespondSeconds: 120
	},
	{
		key: 'dispatch-support',
		priority: 'critical',
		title: text('فريق يطلب الإسناد', 'A team needs support'),
		cause: text('طلب الفريق إسناداً من الميدان', 'The team asked for support'),
		consequence: text('لا يكفي من في الموقع', 'Those on the spot are not enough'),
		action: text('وجّه أقرب فريق متاح', 'Send the nearest free team'),
		timeToRespondSeconds: 60
	},
	{
		key: 'dispatch-returned',
		priority: 'high',
		title: text('تعذّر على الفريق تنفيذ التوجيه', 'A team cannot carry out its order'),
		cause: text('أعاد الفريق المهمة مع ذكر السبب', 'The team gave the job back, with its reason'),
		consequence: text('لا أحد يتولى المهمة الآن', 'Nobody does this job now'),
		action: text('وجّه فريقاً آخر أو ألغِ التوجيه', 'Send another team, or cancel the order'),
		timeToRespondSeconds: 60
	}
];

/** Which of the alarms an order raises now, each with its figure. */
export function conditionsOf(order: Shown['dispatches'][number], now: number) {
	const { steps, welfare, state } = order;
	const since = (at: number | undefined) => Math.round((now - (at ?? now)) / 1_000);
	return [
		{ key: 'dispatch-unanswered', on: order.unanswered, value: since(steps.at(-1)?.at) },
		{ key: 'dispatch-welfare', on: (welfare?.missed ?? 0) >= 2, value: welfare?.missed ?? 0 },
		{ key: 'dispatch-support', on: order.support !== null, value: since(order.support?.at) },
		{
			key: 'dispatch-returned',
			on: state === 'cannot' && order.replacedBy === null,
			value: since(steps.at(-1)?.at)
		}
	];
}

export interface WatchDeps {
	db: Db;
	clock: Clock;
	log: Log;
	scope: Scope;
	board: Board;
	record: Pick<Record, 'append'>;
	zones: ZonePort;
	alarms: AlarmPort | undefined;
	/** Whether this instance decides for all. */
	leads(): boolean;
}

/** What happens by itself: jobs whose time has come, heat, alarms, and words whose time is over. */
export function createWatch(deps: WatchDeps) {
	const { db, clock, scope, board, alarms } = deps;
	let starting = false;
	const onError = (error: unknown) => deps.log.warn({ err: error }, 'orders could not be looked after');

	/** A job of the future begins: from now on it is an order like others. Locked: two instances start it once. */
	const startDue = async () => {
		await db.transaction().execute(async (tx) => {
			const now = clock.now();
			const due = await lockDueOrders(tx, scope, now);
			for (const order of due) {
				const step = { state: 'sent' as const, at: now, by: 'Marsad', byTeam: false };
				await updateOrder(tx, { ...order, state: 'sent', steps: [...order.steps, step] });
				await deps.record.append(tx, {
					...{ actor: 'marsad', action: 'dispatch.start', subject: `dispatch:${order.id}` },
					...{ before: { state: 'reserved' }, after: { state: 'sent', team: order.team } }
				});
			}
			if (due.length > 0) await board.tell(tx);
		});
		board.refresh();
	};

	const feed = (shown: Shown) => {
		if (!alarms) return;
		const now = clock.now();
		const known = new Set(shown.dispatches.map(({ id }) => id));
		for (const order of shown.dispatches)
			for (const { key, on, value } of conditionsOf(order, now))
				alarms.feed(key, order.id, { on, value, place: order.place.zone });
		for (const { key } of dispatchAlarms)
			for (const id of alarms.raised(key))
				// Closed while nobody looked: it is no order any more.
				if (!known.has(id)) alarms.feed(key, id, { on: false, value: null, place: '' });
	};

	const noteHeat = async (shown: Shown) => {
		const hot = shown.dispatches.filter(({ state, welfare, place }) => {
			const wbgt = isWorking(state) && welfare?.heat === false ? deps.zones.heat(place.zone) : null;
			return wbgt !== null && wbgt >= limits.dispatch.heatWbgtCelsius;
		});
		if (hot.length === 0) return;
		await setHeat(
			db,
			hot.map(({ id }) => id)
		);
		board.refresh();
	};

	return {
		/** Called once a second. */
		look(shown: Shown) {
			if (!deps.leads()) return;
			feed(shown);
			const now = clock.now();
			const due = shown.dispatches.some(({ state, startsAt }) => state === 'reserved' && startsAt! <= now);
			if (starting) return;
			starting = true;
			void Promise.all([due ? startDue() : null, noteHeat(shown)])
				.catch(onError)
				.finally(() => (starting = false));
		},
		forget() {
			const before = clock.now() - limits.dispatch.keepWordsDays * 86_400_000;
			void Promise.all([
				forgetOrderWords(db, before),
				forgetIncidentWords(db, before),
				forgetHandovers(db, before)
			]).catch(onError);
		}
	};
}
