import type { Account, Session } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Signal } from '../../platform/signal.ts';
import type { Record } from '../record/index.ts';
import { deleteSession, findDevice, findSession, touchSession, type FoundSession } from './people-store.ts';
import { hashToken, readBearer, readSessionToken, type Credentials } from './session-cookie.ts';

export interface SessionsDeps {
	db: Db;
	clock: Clock;
	record: Pick<Record, 'append'>;
	/** Demo accounts exist for a demo alone. */
	demo: boolean;
	/** Told which account's session ended. */
	onEnded: Signal<{ accountId: string }>;
}

/** How people are known, and leave. */
export interface Sessions {
	/** Who is asking, by cookie or device token; null when nobody may be believed. */
	authenticate(credentials: Credentials): Promise<Account | null>;
	describe(account: Account, credentials: Credentials): Promise<Session>;
	signOut(account: Account, cookie: string | undefined): Promise<void>;
}

export function createSessions({ db, clock, record, demo, onEnded }: SessionsDeps): Sessions {
	const findLiving = async (cookieHeader: string | undefined): Promise<FoundSession | null> => {
		const token = readSessionToken(cookieHeader);
		if (!token) return null;
		const sha256 = hashToken(token);
		const at = clock.now();
		const found = await findSession(db, sha256, at, demo);
		if (found && at - found.lastSeen >= limits.people.sessionTouchMs) {
			found.expiresAt = await touchSession(db, sha256, at);
		}
		return found;
	};

	return {
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
			if (ended) onEnded.emit({ accountId: account.id });
		}
	};
}
