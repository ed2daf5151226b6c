import { PublicSettings } from '../../../contract/index.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Identity } from './identity.ts';

/** GET /queue/settings: the same for everybody, so that any cache may answer it. */
export function settingsRoutes(app: HotApp, identity: Identity, timeZone: string): void {
	app.get('/queue/settings', { schema: { response: { 200: PublicSettings } } }, async (_request, reply) => {
		const settings = await identity.settings();
		const seconds = settings.identity === 'unavailable' ? 5 : 60;
		void reply.header('cache-control', `public, max-age=${seconds}`);
		return { ...settings, timeZone };
	});
}
