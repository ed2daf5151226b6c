import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Tx } from '../database/database.ts';

const channel = 'marsad_notices';

/** Tells all instances, this one too; within a transaction: when it commits. */
export async function notify(db: Db | Tx, payload: string): Promise<void> {
	await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}

export async function listen(client: pg.Client, onPayload: (payload: string) => void): Promise<void> {
	client.on('notification', (notice) => notice.channel === channel && onPayload(notice.payload ?? ''));
	await client.query(`listen ${channel}`);
}
