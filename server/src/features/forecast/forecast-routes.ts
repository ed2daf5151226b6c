import {
	KeptForecasts,
	PressForecast,
	PressForecastQuery,
	type PressForecastQuery as Query
} from '../../../contract/index.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';

/** GET /api/v1/forecast/press and /kept. */
export function forecastRoutes(
	app: StaffApp,
	deps: { press: (query: Query) => Promise<PressForecast>; kept: () => Promise<KeptForecasts> }
): void {
	app.get(
		'/api/v1/forecast/press',
		{ schema: { querystring: PressForecastQuery, response: { 200: PressForecast } } },
		async (request) => deps.press(request.query)
	);
	app.get('/api/v1/forecast/kept', { schema: { response: { 200: KeptForecasts } } }, async () => deps.kept());
}
