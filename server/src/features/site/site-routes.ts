import { SitePlan } from '../../../contract/index.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Site } from './site.ts';

/** GET /api/v1/site: the drawing of the site, in metres. */
export function siteRoutes(app: StaffApp, site: Site): void {
	app.get('/api/v1/site', { schema: { response: { 200: SitePlan } } }, async () => site.plan);
}
