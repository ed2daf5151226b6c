import { Type } from 'typebox';
import {
	AckManyAnswer,
	AckManyRequest,
	AckRequest,
	AlarmAnswer,
	AlarmDefinitions,
	AlarmDetail,
	AlarmFigures,
	AlarmsAnswer,
	AlarmsQuery,
	AsideAnswer,
	ClaimRequest,
	ConfirmAlarmRequest,
	OutOfServiceRequest,
	ShelveRequest,
	TakeRequest,
	UnshelveRequest,
	type Alarm
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record } from '../record/index.ts';
import type { AlarmBoard } from './alarm-board.ts';
import { toId, type AlarmCommands } from './alarm-commands.ts';
import { findAlarm, listEvents, listHistory, touchClaim, type Scope } from './alarm-store.ts';
import type { Definition } from './model.ts';
import { isAside, showAlarm } from './show.ts';
import { listAsides } from './watch-store.ts';

const OneParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });

export interface RoutesDeps {
	db: Db;
	clock: Clock;
	scope: Scope;
	board: Pick<AlarmBoard, 'read' | 'refresh'>;
	commands: AlarmCommands;
	record: Pick<Record, 'runCommand'>;
	definitions: ReadonlyMap<string, Definition>;
	figures(): Promise<AlarmFigures>;
}

const isActive = ({ state }: Alarm) => state === 'unacknowledged' || state === 'acknowledged';
const lists: { [list: string]: (alarm: Alarm) => boolean } = {
	standing: (alarm) => !isAside(alarm),
	active: (alarm) => isActive(alarm) && !isAside(alarm),
	returned: (alarm) => alarm.state === 'returned-unacknowledged' && !isAside(alarm),
	shelved: (alarm) => alarm.shelved !== null || alarm.outOfService !== null,
	suppressed: (alarm) => alarm.suppressed !== null
};

/** The list and its history, what people do with alarms, and how well the alarms serve. */
export function alarmRoutes(app: StaffApp, deps: RoutesDeps): void {
	listRoutes(app, deps);
	lifeRoutes(app, deps);
	claimRoutes(app, deps);
}

function listRoutes(app: StaffApp, deps: RoutesDeps): void {
	const { db, scope, clock } = deps;

	app.get(
		'/api/v1/alarms',
		{ schema: { querystring: AlarmsQuery, response: { 200: AlarmsAnswer } } },
		async (request) => {
			const { list = 'standing', limit = 100 } = request.query;
			const before = request.query.before === undefined ? null : Number(request.query.before);
			const { alarms, summary, aside } = await deps.board.read();
			const chosen =
				request.query.list === 'history'
					? await history(deps, { before, limit: limit + 1 })
					: alarms
							.filter((alarm) => lists[list]!(alarm) && (before === null || Number(alarm.id) < before))
							.toReversed();
			const page = chosen.slice(0, limit);
			return { alarms: page, next: chosen.length > limit ? page.at(-1)!.id : null, summary, aside };
		}
	);

	app.get('/api/v1/alarms/figures', { schema: { response: { 200: AlarmFigures } } }, () => deps.figures());

	app.get('/api/v1/alarms/definitions', { schema: { response: { 200: AlarmDefinitions } } }, async () => ({
		definitions: [...deps.definitions.values()].map(({ onDelaySeconds, priorities, ...rest }) => ({
			...{
				key: rest.key,
				kind: rest.kind,
				priorities: [...priorities],
				title: rest.title,
				cause: rest.cause
			},
			...{ consequence: rest.consequence, action: rest.action, unit: rest.unit, deadband: rest.deadband },
			timeToRespondSeconds: rest.timeToRespondSeconds,
			onDelaySeconds: typeof onDelaySeconds === 'number' ? onDelaySeconds : (onDelaySeconds[0] ?? 0),
			offDelaySeconds: rest.offDelaySeconds
		}))
	}));

	app.get(
		'/api/v1/alarms/:id',
		{ schema: { params: OneParams, response: { 200: AlarmDetail } } },
		async (request) => {
			const alarm = await findAlarm(db, scope, toId(request.params.id));
			if (!alarm) throw new AppError('not_found', { alarm: request.params.id });
			const asides = await listAsides(db, scope);
			return {
				alarm: showAlarm(alarm, { asides, chattering: new Set(), now: clock.now() }),
				history: await listEvents(db, alarm.id, limits.alarms.historyMax)
			};
		}
	);
}

async function history(
	{ db, scope, clock }: RoutesDeps,
	page: { before: number | null; limit: number }
): Promise<Alarm[]> {
	const asides = await listAsides(db, scope);
	const rows = await listHistory(db, scope, page);
	return rows.map((row) => showAlarm(row, { asides, chattering: new Set(), now: clock.now() }));
}

/** Acknowledge, confirm, put aside and back. */
function lifeRoutes(app: StaffApp, { commands, record }: RoutesDeps): void {
	const answer = { 200: AlarmAnswer };

	app.post(
		'/api/v1/alarms/ack',
		{ schema: { body: AckManyRequest, response: { 200: AckManyAnswer } } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.ackMany(tx, account, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/alarms/:id/ack',
		{ schema: { params: OneParams, body: AckRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.ack(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/alarms/:id/confirm',
		{ schema: { params: OneParams, body: ConfirmAlarmRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.confirm(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/alarms/:id/shelve',
		{ schema: { params: OneParams, body: ShelveRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.shelve(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/alarms/:id/unshelve',
		{ schema: { params: OneParams, body: UnshelveRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.unshelve(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/alarms/out-of-service',
		{ schema: { body: OutOfServiceRequest, response: { 200: AsideAnswer } } },
		async (request, reply) => {
			const account = request.account!;
			const { definition, subject, out, reason } = request.body;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.outOfService(tx, account, { point: { definition, ...subject }, out, reason })
			);
			return reply;
		}
	);
}

/** "I have it", still here, and no longer. */
function claimRoutes(app: StaffApp, deps: RoutesDeps): void {
	const { commands, record } = deps;
	const answer = { 200: AlarmAnswer };

	app.post(
		'/api/v1/alarms/:id/take',
		{ schema: { params: OneParams, body: TakeRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.take(tx, account, request.params.id, request.body)
			);
			return reply;
		}
	);
	app.post(
		'/api/v1/alarms/:id/release',
		{ schema: { params: OneParams, body: ClaimRequest, response: answer } },
		async (request, reply) => {
			const account = request.account!;
			await record.runCommand(request, reply, account.id, (tx) =>
				commands.release(tx, account, request.params.id)
			);
			return reply;
		}
	);
	// Says only that somebody is there, every few seconds: no line of the record, and nothing to repeat.
	app.post(
		'/api/v1/alarms/:id/heartbeat',
		{ schema: { params: OneParams, body: ClaimRequest } },
		async (request, reply) => {
			const id = toId(request.params.id);
			const claim = { alarm: id, account: request.account!.id, at: deps.clock.now() };
			if (!(await touchClaim(deps.db, deps.scope, claim))) {
				const alarm = await findAlarm(deps.db, deps.scope, id);
				if (!alarm) throw new AppError('not_found', { alarm: request.params.id });
				throw alarm.overAt === null
					? new AppError('claim_held', { claim: alarm.claim })
					: new AppError('alarm_over', { alarm: request.params.id });
			}
			void deps.board.refresh();
			return reply.code(204).send();
		}
	);
}
