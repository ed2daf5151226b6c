import { Type } from 'typebox';
import {
	DrillRequest,
	DrillsAnswer,
	EndDrillRequest,
	LevelPreview,
	LevelPreviewQuery,
	LevelRequest,
	LevelsState,
	ProposalsAnswer,
	ProposalsQuery,
	PutOffRequest,
	type LevelFigures,
	type Mark
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { refuseOld } from '../../refuse-old.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import { listDrills } from './drills-store.ts';
import { createLevelCommands, type LevelCommandDeps } from './levels-commands.ts';
import { entryOf } from './levels-plan.ts';
import { previewLevel } from './levels-preview.ts';
import { lockCurrent } from './levels-store.ts';
import { listSettled } from './rules-store.ts';

export interface LevelsRoutesDeps extends LevelCommandDeps {
	db: Db;
	record: Pick<Record, 'append' | 'runCommand'>;
	figures: () => LevelFigures | null;
	mark: Mark;
}

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const changed = { 200: LevelsState, 202: LevelsState };

/** Reads of the levels, and their commands: switch, propose, confirm, withdraw, undo, put off, drills. */
export function levelsRoutes(app: StaffApp, deps: LevelsRoutesDeps): void {
	const { db, scope, clock, follower } = deps;
	type Commands = ReturnType<typeof createLevelCommands>;
	const run = async (
		request: Parameters<Record['runCommand']>[0],
		reply: Parameters<Record['runCommand']>[1],
		action: (commands: Commands) => Promise<CommandAnswer>
	) => {
		const account = request.account!;
		refuseOld((request.body as { sentAt?: number }).sentAt, clock.now());
		await deps.record.runCommand(request, reply, account.id, async (tx) =>
			action(createLevelCommands(deps, tx, account, await lockCurrent(tx, scope)))
		);
		return reply;
	};

	app.get('/api/v1/levels', { schema: { response: { 200: LevelsState } } }, async () => follower.state());

	app.get(
		'/api/v1/levels/preview',
		{ schema: { querystring: LevelPreviewQuery, response: { 200: LevelPreview } } },
		async (request) => {
			const { level } = request.query;
			if (!entryOf(deps.file, level)) throw new AppError('no_such_level', { level });
			const { role } = request.account!;
			return previewLevel(deps.file, follower.state(), {
				...{ level, role, figures: deps.figures(), mark: deps.mark }
			});
		}
	);

	app.post(
		'/api/v1/levels/current',
		{ schema: { body: LevelRequest, response: changed } },
		(request, reply) => {
			const body = request.body;
			return run(request, reply, (commands) => {
				if ('confirm' in body) return commands.confirm(body.confirm);
				if ('withdraw' in body) return commands.withdraw(body.withdraw);
				if ('undo' in body) return commands.undo(body.undo);
				return commands.switchTo(body);
			});
		}
	);

	app.get(
		'/api/v1/levels/proposals',
		{ schema: { querystring: ProposalsQuery, response: { 200: ProposalsAnswer } } },
		async (request) => {
			const { before = clock.now() + 1, limit = 20 } = request.query;
			const settled = await listSettled(db, scope, { before, limit });
			const next = settled.length < limit ? null : (settled.at(-1)?.at ?? null);
			return { open: follower.state().ruleProposal, settled, next };
		}
	);
	app.post(
		'/api/v1/levels/proposals/:id/put-off',
		{ schema: { params: Id, body: PutOffRequest, response: { 200: LevelsState } } },
		(request, reply) => run(request, reply, (commands) => commands.putOff(request.params.id, request.body))
	);

	app.get('/api/v1/levels/drills', { schema: { response: { 200: DrillsAnswer } } }, async () => ({
		drills: await listDrills(db, scope, limits.levels.drillsShown)
	}));
	app.post('/api/v1/levels/drills', { schema: { body: DrillRequest, response: changed } }, (request, reply) =>
		run(request, reply, (commands) => commands.startDrill(request.body))
	);
	app.post(
		'/api/v1/levels/drills/:id/end',
		{ schema: { params: Id, body: EndDrillRequest, response: { 200: LevelsState } } },
		(request, reply) => run(request, reply, (commands) => commands.endDrill(request.params.id, request.body))
	);
}
