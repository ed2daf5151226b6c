import type { Feature } from '../../platform/feature.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Log } from '../../platform/log.ts';
import { loadSite } from './load-site.ts';
import { pictureRoute } from './place-picture.ts';
import { siteRoutes } from './site-routes.ts';
import type { Site } from './site.ts';

export { checkSite, type CheckedSite } from './check-site.ts';
export { createProjection, labelPoint, type Point } from './geometry.ts';
export { checkSiteFile, loadSite, SiteFileError } from './load-site.ts';
export { buildSite, type Site, type SiteZone } from './site.ts';

/** The site of this run: zones, gates, counters and the drawing. */
export interface SiteFeature extends Feature {
	site: Site;
}

/**
 * Loads the site file named by the environment, else the demo site.
 * @throws SiteFileError when it cannot be used: the server must not start on a site it does not understand
 */
export function createSite({
	siteFile,
	log,
	flags
}: {
	siteFile?: string | undefined;
	/** Told what can be used and is probably not meant so. */
	log?: Pick<Log, 'warn'> | undefined;
	/** Whether pictures are shown; without it they always are. */
	flags?: Pick<Flags, 'isOn'>;
}): SiteFeature {
	const site = loadSite(siteFile, (text) => log?.warn({ warning: text }, 'the site file looks wrong'));
	return {
		name: 'site',
		site,
		hotRoutes: (app) => pictureRoute(app, site, flags ?? { isOn: () => true }),
		staffRoutes: (app) => siteRoutes(app, site)
	};
}
