import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';

/** A timestamptz column: read as Date, written as Date. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** A jsonb column: written as JSON text. */
export type Json = ColumnType<unknown, string, string>;

export interface RecordTable {
	id: Generated<number>;
	at: Timestamp;
	actor: string;
	action: string;
	subject: string | null;
	reason: string | null;
	before: Json;
	after: Json;
}

export interface CommandKeysTable {
	account: string;
	key: string;
	body_sha256: string;
	status: number;
	body: Json;
	created_at: Timestamp;
}

export interface LeadersTable {
	name: string;
	term: number;
	instance: string;
	since: Timestamp;
}

/** All tables; each feature adds its own, in its own migration. `schema.test` compares with information_schema. */
export interface Schema {
	record: RecordTable;
	command_keys: CommandKeysTable;
	leaders: LeadersTable;
}

export type Row<T extends keyof Schema> = Selectable<Schema[T]>;
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>;
