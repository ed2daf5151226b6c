import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { HotApp } from './hot-app.ts';

/** State of one part for GET /readyz. */
export interface PartState {
	name: string;
	ready: boolean;
	/** Without it nothing can be answered; without another part some things still can, and must be. */
	needed: boolean;
	detail?: string;
}

/**
 * Liveness, readiness, metrics. An instance that lost a part which only some calls need stays in service: taken out of
 * it, those who have been admitted could not book, and nobody could show a permit. Details and figures only for loopback and holders of the right token.
 */
export function systemRoutes(
	app: HotApp,
	deps: {
		parts: () => Promise<PartState[]>;
		metrics: Metrics;
		/** True for staff and for a device token that may read figures. */
		maySeeFigures: (request: FastifyRequest) => Promise<boolean>;
	}
): void {
	app.get('/healthz', async (_request, reply) =>
		reply.header('cache-control', 'no-store').send({ alive: true })
	);
	app.get('/readyz', async (request, reply) => {
		const parts = await deps.parts();
		const ready = parts.every((part) => part.ready || !part.needed);
		const open = isFromHere(request) || (await deps.maySeeFigures(request));
		return reply
			.code(ready ? 200 : 503)
			.header('cache-control', 'no-store')
			.headers(ready ? {} : { 'retry-after': '5' })
			.send(open ? { ready, parts } : { ready });
	});
	app.get('/metrics', async (request, reply) => {
		if (!isFromHere(request) && !(await deps.maySeeFigures(request))) throw new AppError('not_found');
		return reply
			.header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
			.header('cache-control', 'no-store')
			.send(await deps.metrics.text());
	});
}

/** True when the caller is on this machine and no proxy speaks for somebody else. */
export function isFromHere(request: FastifyRequest): boolean {
	const { remoteAddress } = request.socket;
	const loopback =
		remoteAddress === '127.0.0.1' || remoteAddress === '::1' || remoteAddress === '::ffff:127.0.0.1';
	return (
		loopback && request.headers['x-forwarded-for'] === undefined && request.headers['forwarded'] === undefined
	);
}
