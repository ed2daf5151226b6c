import type { FastifyRequest } from 'fastify';
import { calls, holdsStorableText, type Account, type Call, type Role } from '../../../contract/index.ts';
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
	app.addHook('onRequest', async (request) => {
		if (request.method !== 'GET' && request.method !== 'HEAD') refuseCrossSite(request);
	});
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Demo and laboratory stand on loopback alone. A name of somebody else's that was made to point here (DNS rebinding)
 * would make their page ours.
 */
export function refuseForeignHosts(app: HotApp): void {
	app.addHook('onRequest', async (request) => {
		if (!loopbackNames.has(request.headers.host?.replace(/:\d+$/, '').toLowerCase() ?? ''))
			throw new AppError('cross_site');
	});
}

/** `Origin` and `Sec-Fetch-Site`, when sent, must be same-origin: a script that sends neither needs nothing more. */
export function refuseCrossSite(request: Pick<FastifyRequest, 'headers' | 'method'>): void {
	const site = request.headers['sec-fetch-site'];
	if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('cross_site');
	const { origin, host } = request.headers;
	if (origin === undefined) return;
	let originHost: string;
	try {
		originHost = new URL(origin).host;
	} catch {
		throw new AppError('cross_site');
	}
	if (originHost !== host) throw new AppError('cross_site');
}
