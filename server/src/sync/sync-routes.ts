import type { FastifyRequest } from 'fastify';
import { SyncPullAnswer, SyncPullRequest, syncRequestBytesMax } from '../../contract/index.ts';
import { AppError, preferredLanguage } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Breaker } from '../platform/breaker.ts';
import { QueueRefusal, type FairQueue } from '../platform/fair-queue.ts';
import { createPaceLimit } from '../platform/http/client-limits.ts';
import type { StaffApp } from '../platform/http/staff-app.ts';
import type { Pulled } from './pull.ts';
import type { SyncCaller } from './sync-kinds.ts';

export interface SyncCalls {
	elapsedMs: () => number;
	random: () => number;
	breaker: Breaker;
	queue: FairQueue;
	/** @throws AppError for one who may not pull */
	identify(request: FastifyRequest): Promise<SyncCaller>;
	pull(caller: SyncCaller, request: SyncPullRequest, language: 'ar' | 'en'): Promise<Pulled>;
	onOutcome(outcome: 'served' | 'failed' | 'refused', reason?: string): void;
}

const perAddress = { rateLimit: { max: limits.sync.callsPerMinute, timeWindow: 60_000 } };
const breakerSeconds = limits.breaker.openMs / 1_000;
/** A full queue is empty again within its deadline: come back after some of it. */
const queueSeconds = { least: 5, over: limits.sync.queue.deadlineMs / 1_000 };

/**
 * POST /api/v1/sync/pull. In this order: the breaker, before anything is asked of a store; who it is; its pace; its
 * tenant's turn.
 */
export function syncRoutes(app: StaffApp, calls: SyncCalls): void {
	const { breaker, queue, onOutcome } = calls;
	const pace = createPaceLimit({ ...limits.sync.pace, elapsedMs: calls.elapsedMs });
	const refuse = (code: 'sync_paused' | 'busy' | 'rate_limited', reason: string, seconds: number) => {
		onOutcome('refused', reason);
		return new AppError(code, { reason, retryAfterSeconds: seconds }, seconds);
	};
	const busy = (reason: string) =>
		refuse('busy', reason, Math.ceil(queueSeconds.least + calls.random() * queueSeconds.over));

	app.register(async (plain) => {
		const scope = plain as unknown as StaffApp;
		scope.addHook('onRequest', async (request) => {
			const done = breaker.enter();
			if (!done) throw refuse('sync_paused', 'breaker-open', breakerSeconds);
			try {
				const caller = await calls.identify(request);
				const waitMs = pace.take(caller.id);
				if (waitMs > 0) throw refuse('rate_limited', 'pace', Math.ceil(waitMs / 1_000));
				pulls.set(request, { caller, done });
			} catch (error) {
				const isOurs = !(error instanceof AppError) || error.status >= 500;
				if (isOurs) onOutcome('failed');
				done(isOurs ? false : null);
				throw error;
			}
		});
		// What never came to its turn says nothing about the parts behind.
		scope.addHook('onResponse', async (request) => pulls.get(request)?.done(null));

		scope.post(
			'/api/v1/sync/pull',
			{
				bodyLimit: syncRequestBytesMax,
				config: perAddress,
				schema: { body: SyncPullRequest, response: { 200: SyncPullAnswer } }
			},
			async (request, reply) => {
				const { caller, done } = pulls.get(request)!;
				const language = preferredLanguage(request.headers['accept-language']);
				try {
					const pulled = await queue.run(caller.tenant, () => calls.pull(caller, request.body, language));
					done(pulled.whole);
					onOutcome(pulled.whole ? 'served' : 'failed');
					// It is text already: things were put into words once for all who get them.
					reply.header('content-type', 'application/json; charset=utf-8');
					return reply.serializer((text: unknown) => text as string).send(pulled.text as never);
				} catch (error) {
					if (!(error instanceof QueueRefusal)) {
						done(false);
						onOutcome('failed');
						throw error;
					}
					done(error.reason === 'too-late' ? false : null);
					throw busy(error.reason);
				}
			}
		);
	});
}

/** Who sends a request, and whom to tell how it went. */
const pulls = new WeakMap<FastifyRequest, { caller: SyncCaller; done: (ok: boolean | null) => void }>();
