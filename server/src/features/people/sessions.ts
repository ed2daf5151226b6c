import { randomUUID } from 'node:crypto';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import type { Account, Session } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Signal } from '../../platform/signal.ts';
import type { Record } from '../record/index.ts';
import { hashPassword, nobodysHash, verifyPassword } from './password.ts';
import {
	deleteSession,
	findAccountByEmail,
	findDevice,
	findSession,
	hasRealAccount,
	insertAccount,
	insertSession,
	takeFirstLink,
	touchSession,
	type FoundSession
} from './people-store.ts';
import { createToken, hashToken, readBearer, readSessionToken, type Credentials } from './session-cookie.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface SessionsDeps {
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	record: Pick<Record, 'append'>;
	limit: SignInLimit;
	/** Demo accounts exist for a demo alone. */
	demo: boolean;
	/** Told which account's session ended. */
	onEnded: Signal<{ accountId: string }>;
}

export interface OpenedSession {
	token: string;
	session: Session;
}

/** How people come in, are known, and leave. */
export interface Sessions {
	/** @throws AppError wrong_credentials (alike for unknown, disabled and wrong), rate_limited, busy */
	signIn(request: {
		email: string;
		password: string;
		address: string;
		earlier: string | null;
	}): Promise<OpenedSession>;
	/** @throws AppError link_gone, rate_limited, busy */
	signInFirst(request: {
		token: string;
		email: string;
		password: string;
		address: string;
	}): Promise<OpenedSession>;
	signOut(account: Account, cookie: string | undefined): Promise<void>;
	/** Who is asking, by cookie or device token; null when nobody may be believed. */
	authenticate(credentials: Credentials): Promise<Account | null>;
	describe(account: Account, credentials: Credentials): Promise<Session>;
}

export function createSessions(deps: SessionsDeps): Sessions {
	const { db, clock, record, limit, demo } = deps;
	const signIns = deps.metrics.counter('marsad_sign_ins_total', 'Sign-ins, by outcome', ['outcome']);
	const passwordWork = bulkhead(limits.people.passwordChecksConcurrent, limits.people.passwordChecksWaiting);

	/** Each hash costs 19 MiB and tens of milliseconds: a bounded number at once, the rest are told to come back. */
	const withRoom = async <T>(work: () => Promise<T>): Promise<T> => {
		try {
			return await passwordWork.execute(work);
		} catch (error) {
			if (isBulkheadRejectedError(error)) throw new AppError('busy', {}, 5);
			throw error;
		}
	};
	const takeAttempt = (address: string, email: string) => {
		const waitSeconds = limit.take(address, email);
		if (waitSeconds === 0) return;
		signIns.inc({ outcome: 'limited' });
		throw new AppError('rate_limited', {}, waitSeconds);
	};
	const opened = (token: string, account: Account, at: number): OpenedSession => ({
		token,
		session: { account, expiresAt: at + limits.people.sessionMs, demo }
	});

	const findLiving = async (cookieHeader: string | undefined): Promise<FoundSession | null> => {
		const token = readSessionToken(cookieHeader);
		if (!token) return null;
		const sha256 = hashToken(token);
		const at = clock.now();
		const found = await findSession(db, sha256, at, demo);
		if (found && at - found.lastSeen >= limits.people.sessionTouchMs)
			found.expiresAt = await touchSession(db, sha256, at);
		return found;
	};

	return {
		async signIn({ email: typed, password, address, earlier }) {
			const email = typed.trim().toLowerCase();
			takeAttempt(address, email);
			const found = await findAccountByEmail(db, email);
			const right = await withRoom(() => verifyPassword(password, found?.passwordHash ?? nobodysHash));
			if (!found || !right || found.disabled || (found.demo && !demo)) {
				signIns.inc({ outcome: 'refused' });
				// What was typed as e-mail may be a password: it is not logged.
				deps.log.info({ address }, 'a sign-in was refused');
				throw new AppError('wrong_credentials');
			}
			limit.succeeded(address, email);
			signIns.inc({ outcome: 'signed-in' });
			const account: Account = { id: found.id, email, name: found.name, role: found.role };
			const { token, sha256 } = createToken();
			const at = clock.now();
			await db.transaction().execute(async (tx) => {
				if (earlier) await deleteSession(tx, hashToken(earlier));
				await insertSession(tx, { sha256, account: account.id, at });
				await record.append(tx, { actor: account.email, action: 'session.start', subject: account.id });
			});
			return opened(token, account, at);
		},

		async signInFirst({ token: link, email: typed, password, address }) {
			const email = typed.trim().toLowerCase();
			takeAttempt(address, email);
			const passwordHash = await withRoom(() => hashPassword(password));
			const account: Account = { id: randomUUID(), email, name: 'Administrator', role: 'administrator' };
			const { token, sha256 } = createToken();
			const at = clock.now();
			await db.transaction().execute(async (tx) => {
				const taken = await takeFirstLink(tx, hashToken(link), at);
				if (!taken || (await hasRealAccount(tx))) throw new AppError('link_gone');
				// A demo that ran on this database earlier may have left an account of the same name.
				if (await findAccountByEmail(tx, email)) throw new AppError('bad_request', { field: 'body/email' });
				await insertAccount(tx, { ...account, passwordHash, demo: false }, at);
				await insertSession(tx, { sha256, account: account.id, at });
				await record.append(tx, {
					actor: email,
					action: 'account.first',
					subject: account.id,
					after: { role: account.role }
				});
			});
			limit.succeeded(address, email);
			return opened(token, account, at);
		},

		async signOut(account, cookieHeader) {
			const token = readSessionToken(cookieHeader);
			if (!token) return;
			const ended = await db.transaction().execute(async (tx) => {
				const there = await deleteSession(tx, hashToken(token));
				if (there)
					await record.append(tx, { actor: account.email, action: 'session.end', subject: account.id });
				return there;
			});
			if (ended) deps.onEnded.emit({ accountId: account.id });
		},

		async authenticate({ authorization, cookie }) {
			if (authorization === undefined) return (await findLiving(cookie))?.account ?? null;
			const bearer = readBearer(authorization);
			const device = bearer ? await findDevice(db, hashToken(bearer)) : undefined;
			if (device?.role !== 'viewer') return null;
			return { id: `device:${device.id}`, email: '', name: device.name, role: 'viewer' };
		},

		async describe(account, { cookie }) {
			const found = await findLiving(cookie);
			return { account, expiresAt: found?.expiresAt ?? clock.now() + limits.people.sessionMs, demo };
		}
	};
}
