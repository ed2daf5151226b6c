import type { LevelProposal, LevelReason } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Scope } from './levels-store.ts';

/** A proposal that waits for a second person. */
export interface OpenProposal {
	shown: LevelProposal;
	/** It is void once anything was switched since. */
	expectedVersion: number;
}

/** A proposal that may still be confirmed: undecided, not run out, and nothing was switched since. */
export async function findOpenProposal(
	db: Db | Tx,
	{ season, room }: Scope,
	version: number,
	at: number
): Promise<OpenProposal | null> {
	const row = await db
		.selectFrom('levels_proposals')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('outcome', 'is', null)
		.where('expected_version', '=', version)
		.where('expires_at', '>', new Date(at))
		.orderBy('at', 'desc')
		.limit(1)
		.executeTakeFirst();
	if (!row) return null;
	return {
		shown: {
			...{ id: row.id, level: row.level, reason: row.reason, by: row.by_name, byId: row.by_id },
			...{ at: row.at.getTime(), expiresAt: row.expires_at.getTime() },
			chips: row.chips as LevelReason[],
			until: row.until_at && row.until_at.getTime(),
			drill: row.drill as LevelProposal['drill'],
			ruleProposal: row.rule_proposal
		},
		expectedVersion: row.expected_version
	};
}

export async function insertProposal(
	tx: Tx,
	{ season, room }: Scope,
	{ shown, expectedVersion }: OpenProposal
): Promise<void> {
	const { id, level, reason, until } = shown;
	await tx
		.insertInto('levels_proposals')
		.values({
			...{ id, season, room, level, reason, by_id: shown.byId, by_name: shown.by },
			...{ at: new Date(shown.at), expires_at: new Date(shown.expiresAt), expected_version: expectedVersion },
			...{ outcome: null, decided_by: null, decided_at: null, rule_proposal: shown.ruleProposal },
			chips: JSON.stringify(shown.chips),
			until_at: until === null ? null : new Date(until),
			drill: shown.drill && JSON.stringify(shown.drill)
		})
		.execute();
}

export async function decideProposal(
	tx: Tx,
	id: string,
	decision: { outcome: 'confirmed' | 'withdrawn' | 'replaced'; by: string; at: number }
): Promise<void> {
	await tx
		.updateTable('levels_proposals')
		.set({ outcome: decision.outcome, decided_by: decision.by, decided_at: new Date(decision.at) })
		.where('id', '=', id)
		.execute();
}

/** Proposals that ran out of time without an answer; they are closed, and returned. */
export async function expireProposals(
	tx: Tx,
	{ season, room }: Scope,
	at: number
): Promise<{ id: string; level: number; by: string }[]> {
	const rows = await tx
		.updateTable('levels_proposals')
		.set({ outcome: 'expired', decided_at: new Date(at) })
		.where('season', '=', season)
		.where('room', '=', room)
		.where('outcome', 'is', null)
		.where('expires_at', '<=', new Date(at))
		.returning(['id', 'level', 'by_name'])
		.execute();
	return rows.map((row) => ({ id: row.id, level: row.level, by: row.by_name }));
}

/**
 * Something was switched: what stood on the version before is void. An armed rule voids nothing that asks for more: two
 * people who are at it are not made to begin again.
 */
export async function closeProposals(
	tx: Tx,
	{ season, room }: Scope,
	switched: { version: number; level: number; byRule: boolean; at: number }
): Promise<void> {
	const { version, level, byRule } = switched;
	if (byRule)
		await tx
			.updateTable('levels_proposals')
			.set({ expected_version: version })
			.where('season', '=', season)
			.where('room', '=', room)
			.where('outcome', 'is', null)
			.where('expected_version', '=', version - 1)
			.where('level', '>', level)
			.where('drill', 'is', null)
			.execute();
	await tx
		.updateTable('levels_proposals')
		.set({ outcome: 'overtaken', decided_at: new Date(switched.at) })
		.where('season', '=', season)
		.where('room', '=', room)
		.where('outcome', 'is', null)
		.where('expected_version', '<', version)
		.execute();
}
