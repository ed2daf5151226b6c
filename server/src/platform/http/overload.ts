import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Metrics } from '../metrics.ts';
import { clientKeyOf, createPaceLimit, isOwnNetwork } from './client-limits.ts';
import type { HotApp } from './hot-app.ts';
import type { Shedder } from './shedding.ts';

/** How important a call is (1 the most, 100 the least, 0: never refused), and whether one client's pace is bounded. */
export interface CallPriority {
	/** For the metric. */
	className: string;
	number: number | ((request: Pick<FastifyRequest, 'headers'>) => number);
	paced: boolean;
}

/** Says it of a route; null: it is never refused and at any pace. */
export type FindPriority = (method: string, url: string) => CallPriority | null;

declare module 'fastify' {
	interface FastifyContextConfig {
		priority?: CallPriority | null;
	}
}

/**
 * In front of every route that is registered after this: shedding by priority, then the pace of one client. A client is
 * known by what it carries (ticket, token, browser key); an address alone only by a bound far above what thousands
 * behind it need. Both are decided before a body is read or a store is asked.
 */
export function protectFromOverload(
	app: HotApp,
	deps: {
		findPriority: FindPriority;
		shedder: Shedder;
		metrics: Metrics;
		elapsedMs: () => number;
		/** The laboratory asks at any pace. */
		anyPace: boolean;
		pace?: Pace;
	}
): void {
	const shed = deps.metrics.counter('marsad_http_shed_total', 'Requests refused under load, by class', [
		'class'
	]);
	app.addHook('onRoute', (route) => {
		const method = [route.method].flat()[0] ?? 'GET';
		route.config = { ...route.config, priority: deps.findPriority(method, route.url) };
	});
	app.addHook('onRequest', (request, _reply, done) => {
		const { priority } = request.routeOptions.config;
		if (!priority) return done();
		const { number } = priority;
		if (!deps.shedder.refuses(typeof number === 'number' ? number : number(request))) return done();
		shed.inc({ class: priority.className });
		done(new AppError('busy', {}, deps.shedder.retryAfterSeconds()));
	});
	app.prepared.leaveToRouteWhen((path) => {
		const number = deps.findPriority('GET', path)?.number;
		return typeof number === 'number' && deps.shedder.refuses(number);
	});
	if (!deps.anyPace) boundPace(app, deps);
}

interface Pace {
	client: Omit<Parameters<typeof createPaceLimit>[0], 'elapsedMs'>;
	address: Omit<Parameters<typeof createPaceLimit>[0], 'elapsedMs'>;
}

function boundPace(app: HotApp, deps: { metrics: Metrics; elapsedMs: () => number; pace?: Pace }): void {
	const { elapsedMs } = deps;
	const { client, address } = deps.pace ?? limits.http;
	const limited = deps.metrics.counter(
		'marsad_http_clients_limited_total',
		'Requests of clients that came too fast, by what told them apart',
		['by']
	);
	const keys = createPaceLimit({ ...client, elapsedMs });
	const addresses = createPaceLimit({ ...address, elapsedMs });
	const refuse = (by: 'key' | 'address', waitMs: number) => {
		limited.inc({ by });
		return new AppError('rate_limited', { retryAfterMs: waitMs }, Math.ceil(waitMs / 1_000));
	};
	app.addHook('onRequest', (request, _reply, done) => {
		if (!request.routeOptions.config.priority?.paced || isOwnNetwork(request.ip)) return done();
		const waitMs = addresses.take(request.ip);
		done(waitMs > 0 ? refuse('address', waitMs) : undefined);
	});
	app.addHook('preHandler', (request, _reply, done) => {
		const { priority } = request.routeOptions.config;
		const key = priority?.paced ? clientKeyOf(request) : null;
		const waitMs = key === null ? 0 : keys.take(`${priority?.className} ${key}`);
		done(waitMs > 0 ? refuse('key', waitMs) : undefined);
	});
}
