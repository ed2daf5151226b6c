import type { TeamWarning } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { isWorking } from './order-steps.ts';
import type { StoredOrder } from './order-store.ts';

/** Two jobs of the future closer together than this are one too many. */
const jobLengthMs = 3_600_000;

/**
 * Why a team should not be sent without a second thought; null when nothing speaks against it. A job of the future
 * minds only other jobs of the future near it: what the team does now will be over.
 */
export function warnOf(
	team: string,
	orders: readonly StoredOrder[],
	{ now, startsAt, onDuty }: { now: number; startsAt: number | null; onDuty: boolean }
): TeamWarning | null {
	const working = orders.filter(({ state }) => isWorking(state));
	const reserved = orders.filter(({ state }) => state === 'reserved');
	const near = reserved.filter((order) =>
		startsAt === null
			? order.startsAt! - now <= limits.dispatch.reservedSoonMs
			: Math.abs(order.startsAt! - startsAt) < jobLengthMs
	);
	const warning = (why: TeamWarning['why'], jobs: readonly StoredOrder[]): TeamWarning => ({
		team,
		why,
		jobs: jobs.map((order) => ({
			...{ id: order.id, state: order.state, task: order.task ?? '', place: order.place },
			since: order.steps.at(-1)?.at ?? order.createdAt,
			startsAt: order.startsAt
		}))
	});
	if (startsAt === null && working.length > 0) return warning('busy', [...working, ...near]);
	if (near.length > 0) return warning('reserved', near);
	if (startsAt === null && !onDuty) return warning('off-duty', []);
	return null;
}
