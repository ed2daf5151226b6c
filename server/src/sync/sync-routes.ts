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
	/** Of scanners, and of everybody else: one does not pay for the other. */
	breakers: { scanner: Breaker; staff: Breaker };
	queue: FairQueue;
	/** What tells clients apart before anybody is asked who they are; null where a request carries nothing. */
	credentialOf(request: FastifyRequest): string | null;
	/** @throws AppError for one who may not pull */
	identify(request: FastifyRequest): Promise<SyncCaller>;
	pull(caller: SyncCaller, request: SyncPullRequest, language: 'ar' | 'en'): Promise<Pulled>;
	onOutcome(outcome: Pulled['outcome'] | 'refused', reason?: string): void;
}

const perAddress = { rateLimit: { max: limits.sync.callsPerMinute, timeWindow: 60_000 } };
const breakerSeconds = limits.breaker.openMs / 1_000;
/** A full queue is empty again within its deadline: come back after some of it. */
const queueSeconds = { least: 5, over: limits.sync.queue.deadlineMs / 1_000 };

/**
 * POST /api/v1/sync/pull. In this order: the breaker and the pace of what it carries, before anything is asked of a
 * store; who it is; its tenant's turn.
 */
export function syncRoutes(app: StaffApp, calls: SyncCalls): void {
	const { breakers, queue, onOutcome } = calls;
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
			const done = breakers[isScanner(request) ? 'scanner' : 'staff'].enter();
			if (!done) throw refuse('sync_paused', 'breaker-open', breakerSeconds);
			try {
				const credential = calls.credentialOf(request);
				const waitMs = credential === null ? 0 : pace.take(credential);
				if (waitMs > 0) throw refuse('rate_limited', 'pace', Math.ceil(waitMs / 1_000));
				const caller = await calls.identify(request);
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
					done(pulled.outcome !== 'failed');
					onOutcome(pulled.outcome);
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

/** Says to be a scanner, by the form of its token. */
export function isScanner({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
	return /^Bearer s-[0-9a-f]{12}\./i.test(headers.authorization ?? '');
}

/** Who sends a request, and whom to tell how it went. */
const pulls = new WeakMap<FastifyRequest, { caller: SyncCaller; done: (ok: boolean | null) => void }>();
