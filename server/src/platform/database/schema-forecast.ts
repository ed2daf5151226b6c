import type { ColumnType } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

export interface ForecastsTable {
	season: string;
	room: string;
	at: Timestamp;
	reason: string;
	until: Timestamp;
	predicted: Json;
	judged_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
	judgement: ColumnType<unknown, string | null | undefined, string | null>;
}
