import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

export interface SlotsTable {
	season: string;
	room: string;
	id: number;
	place: string;
	starts_at: Timestamp;
	ends_at: Timestamp;
	capacity: number;
	booked: Generated<number>;
	permits: Generated<number>;
	overbooked: Generated<number>;
}

/** Slots with what is booked in all, wherever it is counted. */
export interface SlotFillsView {
	season: string;
	room: string;
	id: number;
	place: string;
	starts_at: Timestamp;
	ends_at: Timestamp;
	capacity: number;
	booked: number;
	permits: number;
	overbooked: number;
	/** The quota that counts a sharded slot. */
	quota: number | null;
}

export interface QuotasTable {
	season: string;
	room: string;
	id: number;
	slot: number | null;
	dimension: 'category' | 'provider' | 'country' | 'slot';
	other: 'refuse' | 'free' | 'share';
	returns_at: ColumnType<Date | null, Date | null, Date | null>;
	returned_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface QuotaSharesTable {
	season: string;
	room: string;
	quota: number;
	value: string;
	places: number;
	shards: number;
}

export interface QuotaShardsTable {
	season: string;
	room: string;
	quota: number;
	value: string;
	shard: number;
	places: number;
	booked: Generated<number>;
	permits: Generated<number>;
	overbooked: Generated<number>;
}

export interface QuotaTakesTable {
	season: string;
	room: string;
	permit: string;
	quota: number;
	value: string;
	shard: number;
	people: number;
}

export interface PermitsTable {
	season: string;
	id: string;
	holder: string;
	room: string;
	slot: number;
	place: string;
	starts_at: Timestamp;
	ends_at: Timestamp;
	party: number;
	ticket: string | null;
	state: Generated<'valid' | 'cancelled' | 'held'>;
	issued_at: Timestamp;
	cancelled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
	country: ColumnType<string | null, string | null | undefined, string | null>;
	provider: ColumnType<string | null, string | null | undefined, string | null>;
	category: ColumnType<string | null, string | null | undefined, string | null>;
	replaced_by: ColumnType<string | null, string | null | undefined, string | null>;
	serial: Generated<number>;
	/** The key that it is signed under; null until it was first shown. */
	key_id: ColumnType<string | null, string | null | undefined, string | null>;
	/** Gates honour it until then although it was moved. */
	honoured_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface BookingKeysTable {
	season: string;
	holder: string;
	key: string;
	body_sha256: string;
	answer: Json;
	created_at: Timestamp;
}
