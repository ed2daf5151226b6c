import { randomUUID } from 'node:crypto';
import { LevelRequest, LevelsState, type Account, type LevelsFile } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { People } from '../people/index.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import type { Follower } from './levels-live.ts';
import { entryOf, needsSecondPerson } from './levels-plan.ts';
import {
	decideProposal,
	findOpenProposal,
	insertProposal,
	lockCurrent,
	notifyInstances,
	readLevels,
	saveSeen,
	writeLevel,
	type CurrentLevel,
	type OpenProposal,
	type Scope
} from './levels-store.ts';

export interface LevelsRoutesDeps {
	clock: Clock;
	record: Pick<Record, 'append' | 'runCommand'>;
	people: Pick<People, 'holdsRole'>;
	file: LevelsFile;
	scope: Scope;
	instance: string;
	follower: Follower;
}

/** GET /api/v1/levels and POST /api/v1/levels/current: switch, propose, confirm, withdraw. */
export function levelsRoutes(app: StaffApp, deps: LevelsRoutesDeps): void {
	app.get('/api/v1/levels', { schema: { response: { 200: LevelsState } } }, async () =>
		deps.follower.state()
	);

	app.post(
		'/api/v1/levels/current',
		{ schema: { body: LevelRequest, response: { 200: LevelsState, 202: LevelsState } } },
		async (request, reply) => {
			const account = request.account!;
			const body = request.body;
			await deps.record.runCommand(request, reply, account.id, async (tx) => {
				const command = createCommand(deps, tx, account, await lockCurrent(tx, deps.scope));
				if ('confirm' in body) return command.confirm(body.confirm);
				if ('withdraw' in body) return command.withdraw(body.withdraw);
				return command.switchTo(body);
			});
			return reply;
		}
	);
}

/** The commands of one person in one transaction that holds the level in force. */
function createCommand(deps: LevelsRoutesDeps, tx: Tx, account: Account, current: CurrentLevel) {
	const { scope, record, clock } = deps;
	const at = clock.now();
	const openProposal = () => findOpenProposal(tx, scope, current.version, at);

	/** Everything is stored: tells the instances, and answers with the state as it is now. */
	const finish = async (status: 200 | 202): Promise<CommandAnswer> => {
		const stored = await readLevels(tx, scope, at);
		await notifyInstances(tx, scope, stored.current);
		return { status, body: deps.follower.state(stored), afterCommit: () => deps.follower.adopt(stored) };
	};

	const putInForce = async (level: number, reason: string, by: string, proposal?: OpenProposal) => {
		const version = current.version + 1;
		await writeLevel(tx, scope, { level, version, by, reason, at });
		await saveSeen(tx, scope, { instance: deps.instance, version, level, at });
		await record.append(tx, {
			actor: account.email,
			action: 'level.switch',
			subject: `level:${level}`,
			reason,
			before: { level: current.level, version: current.version },
			after: { level, version, ...(proposal ? { proposal: proposal.id, proposedBy: proposal.by } : {}) }
		});
		return finish(200);
	};

	const propose = async (level: number, reason: string): Promise<CommandAnswer> => {
		const open = await openProposal();
		if (open && open.byId !== account.id) throw new AppError('somebody_faster', { current, proposal: open });
		if (open) await decideProposal(tx, open.id, { outcome: 'replaced', by: account.email, at });
		const id = randomUUID();
		await insertProposal(tx, scope, {
			id,
			level,
			reason,
			by: account.name,
			byId: account.id,
			at,
			expiresAt: at + limits.levels.proposalMs,
			expectedVersion: current.version
		});
		const before = { level: current.level, version: current.version };
		const entry = { actor: account.email, action: 'level.propose', subject: `level:${level}`, reason };
		await record.append(tx, { ...entry, before, after: { proposal: id } });
		return finish(202);
	};

	return {
		async switchTo(request: {
			level: number;
			reason: string;
			expectedVersion: number;
		}): Promise<CommandAnswer> {
			const { level, expectedVersion } = request;
			const reason = request.reason.trim();
			if (reason.length < 3) throw new AppError('bad_request', { field: 'body/reason' });
			if (!entryOf(deps.file, level)) throw new AppError('no_such_level', { level });
			if (expectedVersion !== current.version) {
				throw new AppError('somebody_faster', { current, proposal: await openProposal() });
			}
			if (level === current.level) throw new AppError('already_at_level', { current });
			if (needsSecondPerson(deps.file, current.level, level)) return propose(level, reason);
			return putInForce(level, reason, account.name);
		},

		async confirm(id: string): Promise<CommandAnswer> {
			const open = await openProposal();
			if (open?.id !== id) throw new AppError('proposal_gone', { current });
			if (open.byId === account.id) throw new AppError('second_person_needed');
			// Who proposed may have lost the role since: then only one person stands behind it.
			if (!(await deps.people.holdsRole(tx, open.byId, 'duty-manager')))
				throw new AppError('proposal_gone', { current });
			await decideProposal(tx, id, { outcome: 'confirmed', by: account.email, at });
			return putInForce(open.level, open.reason, `${open.by}, ${account.name}`, open);
		},

		async withdraw(id: string): Promise<CommandAnswer> {
			const open = await openProposal();
			if (open?.id !== id) throw new AppError('proposal_gone', { current });
			await decideProposal(tx, id, { outcome: 'withdrawn', by: account.email, at });
			await record.append(tx, {
				actor: account.email,
				action: 'level.withdraw',
				subject: `level:${open.level}`,
				before: { proposal: id }
			});
			return finish(200);
		}
	};
}
