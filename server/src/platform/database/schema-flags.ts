import type { ColumnType } from 'kysely';

export interface FlagMirrorTable {
	season: string;
	room: string;
	flag: string;
	enabled: boolean;
	written_at: ColumnType<Date | null, Date | null, Date | null>;
}
