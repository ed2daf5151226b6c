import { randomInt, randomUUID } from 'node:crypto';
import {
	profileFacts,
	sizeOf,
	type Account,
	type Mark,
	type RunParameters,
	type RunProfile,
	type RunRefusal,
	type RunRequest,
	type RunSummary
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { People } from '../people/index.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import { runInModel } from './model-run.ts';
import { buildReport } from './report.ts';
import { checkBounds } from './run-guard.ts';
import { findOpenRun, findRun, finishRun, insertRun, lockRuns, moveRun, type Scope } from './runs-store.ts';

/** What a run is evidence for. */
export interface Evidence {
	build: string;
	config: string;
	schema: string;
}

export interface RunCommandDeps {
	clock: Clock;
	record: Pick<Record, 'append'>;
	people: Pick<People, 'holdsRole'>;
	scope: Scope;
	mark: Mark;
	/** Demo or laboratory. */
	simulated: boolean;
	evidence(): Promise<Evidence>;
	/** The admission rate and the level as they are. */
	standing(): { ratePerSecond: number; level: number };
	refusal(run: { seconds: number; profile: RunProfile }): RunRefusal | null;
	/** Starts a generator for a run that is ready, where that is this server's to do. */
	launch(id: string): void;
	stopGenerator(): void;
}

const seedMax = 4_294_967_296;

/** What one person does about runs, in one transaction; nothing else happens to them meanwhile. */
export function createRunCommands(deps: RunCommandDeps, tx: Tx, account: Account) {
	const { clock, scope, record } = deps;
	const at = clock.now();

	const append = (action: string, run: { id: string }, more: { reason?: string; after?: object } = {}) =>
		record.append(tx, {
			...{ actor: account.email, action: `run.${action}`, subject: `run:${run.id}` },
			...(more.reason === undefined ? {} : { reason: more.reason }),
			...(more.after === undefined ? {} : { after: more.after })
		});
	const answer = async (id: string, status: 200 | 202, afterCommit?: () => void): Promise<CommandAnswer> => {
		const body = await findRun(tx, scope, id);
		return { status, body, ...(afterCommit ? { afterCommit } : {}) };
	};
	const refuseNow = (parameters: RunParameters, profile: RunProfile) => {
		const why = deps.refusal({ seconds: sizeOf(parameters).seconds, profile });
		if (why !== null) throw new AppError('run_not_now', { why });
	};
	const openOrGone = async (id: string): Promise<RunSummary> => {
		const open = await findOpenRun(tx, scope);
		if (open?.id !== id) throw new AppError('run_over', { run: await findRun(tx, scope, id) });
		if (open.state === 'proposed' && (open.expiresAt ?? 0) <= at) throw new AppError('proposal_gone');
		return open;
	};
	const draft = async (request: RunRequest) => {
		const parameters = { ...profileFacts[request.profile].defaults, ...request.parameters };
		const isModel = request.kind === 'model';
		checkBounds(parameters, deps.simulated || isModel);
		if (isModel && !request.model) throw new AppError('bad_request', { field: 'body/model' });
		const { kind, profile, reason } = request;
		const { ratePerSecond, level } = deps.standing();
		return {
			...{ id: randomUUID(), kind, profile, parameters, reason: reason.trim() },
			...{ seed: request.seed ?? randomInt(seedMax), model: isModel ? (request.model ?? null) : null },
			...{ by: account.name, byId: account.id, at, level: isModel ? 0 : level },
			...(await deps.evidence()),
			ratePerSecond: isModel ? (request.model?.ratePerSecond ?? null) : ratePerSecond,
			mark: isModel ? ('simulated' as const) : deps.mark
		};
	};

	return {
		async start(request: RunRequest): Promise<CommandAnswer> {
			await lockRuns(tx, scope);
			const run = await draft(request);
			if (run.model) {
				await insertRun(tx, scope, { ...run, state: 'settling', expiresAt: null });
				const seconds = runInModel(run.parameters, run.model);
				const built = buildReport({
					...{ kind: 'model', profile: run.profile, parameters: run.parameters, seconds, end: null },
					...{ sameBuild: true, interrupted: false, stopped: false, oversold: null, databaseMax: null }
				});
				await moveRun(tx, run.id, ['settling'], { startedAt: at });
				await finishRun(tx, run.id, 'settling', built, at);
				await append('model', run, { reason: run.reason, after: { verdict: built.verdict } });
				return answer(run.id, 200);
			}
			if (await findOpenRun(tx, scope)) throw new AppError('run_not_now', { why: 'another-run' });
			refuseNow(run.parameters, run.profile);
			const state = deps.simulated ? 'ready' : 'proposed';
			const expiresAt = at + (deps.simulated ? limits.runs.readyMs : limits.runs.proposalMs);
			await insertRun(tx, scope, { ...run, state, expiresAt });
			const { profile, seed, parameters } = run;
			await append(deps.simulated ? 'start' : 'propose', run, {
				reason: run.reason,
				after: { profile, seed, parameters }
			});
			return answer(run.id, deps.simulated ? 200 : 202, () => deps.simulated && deps.launch(run.id));
		},

		/** The second person. Whoever proposed it may have lost the role since: then only one person stands behind it. */
		async confirm(id: string): Promise<CommandAnswer> {
			await lockRuns(tx, scope);
			const open = await openOrGone(id);
			if (open.state !== 'proposed') throw new AppError('proposal_gone');
			if (open.byId === account.id) throw new AppError('second_person_needed');
			if (!(await deps.people.holdsRole(tx, open.byId, 'duty-manager'))) throw new AppError('proposal_gone');
			refuseNow(open.parameters, open.profile);
			const expiresAt = at + limits.runs.readyMs;
			await moveRun(tx, id, ['proposed'], { state: 'ready', confirmedBy: account.name, expiresAt });
			await append('confirm', open, { after: { proposedBy: open.by } });
			return answer(id, 200);
		},

		async withdraw(id: string, reason: string | undefined): Promise<CommandAnswer> {
			await lockRuns(tx, scope);
			const open = await openOrGone(id);
			if (!(await moveRun(tx, id, ['proposed', 'ready'], { state: 'withdrawn', stoppedBy: account.name })))
				throw new AppError('run_over', { run: open });
			await append('withdraw', open, reason === undefined ? {} : { reason });
			return answer(id, 200, deps.stopGenerator);
		},

		/** At any moment; the generator is told within a second, and made to end if it does not. */
		async stop(id: string, reason: string | undefined): Promise<CommandAnswer> {
			await lockRuns(tx, scope);
			const open = await openOrGone(id);
			const isReady = open.state === 'ready' || open.state === 'proposed';
			if (isReady) return this.withdraw(id, reason);
			if (open.stoppedBy === null) {
				await moveRun(tx, id, ['running', 'settling'], { stoppedBy: account.name });
				await append('stop', open, reason === undefined ? {} : { reason });
			}
			return answer(id, 200);
		}
	};
}
