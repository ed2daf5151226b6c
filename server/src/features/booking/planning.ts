import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SiteNames } from '../permits/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { findPlanFault, planDemoSlots, planLaboratorySlots } from './plan-slots.ts';
import { listDue, returnShares } from './quota-plan-store.ts';
import { addFirstSlots, addSlots } from './slot-plan-store.ts';
import type { SlotKeys } from './slots-store.ts';

interface PlanningDeps {
	db: Db;
	clock: Clock;
	log: Log;
	record: Pick<TheRecord, 'append'>;
	site: SiteNames;
	demo: boolean;
	lab?: { checkMs: number } | undefined;
	/** After unused shares were returned: what was read of slots is old. */
	onReturned(): void;
}

/** How often the demo looks whether it has slots for a day ahead. */
const demoSlotsEveryMs = 600_000;

/** What happens to plans by the clock: slots of laboratory and demo, unused shares that are due. */
export interface Planning {
	start(): Promise<void>;
	stop(): void;
	/** Returns shares that are due now; how many quotas that were. */
	returnDue(): Promise<number>;
}

/** Elsewhere slots are planned by people. The demo's roll forward with the hours. */
export function createPlanning(deps: PlanningDeps, keys: SlotKeys): Planning {
	const { db, clock, log, site, lab, demo } = deps;
	const stops: StopTimer[] = [];
	const planDay = async () => {
		const places = site.places.map(({ id, lanes }) => ({ place: id, lanes }));
		const plans = planDemoSlots(places, clock.now()).filter((plan) => findPlanFault(plan) === null);
		await addSlots(db, keys, plans);
	};
	const every = (ms: number, what: string, run: () => Promise<unknown>) => {
		const runSafely = () =>
			void run().catch((error: unknown) =>
				log.warn({ error: error instanceof Error ? error.message : 'unknown' }, `could not ${what}`)
			);
		stops.push(clock.setInterval(runSafely, ms));
	};
	const returnDue = () => returnDueShares(deps, keys);
	return {
		returnDue,
		async start() {
			if (lab) await addFirstSlots(db, keys, planLaboratorySlots(clock.now()));
			else if (demo) {
				await planDay();
				every(demoSlotsEveryMs, 'plan slots of the demo', planDay);
			}
			await returnDue();
			every(limits.booking.returnEveryMs, 'return unused shares', returnDue);
		},
		stop: () => stops.forEach((stop) => stop())
	};
}

/** Each quota in a transaction of its own, with its line in the record; another instance that was faster leaves none. */
async function returnDueShares({ db, clock, log, record, onReturned }: PlanningDeps, keys: SlotKeys) {
	let returned = 0;
	for (const quota of await listDue(db, keys, clock.now())) {
		const moved = await db.transaction().execute(async (tx) => {
			const shares = await returnShares(tx, keys, quota, clock.now());
			if (!shares) return null;
			await record.append(tx, {
				actor: 'calendar',
				action: 'booking.quota.return',
				subject: `${shares.dimension}${shares.slot === null ? '' : ` of slot ${shares.slot}`}`,
				before: { common: shares.before },
				after: { common: shares.after, returned: shares.returned, kept: shares.kept }
			});
			return shares;
		});
		if (moved) {
			returned += 1;
			onReturned();
		} else
			log.warn({ quota }, 'unused shares are due, but more is booked than planned: nothing was returned');
	}
	return returned;
}
