import {
	ClaimRequest,
	Incident,
	IncidentBoard,
	IncidentRequest,
	IncidentStatusRequest,
	TakeRequest,
	ToldRequest
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import type { Board } from './board.ts';
import type { IncidentCommands } from './incident-commands.ts';
import { findIncident, touchClaim } from './incident-store.ts';
import { OneParams } from './order-routes.ts';
import { showClaim } from './shown.ts';
import type { Scope } from './team-store.ts';

export interface IncidentRoutesDeps {
	db: Db;
	clock: Clock;
	scope: Scope;
	board: Pick<Board, 'read' | 'refresh'>;
	incidents: IncidentCommands;
	record: Pick<Record, 'runCommand'>;
}

/** The board of incidents, the ten-second form, who was told, who has it, and how it ended. */
export function incidentRoutes(app: StaffApp, deps: IncidentRoutesDeps): void {
	const { incidents, record } = deps;

	app.get('/api/v1/incidents', { schema: { response: { 200: IncidentBoard } } }, async () => ({
		incidents: (await deps.board.read()).incidents
	}));

	app.post(
		'/api/v1/incidents',
		{ schema: { body: IncidentRequest, response: { 201: Incident } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) => incidents.open(tx, account, request.body));
			return reply;
		}
	);

	app.post(
		'/api/v1/incidents/:id/told',
		{ schema: { params: OneParams, body: ToldRequest, response: { 200: Incident } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				incidents.tell(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);

	app.post(
		'/api/v1/incidents/:id/status',
		{ schema: { params: OneParams, body: IncidentStatusRequest, response: { 200: Incident } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				incidents.close(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);

	claimRoutes(app, deps);
}

/** "I have it", still here, and no longer. */
function claimRoutes(app: StaffApp, deps: IncidentRoutesDeps): void {
	const { incidents, record } = deps;
	const answer = { 200: Incident };

	app.post(
		'/api/v1/incidents/:id/take',
		{ schema: { params: OneParams, body: TakeRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx): Promise<CommandAnswer> =>
				incidents.take(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);

	app.post(
		'/api/v1/incidents/:id/release',
		{ schema: { params: OneParams, body: ClaimRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				incidents.release(tx, account, request.params.id)
			);
			return reply;
		}
	);

	// Says only that somebody is there, every few seconds: no line of the record, and nothing to repeat.
	app.post(
		'/api/v1/incidents/:id/heartbeat',
		{ schema: { params: OneParams, body: ClaimRequest } },
		async (request, reply) => {
			const claim = { incident: request.params.id, account: request.account!.id, at: deps.clock.now() };
			if (!(await touchClaim(deps.db, deps.scope, claim))) throw await refusalOf(deps, claim.incident);
			deps.board.refresh();
			return reply.code(204).send();
		}
	);
}

/** Why a heartbeat counts for nothing: somebody took over, or there is nothing to have any more. */
async function refusalOf({ db, scope, clock }: IncidentRoutesDeps, id: string): Promise<AppError> {
	const incident = await findIncident(db, scope, id);
	if (!incident) return new AppError('not_found', { incident: id });
	if (incident.closed) return new AppError('incident_closed', { closed: incident.closed });
	return new AppError('claim_held', { claim: showClaim(incident.claim, clock.now()) });
}
