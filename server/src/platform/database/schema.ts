import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';

/** A timestamptz column: read as Date, written as Date. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** A jsonb column: written as JSON text. */
export type Json = ColumnType<unknown, string, string>;

export interface RecordTable {
	id: Generated<number>;
	at: Timestamp;
	actor: string;
	action: string;
	subject: string | null;
	reason: string | null;
	before: Json;
	after: Json;
}

export interface CommandKeysTable {
	account: string;
	key: string;
	body_sha256: string;
	status: number;
	body: Json;
	created_at: Timestamp;
}

export interface LeadersTable {
	name: string;
	term: number;
	instance: string;
	since: Timestamp;
}

export interface AccountsTable {
	id: string;
	email: string;
	name: string;
	role: string;
	password_hash: string;
	demo: boolean;
	created_at: Timestamp;
	disabled_at: ColumnType<Date | null, Date | null, Date | null>;
}

export interface SessionsTable {
	token_sha256: string;
	account: string;
	created_at: Timestamp;
	last_seen: Timestamp;
	expires_at: Timestamp;
}

export interface DeviceTokensTable {
	token_sha256: string;
	id: string;
	name: string;
	role: string;
	created_at: Timestamp;
}

export interface FirstLinksTable {
	singleton: Generated<boolean>;
	token_sha256: string;
	expires_at: Timestamp;
}

export interface LevelsCurrentTable {
	season: string;
	room: string;
	version: number;
	level: number;
	by_name: string | null;
	reason: string | null;
	since: Timestamp;
}

export interface LevelsHistoryTable {
	season: string;
	room: string;
	version: number;
	level: number;
	by_name: string;
	reason: string;
	at: Timestamp;
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
	state: Generated<'valid' | 'cancelled'>;
	issued_at: Timestamp;
	cancelled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
	country: ColumnType<string | null, string | null | undefined, string | null>;
	provider: ColumnType<string | null, string | null | undefined, string | null>;
	category: ColumnType<string | null, string | null | undefined, string | null>;
	replaced_by: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface BookingKeysTable {
	season: string;
	holder: string;
	key: string;
	body_sha256: string;
	answer: Json;
	created_at: Timestamp;
}

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

export interface SpikeSamplesTable {
	season: string;
	room: string;
	/** Seconds that one row stands for: 1, 10 or 60. */
	step: Generated<number>;
	at: Timestamp;
	/** Who wrote it; empty for a roll-up, which is of all. */
	instance: Generated<string>;
	sample: Json;
}

export interface ConductorDecisionsTable {
	season: string;
	room: string;
	at: Timestamp;
	kind: 'change' | 'minute';
	rate_per_second: number;
	before_per_second: number | null;
	limited_by: string;
	facts: Json;
}

export interface SensorDevicesTable {
	site: string;
	device: string;
	readings: number;
	rejects: Json;
	online: boolean | null;
	last_reading_at: ColumnType<Date | null, Date | null, Date | null>;
	clock: Json;
	seen: Json;
	simulated: boolean;
}

export interface SensorCountersTable {
	site: string;
	counter: string;
	from_zone: string | null;
	to_zone: string | null;
	total_in: number;
	total_out: number;
	state: Json;
}

export interface SensorMessageKeysTable {
	site: string;
	device: string;
	key: string;
	at: Timestamp;
}

export interface SensorFlowsTable {
	site: string;
	device: string;
	counter: string;
	minute: Timestamp;
	people_in: number;
	people_out: number;
	readings: number;
}

export interface DeviceCredentialsTable {
	device: string;
	kind: 'device' | 'bridge';
	secret_sha256: Buffer;
	created_at: Timestamp;
}

export interface ZoneAnchorsTable {
	id: Generated<number>;
	site: string;
	zone: string;
	at: Timestamp;
	present: number;
	net_flow: number;
	correction: number | null;
	actor: string;
	reason: string;
}

export interface ZoneSamplesTable {
	site: string;
	zone: string;
	at: Timestamp;
	present: number | null;
	net_per_minute: number | null;
	quality: string;
}

/** All tables; each feature adds its own, in its own migration. `schema.test` compares with information_schema. */
export interface Schema {
	record: RecordTable;
	command_keys: CommandKeysTable;
	leaders: LeadersTable;
	accounts: AccountsTable;
	sessions: SessionsTable;
	device_tokens: DeviceTokensTable;
	first_links: FirstLinksTable;
	levels_current: LevelsCurrentTable;
	levels_history: LevelsHistoryTable;
	levels_proposals: LevelsProposalsTable;
	levels_seen: LevelsSeenTable;
	slots: SlotsTable;
	slot_fills: SlotFillsView;
	quotas: QuotasTable;
	quota_shares: QuotaSharesTable;
	quota_shards: QuotaShardsTable;
	quota_takes: QuotaTakesTable;
	permits: PermitsTable;
	rooms: RoomsTable;
	tickets: TicketsTable;
	placements: PlacementsTable;
	passes: PassesTable;
	room_schedules: RoomSchedulesTable;
	draws: DrawsTable;
	draw_entries: DrawEntriesTable;
	draw_blocks: DrawBlocksTable;
	ballots: BallotsTable;
	prepared_people: PreparedPeopleTable;
	prepared_totals: PreparedTotalsTable;
	spike_samples: SpikeSamplesTable;
	conductor_decisions: ConductorDecisionsTable;
	booking_keys: BookingKeysTable;
	sensor_devices: SensorDevicesTable;
	sensor_counters: SensorCountersTable;
	sensor_message_keys: SensorMessageKeysTable;
	sensor_flows: SensorFlowsTable;
	device_credentials: DeviceCredentialsTable;
	zone_anchors: ZoneAnchorsTable;
	zone_samples: ZoneSamplesTable;
}

export type Row<T extends keyof Schema> = Selectable<Schema[T]>;
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>;
