import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { RunBeat, RunBeatAnswer, RunBegin, RunBegun, RunEnd } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { sizeOf, type RunProfile, type RunRefusal } from '../../../contract/index.ts';
import type { Evidence } from './run-commands.ts';
import { findRun, moveRun, saveBeat, saveSeconds, type Scope } from './runs-store.ts';

export interface GeneratorRoutesDeps {
	db: Db;
	clock: Clock;
	scope: Scope;
	timeScale: number;
	simulated: boolean;
	tokenOf(id: string): string;
	evidence(): Promise<Evidence>;
	standing(): { ratePerSecond: number; level: number };
	refusal(run: { seconds: number; profile: RunProfile }): RunRefusal | null;
}

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const bodyLimit = limits.runs.bodyBytes;

/** What the generator of a run says, under the run's own token. */
export function generatorRoutes(app: StaffApp, deps: GeneratorRoutesDeps): void {
	const { db, clock, scope, timeScale } = deps;
	/** Before anything of the request is read. */
	const onRequest = async (request: FastifyRequest) => {
		const { id } = request.params as { id: string };
		if (!isToken(request.headers.authorization, deps.tokenOf(id))) throw new AppError('not_signed_in');
	};
	const find = async ({ params }: FastifyRequest<{ Params: { id: string } }>) => {
		const run = await findRun(db, scope, params.id);
		if (!run) throw new AppError('run_over');
		return run;
	};

	app.post<{ Params: { id: string } }>(
		'/api/v1/runs/:id/begin',
		{ onRequest, schema: { params: Id, body: RunBegin, response: { 200: RunBegun } } },
		async (request) => {
			const run = await find(request);
			const body = request.body as RunBegin;
			const now = clock.now();
			const { seconds } = sizeOf(run.parameters);
			// Much may have happened since it was confirmed.
			const why = deps.refusal({ seconds, profile: run.profile });
			if (why !== null) throw new AppError('run_not_now', { why });
			const startedAt = Math.ceil((now + 500 * timeScale) / 1_000) * 1_000;
			const { ratePerSecond: rate, level } = deps.standing();
			const clockOffMs = Math.max(
				-86_400_000,
				Math.min(86_400_000, Math.round(now - clock.aheadMs() - body.clockAt))
			);
			const began = await moveRun(db, run.id, ['ready'], {
				...{ state: 'running', startedAt, beatAt: now, rate, level, clockOffMs },
				...(await deps.evidence())
			});
			if (!began) throw new AppError('run_over');
			const { id, profile, seed, parameters } = run;
			const beatEveryMs = limits.runs.beatEveryMs;
			const namesPeople = deps.simulated;
			const times = { startedAt, now: clock.now(), timeScale, beatEveryMs };
			return { id, profile, seed, parameters, namesPeople, ...times };
		}
	);
	app.post<{ Params: { id: string } }>(
		'/api/v1/runs/:id/beat',
		{ bodyLimit, onRequest, schema: { params: Id, body: RunBeat, response: { 200: RunBeatAnswer } } },
		async (request) => {
			const { id } = await find(request);
			const { seconds, ...beat } = request.body as RunBeat;
			const heard = await saveBeat(db, id, beat, clock.now());
			if (heard === 'gone') return { stop: true };
			await saveSeconds(db, id, seconds);
			return { stop: heard.stoppedBy !== null };
		}
	);
	app.post<{ Params: { id: string } }>(
		'/api/v1/runs/:id/end',
		{ bodyLimit, onRequest, schema: { params: Id, body: RunEnd, response: { 200: RunBeatAnswer } } },
		async (request) => {
			const { id } = await find(request);
			const { seconds, ...told } = request.body as RunEnd;
			await db.transaction().execute(async (tx) => {
				const ended = await moveRun(tx, id, ['running'], { state: 'settling', endedAt: clock.now(), told });
				if (!ended) throw new AppError('run_over');
				await saveSeconds(tx, id, seconds);
			});
			return { stop: true };
		}
	);
}

function isToken(header: string | undefined, token: string): boolean {
	const said = Buffer.from(header?.replace(/^Bearer /, '') ?? '');
	const right = Buffer.from(token);
	return said.length === right.length && timingSafeEqual(said, right);
}
