import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Record } from '../record/index.ts';
import type { Board } from './board.ts';
import { forgetIncidentWords } from './incident-store.ts';
import { isWorking } from './order-steps.ts';
import { forgetOrderWords, lockDueOrders, setHeat, updateOrder } from './order-store.ts';
import type { ZonePort } from './ports.ts';
import { forgetHandovers } from './sheet-store.ts';
import type { Shown } from './shown.ts';
import type { Scope } from './team-store.ts';

export interface WatchDeps {
	db: Db;
	clock: Clock;
	log: Log;
	scope: Scope;
	board: Board;
	record: Pick<Record, 'append'>;
	zones: ZonePort;
	/** Whether this instance decides for all. */
	leads(): boolean;
}

/** What happens by itself: jobs whose time has come, heat, and words whose time is over. */
export function createWatch(deps: WatchDeps) {
	const { db, clock, scope, board } = deps;
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
