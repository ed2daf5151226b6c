import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { PrepareAnswer, type PersonAttributes } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Booking, Identity } from '../booking/index.ts';
import { savePrepared } from './ready-store.ts';
import type { ReadyCodec } from './ready.ts';
import { readParty, valueOf } from './waiting-room-routes.ts';

/** What another body says about a person; null when it could not be asked in time. */
export type AskEligibility = Booking['checkEligibility'];

export interface PrepareCalls {
	db: Db;
	clock: Clock;
	metrics: Metrics;
	identity: Pick<Identity, 'identify'>;
	codec: ReadyCodec;
	secret: string;
	season: string;
	askEligibility: AskEligibility;
	/** @throws AppError `joins_closed` while a level gives out no new places */
	refuseNew: () => void;
}

const language = /^[a-z]{2}$/;
const retrySeconds = 10;

/**
 * POST /queue/prepare: for weeks before the day people show who they are, and get a signed "ready". On the day it is
 * believed by its signature alone, so that no other body's service stands in front of the room.
 */
export function prepareRoutes(app: HotApp, calls: PrepareCalls): void {
	const { clock, codec } = calls;
	const key = createSecretKey(
		Buffer.from(hkdfSync('sha256', calls.secret, 'marsad', 'waiting-room:prepared', 32))
	);
	const full = calls.metrics.counter(
		'marsad_prepare_refusals_total',
		'People who could not prepare because too many did at once'
	);
	let preparing = 0;

	app.post('/queue/prepare', { schema: { response: { 200: PrepareAnswer } } }, async (request, reply) => {
		void reply.header('cache-control', 'no-store, private');
		const { holder } = await calls.identity.identify(request);
		const party = readParty(request, null);
		calls.refuseNew();
		if (preparing >= limits.ready.preparingMax) {
			full.inc();
			throw new AppError('busy', {}, retrySeconds);
		}
		preparing += 1;
		let attributes: PersonAttributes = { country: null, provider: null, category: null };
		try {
			const verdict = await calls.askEligibility(holder);
			if (verdict === null) throw new AppError('busy', {}, retrySeconds);
			if (!verdict.eligible)
				throw new AppError('not_eligible', verdict.reason ? { reason: verdict.reason } : {});
			attributes = verdict.attributes ?? attributes;
			await savePrepared(calls.db, calls.season, createHmac('sha256', key).update(holder).digest());
		} finally {
			preparing -= 1;
		}
		const issuedAt = clock.now();
		const expiresAt = issuedAt + limits.ready.lifeMs;
		const ready = {
			...{ holder, party, language: readLanguage(request), attributes },
			...{ issuedAt, expiresAt }
		};
		return { ready: codec.sign(ready), expiresAt, party, eligibilityChecked: true };
	});
}

/** @throws AppError `bad_request` */
function readLanguage(request: FastifyRequest): string {
	const value = valueOf(request.body, 'language') ?? valueOf(request.query, 'language') ?? 'ar';
	if (typeof value === 'string' && language.test(value)) return value;
	throw new AppError('bad_request', { field: 'language', detail: 'must be two small letters' });
}
