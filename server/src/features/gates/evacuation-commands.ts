import { randomUUID } from 'node:crypto';
import type { Account, EvacuationChange, EvacuationRequest } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { CommandAnswer } from '../record/index.ts';
import { checkScope, reachOf, widen } from './evacuation-plan.ts';
import {
	insertEvacuation,
	lockEvacuation,
	updateEvacuation,
	type StoredEvacuation
} from './evacuation-store.ts';
import { trimReason, type CommandDeps } from './gate-commands.ts';
import { decideGate, rulesOf, type StoredGate } from './gate-decide.ts';
import { lockGates, writeSetting } from './gates-store.ts';

/** Commands of one person on stop and evacuate, in one transaction that nobody else can run beside. */
export function createEvacuationCommands(deps: CommandDeps, account: Account) {
	const { site, clock, board, record } = deps;

	/** Entries close, exits open: every gate in reach, in one commit with the evacuation itself. */
	const showExits = async (tx: Tx, ids: readonly string[], reason: string, at: number) => {
		const rows: StoredGate[] = [];
		const before: Record<string, string> = {};
		for (const current of await lockGates(tx, site.id, ids)) {
			const properties = board.properties(current.id);
			if (!properties) continue;
			before[current.id] = current.state;
			const context = { now: at, evacuating: true, outside: null };
			const setting = decideGate(rulesOf(properties), current, { kind: 'evacuate' }, context);
			rows.push(await writeSetting(tx, site.id, current, { setting, by: account.name, reason, at }));
		}
		return { rows, before };
	};
	const finish = async (
		tx: Tx,
		next: StoredEvacuation,
		rows: readonly StoredGate[]
	): Promise<CommandAnswer> => {
		await deps.tell(tx);
		const afterCommit = () => deps.onChanged({ evacuation: next, gates: rows });
		return { body: board.viewEvacuation(next, rows), afterCommit };
	};
	const note = (
		tx: Tx,
		action: string,
		said: { reason: string; before: StoredEvacuation | null; after: StoredEvacuation; gates?: object }
	) =>
		record.append(tx, {
			...{ actor: account.email, action, subject: 'evacuation', reason: said.reason },
			before: { ...brief(said.before), gates: said.gates },
			after: brief(said.after)
		});
	/** The one in force, as the caller has seen it. */
	const running = async (tx: Tx, expectedVersion: number): Promise<StoredEvacuation> => {
		const current = await lockEvacuation(tx, site.id);
		if (!current || current.ended) throw new AppError('no_evacuation');
		if (current.version !== expectedVersion)
			throw new AppError('somebody_faster', { evacuation: brief(current) });
		return current;
	};

	return {
		/** Starts one; or widens the one in force, when the caller has seen it. It is never narrowed. */
		async start(tx: Tx, request: EvacuationRequest): Promise<CommandAnswer> {
			const reason = trimReason(request.reason);
			checkScope(request.scope, site);
			const newest = await lockEvacuation(tx, site.id);
			const current = newest && !newest.ended ? newest : null;
			const version = newest?.version ?? 0;
			const { expectedVersion } = request;
			const isSeen = current ? expectedVersion === version : (expectedVersion ?? version) === version;
			if (!isSeen) throw new AppError('somebody_faster', { evacuation: brief(newest) });
			const at = clock.now();
			const next: StoredEvacuation = current
				? { ...current, version: version + 1, scope: widen(current.scope, request.scope) }
				: {
						...{ id: randomUUID(), version: version + 1, scope: request.scope, reason },
						holder: { id: account.id, name: account.name, since: at },
						...{ startedAt: at, ended: null }
					};
			const known = current ? reachOf(current.scope, site).gates : [];
			const gates = reachOf(next.scope, site).gates.filter((id) => !known.includes(id));
			if (current) await updateEvacuation(tx, next);
			else await insertEvacuation(tx, site.id, next);
			const { rows, before } = await showExits(tx, gates, reason, at);
			const action = current ? 'evacuation.widen' : 'evacuation.start';
			await note(tx, action, { reason, before: current, after: next, gates: before });
			return finish(tx, next, rows);
		},

		/** Another person carries it from now on. */
		async take(tx: Tx, request: EvacuationChange): Promise<CommandAnswer> {
			const reason = trimReason(request.reason);
			const current = await running(tx, request.expectedVersion);
			const holder = { id: account.id, name: account.name, since: clock.now() };
			const next = { ...current, version: current.version + 1, holder };
			await updateEvacuation(tx, next);
			await note(tx, 'evacuation.take', { reason, before: current, after: next });
			return finish(tx, next, []);
		},

		/** Ends it, by its holder alone. Gates stay as they are: people open entries again, in steps. */
		async standDown(tx: Tx, request: EvacuationChange): Promise<CommandAnswer> {
			const reason = trimReason(request.reason);
			const current = await running(tx, request.expectedVersion);
			if (current.holder.id !== account.id) throw new AppError('claim_held', { holder: current.holder.name });
			const ended = { at: clock.now(), by: account.name, reason };
			const next = { ...current, version: current.version + 1, ended };
			await updateEvacuation(tx, next);
			await note(tx, 'evacuation.stand-down', { reason, before: current, after: next });
			return finish(tx, next, []);
		}
	};
}

/** What a line of the record, and an answer to somebody slower, says of it. */
function brief(evacuation: StoredEvacuation | null) {
	if (!evacuation) return { version: 0, active: false };
	const { id, version, scope, holder, startedAt, ended } = evacuation;
	return { id, version, active: ended === null, scope, holder: holder.name, startedAt };
}
