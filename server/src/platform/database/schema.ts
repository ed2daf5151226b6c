import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { Json, Timestamp } from './columns.ts';
import type {
	BookingKeysTable,
	PermitsTable,
	QuotaShardsTable,
	QuotaSharesTable,
	QuotaTakesTable,
	QuotasTable,
	SlotFillsView,
	SlotsTable
} from './schema-booking.ts';
import type {
	EntriesSetAsideTable,
	EntriesTable,
	EntryConflictsTable,
	EntryMinutesTable,
	EntryPlacesTable,
	EntryTotalsTable,
	EntryTrailsTable,
	ScannersTable
} from './schema-entries.ts';
import type { FlagMirrorTable } from './schema-flags.ts';
import type { ForecastsTable } from './schema-forecast.ts';
import type { RunSecondsTable, RunsTable } from './schema-runs.ts';
import type { EvacuationsTable, GateDismissalsTable, GatesTable } from './schema-gates.ts';
import type {
	AlarmAnnunciationsTable,
	AlarmAsidesTable,
	AlarmEventsTable,
	AlarmFloodsTable,
	AlarmsTable,
	AlarmWatchTable
} from './schema-alarms.ts';
import type {
	DispatchesTable,
	HandoversTable,
	IncidentsTable,
	StateSheetsTable,
	TeamLeadersTable,
	TeamsTable
} from './schema-dispatch.ts';
import type {
	LevelsCurrentTable,
	LevelsDrillsTable,
	LevelsHistoryTable,
	LevelsProposalsTable,
	LevelsRuleProposalsTable,
	LevelsSeenTable
} from './schema-levels.ts';
import type {
	PermitKeysTable,
	PermitListDraftsTable,
	PermitListsTable,
	PermitNumbersTable,
	PermitRevocationTurnsTable,
	PermitRootsTable,
	PermitSeasonsTable
} from './schema-permits.ts';
import type { ReductionPermitsTable, ReductionsTable, ReductionSlotsTable } from './schema-reductions.ts';
import type {
	BallotsTable,
	DrawBlocksTable,
	DrawEntriesTable,
	DrawsTable,
	PassesTable,
	PlacementsTable,
	PreparedPeopleTable,
	PreparedTotalsTable,
	RoomSchedulesTable,
	RoomsTable,
	TicketsTable
} from './schema-room.ts';
import type { SeasonEntriesTable, SeasonSightingsTable } from './schema-season.ts';

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

export interface BuildsTable {
	at: Timestamp;
	build: string;
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
	flow_in: number;
	error: number | null;
	night: string | null;
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
	levels_drills: LevelsDrillsTable;
	levels_rule_proposals: LevelsRuleProposalsTable;
	levels_history: LevelsHistoryTable;
	levels_proposals: LevelsProposalsTable;
	levels_seen: LevelsSeenTable;
	flag_mirror: FlagMirrorTable;
	slots: SlotsTable;
	slot_fills: SlotFillsView;
	quotas: QuotasTable;
	quota_shares: QuotaSharesTable;
	quota_shards: QuotaShardsTable;
	quota_takes: QuotaTakesTable;
	reductions: ReductionsTable;
	reduction_slots: ReductionSlotsTable;
	reduction_permits: ReductionPermitsTable;
	permits: PermitsTable;
	permit_seasons: PermitSeasonsTable;
	permit_keys: PermitKeysTable;
	permit_revocation_turns: PermitRevocationTurnsTable;
	permit_roots: PermitRootsTable;
	permit_lists: PermitListsTable;
	permit_list_drafts: PermitListDraftsTable;
	permit_numbers: PermitNumbersTable;
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
	builds: BuildsTable;
	spike_samples: SpikeSamplesTable;
	conductor_decisions: ConductorDecisionsTable;
	forecasts: ForecastsTable;
	runs: RunsTable;
	run_seconds: RunSecondsTable;
	booking_keys: BookingKeysTable;
	sensor_devices: SensorDevicesTable;
	sensor_counters: SensorCountersTable;
	sensor_message_keys: SensorMessageKeysTable;
	sensor_flows: SensorFlowsTable;
	device_credentials: DeviceCredentialsTable;
	zone_anchors: ZoneAnchorsTable;
	zone_samples: ZoneSamplesTable;
	alarms: AlarmsTable;
	alarm_events: AlarmEventsTable;
	alarm_annunciations: AlarmAnnunciationsTable;
	alarm_floods: AlarmFloodsTable;
	alarm_asides: AlarmAsidesTable;
	alarm_watch: AlarmWatchTable;
	teams: TeamsTable;
	team_leaders: TeamLeadersTable;
	dispatches: DispatchesTable;
	incidents: IncidentsTable;
	handovers: HandoversTable;
	state_sheets: StateSheetsTable;
	gates: GatesTable;
	evacuations: EvacuationsTable;
	gate_dismissals: GateDismissalsTable;
	scanners: ScannersTable;
	entries: EntriesTable;
	entries_set_aside: EntriesSetAsideTable;
	entry_trails: EntryTrailsTable;
	entry_conflicts: EntryConflictsTable;
	entry_minutes: EntryMinutesTable;
	entry_totals: EntryTotalsTable;
	entry_places: EntryPlacesTable;
	season_entries: SeasonEntriesTable;
	season_sightings: SeasonSightingsTable;
}

export type Row<T extends keyof Schema> = Selectable<Schema[T]>;
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>;
