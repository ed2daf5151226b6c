import { Type } from 'typebox';
import { EligibilitySteering, Stats } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { refuseCrossSite } from '../../platform/http/guard.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { SimulatedEligibility } from './eligibility-simulated.ts';

/** Laboratory: POST /reset starts everything again, GET /stats is open. A page of another site can call neither. */
export function laboratoryRoutes(
	app: HotApp,
	calls: { reset(): Promise<void>; stats(): Promise<Stats> }
): void {
	app.post(
		'/reset',
		{ schema: { response: { 200: Type.Object({ ok: Type.Literal(true) }) } } },
		async (request, reply) => {
			refuseCrossSite(request);
			await calls.reset();
			void reply.header('cache-control', 'no-store');
			return { ok: true as const };
		}
	);
	app.get('/stats', { schema: { response: { 200: Stats } } }, async (request, reply) => {
		refuseCrossSite(request);
		void reply.header('cache-control', 'no-store');
		return calls.stats();
	});
}

/** Outside the laboratory the figures are for staff. */
export function staffStatsRoute(app: StaffApp, stats: () => Promise<Stats>): void {
	app.get('/stats', { schema: { response: { 200: Stats } } }, stats);
}

/** Steers the simulated eligibility check; it exists in demo and laboratory alone. */
export function steeringRoute(app: StaffApp, simulated: SimulatedEligibility | null): void {
	app.post(
		'/api/v1/simulators/eligibility',
		{ schema: { body: EligibilitySteering, response: { 200: Type.Required(EligibilitySteering) } } },
		async (request) => {
			if (!simulated) throw new AppError('simulation_refused');
			simulated.steer(request.body);
			return simulated.steering();
		}
	);
}
