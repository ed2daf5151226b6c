import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';

export interface StoredAnswer {
	bodySha256: string;
	status: number;
	body: unknown;
}

/** True when this transaction may run the command; false while a twin is still running. */
export async function lockCommand(tx: Tx, account: string, key: string): Promise<boolean> {
	const answer = await sql<{
		held: boolean;
	}>`select pg_try_advisory_xact_lock(hashtextextended(${`command:${account}:${key}`}, 0)) as held`.execute(
		tx
	);
	return answer.rows[0]?.held ?? false;
}

/** The first answer given under this key, if any. */
export async function findAnswer(
	db: Db | Tx,
	account: string,
	key: string
): Promise<StoredAnswer | undefined> {
	const row = await db
		.selectFrom('command_keys')
		.selectAll()
		.where('account', '=', account)
		.where('key', '=', key)
		.executeTakeFirst();
	return row && { bodySha256: row.body_sha256, status: row.status, body: row.body };
}

export async function saveAnswer(
	tx: Tx,
	account: string,
	key: string,
	answer: StoredAnswer,
	at: number
): Promise<void> {
	await tx
		.insertInto('command_keys')
		.values({
			account,
			key,
			body_sha256: answer.bodySha256,
			status: answer.status,
			body: JSON.stringify(answer.body ?? null),
			created_at: new Date(at)
		})
		.execute();
}

/** Forgets keys older than `before`; returns how many. */
export async function forgetAnswers(db: Db, before: number): Promise<number> {
	const result = await db
		.deleteFrom('command_keys')
		.where('created_at', '<', new Date(before))
		.executeTakeFirst();
	return Number(result.numDeletedRows);
}
