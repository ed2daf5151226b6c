import type { Account, Role } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

export interface StoredAccount extends Account {
	passwordHash: string;
	demo: boolean;
	disabled: boolean;
}

const accountColumns = ['accounts.id', 'accounts.email', 'accounts.name', 'accounts.role'] as const;

export async function findAccountByEmail(db: Db | Tx, email: string): Promise<StoredAccount | undefined> {
	const row = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
	return (
		row && {
			id: row.id,
			email: row.email,
			name: row.name,
			role: row.role as Role,
			passwordHash: row.password_hash,
			demo: row.demo,
			disabled: row.disabled_at !== null
		}
	);
}

/** The account as it is now, if it may act: not disabled, and no demo account outside a demo. */
export async function findActiveAccount(db: Db | Tx, id: string, demo: boolean): Promise<Account | null> {
	let query = db
		.selectFrom('accounts')
		.select(accountColumns)
		.where('id', '=', id)
		.where('disabled_at', 'is', null);
	if (!demo) query = query.where('demo', '=', false);
	return ((await query.executeTakeFirst()) as Account | undefined) ?? null;
}

/** Ids of those of these addresses that may act in this role now; one that may not is not in the answer. */
export async function listAccountsOfRole(
	db: Db | Tx,
	query: { emails: readonly string[]; role: Role; demo: boolean }
): Promise<string[]> {
	if (query.emails.length === 0) return [];
	let rows = db
		.selectFrom('accounts')
		.select('id')
		.where(
			'email',
			'in',
			query.emails.map((email) => email.toLowerCase())
		)
		.where('role', '=', query.role)
		.where('disabled_at', 'is', null);
	if (!query.demo) rows = rows.where('demo', '=', false);
	return (await rows.execute()).map(({ id }) => id);
}

/** Accounts of a role that may sign in, by name. */
export async function listPeopleOfRole(
	db: Db,
	query: { role: Role; demo: boolean; limit: number }
): Promise<{ id: string; name: string; email: string }[]> {
	let rows = db
		.selectFrom('accounts')
		.select(['id', 'name', 'email'])
		.where('role', '=', query.role)
		.where('disabled_at', 'is', null)
		.orderBy('name')
		.orderBy('email')
		.limit(query.limit);
	if (!query.demo) rows = rows.where('demo', '=', false);
	return rows.execute();
}

export async function insertAccount(
	tx: Db | Tx,
	account: Account & { passwordHash: string; demo: boolean },
	at: number
): Promise<void> {
	await tx
		.insertInto('accounts')
		.values({
			id: account.id,
			email: account.email,
			name: account.name,
			role: account.role,
			password_hash: account.passwordHash,
			demo: account.demo,
			created_at: new Date(at),
			disabled_at: null
		})
		.onConflict((conflict) => conflict.column('email').doNothing())
		.execute();
}

/** Gives every demo account this password and ends their sessions. */
export async function resetDemoPasswords(tx: Tx, passwordHash: string): Promise<void> {
	await tx.updateTable('accounts').set({ password_hash: passwordHash }).where('demo', '=', true).execute();
	await tx
		.deleteFrom('sessions')
		.where('account', 'in', (query) => query.selectFrom('accounts').select('id').where('demo', '=', true))
		.execute();
}

/** True when anybody but demo accounts is known. */
export async function hasRealAccount(db: Db | Tx): Promise<boolean> {
	const row = await db
		.selectFrom('accounts')
		.select('id')
		.where('demo', '=', false)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

export async function insertSession(
	tx: Tx,
	session: { sha256: string; account: string; at: number }
): Promise<void> {
	await tx
		.insertInto('sessions')
		.values({
			token_sha256: session.sha256,
			account: session.account,
			created_at: new Date(session.at),
			last_seen: new Date(session.at),
			expires_at: new Date(session.at + limits.people.sessionMs)
		})
		.execute();
}

export interface FoundSession {
	account: Account;
	lastSeen: number;
	expiresAt: number;
}

/** A living session and its account as it is at this moment: a changed role or a disabled account holds at once. */
export async function findSession(
	db: Db,
	sha256: string,
	at: number,
	demo: boolean
): Promise<FoundSession | null> {
	let query = db
		.selectFrom('sessions')
		.innerJoin('accounts', 'accounts.id', 'sessions.account')
		.select([...accountColumns, 'sessions.last_seen', 'sessions.expires_at'])
		.where('sessions.token_sha256', '=', sha256)
		.where('sessions.expires_at', '>', new Date(at))
		.where('sessions.created_at', '>', new Date(at - limits.people.sessionMaxMs))
		.where('accounts.disabled_at', 'is', null);
	if (!demo) query = query.where('accounts.demo', '=', false);
	const row = await query.executeTakeFirst();
	if (!row) return null;
	const { id, email, name, role } = row;
	return {
		account: { id, email, name, role: role as Role },
		lastSeen: row.last_seen.getTime(),
		expiresAt: row.expires_at.getTime()
	};
}

/** The session was used: it ends later. Returns its new end. */
export async function touchSession(db: Db, sha256: string, at: number): Promise<number> {
	const expiresAt = at + limits.people.sessionMs;
	await db
		.updateTable('sessions')
		.set({ last_seen: new Date(at), expires_at: new Date(expiresAt) })
		.where('token_sha256', '=', sha256)
		.execute();
	return expiresAt;
}

/** Ends a session; true when there was one. */
export async function deleteSession(tx: Db | Tx, sha256: string): Promise<boolean> {
	const result = await tx.deleteFrom('sessions').where('token_sha256', '=', sha256).executeTakeFirst();
	return result.numDeletedRows > 0n;
}

export async function forgetSessions(db: Db, at: number): Promise<void> {
	await db
		.deleteFrom('sessions')
		.where((or) =>
			or.or([
				or('expires_at', '<', new Date(at)),
				or('created_at', '<', new Date(at - limits.people.sessionMaxMs))
			])
		)
		.execute();
}

export type DeviceRole = 'viewer' | 'metrics';

export async function insertDeviceToken(
	tx: Tx,
	device: { sha256: string; id: string; name: string; role: DeviceRole; at: number }
): Promise<void> {
	await tx
		.insertInto('device_tokens')
		.values({
			token_sha256: device.sha256,
			id: device.id,
			name: device.name,
			role: device.role,
			created_at: new Date(device.at)
		})
		.execute();
}

export async function findDevice(
	db: Db,
	sha256: string
): Promise<{ id: string; name: string; role: DeviceRole } | undefined> {
	const row = await db
		.selectFrom('device_tokens')
		.select(['id', 'name', 'role'])
		.where('token_sha256', '=', sha256)
		.executeTakeFirst();
	return row && { id: row.id, name: row.name, role: row.role as DeviceRole };
}

/** Puts the one link of a new installation in place of an earlier one. */
export async function saveFirstLink(db: Db, sha256: string, expiresAt: number): Promise<void> {
	const values = { token_sha256: sha256, expires_at: new Date(expiresAt) };
	await db
		.insertInto('first_links')
		.values(values)
		.onConflict((conflict) => conflict.column('singleton').doUpdateSet(values))
		.execute();
}

/** Uses the link up; false when it is another one or has run out. Of two at once, one gets true. */
export async function takeFirstLink(tx: Tx, sha256: string, at: number): Promise<boolean> {
	const result = await tx
		.deleteFrom('first_links')
		.where('token_sha256', '=', sha256)
		.where('expires_at', '>', new Date(at))
		.executeTakeFirst();
	return result.numDeletedRows > 0n;
}
