import type { LevelFigures, RuleEvidence, RuleProposal, SettledProposal } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { Scope } from './levels-store.ts';

type Outcome = SettledProposal['outcome'];

/** What the rules propose just now. */
export async function findRuleProposal(db: Db | Tx, { season, room }: Scope): Promise<RuleProposal | null> {
	const row = await db
		.selectFrom('levels_rule_proposals')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('outcome', 'is', null)
		.executeTakeFirst();
	return row ? toProposal(row) : null;
}

export async function insertRuleProposal(
	tx: Tx,
	{ season, room }: Scope,
	proposal: RuleProposal
): Promise<void> {
	const { id, direction, why, rule, from, level, at, expiresAt, expectedVersion } = proposal;
	await tx
		.insertInto('levels_rule_proposals')
		.values({
			...{ id, season, room, direction, why, rule, from_level: from, level },
			...{ at: new Date(at), expires_at: new Date(expiresAt), expected_version: expectedVersion },
			evidence: JSON.stringify(proposal.evidence),
			figures: proposal.figures && JSON.stringify(proposal.figures)
		})
		.execute();
}

/** False when it was settled already. */
export async function settleRuleProposal(
	tx: Tx,
	id: string,
	settled: { outcome: Outcome; by: string | null; at: number; reason?: string; quietUntil?: number }
): Promise<boolean> {
	const { outcome, by, at, reason, quietUntil } = settled;
	const result = await tx
		.updateTable('levels_rule_proposals')
		.set({
			...{ outcome, decided_by: by, decided_at: new Date(at), reason: reason ?? null },
			quiet_until: quietUntil === undefined ? null : new Date(quietUntil)
		})
		.where('id', '=', id)
		.where('outcome', 'is', null)
		.executeTakeFirst();
	return result.numUpdatedRows > 0n;
}

/** Rules (null: the planned end) and directions that are to be quiet for some time yet, and until when. */
export async function listQuiet(
	db: Db | Tx,
	{ season, room }: Scope,
	now: number
): Promise<{ rule: string | null; direction: 'up' | 'down'; until: number }[]> {
	const rows = await db
		.selectFrom('levels_rule_proposals')
		.select(['rule', 'direction', 'quiet_until'])
		.where('season', '=', season)
		.where('room', '=', room)
		.where('quiet_until', '>', new Date(now))
		.execute();
	return rows.map(({ rule, direction, quiet_until }) => ({
		...{ rule, direction: direction as 'up' | 'down' },
		until: quiet_until!.getTime()
	}));
}

/** Newest first; `before` is when the last one of the page before was proposed. */
export async function listSettled(
	db: Db,
	{ season, room }: Scope,
	page: { before: number; limit: number }
): Promise<SettledProposal[]> {
	const rows = await db
		.selectFrom('levels_rule_proposals')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('outcome', 'is not', null)
		.where('at', '<', new Date(page.before))
		.orderBy('at', 'desc')
		.limit(page.limit)
		.execute();
	return rows.map((row) => ({
		...toProposal(row),
		outcome: row.outcome as Outcome,
		by: row.decided_by,
		settledAt: row.decided_at!.getTime(),
		reason: row.reason,
		quietUntil: row.quiet_until && row.quiet_until.getTime()
	}));
}

function toProposal(row: Row<'levels_rule_proposals'>): RuleProposal {
	return {
		...{ id: row.id, rule: row.rule, from: row.from_level, level: row.level },
		direction: row.direction as RuleProposal['direction'],
		why: row.why as RuleProposal['why'],
		...{ at: row.at.getTime(), expiresAt: row.expires_at.getTime(), expectedVersion: row.expected_version },
		evidence: row.evidence as RuleEvidence[],
		figures: row.figures as LevelFigures | null
	};
}
