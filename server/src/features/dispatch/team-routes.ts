import { randomUUID } from 'node:crypto';
import {
	NearestQuery,
	Team,
	TeamChange,
	TeamDutyRequest,
	TeamLeaders,
	TeamList,
	TeamPlaceRequest,
	TeamProposals,
	TeamRequest,
	type Account
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { People } from '../people/index.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import type { Board } from './board.ts';
import { listTeamOrders } from './order-store.ts';
import { OneParams } from './order-routes.ts';
import type { ZonePort } from './ports.ts';
import { proposeTeams } from './propose.ts';
import { findPlace, refuseOld } from './refusals.ts';
import { showTeam } from './shown.ts';
import type { SitePaths } from './site-paths.ts';
import {
	countTeams,
	insertTeam,
	leadsTeam,
	listTeams,
	lockTeam,
	setLeaders,
	setTeamDuty,
	setTeamPlace,
	updateTeam,
	type Scope
} from './team-store.ts';

export interface TeamDeps {
	clock: Clock;
	site: Site;
	scope: Scope;
	people: Pick<People, 'accountsOfRole' | 'peopleOfRole'>;
	record: Pick<Record, 'append' | 'runCommand'>;
	board: Pick<Board, 'read' | 'tell' | 'refresh'>;
	paths: SitePaths;
	zones: ZonePort;
}

/** Teams: who they are, where they are, and which one is nearest. */
export function teamRoutes(app: StaffApp, deps: TeamDeps): void {
	app.get('/api/v1/teams', { schema: { response: { 200: TeamList } } }, async () => ({
		teams: (await deps.board.read()).teams
	}));

	app.get(
		'/api/v1/teams/nearest',
		{ schema: { querystring: NearestQuery, response: { 200: TeamProposals } } },
		async (request) => {
			const place = findPlace(deps.site, request.query);
			const { teams } = await deps.board.read();
			return { place, proposals: proposeTeams(teams, place.zone, deps.paths, deps.zones.walk) };
		}
	);

	app.get('/api/v1/teams/leaders', { schema: { response: { 200: TeamLeaders } } }, async () => ({
		leaders: await deps.people.peopleOfRole('team-leader')
	}));

	teamChanges(app, deps);
	teamReports(app, deps);
}

/** What the administrator does. */
function teamChanges(app: StaffApp, deps: TeamDeps): void {
	const { record, scope, clock } = deps;

	app.post(
		'/api/v1/teams',
		{ schema: { body: TeamRequest, response: { 201: Team } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, async (tx) => {
				const leaders = await checkTeam(tx, deps, request.body);
				if ((await countTeams(tx, scope)) >= limits.dispatch.teamsMax)
					throw new AppError('busy', { teams: limits.dispatch.teamsMax });
				const id = randomUUID();
				await insertTeam(tx, scope, { ...request.body, id, at: clock.now() });
				await setLeaders(tx, id, leaders);
				await appendTeam(tx, deps, account, 'team.create', id, request.body);
				return answerTeam(tx, deps, id, 201);
			});
			return reply;
		}
	);

	app.put(
		'/api/v1/teams/:id',
		{ schema: { params: OneParams, body: TeamChange, response: { 200: Team } } },
		async (request, reply) => {
			const account = request.account!;
			const { id } = request.params;
			await record.runCommand(request, reply, account.id, async (tx) => {
				const { expectedVersion, retired, ...fields } = request.body;
				const team = await lockTeam(tx, scope, id);
				if (!team) throw new AppError('not_found', { team: id });
				if (team.version !== expectedVersion)
					throw new AppError('version_changed', { version: team.version });
				const orders = await listTeamOrders(tx, scope, id);
				if (retired && orders.length > 0)
					throw new AppError('team_busy', { jobs: orders.map((order) => order.id) });
				const leaders = await checkTeam(tx, deps, fields);
				const before = await readTeam(tx, deps, id);
				await updateTeam(tx, id, fields, retired ? clock.now() : null);
				await setLeaders(tx, id, leaders);
				await appendTeam(tx, deps, account, retired ? 'team.retire' : 'team.change', id, fields);
				return answerTeam(tx, deps, id, 200, before);
			});
			return reply;
		}
	);
}

/** What a team, or the desk by radio, says of the team. */
function teamReports(app: StaffApp, deps: TeamDeps): void {
	const { record, clock } = deps;
	const lock = async (tx: Tx, account: Account, id: string) => {
		const team = await lockTeam(tx, deps.scope, id);
		if (!team) throw new AppError('not_found', { team: id });
		if (account.role === 'team-leader' && !(await leadsTeam(tx, id, account.id)))
			throw new AppError('not_your_team', { team: id });
		return team;
	};

	app.post(
		'/api/v1/teams/:id/place',
		{ schema: { params: OneParams, body: TeamPlaceRequest, response: { 200: Team } } },
		async (request, reply) => {
			const account = request.account!;
			const { id } = request.params;
			await record.runCommand(request, reply, account.id, async (tx) => {
				const now = clock.now();
				refuseOld(request.body.sentAt, now);
				const { zone } = findPlace(deps.site, { zone: request.body.zone });
				const team = await lock(tx, account, id);
				await setTeamPlace(tx, id, zone, now);
				await record.append(tx, {
					...{ actor: account.email, action: 'team.place', subject: `team:${id}` },
					...{ before: { zone: team.placeZone }, after: { zone } }
				});
				return answerTeam(tx, deps, id);
			});
			return reply;
		}
	);

	app.post(
		'/api/v1/teams/:id/duty',
		{ schema: { params: OneParams, body: TeamDutyRequest, response: { 200: Team } } },
		async (request, reply) => {
			const account = request.account!;
			const { id } = request.params;
			await record.runCommand(request, reply, account.id, async (tx) => {
				refuseOld(request.body.sentAt, clock.now());
				const { offDuty } = request.body;
				const team = await lock(tx, account, id);
				await setTeamDuty(tx, id, offDuty);
				await record.append(tx, {
					...{ actor: account.email, action: 'team.duty', subject: `team:${id}` },
					...{ before: { offDuty: team.offDuty }, after: { offDuty } }
				});
				return answerTeam(tx, deps, id);
			});
			return reply;
		}
	);
}

/** Ids of the leaders. @throws AppError no_such_leader, no_such_place */
async function checkTeam(tx: Tx, deps: TeamDeps, request: TeamRequest): Promise<string[]> {
	if (request.home !== null) findPlace(deps.site, { zone: request.home });
	const emails = [...new Set(request.leaders.map((email) => email.toLowerCase()))];
	const leaders = await deps.people.accountsOfRole(tx, emails, 'team-leader');
	if (leaders.length < emails.length) throw new AppError('no_such_leader');
	return leaders;
}

/** Radio channel and telephone are on the record; who leads the team is known by the account. */
async function appendTeam(
	tx: Tx,
	{ record }: TeamDeps,
	account: Account,
	action: string,
	id: string,
	fields: TeamRequest
): Promise<void> {
	await record.append(tx, { actor: account.email, action, subject: `team:${id}`, after: fields });
}

async function readTeam(tx: Tx, deps: TeamDeps, id: string): Promise<Team | null> {
	const team = (await listTeams(tx, deps.scope)).find((other) => other.id === id);
	if (!team) return null;
	const orders = await listTeamOrders(tx, deps.scope, id);
	return showTeam(team, orders, { now: deps.clock.now(), timeZone: deps.site.timeZone });
}

/** The team as it is now; of one that was retired, as it was. */
async function answerTeam(
	tx: Tx,
	deps: TeamDeps,
	id: string,
	status: 200 | 201 = 200,
	before: Team | null = null
): Promise<CommandAnswer> {
	await deps.board.tell(tx);
	return { status, body: (await readTeam(tx, deps, id)) ?? before, afterCommit: deps.board.refresh };
}
