import { SpikeNow, SpikeTrendQuery, Trend } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { chooseStep } from './trend.ts';

/** GET /api/v1/spike/now and /trend. */
export function spikeRoutes(
	app: StaffApp,
	deps: { now: () => SpikeNow | null; trend: (seconds: number, stepSeconds: number) => Trend }
): void {
	app.get('/api/v1/spike/now', { schema: { response: { 200: SpikeNow } } }, async () => {
		const now = deps.now();
		if (!now) throw new AppError('not_ready', {}, 1);
		return now;
	});
	app.get(
		'/api/v1/spike/trend',
		{ schema: { querystring: SpikeTrendQuery, response: { 200: Trend } } },
		async (request) => {
			const { minutes, seconds, step } = request.query;
			const span = seconds ?? (minutes ?? 60) * 60;
			return deps.trend(span, Math.min(span, step ?? chooseStep(span)));
		}
	);
}
