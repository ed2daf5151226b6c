import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Tables of the laboratory's way; nothing of the product's. */
export async function createLaboratoryTables(
	databaseUrl: string,
	slots: number,
	capacity: number
): Promise<void> {
	const client = new pg.Client({ connectionString: databaseUrl });
	await client.connect();
	try {
		await client.query('create schema if not exists laboratory');
		await client.query(
			'create table if not exists laboratory.slots (id int primary key, capacity int not null, booked int not null)'
		);
		await client.query(
			'create table if not exists laboratory.bookings (person text primary key, slot int not null, at timestamptz not null default now())'
		);
		await client.query('truncate laboratory.slots, laboratory.bookings');
		await client.query('insert into laboratory.slots select id, $2, 0 from generate_series(1, $1) id', [
			slots,
			capacity
		]);
	} finally {
		await client.end();
	}
}

export type LaboratoryBooking = {
	/** True when booked, false when the slot is full; the same person twice counts once. */
	book(person: string, slot: number): Promise<boolean>;
	count(): Promise<number>;
	close(): Promise<void>;
};

/**
 * The usual way: one transaction a booking with the eligibility check inside it, so that a connection is held for as
 * long as another body's service takes. The check stands before the row is locked, which is the kinder order.
 */
export function openLaboratoryBooking(
	databaseUrl: string,
	connections: number,
	checkMs: number
): LaboratoryBooking {
	const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
	return {
		async book(person, slot) {
			const client = await pool.connect();
			try {
				await client.query('begin');
				await delay(checkMs);
				const row = await client.query<{ free: boolean }>(
					'select booked < capacity as free from laboratory.slots where id = $1 for update',
					[slot]
				);
				const isFree = row.rows[0]?.free ?? false;
				if (isFree) {
					const added = await client.query(
						'insert into laboratory.bookings (person, slot) values ($1, $2) on conflict do nothing',
						[person, slot]
					);
					if (added.rowCount === 1)
						await client.query('update laboratory.slots set booked = booked + 1 where id = $1', [slot]);
				}
				await client.query('commit');
				return isFree;
			} catch (error) {
				await client.query('rollback').catch(() => undefined);
				throw error;
			} finally {
				client.release();
			}
		},
		async count() {
			const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from laboratory.bookings');
			return rows[0]!.n;
		},
		close: () => pool.end()
	};
}
