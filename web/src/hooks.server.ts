import type { Handle } from '@sveltejs/kit/hooks';
import { asPublicPage } from './public/shell.ts';

/** Runs at build time only: prerendered public pages get their own language and none of the console's start-up. */
export const handle: Handle = ({ event, resolve }) => {
	const route = event.route.id;
	if (!route?.startsWith('/(public)')) return resolve(event);
	const language = route.startsWith('/(public)/en') ? 'en' : 'ar';
	return resolve(event, { transformPageChunk: ({ html }) => asPublicPage(html, language) });
};
