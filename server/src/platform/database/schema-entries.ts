import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

export interface ScannersTable {
	id: string;
	site: string;
	season: string;
	name: string;
	gate: string;
	secret_sha256: Buffer;
	created_at: Timestamp;
	created_by: string;
	revoked_at: Timestamp | null;
	seen_at: Timestamp | null;
	boot: string | null;
	clock_offset_ms: number | null;
	clock_uncertainty_ms: number | null;
	contacts: ColumnType<unknown, string | undefined, string>;
	report: Json | null;
	newest_seq: Generated<number>;
	entries: Generated<number>;
	set_aside: Generated<number>;
}

export interface EntriesTable {
	scanner: string;
	seq: number;
	season: string;
	gate: string;
	lane: string | null;
	kind: 'permit' | 'count';
	direction: 'in' | 'out';
	people: number;
	verdict: 'green' | 'amber' | 'red' | null;
	cause: string | null;
	flags: string[];
	findings: string[];
	permit: string | null;
	party: number | null;
	reason: string | null;
	keys_version: number | null;
	revocations_version: number | null;
	boot: string;
	device_at: Timestamp;
	uptime_ms: number;
	offline: boolean;
	received_at: Timestamp;
	at: Timestamp;
	uncertainty_ms: number;
	content_sha256: Buffer | null;
}

export interface EntriesSetAsideTable {
	scanner: string;
	key: string;
	seq: number | null;
	code: string;
	content: string | null;
	received_at: Timestamp;
}

export interface EntryTrailsTable {
	season: string;
	permit: string;
	forget_at: Timestamp;
}

export interface EntryConflictsTable {
	id: string;
	season: string;
	permit: string | null;
	kind: 'two-gates' | 'second-use' | 'not-genuine';
	gates: string[];
	people: number;
	party: number;
	first_at: Timestamp;
	last_at: Timestamp;
	raised_at: Timestamp;
	offline: boolean;
	seen_by: string | null;
	seen_at: Timestamp | null;
	seen_reason: string | null;
}

export interface EntryMinutesTable {
	season: string;
	gate: string;
	minute: Timestamp;
	scanned_in: number;
	scanned_out: number;
	counted_in: number;
	counted_out: number;
	unproven_in: Generated<number>;
}

export interface EntryTotalsTable {
	season: string;
	gate: string;
	people_in: number;
	people_out: number;
	late_in: number;
	late_out: number;
}

export interface EntryPlacesTable {
	season: string;
	place: string;
	policy: 'single' | 're-entry' | 'in-and-out';
	early_seconds: number;
	late_seconds: number;
	slots: Json;
	trail_hours: number;
	moved_grace_seconds: Generated<number>;
	trail_viewers: Generated<string[]>;
	version: number;
}
