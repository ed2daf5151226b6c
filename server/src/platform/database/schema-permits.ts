import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './columns.ts';

type LaterTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface PermitSeasonsTable {
	season: string;
	number: number;
	status_key: Buffer;
	tag_key: Buffer;
}

export interface PermitKeysTable {
	season: string;
	kid: string;
	public_key: Buffer;
	private_key: Buffer;
	created_at: Timestamp;
	not_before: Timestamp;
	not_after: Timestamp;
	urgent: Generated<boolean>;
	listed_at: LaterTimestamp;
	compromised_at: LaterTimestamp;
}

export interface PermitRootsTable {
	season: string;
	kid: string;
	public_key: Buffer;
	private_key: Buffer | null;
	pinned_at: Timestamp;
}

export interface PermitListsTable {
	season: string;
	kind: 'keys' | 'revocations';
	version: number;
	issued_at: Timestamp;
	next_update_at: Timestamp;
	mark: string;
	body: Buffer;
}

export interface PermitRevocationTurnsTable {
	season: string;
	version: number;
	turned: number[] | null;
}

export interface PermitListDraftsTable {
	season: string;
	mark: string;
	made_at: Timestamp;
	payload: Buffer;
}

export interface PermitNumbersTable {
	season: string;
	kind: 'place' | 'gate' | 'category';
	place: Generated<string>;
	name: string;
	number: number;
}
