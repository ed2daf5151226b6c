import type { ColumnType } from 'kysely';

/** A timestamptz column: read as Date, written as Date. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** A jsonb column: written as JSON text. */
export type Json = ColumnType<unknown, string, string>;
