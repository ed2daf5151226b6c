import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

type TimestampOrNull = ColumnType<Date | null, Date | string | null, Date | string | null>;
type JsonOrNull = ColumnType<unknown, string | null, string | null>;

export interface AlarmsTable {
	id: Generated<number>;
	season: string;
	site: string;
	definition: string;
	subject_kind: string;
	subject_id: string;
	level: number;
	priority: string;
	shown: Json;
	evidence: Json;
	raised_at: Timestamp;
	worsened_at: TimestampOrNull;
	returned_at: TimestampOrNull;
	over_at: TimestampOrNull;
	data_lost: boolean;
	quality: string;
	mark: string;
	acknowledged: JsonOrNull;
	confirmed: JsonOrNull;
	claim_by: string | null;
	claim_by_id: string | null;
	claim_at: TimestampOrNull;
	heartbeat_at: TimestampOrNull;
	links: Json;
	annunciated_at: TimestampOrNull;
	rings_again_at: TimestampOrNull;
	rang_again: number;
	escalation: JsonOrNull;
	suppressed: JsonOrNull;
	sound_seq: number;
	in_flood: boolean;
}

export interface AlarmEventsTable {
	id: Generated<number>;
	alarm: number;
	at: Timestamp;
	kind: string;
	by_name: string | null;
	words: string | null;
	priority: string;
	value: number | null;
}

export interface AlarmAnnunciationsTable {
	id: Generated<number>;
	season: string;
	site: string;
	alarm: number | null;
	at: Timestamp;
	why: string;
	priority: string;
	sounds: boolean;
}

export interface AlarmFloodsTable {
	id: Generated<number>;
	season: string;
	site: string;
	started_at: Timestamp;
	ended_at: TimestampOrNull;
	first_alarm: number | null;
}

export interface AlarmAsidesTable {
	season: string;
	site: string;
	definition: string;
	subject_kind: string;
	subject_id: string;
	how: string;
	names: Json;
	by_name: string;
	by_id: string;
	at: Timestamp;
	until: TimestampOrNull;
	reason: string;
}

export interface AlarmWatchTable {
	season: string;
	site: string;
	evaluated_at: Timestamp;
}
