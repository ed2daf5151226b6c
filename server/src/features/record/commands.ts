import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { findAnswer, lockCommand, saveAnswer } from './command-store.ts';

/** What a command answers; `afterCommit` runs only when everything is safely stored (events, hub). */
export interface CommandAnswer {
	status?: number;
	body: unknown;
	afterCommit?: () => void;
}

/**
 * Runs one staff command exactly once: the action, its line in the record and its answer are one transaction.
 * A retry under the same Idempotency-Key gets the first answer; another body is 422; a twin still running 409.
 */
export type RunCommand = (
	request: FastifyRequest,
	reply: FastifyReply,
	account: string,
	action: (tx: Tx) => Promise<CommandAnswer>
) => Promise<unknown>;

export function createRunCommand({ db, clock }: { db: Db; clock: Clock }): RunCommand {
	return async (request, reply, account, action) => {
		const key = request.headers['idempotency-key'];
		if (typeof key !== 'string' || key.length === 0) throw new AppError('key_missing');
		if (key.length > limits.commands.keyLengthMax)
			throw new AppError('bad_request', { field: 'Idempotency-Key' });
		const bodySha256 = createHash('sha256')
			.update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
			.digest('hex');
		let afterCommit: (() => void) | undefined;
		const answer = await db.transaction().execute(async (tx) => {
			if (!(await lockCommand(tx, account, key))) throw new AppError('key_in_flight');
			const first = await findAnswer(tx, account, key);
			if (first) {
				if (first.bodySha256 !== bodySha256) throw new AppError('key_reused');
				return first;
			}
			const result = await action(tx);
			afterCommit = result.afterCommit;
			const stored = { bodySha256, status: result.status ?? 200, body: result.body };
			await saveAnswer(tx, account, key, stored, clock.now());
			return stored;
		});
		afterCommit?.();
		return reply.code(answer.status).send(answer.body);
	};
}
