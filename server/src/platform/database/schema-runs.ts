import type { ColumnType } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
type LaterMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
type LaterJson = ColumnType<unknown, string | null | undefined, string | null>;

export interface RunsTable {
	id: string;
	season: string;
	room: string;
	kind: 'load' | 'model';
	profile: string;
	state: string;
	parameters: Json;
	model: LaterJson;
	seed: number;
	reason: string;
	by_id: string;
	by_name: string;
	at: Timestamp;
	expires_at: LaterMoment;
	confirmed_by: Later<string>;
	stopped_by: Later<string>;
	build: string;
	config: string;
	schema_name: string;
	rate: Later<number>;
	level: number;
	mark: string;
	started_at: LaterMoment;
	beat_at: LaterMoment;
	ended_at: LaterMoment;
	clock_off_ms: Later<number>;
	progress: LaterJson;
	told: LaterJson;
	verdict: Later<string>;
	invalid_by: Later<string>;
	broken: ColumnType<unknown, string | undefined, string>;
	narrowest: LaterJson;
	proven: Later<number>;
	recovery_seconds: Later<number>;
	report: LaterJson;
}

export interface RunSecondsTable {
	run: string;
	second: number;
	told: Json;
}
