import { randomUUID } from 'node:crypto';
import {
	levelPressRoles,
	type Account,
	type CurrentLevel,
	type DrillRequest,
	type LevelProposal,
	type LevelsFile,
	type PutOffRequest,
	type SwitchRequest
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { People } from '../people/index.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import type { Drills } from './drills.ts';
import { findRunningDrill } from './drills-store.ts';
import type { Force } from './levels-force.ts';
import type { Follower } from './levels-live.ts';
import { entryOf, mayPress, needsSecondPerson, realLevel } from './levels-plan.ts';
import { findReal, type Scope } from './levels-store.ts';
import { decideProposal, findOpenProposal, insertProposal } from './proposals-store.ts';
import { findRuleProposal, settleRuleProposal } from './rules-store.ts';

export interface LevelCommandDeps {
	clock: Clock;
	record: Pick<Record, 'append'>;
	people: Pick<People, 'holdsRole'>;
	file: LevelsFile;
	scope: Scope;
	follower: Pick<Follower, 'state' | 'adopt'>;
	force: Force;
	drills: Drills;
}

/** The commands of one person in one transaction that holds the level in force. */
export function createLevelCommands(deps: LevelCommandDeps, tx: Tx, account: Account, current: CurrentLevel) {
	const { scope, record, clock, file, force, drills } = deps;
	const at = clock.now();
	const real = realLevel(current);
	const findOpen = async () => (await findOpenProposal(tx, scope, current.version, at))?.shown ?? null;

	const finish = async (status: 200 | 202): Promise<CommandAnswer> => {
		const stored = await force.finish(tx);
		return { status, body: deps.follower.state(stored), afterCommit: () => deps.follower.adopt(stored) };
	};
	const refuseUnlessMay = (level: number) => {
		if (!mayPress(file, account.role, real, level))
			throw new AppError('not_your_level', {
				level,
				mayPress: entryOf(file, Math.max(real, level))?.mayPress
			});
	};
	const refuseVersion = async (level: number, expectedVersion: number) => {
		if (!entryOf(file, level)) throw new AppError('no_such_level', { level });
		if (expectedVersion !== current.version)
			throw new AppError('somebody_faster', { current, proposal: await findOpen() });
		refuseUnlessMay(level);
	};

	const propose = async (
		request: Pick<LevelProposal, 'level' | 'reason'> & Partial<LevelProposal>
	): Promise<CommandAnswer> => {
		const open = await findOpen();
		if (open && open.byId !== account.id) throw new AppError('somebody_faster', { current, proposal: open });
		if (open) await decideProposal(tx, open.id, { outcome: 'replaced', by: account.email, at });
		const id = randomUUID();
		const shown = {
			...{ chips: [], until: null, drill: null, ruleProposal: null, ...request },
			...{ id, by: account.name, byId: account.id, at, expiresAt: at + limits.levels.proposalMs }
		};
		await insertProposal(tx, scope, { shown, expectedVersion: current.version });
		await record.append(tx, {
			...{ actor: account.email, action: 'level.propose', subject: `level:${request.level}` },
			reason: reasonText(shown),
			before: { level: current.level, version: current.version },
			after: { proposal: id, ...(shown.drill ? { mark: 'EXERCISE', ...shown.drill } : {}) }
		});
		return finish(202);
	};
	/** Who proposed may have lost the role since: then only one person stands behind it. */
	const proposerMay = async ({ byId, level }: LevelProposal) => {
		for (const role of levelPressRoles)
			if (mayPress(file, role, real, level) && (await deps.people.holdsRole(tx, byId, role))) return true;
		return false;
	};

	return {
		async switchTo(request: SwitchRequest): Promise<CommandAnswer> {
			const { level, until = null, ruleProposal = null, chips = [] } = request;
			const reason = readReason(request);
			await refuseVersion(level, request.expectedVersion);
			if (level === current.level && !current.exercise) throw new AppError('already_at_level', { current });
			refuseBadEnd(until, level, at);
			if (ruleProposal && (await findRuleProposal(tx, scope))?.id !== ruleProposal)
				throw new AppError('proposal_gone', { current });
			const twoPeople = needsSecondPerson(file, real, level);
			if (request.breakGlass && !twoPeople) throw new AppError('bad_request', { field: 'body/breakGlass' });
			const facts = { level, reason, chips, until, ruleProposal };
			if (twoPeople && !request.breakGlass) return propose(facts);
			const source = request.breakGlass ? 'break-glass' : 'hand';
			await force.putInForce(tx, current, { ...facts, source, by: account.name, actor: account.email });
			return finish(200);
		},

		async confirm(id: string): Promise<CommandAnswer> {
			const open = await findOpen();
			if (open?.id !== id) throw new AppError('proposal_gone', { current });
			if (open.byId === account.id) throw new AppError('second_person_needed');
			refuseUnlessMay(open.level);
			if (!(await proposerMay(open))) throw new AppError('proposal_gone', { current });
			const { level, reason, chips, until, ruleProposal, drill } = open;
			const people = { by: `${open.by}, ${account.name}`, actor: account.email, reason };
			if (drill) {
				await drills.refuseUnsafe(tx, current, drill.guard);
				await decideProposal(tx, id, { outcome: 'confirmed', by: account.email, at });
				await drills.start(tx, current, { level, ...drill, ...people });
				return finish(200);
			}
			await decideProposal(tx, id, { outcome: 'confirmed', by: account.email, at });
			const details = { proposal: id, proposedBy: open.by };
			await force.putInForce(tx, current, {
				...{ level, chips, until, ruleProposal, source: 'hand', details, ...people }
			});
			return finish(200);
		},

		async withdraw(id: string): Promise<CommandAnswer> {
			const open = await findOpen();
			if (open?.id !== id) throw new AppError('proposal_gone', { current });
			await decideProposal(tx, id, { outcome: 'withdrawn', by: account.email, at });
			await record.append(tx, {
				...{ actor: account.email, action: 'level.withdraw', subject: `level:${open.level}` },
				before: { proposal: id }
			});
			return finish(200);
		},

		/** One step back, not a see-saw; what two people agreed on before needs no second one again. */
		async undo(version: number): Promise<CommandAnswer> {
			if (!undoOf(current, at) || version !== current.version) throw new AppError('undo_gone', { current });
			const level = current.from!;
			refuseUnlessMay(level);
			const before = await findReal(tx, scope, { version: version - 1, level });
			await force.putInForce(tx, current, {
				...{ level, source: 'undo', by: account.name, actor: account.email },
				...{ reason: before?.reason ?? '', chips: before?.chips ?? [], until: before?.until ?? null },
				details: { undoes: version }
			});
			return finish(200);
		},

		async putOff(id: string, request: PutOffRequest): Promise<CommandAnswer> {
			const open = await findRuleProposal(tx, scope);
			if (open?.id !== id) throw new AppError('proposal_gone', { current });
			const reason = readReason(request);
			const quietUntil = at + request.minutes * 60_000;
			await settleRuleProposal(tx, id, { outcome: 'put-off', by: account.name, at, reason, quietUntil });
			await record.append(tx, {
				...{ actor: account.email, action: 'level.rule.put-off', subject: `level:${open.level}`, reason },
				before: { proposal: id, rule: open.rule, direction: open.direction },
				after: { quietUntil: new Date(quietUntil).toISOString() }
			});
			return finish(200);
		},

		async startDrill(request: DrillRequest): Promise<CommandAnswer> {
			const { level, minutes } = request;
			const reason = readReason(request);
			await refuseVersion(level, request.expectedVersion);
			if (level <= real) throw new AppError('already_at_level', { current });
			const guard = drills.guardOf(request.guard);
			await drills.refuseUnsafe(tx, current, guard);
			if (needsSecondPerson(file, real, level)) return propose({ level, reason, drill: { minutes, guard } });
			const people = { by: account.name, actor: account.email, reason };
			await drills.start(tx, current, { level, minutes, guard, ...people });
			return finish(200);
		},

		async endDrill(id: string, request: { reason: string }): Promise<CommandAnswer> {
			const drill = await findRunningDrill(tx, scope);
			if (drill?.id !== id) throw new AppError('drill_over', { current });
			const reason = readReason(request);
			await drills.end(tx, current, drill, {
				...{ outcome: 'ended', by: account.name, actor: account.email, reason }
			});
			return finish(200);
		}
	};
}

/** Until when the last switch can be taken back, and to which level; null: it cannot. */
export function undoOf({ source, from, version, since, level }: CurrentLevel, now: number) {
	const until = since + limits.levels.undoMs;
	const isUndoable = (source === 'hand' || source === 'break-glass') && from !== null && from !== level;
	return isUndoable && now < until ? { version, level: from, until } : null;
}

function reasonText({ chips, reason }: Pick<LevelProposal, 'chips' | 'reason'>): string {
	return [...chips, reason].filter((word) => word !== '').join(': ');
}

/** Words of three characters, or a chip. */
function readReason({ reason = '', chips = [] }: { reason?: string; chips?: readonly string[] }): string {
	const words = reason.trim();
	if (words.length < 3 && (chips.length === 0 || words.length > 0))
		throw new AppError('bad_request', { field: 'body/reason' });
	return words;
}

function refuseBadEnd(until: number | null, level: number, now: number): void {
	if (until === null) return;
	if (level === 0 || until <= now || until > now + limits.levels.untilMaxMs)
		throw new AppError('bad_request', { field: 'body/until', serverTime: now });
}
