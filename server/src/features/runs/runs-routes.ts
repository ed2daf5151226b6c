import { Type } from 'typebox';
import {
	RunDecision,
	RunDetail,
	RunRequest,
	RunsAnswer,
	RunSummary,
	type Account
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { refuseOld } from '../../refuse-old.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import { createRunCommands, type RunCommandDeps } from './run-commands.ts';
import { isOpen } from './run-watch.ts';
import { findPrevious, findRun, listRuns, readReport, type StoredRun } from './runs-store.ts';

export interface RunsRoutesDeps extends RunCommandDeps {
	db: Db;
	record: Pick<Record, 'append' | 'runCommand'>;
	tokenOf(id: string): string;
	/** Where this server answers, as it knows itself. */
	url(): string | null;
}

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
/** What is asked of a run of which nobody has said how long it is. */
const usualSeconds = 1_200;

/** Reads of runs, and their commands: start, confirm, withdraw, stop. */
export function runsRoutes(app: StaffApp, deps: RunsRoutesDeps): void {
	const { db, scope, clock } = deps;
	type Commands = ReturnType<typeof createRunCommands>;
	const run = async (
		request: Parameters<Record['runCommand']>[0],
		reply: Parameters<Record['runCommand']>[1],
		action: (commands: Commands) => Promise<CommandAnswer>
	) => {
		const account = request.account!;
		refuseOld((request.body as { sentAt?: number }).sentAt, clock.now());
		await deps.record.runCommand(request, reply, account.id, async (tx) => {
			const answer = await action(createRunCommands(deps, tx, account));
			return { ...answer, body: shown(answer.body as StoredRun) };
		});
		return reply;
	};

	app.get('/api/v1/runs', { schema: { response: { 200: RunsAnswer } } }, async () => {
		const runs = await listRuns(db, scope, limits.runs.shown);
		const refusal = runs.some(isOpen)
			? ('another-run' as const)
			: deps.refusal({ seconds: usualSeconds, profile: 'five-stages' });
		return {
			...{ runs: runs.map(shown), now: await deps.evidence(), refusal, mark: deps.mark },
			needsSecondPerson: !deps.simulated
		};
	});
	app.get(
		'/api/v1/runs/:id',
		{ schema: { params: Id, response: { 200: RunDetail } } },
		async ({ params, account }) => {
			const found = await findRun(db, scope, params.id);
			if (!found) throw new AppError('not_found');
			const before = await findPrevious(db, scope, found);
			const report = before && (await readReport(db, before.id));
			return {
				...{ run: shown(found), report: await readReport(db, found.id) },
				previous: before && report ? { run: shown(before), report } : null,
				replay: replayOf(found),
				generator: generatorOf(deps, found, account)
			};
		}
	);
	app.post(
		'/api/v1/runs',
		{ schema: { body: RunRequest, response: { 200: RunSummary, 202: RunSummary } } },
		(request, reply) => run(request, reply, (commands) => commands.start(request.body))
	);
	for (const name of ['confirm', 'withdraw', 'stop'] as const)
		app.post(
			`/api/v1/runs/:id/${name}`,
			{ schema: { params: Id, body: RunDecision, response: { 200: RunSummary } } },
			(request, reply) =>
				run(request, reply, (commands) => commands[name](request.params.id, request.body.reason))
		);
}

/** Without what is the generator's and the store's own. */
function shown({ beatAt: _beatAt, clockOffMs: _clockOffMs, told: _told, ...run }: StoredRun): RunSummary {
	return run;
}

/** The command that asks for the same run again. */
function replayOf({ profile, seed, parameters, kind, model }: RunSummary): string {
	const asked = JSON.stringify({ ...parameters, ...(kind === 'model' ? { model } : {}) });
	return `npm run sim -- spike ${profile} --seed ${seed} --parameters '${asked}'`;
}

/** How the generator is started on another machine; for those who may, and only while it is waited for. */
function generatorOf(deps: RunsRoutesDeps, run: RunSummary, account: Account | null): string | null {
	const may = account?.role === 'duty-manager' || account?.role === 'on-call-engineer';
	if (deps.simulated || run.state !== 'ready' || !may) return null;
	const server = deps.url() ?? 'https://…';
	return `MARSAD_RUN_TOKEN=${deps.tokenOf(run.id)} npm run sim -- spike --run ${run.id} --server ${server}`;
}
