import {
	DecisionsPage,
	DecisionsQuery,
	SpikeHistory,
	SpikeHistoryQuery,
	SpikeNow,
	SpikeTrendQuery,
	Trend
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { chooseStep } from './trend.ts';

const decisionsUsual = 50;

/** GET /api/v1/spike/now, /trend, /history and /decisions. */
export function spikeRoutes(
	app: StaffApp,
	deps: {
		now: () => SpikeNow | null;
		trend: (seconds: number, stepSeconds: number) => Trend;
		history: (query: SpikeHistoryQuery) => Promise<SpikeHistory>;
		decisions: (query: { before?: number; limit: number; changesOnly: boolean }) => Promise<DecisionsPage>;
	}
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
	app.get(
		'/api/v1/spike/history',
		// Thousands of numbers: the plain serializer is the quick one, and the shape was built from the same names.
		{
			schema: { querystring: SpikeHistoryQuery, response: { 200: SpikeHistory } },
			serializerCompiler: () => JSON.stringify
		},
		async (request) => deps.history(request.query)
	);
	app.get(
		'/api/v1/spike/decisions',
		{ schema: { querystring: DecisionsQuery, response: { 200: DecisionsPage } } },
		async (request) => {
			const { before, limit, kind } = request.query;
			return deps.decisions({
				...(before === undefined ? {} : { before }),
				limit: limit ?? decisionsUsual,
				changesOnly: kind !== 'all'
			});
		}
	);
}
