import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

type TimestampOrNull = ColumnType<Date | null, Date | string | null, Date | string | null>;
type JsonOrNull = ColumnType<unknown, string | null, string | null>;

export interface TeamsTable {
	id: string;
	season: string;
	site: string;
	version: number;
	names: Json;
	channel: string;
	phone: string;
	members: number;
	home: string | null;
	shift_from: string | null;
	shift_to: string | null;
	off_duty: boolean;
	place_zone: string | null;
	place_at: TimestampOrNull;
	created_at: Timestamp;
	retired_at: TimestampOrNull;
}

export interface TeamLeadersTable {
	team: string;
	account: string;
}

export interface DispatchesTable {
	id: string;
	season: string;
	site: string;
	team: string;
	source_kind: 'alarm' | 'incident' | 'hand';
	source_id: string | null;
	place: Json;
	task: string | null;
	priority: string;
	state: string;
	steps: Json;
	starts_at: TimestampOrNull;
	created_at: Timestamp;
	well_at: TimestampOrNull;
	heat: boolean;
	support: JsonOrNull;
	reason: string | null;
	forced: string | null;
	walk_minutes: JsonOrNull;
	replaced_by: string | null;
	closed_at: TimestampOrNull;
}

export interface IncidentsTable {
	id: string;
	season: string;
	site: string;
	kind: string;
	place: Json;
	note: string | null;
	opened_at: Timestamp;
	opened_by: string;
	told: Json;
	claim_by: string | null;
	claim_by_id: string | null;
	claim_at: TimestampOrNull;
	heartbeat_at: TimestampOrNull;
	outcome: string | null;
	outcome_note: string | null;
	closed_by: string | null;
	closed_at: TimestampOrNull;
}

export interface HandoversTable {
	id: Generated<number>;
	season: string;
	site: string;
	at: Timestamp;
	by_name: string;
	by_account: string | null;
	taken_at: TimestampOrNull;
	taken_by_name: string | null;
	note: string;
}

export interface StateSheetsTable {
	season: string;
	site: string;
	at: Timestamp;
	sheet: Json;
}
