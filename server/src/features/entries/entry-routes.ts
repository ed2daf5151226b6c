import type { FastifyRequest } from 'fastify';
import {
	EntryBatch,
	EntryBatchAnswer,
	entryBatchBytesMax,
	holdsStorableText,
	ScannerSettings,
	setAsideWords
} from '../../../contract/index.ts';
import { AppError, preferredLanguage } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { createFairQueue, QueueRefusal, type FairQueue } from '../../platform/fair-queue.ts';
import { createPaceLimit } from '../../platform/http/client-limits.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { isSecret, readScannerToken } from './scanner-token.ts';
import type { StoredScanner } from './scanner-store.ts';
import { toRanges } from './seq-ranges.ts';
import type { Taken } from './take-batch.ts';

export interface EntryCalls {
	clock: Clock;
	take(id: string, batch: EntryBatch, receivedAt: number): Promise<Taken>;
	settings(scanner: StoredScanner): Promise<ScannerSettings>;
	/** Scanners of one place take turns with those of the others. */
	queue: FairQueue;
	placeOf(gate: string): string | undefined;
	signIn(request: FastifyRequest): Promise<StoredScanner>;
	onRefused(why: Refusal): void;
}

type Refusal = 'unknown' | 'revoked' | 'too-fast' | 'full';

const perAddress = { rateLimit: { max: limits.entries.callsPerMinute, timeWindow: 60_000 } };

/**
 * POST /api/v1/entries and GET /api/v1/entries/settings: a scanner with its own token, which opens nothing else. Who it is
 * is known before the body is read.
 */
export function entryRoutes(app: StaffApp, calls: EntryCalls): void {
	const { clock } = calls;
	const write = createWriters(calls);

	app.register(async (plain) => {
		const scope = plain as unknown as StaffApp;
		scope.addHook('onRequest', async (request) => void scanners.set(request, await calls.signIn(request)));
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser(
			'application/json',
			{ parseAs: 'string', bodyLimit: entryBatchBytesMax },
			(_request, body, done) => {
				try {
					done(null, withoutPoison(JSON.parse(String(body))));
				} catch {
					done(new AppError('bad_json'));
				}
			}
		);

		scope.post(
			'/api/v1/entries',
			{
				bodyLimit: entryBatchBytesMax,
				config: perAddress,
				schema: { body: EntryBatch, response: { 200: EntryBatchAnswer } }
			},
			async (request) => {
				const scanner = scanners.get(request)!;
				const batch = request.body;
				if (batch.device !== scanner.id) throw new AppError('forbidden', { device: batch.device });
				const receivedAt = clock.now();
				const taken = await write(scanner, () => calls.take(scanner.id, batch, receivedAt));
				const language = preferredLanguage(request.headers['accept-language']);
				return {
					device: scanner.id,
					acknowledged: toRanges([...taken.stored, ...taken.repeated]),
					...{ stored: taken.stored.length, repeated: taken.repeated.length },
					setAside: taken.setAside.map((one) => ({ ...one, title: setAsideWords[one.code][language] })),
					...{ nextSeq: taken.nextSeq, receivedAt, serverAt: clock.now(), clock: taken.clock }
				};
			}
		);

		scope.get(
			'/api/v1/entries/settings',
			{ config: perAddress, schema: { response: { 200: ScannerSettings } } },
			(request) => calls.settings(scanners.get(request)!)
		);
	});
}

/** Who sends a request, by its token. */
const scanners = new WeakMap<FastifyRequest, StoredScanner>();

/** Text that no store takes would have the whole batch refused, for ever: it is one bad entry, and no more. */
function withoutPoison(body: unknown): unknown {
	const entries = (body as { entries?: unknown } | null)?.entries;
	if (!Array.isArray(entries)) return body;
	const clean = entries.map((entry: unknown) => {
		if (holdsStorableText(entry)) return entry;
		const seq: unknown = (entry as { seq?: unknown }).seq;
		return { unstorable: true, ...(typeof seq === 'number' ? { seq } : {}) };
	});
	return { ...(body as object), entries: clean };
}

/** Knows a scanner by its token. @throws AppError for one that is unknown, revoked or too fast */
export function createSignIn(deps: {
	clock: Clock;
	find(id: string): Promise<StoredScanner | undefined>;
	onRefused(why: Refusal): void;
}): EntryCalls['signIn'] {
	const { clock, find, onRefused } = deps;
	const elapsedMs = () => clock.elapsedMs();
	const pace = createPaceLimit({ ...limits.entries.batches, elapsedMs });
	const failures = createPaceLimit({ ...limits.entries.failures, elapsedMs });
	const tooFast = (waitMs: number) => {
		onRefused('too-fast');
		return new AppError('rate_limited', {}, Math.ceil(waitMs / 1_000));
	};
	return async (request: FastifyRequest): Promise<StoredScanner> => {
		const said = readScannerToken(request.headers.authorization);
		const known = said && (await find(said.id));
		if (!said || !isSecret(said.secret, known?.secretSha256) || !known) {
			const waitMs = failures.take(request.ip);
			if (waitMs > 0) throw tooFast(waitMs);
			onRefused('unknown');
			throw new AppError('scanner_unknown');
		}
		if (known.revoked) {
			onRefused('revoked');
			throw new AppError('scanner_revoked');
		}
		const waitMs = pace.take(known.id);
		if (waitMs > 0) throw tooFast(waitMs);
		return known;
	};
}

/** Batches that are written at the same moment, and those that wait: the pool is left to others in a storm of scanners. */
export const createEntryQueue = (clock: Clock): FairQueue => createFairQueue(clock, limits.entries.queue);

function createWriters({ queue, placeOf, onRefused }: EntryCalls) {
	return async <T>(scanner: StoredScanner, work: () => Promise<T>): Promise<T> => {
		try {
			return await queue.run(placeOf(scanner.gate) ?? scanner.gate, work);
		} catch (error) {
			if (!(error instanceof QueueRefusal)) throw error;
			onRefused('full');
			throw new AppError('busy', { reason: error.reason, retryAfterSeconds: 10 }, 10);
		}
	};
}
