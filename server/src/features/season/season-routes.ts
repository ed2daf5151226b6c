import { Type } from 'typebox';
import {
	DutyRequest,
	FreezeRequest,
	OrderRequest,
	RosterPeople,
	SeasonAnswer,
	SeasonDays,
	SeasonDaysQuery,
	SeasonPlan,
	seats,
	SightingDecision,
	SightingRequest,
	SpikeRequest,
	dayOfText,
	textOfDay,
	ummAlQura,
	type Account,
	type SeasonDay
} from '../../../contract/index.ts';
import { prayerTimesOf } from '../../calendar/prayer-times.ts';
import { AppError } from '../../errors.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import { roleOfSeat } from './check-entry.ts';
import type { SeasonBoard } from './season-board.ts';
import {
	announce,
	confirmSighting,
	saveEntry,
	withdrawSighting,
	type CommandDeps
} from './season-commands.ts';
import { calendarsOf } from './show-plan.ts';

export interface RoutesDeps extends CommandDeps {
	db: Db;
	record: Pick<Record, 'append' | 'runCommand'>;
	board: SeasonBoard;
}

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const made = { 201: SeasonAnswer };
const changed = { 200: SeasonAnswer };

/** Reads of the season, and its commands. */
export function seasonRoutes(app: StaffApp, deps: RoutesDeps): void {
	app.get('/api/v1/season', { schema: { response: { 200: SeasonPlan } } }, async () => {
		const { plan } = await deps.board.read(deps.db);
		return plan;
	});
	app.get(
		'/api/v1/season/days',
		{ schema: { querystring: SeasonDaysQuery, response: { 200: SeasonDays } } },
		async (request) => ({ days: daysOf(deps, request.query) })
	);
	app.get('/api/v1/season/people', { schema: { response: { 200: RosterPeople } } }, () => peopleOf(deps));
	entryRoutes(app, deps);
	sightingRoutes(app, deps);
}

type Run = (tx: Tx, account: Account) => Promise<CommandAnswer>;

function runnerOf({ record }: RoutesDeps) {
	return async (
		request: Parameters<Record['runCommand']>[0],
		reply: Parameters<Record['runCommand']>[1],
		action: Run
	) => {
		const account = request.account!;
		await record.runCommand(request, reply, account.id, (tx) => action(tx, account));
		return reply;
	};
}

function entryRoutes(app: StaffApp, deps: RoutesDeps): void {
	const run = runnerOf(deps);
	app.post('/api/v1/season/spikes', { schema: { body: SpikeRequest, response: made } }, (request, reply) =>
		run(request, reply, (tx, account) =>
			saveEntry(deps, tx, account, { kind: 'spike', id: null, request: request.body })
		)
	);
	app.put(
		'/api/v1/season/spikes/:id',
		{ schema: { params: Id, body: SpikeRequest, response: changed } },
		(request, reply) =>
			run(request, reply, (tx, account) =>
				saveEntry(deps, tx, account, { kind: 'spike', id: request.params.id, request: request.body })
			)
	);
	app.post('/api/v1/season/freezes', { schema: { body: FreezeRequest, response: made } }, (request, reply) =>
		run(request, reply, (tx, account) =>
			saveEntry(deps, tx, account, { kind: 'freeze', id: null, request: request.body })
		)
	);
	app.put(
		'/api/v1/season/freezes/:id',
		{ schema: { params: Id, body: FreezeRequest, response: changed } },
		(request, reply) =>
			run(request, reply, (tx, account) =>
				saveEntry(deps, tx, account, { kind: 'freeze', id: request.params.id, request: request.body })
			)
	);
	app.post('/api/v1/season/orders', { schema: { body: OrderRequest, response: made } }, (request, reply) =>
		run(request, reply, (tx, account) =>
			saveEntry(deps, tx, account, { kind: 'order', id: null, request: request.body })
		)
	);
	app.put(
		'/api/v1/season/orders/:id',
		{ schema: { params: Id, body: OrderRequest, response: changed } },
		(request, reply) =>
			run(request, reply, (tx, account) =>
				saveEntry(deps, tx, account, { kind: 'order', id: request.params.id, request: request.body })
			)
	);
	app.post('/api/v1/season/roster', { schema: { body: DutyRequest, response: made } }, (request, reply) =>
		run(request, reply, (tx, account) =>
			saveEntry(deps, tx, account, { kind: 'duty', id: null, request: request.body })
		)
	);
	app.put(
		'/api/v1/season/roster/:id',
		{ schema: { params: Id, body: DutyRequest, response: changed } },
		(request, reply) =>
			run(request, reply, (tx, account) =>
				saveEntry(deps, tx, account, { kind: 'duty', id: request.params.id, request: request.body })
			)
	);
}

function sightingRoutes(app: StaffApp, deps: RoutesDeps): void {
	const run = runnerOf(deps);
	app.post(
		'/api/v1/season/sightings',
		{ schema: { body: SightingRequest, response: made } },
		(request, reply) => run(request, reply, (tx, account) => announce(deps, tx, account, request.body))
	);
	const decision = { schema: { params: Id, body: SightingDecision, response: changed } };
	app.post('/api/v1/season/sightings/:id/confirm', decision, (request, reply) =>
		run(request, reply, (tx, account) =>
			confirmSighting(deps, tx, account, { id: request.params.id, reason: request.body.reason })
		)
	);
	app.post('/api/v1/season/sightings/:id/withdraw', decision, (request, reply) =>
		run(request, reply, (tx, account) =>
			withdrawSighting(deps, tx, account, { id: request.params.id, reason: request.body.reason })
		)
	);
}

/** Days of the axis, each in both calendars, with its prayer times. */
function daysOf(deps: RoutesDeps, { from, count }: { from: string; count: number }): SeasonDay[] {
	const first = dayOfText(from);
	if (first === null) throw new AppError('no_such_day');
	const { inForce } = calendarsOf(deps.board.stored().sightings);
	return Array.from({ length: count }, (_, index) => {
		const day = first + index;
		const [hijri, calculated] = [inForce.dateOf(day), ummAlQura.dateOf(day)];
		const isSame = hijri?.day === calculated?.day && hijri?.month === calculated?.month;
		return {
			...{ date: textOfDay(day), hijri, calculated: isSame ? null : calculated },
			prayers: prayerTimesOf(day, deps.rule, inForce)
		};
	});
}

async function peopleOf({ people }: RoutesDeps): Promise<RosterPeople> {
	const byId = new Map<string, RosterPeople['people'][number]>();
	for (const seat of seats) {
		for (const person of await people.peopleOfRole(roleOfSeat[seat])) {
			const known = byId.get(person.id) ?? { ...person, seats: [] };
			byId.set(person.id, { ...known, seats: [...known.seats, seat] });
		}
	}
	return { people: [...byId.values()] };
}
