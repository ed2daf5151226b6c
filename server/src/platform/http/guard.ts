import type { FastifyRequest } from 'fastify';
import {
	calls,
	holdsStorableText,
	tidyWords,
	type Account,
	type Call,
	type Role
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from './hot-app.ts';
import type { StaffApp } from './staff-app.ts';

/**
 * Puts the checks in front of every staff route: same origin, who it is, whether the role may. A route that is
 * not in the contract's table cannot be registered, so no path can be forgotten.
 */
export function guardStaffRoutes(
	app: StaffApp,
	authenticate: (request: FastifyRequest) => Promise<Account | null>
): void {
	app.addHook('onRoute', (route) => {
		for (const method of [route.method].flat()) {
			if (method === 'HEAD' || method === 'OPTIONS') continue;
			if (!(`${method} ${route.url}` in calls)) {
				throw new Error(`${method} ${route.url} is not in the table of calls (contract/roles.ts)`);
			}
		}
	});
	app.addHook('onRequest', async (request) => {
		refuseCrossSite(request);
		const method = request.method === 'HEAD' ? 'GET' : request.method;
		const call = `${method} ${request.routeOptions.url ?? ''}` as Call;
		const allowed: readonly Role[] | 'anyone' | 'device' | undefined = calls[call];
		if (allowed === undefined) throw new AppError('not_found');
		if (allowed === 'device') return;
		request.account = await authenticate(request);
		if (allowed === 'anyone') return;
		if (!request.account) throw new AppError('not_signed_in');
		if (!allowed.includes(request.account.role)) throw new AppError('forbidden');
	});
	app.addHook('preValidation', async (request) => {
		if (!holdsStorableText(request.body) || !holdsStorableText(request.query))
			throw new AppError('bad_request', { detail: 'holds text that cannot be stored' });
		request.body = tidyWords(request.body);
	});
	app.addHook('onSend', async (_request, reply) => {
		if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
	});
}

/**
 * Demo and laboratory believe `?user=`: a page of another site could book in anybody's name, for no secret stands in
 * its way. Reading is left alone, so that links lead here; it changes no state.
 */
export function refuseCrossSiteCommands(app: HotApp): void {
	app.addHook('onRequest', (request, _reply, done) => {
		const changes = request.method !== 'GET' && request.method !== 'HEAD';
		done(changes && crossesSites(request) ? new AppError('cross_site') : undefined);
	});
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Demo and laboratory stand on loopback alone. A name of somebody else's that was made to point here (DNS rebinding)
 * would make their page ours.
 */
export function refuseForeignHosts(app: HotApp): void {
	const isForeign = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
		!loopbackNames.has(headers.host?.replace(/:\d+$/, '').toLowerCase() ?? '');
	app.prepared.leaveToRouteWhen((_path, request) => isForeign(request));
	app.addHook('onRequest', (request, _reply, done) =>
		done(isForeign(request) ? new AppError('cross_site') : undefined)
	);
}

/** `Origin` and `Sec-Fetch-Site`, when sent, must be same-origin: a script that sends neither needs nothing more. */
export function refuseCrossSite(request: Pick<FastifyRequest, 'headers' | 'method'>): void {
	if (crossesSites(request)) throw new AppError('cross_site');
}

function crossesSites({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
	const { origin, host } = headers;
	if (origin === undefined) return false;
	return !URL.canParse(origin) || new URL(origin).host !== host;
}
