import type { Handle } from '@sveltejs/kit/hooks';
import { asPublicPage, languageOfRoute } from './public/shell.ts';

/** Runs at build time only: prerendered public pages get their own language and none of the console's start-up. */
export const handle: Handle = ({ event, resolve }) => {
	const route = event.route.id;
	if (!route?.startsWith('/(public)')) return resolve(event);
	const language = languageOfRoute(route);
	return resolve(event, { transformPageChunk: ({ html }) => asPublicPage(html, language) });
};
