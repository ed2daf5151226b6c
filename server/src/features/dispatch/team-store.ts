import { sql } from 'kysely';
import type { LocalText, Shift } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';

/** Which season and site this run is about. */
export interface Scope {
	season: string;
	site: string;
}

/** A team as it is stored: what it does follows from its orders. */
export interface StoredTeam {
	id: string;
	version: number;
	names: LocalText;
	channel: string;
	phone: string;
	members: number;
	home: string | null;
	shift: Shift | null;
	offDuty: boolean;
	placeZone: string | null;
	placeAt: number | null;
	leaders: { id: string; name: string }[];
}
export type TeamFields = Pick<StoredTeam, 'names' | 'channel' | 'phone' | 'members' | 'home' | 'shift'>;

export async function listTeams(db: Db | Tx, { season, site }: Scope): Promise<StoredTeam[]> {
	const rows = await db
		.selectFrom('teams')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.where('retired_at', 'is', null)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
	const leaders = await db
		.selectFrom('team_leaders')
		.innerJoin('teams', 'teams.id', 'team_leaders.team')
		.innerJoin('accounts', 'accounts.id', 'team_leaders.account')
		.select(['team_leaders.team', 'accounts.id', 'accounts.name'])
		.where('teams.season', '=', season)
		.where('teams.site', '=', site)
		.where('accounts.disabled_at', 'is', null)
		.orderBy('accounts.email')
		.execute();
	return rows.map((row) => ({
		...toTeam(row),
		leaders: leaders.filter(({ team }) => team === row.id).map(({ id, name }) => ({ id, name }))
	}));
}

/** Locks the team: of two desks that send it at once, one is first and the other sees what the first did. */
export async function lockTeam(
	tx: Tx,
	{ season, site }: Scope,
	id: string
): Promise<Omit<StoredTeam, 'leaders'> | undefined> {
	const row = await tx
		.selectFrom('teams')
		.selectAll()
		.where('id', '=', id)
		.where('season', '=', season)
		.where('site', '=', site)
		.where('retired_at', 'is', null)
		.forUpdate()
		.executeTakeFirst();
	return row && toTeam(row);
}

/** Whether this account leads this team at this moment. */
export async function leadsTeam(tx: Tx, team: string, account: string): Promise<boolean> {
	const row = await tx
		.selectFrom('team_leaders')
		.select('team')
		.where('team', '=', team)
		.where('account', '=', account)
		.executeTakeFirst();
	return row !== undefined;
}

export async function countTeams(tx: Tx, { season, site }: Scope): Promise<number> {
	const row = await tx
		.selectFrom('teams')
		.select((query) => query.fn.countAll<number>().as('count'))
		.where('season', '=', season)
		.where('site', '=', site)
		.where('retired_at', 'is', null)
		.executeTakeFirstOrThrow();
	return Number(row.count);
}

/** Makes a team; false when one of this id is there already. */
export async function insertTeam(
	tx: Tx,
	{ season, site }: Scope,
	team: { id: string; at: number } & TeamFields
): Promise<boolean> {
	const result = await tx
		.insertInto('teams')
		.values({
			...{ id: team.id, season, site, version: 1 },
			...toColumns(team),
			...{ off_duty: false, place_zone: null, place_at: null },
			created_at: new Date(team.at),
			retired_at: null
		})
		.onConflict((conflict) => conflict.column('id').doNothing())
		.executeTakeFirst();
	return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function updateTeam(tx: Tx, id: string, fields: TeamFields, retiredAt: number | null) {
	await tx
		.updateTable('teams')
		.set({
			...toColumns(fields),
			version: sql`version + 1`,
			retired_at: retiredAt === null ? null : new Date(retiredAt)
		})
		.where('id', '=', id)
		.execute();
}

export async function setLeaders(tx: Tx, team: string, accounts: readonly string[]): Promise<void> {
	await tx.deleteFrom('team_leaders').where('team', '=', team).execute();
	if (accounts.length === 0) return;
	await tx
		.insertInto('team_leaders')
		.values(accounts.map((account) => ({ team, account })))
		.execute();
}

export async function setTeamPlace(tx: Tx, id: string, zone: string, at: number): Promise<void> {
	await tx
		.updateTable('teams')
		.set({ place_zone: zone, place_at: new Date(at) })
		.where('id', '=', id)
		.execute();
}

export async function setTeamDuty(tx: Tx, id: string, offDuty: boolean): Promise<void> {
	await tx.updateTable('teams').set({ off_duty: offDuty }).where('id', '=', id).execute();
}

function toColumns({ names, channel, phone, members, home, shift }: TeamFields) {
	return {
		...{ names: JSON.stringify(names), channel, phone, members, home },
		shift_from: shift?.from ?? null,
		shift_to: shift?.to ?? null
	};
}

function toTeam(row: Row<'teams'>): Omit<StoredTeam, 'leaders'> {
	const { id, version, channel, phone, members, home } = row;
	return {
		...{ id, version, channel, phone, members, home },
		names: row.names as LocalText,
		shift: row.shift_from && row.shift_to ? { from: row.shift_from, to: row.shift_to } : null,
		offDuty: row.off_duty,
		placeZone: row.place_zone,
		placeAt: row.place_at?.getTime() ?? null
	};
}
