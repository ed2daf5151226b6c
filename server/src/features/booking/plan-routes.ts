import {
	PlannedSlot,
	PlannedSlotsAnswer,
	Quota,
	QuotaRequest,
	QuotasAnswer,
	Reconciliation,
	SlotPlanRequest,
	type Account
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { SiteNames } from '../permits/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { capacityMax, findPlanFault, type SlotPlan } from './plan-slots.ts';
import { listPlans, putPlan, type QuotaPlan, type StoredQuota } from './quota-plan-store.ts';
import { commonShare } from './quotas.ts';
import { putSlot } from './slot-plan-store.ts';
import { findSlotFill, listSlotFills, type SlotFill, type SlotKeys } from './slots-store.ts';

interface PlanCalls {
	db: Db;
	clock: Clock;
	keys: SlotKeys;
	site: SiteNames;
	record: Pick<TheRecord, 'append' | 'runCommand'>;
	reconcile(): Promise<Reconciliation>;
	/** After the commit of a plan: what was read of slots is old. */
	onPlanned(): void;
}

const signedIn = (account: Account | null): Account => {
	if (!account) throw new AppError('not_signed_in');
	return account;
};

/** What the control room plans and proves: slots, quotas, and that counts equal permits. */
export function planRoutes(app: StaffApp, calls: PlanCalls): void {
	slotPlanRoutes(app, calls);
	quotaRoutes(app, calls);
	app.get('/api/v1/booking/reconciliation', { schema: { response: { 200: Reconciliation } } }, () =>
		calls.reconcile()
	);
}

function slotPlanRoutes(app: StaffApp, { db, clock, keys, site, record, onPlanned }: PlanCalls): void {
	const lanesOf = (place: string) => site.places.find(({ id }) => id === place)?.lanes;
	const show = (slot: SlotFill): PlannedSlot => {
		const lanes = lanesOf(slot.place);
		return { ...slot, capacityMax: lanes === undefined ? null : capacityMax({ ...slot, lanes }) };
	};
	app.get('/api/v1/booking/slots', { schema: { response: { 200: PlannedSlotsAnswer } } }, async () => {
		const at = clock.now();
		const slots = await listSlotFills(db, keys, at, limits.booking.slotsShownMax);
		return { slots: slots.map(show), at };
	});
	app.put(
		'/api/v1/booking/slots',
		{ schema: { body: SlotPlanRequest, response: { 200: PlannedSlot } } },
		async (request, reply) => {
			const account = signedIn(request.account);
			const { reason, ...wanted } = request.body;
			const plan = checkPlan(wanted, lanesOf(wanted.place));
			await record.runCommand(request, reply, account.id, async (tx) => {
				const planned = await putSlot(tx, keys, plan);
				if (!planned) throw new AppError('plan_refused', { fault: 'window' });
				const { id, before, after } = planned;
				await record.append(tx, {
					...{ actor: account.email, action: 'booking.slot', subject: `slot ${id}`, reason },
					...{ before, after: { ...wanted, overbooked: after.overbooked } }
				});
				const slot = await findSlotFill(tx, keys, id);
				return { body: slot && show(slot), afterCommit: onPlanned };
			});
			return reply;
		}
	);
}

/** A slot that its lanes cannot scan is refused. @throws AppError `plan_refused` with the fault and the most allowed */
function checkPlan(wanted: Omit<SlotPlan, 'lanes'>, lanes: number | undefined): SlotPlan {
	if (lanes === undefined) throw new AppError('plan_refused', { fault: 'place' });
	const plan = { ...wanted, lanes };
	const fault = findPlanFault(plan);
	if (fault) throw new AppError('plan_refused', { fault, capacityMax: Math.max(0, capacityMax(plan)) });
	return plan;
}

function quotaRoutes(app: StaffApp, { db, clock, keys, record, onPlanned }: PlanCalls): void {
	app.get('/api/v1/booking/quotas', { schema: { response: { 200: QuotasAnswer } } }, async () => {
		const quotas = await listPlans(db, keys, limits.booking.quotasMax);
		return { quotas: quotas.map(showQuota), at: clock.now() };
	});
	app.put(
		'/api/v1/booking/quotas',
		{ schema: { body: QuotaRequest, response: { 200: Quota } } },
		async (request, reply) => {
			const account = signedIn(request.account);
			const plan = readPlan(request.body);
			await record.runCommand(request, reply, account.id, async (tx) => {
				const before = await findQuota(tx, keys, plan);
				if (!before) await checkNumber(tx, keys);
				await checkSlot(tx, keys, plan);
				await putPlan(tx, keys, plan);
				const after = await findQuota(tx, keys, plan);
				const { dimension, slot } = plan;
				await record.append(tx, {
					...{ actor: account.email, action: 'booking.quota', reason: request.body.reason },
					subject: `${dimension}${slot === null ? '' : ` of slot ${slot}`}`,
					before: before && showQuota(before),
					after: after && showQuota(after)
				});
				return { body: after && showQuota(after), afterCommit: onPlanned };
			});
			return reply;
		}
	);
}

/** @throws AppError `plan_refused` where a value stands twice */
function readPlan({ slot, dimension, shares, other, returnsAt }: QuotaRequest): QuotaPlan {
	const places = new Map(shares.map((share) => [share.value, share.places]));
	if (places.size !== shares.length) throw new AppError('plan_refused', { fault: 'twice' });
	if (typeof other === 'object') places.set(commonShare, other.places);
	return {
		...{ slot, dimension, shares: places, returnsAt },
		other: typeof other === 'object' ? 'share' : other
	};
}

async function findQuota(tx: Tx, keys: SlotKeys, { slot, dimension }: QuotaPlan) {
	const quotas = await listPlans(tx, keys, limits.booking.quotasMax);
	return quotas.find((quota) => quota.slot === slot && quota.dimension === dimension);
}

async function checkNumber(tx: Tx, keys: SlotKeys): Promise<void> {
	const quotas = await listPlans(tx, keys, limits.booking.quotasMax);
	if (quotas.length >= limits.booking.quotasMax) throw new AppError('plan_refused', { fault: 'too-many' });
}

/** A share of one slot cannot be larger than the slot. */
async function checkSlot(tx: Tx, keys: SlotKeys, { slot, shares }: QuotaPlan): Promise<void> {
	if (slot === null) return;
	const fill = await findSlotFill(tx, keys, slot);
	if (!fill) throw new AppError('no_such_slot');
	const most = Math.max(0, ...shares.values());
	if (most > fill.capacity)
		throw new AppError('plan_refused', { fault: 'above-slot', capacity: fill.capacity });
}

function showQuota({ shares, dimension, ...quota }: StoredQuota): Quota {
	return {
		...quota,
		dimension: dimension as Quota['dimension'],
		shares: shares.map(({ value, ...share }) => ({ value: value === commonShare ? null : value, ...share }))
	};
}
