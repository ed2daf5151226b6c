import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

type TimestampOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** A jsonb column with a default, or one that may be null. */
type JsonDefault = ColumnType<unknown, string | undefined, string>;
type JsonOrNull = ColumnType<unknown, string | null | undefined, string | null>;

export interface LevelsCurrentTable {
	season: string;
	room: string;
	version: number;
	level: number;
	by_name: string | null;
	reason: string | null;
	since: Timestamp;
	source: Generated<string>;
	chips: JsonDefault;
	exercise: Generated<boolean>;
	from_level: number | null;
	until_at: TimestampOrNull;
	rule: string | null;
}

export interface LevelsHistoryTable {
	season: string;
	room: string;
	version: number;
	level: number;
	by_name: string;
	reason: string;
	at: Timestamp;
	source: Generated<string>;
	chips: JsonDefault;
	exercise: Generated<boolean>;
	from_level: number | null;
	until_at: TimestampOrNull;
	rule: string | null;
}

export interface LevelsProposalsTable {
	id: string;
	season: string;
	room: string;
	level: number;
	reason: string;
	by_id: string;
	by_name: string;
	at: Timestamp;
	expires_at: Timestamp;
	expected_version: number;
	outcome: string | null;
	decided_by: string | null;
	decided_at: ColumnType<Date | null, Date | null, Date | null>;
	chips: JsonDefault;
	until_at: TimestampOrNull;
	drill: JsonOrNull;
	rule_proposal: string | null;
}

export interface LevelsSeenTable {
	season: string;
	room: string;
	instance: string;
	version: number;
	level: number;
	seen_at: Timestamp;
	heard_at: Timestamp;
}

export interface LevelsRuleProposalsTable {
	id: string;
	season: string;
	room: string;
	direction: string;
	why: string;
	rule: string | null;
	from_level: number;
	level: number;
	at: Timestamp;
	expires_at: Timestamp;
	expected_version: number;
	evidence: Json;
	figures: JsonOrNull;
	outcome: string | null;
	decided_by: string | null;
	decided_at: TimestampOrNull;
	reason: string | null;
	quiet_until: TimestampOrNull;
}

export interface LevelsDrillsTable {
	id: string;
	season: string;
	room: string;
	level: number;
	from_level: number;
	version: number;
	started_at: Timestamp;
	ends_at: Timestamp;
	by_name: string;
	reason: string;
	guard: Json;
	ended_at: TimestampOrNull;
	outcome: string | null;
	ended_by: string | null;
	effect: JsonOrNull;
	measured: Generated<boolean>;
}
