import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { GateRules, GateSetting, StoredGate } from './gate-decide.ts';

/**
 * A row for every gate of the site file, open until somebody commands it. One that became an exit is open from then
 * on, whatever it was before.
 */
export async function ensureGates(
	db: Db,
	site: string,
	gates: readonly Pick<GateRules, 'id' | 'direction'>[],
	at: number
): Promise<void> {
	for (const { id, direction } of gates) {
		await sql`
			insert into gates (site, gate, direction, version, revision, state, at)
			values (${site}, ${id}, ${direction}, 0, 0, 'open', ${new Date(at)})
			on conflict (site, gate) do update set direction = excluded.direction, state = 'open',
				rate_per_minute = null, hold_since = null, hold_until = null, reopen_step = null, reopen_steps = null,
				by_name = null, reason = null, at = excluded.at, version = gates.version + 1,
				revision = gates.revision + 1, confirmed_state = null, confirmed_version = null, confirmed_by = null,
				confirmed_by_radio = null, confirmed_at = null
			where gates.direction <> excluded.direction`.execute(db);
	}
}

export async function listGates(db: Db | Tx, site: string): Promise<StoredGate[]> {
	const rows = await db.selectFrom('gates').selectAll().where('site', '=', site).orderBy('gate').execute();
	return rows.map(toGate);
}

/** Locks gates in order of their id, so that two commands over several gates cannot deadlock. */
export async function lockGates(tx: Tx, site: string, ids: readonly string[]): Promise<StoredGate[]> {
	if (ids.length === 0) return [];
	const rows = await tx
		.selectFrom('gates')
		.selectAll()
		.where('site', '=', site)
		.where('gate', 'in', [...ids])
		.orderBy('gate')
		.forUpdate()
		.execute();
	return rows.map(toGate);
}

/** Puts a decided setting in force on a gate whose lock is held; a confirmation of what was before is not one of this. */
export async function writeSetting(
	tx: Tx,
	site: string,
	current: StoredGate,
	next: { setting: GateSetting; by: string; reason: string | null; at: number }
): Promise<StoredGate> {
	const { setting, by, reason, at } = next;
	const row = await tx
		.updateTable('gates')
		.set({
			version: current.version + 1,
			revision: current.revision + 1,
			state: setting.state,
			rate_per_minute: setting.ratePerMinute,
			hold_since: setting.hold && new Date(setting.hold.since),
			hold_until: setting.hold && new Date(setting.hold.until),
			reopen_step: setting.reopening?.step ?? null,
			reopen_steps: setting.reopening?.steps ?? null,
			by_name: by,
			reason,
			at: new Date(at)
		})
		.where('site', '=', site)
		.where('gate', '=', current.id)
		.returningAll()
		.executeTakeFirstOrThrow();
	return toGate(row);
}

/** What the steward says of a gate whose lock is held. */
export async function writeConfirmation(
	tx: Tx,
	site: string,
	current: StoredGate,
	said: { state: StoredGate['state']; by: string; byRadio: boolean; at: number }
): Promise<StoredGate> {
	const row = await tx
		.updateTable('gates')
		.set({
			revision: current.revision + 1,
			confirmed_state: said.state,
			confirmed_version: current.version,
			confirmed_by: said.by,
			confirmed_by_radio: said.byRadio,
			confirmed_at: new Date(said.at)
		})
		.where('site', '=', site)
		.where('gate', '=', current.id)
		.returningAll()
		.executeTakeFirstOrThrow();
	return toGate(row);
}

/** Proposals that were set aside since a moment. */
export async function listDismissals(db: Db | Tx, site: string, since: number): Promise<Map<string, number>> {
	const rows = await db
		.selectFrom('gate_dismissals')
		.select(['proposal', 'at'])
		.where('site', '=', site)
		.where('at', '>', new Date(since))
		.execute();
	return new Map(rows.map(({ proposal, at }) => [proposal, at.getTime()]));
}

export async function writeDismissal(tx: Tx, site: string, proposal: string, at: number): Promise<void> {
	await tx
		.insertInto('gate_dismissals')
		.values({ site, proposal, at: new Date(at) })
		.onConflict((conflict) => conflict.columns(['site', 'proposal']).doUpdateSet({ at: new Date(at) }))
		.execute();
}

function toGate(row: Row<'gates'>): StoredGate {
	return {
		id: row.gate,
		direction: row.direction,
		version: row.version,
		revision: row.revision,
		state: row.state,
		ratePerMinute: row.rate_per_minute,
		hold:
			row.hold_since && row.hold_until
				? { since: row.hold_since.getTime(), until: row.hold_until.getTime() }
				: null,
		reopening:
			row.reopen_step !== null && row.reopen_steps !== null
				? { step: row.reopen_step, steps: row.reopen_steps }
				: null,
		by: row.by_name,
		reason: row.reason,
		at: row.at.getTime(),
		confirmed:
			row.confirmed_state === null || row.confirmed_at === null
				? null
				: {
						state: row.confirmed_state,
						version: row.confirmed_version ?? -1,
						at: row.confirmed_at.getTime(),
						by: row.confirmed_by ?? '',
						byRadio: row.confirmed_by_radio ?? false
					}
	};
}
