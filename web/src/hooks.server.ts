import type { Handle } from '@sveltejs/kit/hooks';
import { asScanPage } from '#lib/scan/page-head.ts';
import { asPublicPage, languageOfRoute } from './public/shell.ts';

/**
 * Runs at build time only: prerendered public pages get their own language and none of the console's start-up, the scanner's
 * page what makes it an application.
 */
export const handle: Handle = ({ event, resolve }) => {
	const route = event.route.id;
	if (route?.startsWith('/(scan)'))
		return resolve(event, { transformPageChunk: ({ html }) => asScanPage(html) });
	if (!route?.startsWith('/(public)')) return resolve(event);
	const language = languageOfRoute(route);
	return resolve(event, { transformPageChunk: ({ html }) => asPublicPage(html, language) });
};
