import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Tx } from '../database/database.ts';

/** Tries to take the session advisory lock of this name; true when this session holds it. */
export async function tryLock(client: pg.Client, name: string): Promise<boolean> {
	const answer = await client.query<{ held: boolean }>(
		"select pg_try_advisory_lock(hashtextextended('marsad:' || $1, 0)) as held",
		[name]
	);
	return answer.rows[0]?.held ?? false;
}

/** From now on the server ends this session when it is silent for so long, and with it the lock. */
export async function endWhenSilent(client: pg.Client, afterMs: number): Promise<void> {
	await client.query("select set_config('idle_session_timeout', $1, false)", [`${afterMs}ms`]);
}

/** Writes the next term number and returns it: every write of this leader must carry it. */
export async function beginTerm(
	client: pg.Client,
	name: string,
	instance: string,
	at: Date
): Promise<number> {
	const answer = await client.query<{ term: number }>(
		`insert into leaders (name, term, instance, since) values ($1, 1, $2, $3)
		on conflict (name) do update set term = leaders.term + 1, instance = excluded.instance, since = excluded.since
		returning term`,
		[name, instance, at]
	);
	return answer.rows[0]!.term;
}

/** Asks the session whether it is still alive. */
export async function probe(client: pg.Client): Promise<void> {
	await client.query('select 1');
}

/** True when `term` is still the term in force; holds the row so that it stays so until the transaction ends. */
export async function holdsTerm(db: Db | Tx, name: string, term: number): Promise<boolean> {
	const row = await sql<{ term: number }>`select term from leaders where name = ${name} for share`.execute(
		db
	);
	return row.rows[0]?.term === term;
}
