import type { ColumnType } from 'kysely';
import type { AffectedState, Reduction } from '../../../contract/index.ts';
import type { Json, Timestamp } from './columns.ts';

type LaterTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface ReductionsTable {
	season: string;
	room: string;
	id: string;
	state: Reduction['state'];
	request: Json;
	/** What the first of two people was shown. */
	forecast: ColumnType<unknown, string | null | undefined, never>;
	expected_people: number;
	by_id: string;
	by_name: string;
	confirmed_by: ColumnType<string | null, string | null | undefined, string | null>;
	proposed_at: Timestamp;
	expires_at: Timestamp;
	started_at: LaterTimestamp;
	ended_at: LaterTimestamp;
}

export interface ReductionSlotsTable {
	season: string;
	reduction: string;
	slot: number;
	place: string;
	starts_at: Timestamp;
	ends_at: Timestamp;
	capacity_before: number;
	capacity_after: number;
	people_kept: number;
	people_inside: number;
}

export interface ReductionPermitsTable {
	season: string;
	reduction: string;
	permit: string;
	position: number;
	slot: number;
	party: number;
	state: AffectedState;
	successor: ColumnType<string | null, string | null | undefined, string | null>;
	answer_until: LaterTimestamp;
	settled_at: LaterTimestamp;
}
