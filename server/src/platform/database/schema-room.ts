import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './columns.ts';

export interface RoomsTable {
	season: string;
	room: string;
	epoch: number;
	term: number;
	mode: 'open' | 'queue-all' | 'passthrough' | 'reject';
	rate_per_second: number;
	rate_source: 'default' | 'configured' | 'manager';
	last_number: number;
	alive_at: Timestamp;
	frozen_since: ColumnType<Date | null, Date | null, Date | null>;
	stopped_ms: Generated<number>;
	stops: Generated<string>;
}

export interface TicketsTable {
	season: string;
	room: string;
	epoch: number;
	number: number;
	holder: string;
	party: number;
	state: 'waiting' | 'called' | 'admitted' | 'done' | 'expired' | 'left';
	late: boolean;
	joined_at: Timestamp;
	called_at: ColumnType<Date | null, Date | null, Date | null>;
	claimed_at: ColumnType<Date | null, Date | null, Date | null>;
	due_at: ColumnType<Date | null, Date | null, Date | null>;
	ended_at: ColumnType<Date | null, Date | null, Date | null>;
	extended_ms: Generated<number>;
	version: Generated<number>;
}

export interface PassesTable {
	season: string;
	room: string;
	epoch: number;
	number: number;
	holder: string;
	party: number;
	claimed_at: Timestamp;
	due_at: Timestamp;
	extended_ms: number;
	ended_at: ColumnType<Date | null, Date | null, Date | null>;
}

export interface PlacementsTable {
	season: string;
	room: string;
	epoch: number;
	origin: string;
	placed: number;
}

export interface RoomSchedulesTable {
	season: string;
	room: string;
	version: number;
	pre_queue_opens_at: ColumnType<Date | null, Date | null, Date | null>;
	opens_at: ColumnType<Date | null, Date | null, Date | null>;
	closes_at: ColumnType<Date | null, Date | null, Date | null>;
	expected_total: number | null;
	anonymous_places: boolean;
	notice_seconds: number;
}

export interface DrawsTable {
	id: Generated<number>;
	season: string;
	room: string;
	epoch: number;
	kind: 'opening' | 'ballot';
	state: 'committed' | 'frozen' | 'drawn' | 'closing' | 'placed' | 'void';
	nonce: Buffer;
	commitment: string;
	committed_at: Timestamp;
	registered: Generated<number>;
	frozen_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
	root: string | null;
	waits_for_round: number | null;
	randomness: string | null;
	randomness_source: string | null;
	randomness_round: number | null;
	randomness_simulated: boolean | null;
	randomness_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
	secret: string | null;
	drawn_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
	placed: Generated<number>;
	placed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
	first_number: number | null;
	worker: string | null;
	worker_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface DrawEntriesTable {
	draw: number;
	entry: Buffer;
	holder: string;
	party: number;
	wishes: Generated<string>;
	late_order: number | null;
	rank: Buffer | null;
	place: number | null;
	slot: number | null;
}

export interface BallotsTable {
	draw: number;
	closes_at: Timestamp;
	slots: number[];
	rules: ColumnType<unknown, string | null | undefined, string | null>;
	placed: number | null;
	unplaced: number | null;
}

export interface DrawBlocksTable {
	draw: number;
	block: number;
	first_entry: Buffer;
	root: Buffer;
}

export interface PreparedPeopleTable {
	season: string;
	tag: Buffer;
}

export interface PreparedTotalsTable {
	season: string;
	people: number;
}
