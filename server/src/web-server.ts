import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { AppOptions, House } from './app.ts';
import type { Credentials } from './features/people/index.ts';
import { limits } from './limits.ts';
import { answerFromCache } from './platform/http/answer-cache.ts';
import { buildHttp, openStaffScope } from './platform/http/build.ts';
import { collectDocs, serveDocs } from './platform/http/docs.ts';
import { refuseCrossSiteCommands, refuseForeignHosts } from './platform/http/guard.ts';
import type { HotApp } from './platform/http/hot-app.ts';
import { protectFromOverload } from './platform/http/overload.ts';
import { createShedder, watchEventLoop } from './platform/http/shedding.ts';
import { serveWeb } from './platform/http/static-web.ts';
import { systemRoutes, type PartState } from './platform/http/system-routes.ts';
import type { Platform } from './platform/platform.ts';
import { findPriority, kindOfLook } from './priorities.ts';

/** Everything that answers by HTTP: system calls, hot public calls, staff calls, the interfaces' page, the web. */
export async function buildWebServer(options: AppOptions, parts: Platform, house: House): Promise<HotApp> {
	const { config, log } = options;
	const { features, people } = house;
	const authenticate = (request: FastifyRequest) => people.authenticate(credentialsOf(request.headers));
	const http = buildHttp(log);
	if (config.demo) {
		refuseForeignHosts(http);
		refuseCrossSiteCommands(http);
	}
	guardLoad(http, options, parts, house);
	await collectDocs(http);
	systemRoutes(http, {
		metrics: parts.metrics,
		parts: () => partStates(parts),
		maySeeFigures: async (request) =>
			(await people.maySeeFigures(credentialsOf(request.headers))) || (await authenticate(request)) !== null
	});
	for (const feature of features) feature.hotRoutes?.(http);
	await openStaffScope(http, {
		authenticate,
		register(staff) {
			staff.addHook('preHandler', house.guardFreeze);
			answerFromCache(staff, {
				isHeld(method, route) {
					const kind = kindOfLook(method, route);
					return kind !== null && !house.flags.isOn(kind);
				},
				elapsedMs: () => options.clock.elapsedMs()
			});
			features.forEach((feature) => feature.staffRoutes?.(staff));
		}
	});
	await serveDocs(http);
	await serveWeb(http, config.webRoot, log, house.signInOrigins);
	return http;
}

/** Who is refused while not everybody can be served: by the event loop, the pool and the bookings in hand. */
function guardLoad(http: HotApp, { config, clock }: AppOptions, parts: Platform, { booking }: House): void {
	const loop = watchEventLoop(() => clock.elapsedMs());
	http.addHook('onClose', async () => loop.stop());
	const shedder = createShedder({
		elapsedMs: () => clock.elapsedMs(),
		random: Math.random,
		signals: () => [
			// In the laboratory the generator shares the cores: a late loop says nothing about the load of this server.
			...(config.lab ? [] : [{ name: 'event-loop', value: loop.delayMs(), ...limits.shedding.eventLoopMs }]),
			{ name: 'pool-wait', value: parts.database.oldestWaitMs(), ...limits.shedding.poolWaitMs },
			{ name: 'bookings', value: booking.figures().buffer.depth, ...limits.shedding.bookings }
		]
	});
	protectFromOverload(http, {
		...{ findPriority, shedder, metrics: parts.metrics, elapsedMs: () => clock.elapsedMs() },
		anyPace: config.lab !== undefined
	});
}

/** What a request or a socket brings to say who it is. */
export function credentialsOf(headers: IncomingHttpHeaders): Credentials {
	return { cookie: headers.cookie, authorization: headers.authorization };
}

async function partStates(parts: Platform): Promise<PartState[]> {
	return [
		{ name: 'database', ready: await parts.database.isUp(1_000), needed: true },
		{ name: 'broker', ready: parts.broker.state().connected, needed: false },
		...(parts.valkey ? [{ name: 'valkey', ready: await parts.valkey.isUp(1_000), needed: false }] : [])
	];
}
