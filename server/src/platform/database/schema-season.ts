import type { ColumnType } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

type TimestampOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface SeasonEntriesTable {
	id: string;
	season: string;
	site: string;
	kind: string;
	version: number;
	body: Json;
	by_name: string;
	at: Timestamp;
	retired_at: TimestampOrNull;
}

export interface SeasonSightingsTable {
	id: string;
	season: string;
	site: string;
	year: number;
	month: number;
	first_day: string;
	source: string;
	reason: string;
	by_id: string;
	by_name: string;
	at: Timestamp;
	state: string;
	decided_id: string | null;
	decided_by: string | null;
	decided_at: TimestampOrNull;
	decided_reason: string | null;
}
