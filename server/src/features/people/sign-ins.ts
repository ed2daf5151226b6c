import { randomUUID } from 'node:crypto';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import type { Account, Session } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Record } from '../record/index.ts';
import { hashPassword, nobodysHash, verifyPassword } from './password.ts';
import {
	deleteSession,
	findAccountByEmail,
	hasRealAccount,
	insertAccount,
	insertSession,
	takeFirstLink
} from './people-store.ts';
import { createToken, hashToken } from './session-cookie.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface SignInsDeps {
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	record: Pick<Record, 'append'>;
	limit: SignInLimit;
	/** Demo accounts exist for a demo alone. */
	demo: boolean;
}

export interface OpenedSession {
	token: string;
	session: Session;
}

interface Attempt {
	email: string;
	password: string;
	address: string;
}

/** How people come in. */
export interface SignIns {
	/**
	 * `earlier` is the session that the browser still held: it ends.
	 * @throws AppError wrong_credentials (alike for unknown, disabled and wrong), rate_limited, busy
	 */
	signIn(attempt: Attempt & { earlier: string | null }): Promise<OpenedSession>;
	/** @throws AppError link_gone, rate_limited, busy */
	signInFirst(attempt: Attempt & { token: string }): Promise<OpenedSession>;
}

export function createSignIns(deps: SignInsDeps): SignIns {
	const { db, clock, record, demo } = deps;
	const outcomes = deps.metrics.counter('marsad_sign_ins_total', 'Sign-ins, by outcome', ['outcome']);
	const withRoom = createPasswordRoom();
	const limited = limitAttempts(deps.limit, () => outcomes.inc({ outcome: 'limited' }));

	/** Opens a session in the transaction of `action`, which says for whom. */
	const openSession = async (action: (tx: Tx) => Promise<Account>): Promise<OpenedSession> => {
		const { token, sha256 } = createToken();
		const at = clock.now();
		const account = await db.transaction().execute(async (tx) => {
			const who = await action(tx);
			await insertSession(tx, { sha256, account: who.id, at });
			return who;
		});
		outcomes.inc({ outcome: 'signed-in' });
		return { token, session: { account, expiresAt: at + limits.people.sessionMs, demo } };
	};

	return {
		signIn: (attempt) =>
			limited(attempt, async (email) => {
				const found = await findAccountByEmail(db, email);
				const right = await withRoom(() =>
					verifyPassword(attempt.password, found?.passwordHash ?? nobodysHash)
				);
				if (!found || !right || found.disabled || (found.demo && !demo)) {
					outcomes.inc({ outcome: 'refused' });
					// What was typed as e-mail may be a password: it is not logged.
					deps.log.info({ address: attempt.address }, 'a sign-in was refused');
					throw new AppError('wrong_credentials');
				}
				const account: Account = { id: found.id, email, name: found.name, role: found.role };
				return openSession(async (tx) => {
					if (attempt.earlier) await deleteSession(tx, hashToken(attempt.earlier));
					await record.append(tx, { actor: email, action: 'session.start', subject: account.id });
					return account;
				});
			}),

		signInFirst: (attempt) =>
			limited(attempt, async (email) => {
				const passwordHash = await withRoom(() => hashPassword(attempt.password));
				const account: Account = { id: randomUUID(), email, name: 'Administrator', role: 'administrator' };
				return openSession(async (tx) => {
					const at = clock.now();
					const taken = await takeFirstLink(tx, hashToken(attempt.token), at);
					if (!taken || (await hasRealAccount(tx))) throw new AppError('link_gone');
					// A demo that ran on this database earlier may have left an account of the same name.
					if (await findAccountByEmail(tx, email)) throw new AppError('bad_request', { field: 'body/email' });
					await insertAccount(tx, { ...account, passwordHash, demo: false }, at);
					const after = { role: account.role };
					await record.append(tx, { actor: email, action: 'account.first', subject: account.id, after });
					return account;
				});
			})
	};
}

/** Each hash costs 19 MiB and tens of milliseconds: a bounded number at once, the rest are told to come back. */
function createPasswordRoom(): <T>(work: () => Promise<T>) => Promise<T> {
	const room = bulkhead(limits.people.passwordChecksConcurrent, limits.people.passwordChecksWaiting);
	return async (work) => {
		try {
			return await room.execute(work);
		} catch (error) {
			if (isBulkheadRejectedError(error)) throw new AppError('busy', {}, 5);
			throw error;
		}
	};
}

/** Counts what was refused for its own fault; a database that is away must lock nobody out. */
function limitAttempts(limit: SignInLimit, onLimited: () => void) {
	const guessed = new Set<string>(['wrong_credentials', 'link_gone']);
	return async <T>(
		attempt: { email: string; address: string },
		work: (email: string) => Promise<T>
	): Promise<T> => {
		const email = attempt.email.trim().toLowerCase();
		const waitSeconds = limit.take(attempt.address, email);
		if (waitSeconds > 0) {
			onLimited();
			throw new AppError('rate_limited', {}, waitSeconds);
		}
		try {
			const answer = await work(email);
			limit.succeeded(attempt.address, email);
			return answer;
		} catch (error) {
			if (!(error instanceof AppError && guessed.has(error.code))) limit.giveBack(attempt.address, email);
			throw error;
		}
	};
}
