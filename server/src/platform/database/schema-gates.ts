import type { Json, Timestamp } from './columns.ts';

type GateStateColumn = 'open' | 'metered' | 'held' | 'closed';

export interface GatesTable {
	site: string;
	gate: string;
	direction: 'in' | 'out';
	version: number;
	revision: number;
	state: GateStateColumn;
	rate_per_minute: number | null;
	hold_since: Timestamp | null;
	hold_until: Timestamp | null;
	reopen_step: number | null;
	reopen_steps: number | null;
	by_name: string | null;
	reason: string | null;
	at: Timestamp;
	confirmed_state: GateStateColumn | null;
	confirmed_version: number | null;
	confirmed_by: string | null;
	confirmed_by_radio: boolean | null;
	confirmed_at: Timestamp | null;
}

export interface EvacuationsTable {
	id: string;
	site: string;
	version: number;
	scope: Json;
	reason: string;
	holder_id: string;
	holder_name: string;
	holder_since: Timestamp;
	started_at: Timestamp;
	ended_at: Timestamp | null;
	ended_by: string | null;
	end_reason: string | null;
}

export interface GateDismissalsTable {
	site: string;
	proposal: string;
	at: Timestamp;
}
