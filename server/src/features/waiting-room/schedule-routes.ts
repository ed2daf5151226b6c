import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
	DrawFacts,
	DrawRequest,
	EpochAnswer,
	EpochRequest,
	RandomnessRequest,
	Schedule,
	ScheduleRequest,
	type Account
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { factsOf, publicState } from './draw/draw-facts.ts';
import { findDraw, insertDraw, saveRandomness, voidRunning, type StoredDraw } from './draw/draw-store.ts';
import { commitmentOf } from './draw/entry.ts';
import type { Queue } from './queue.ts';
import { countPrepared } from './ready-store.ts';
import type { RoomLife } from './room-life.ts';
import { lockRoomLife, readSchedule, writeSchedule } from './schedule-store.ts';
import {
	applyEdit,
	breaksPromise,
	drawsLater,
	findScheduleFault,
	isRunning,
	roomStateAt,
	type RoomSchedule
} from './schedule.ts';
import type { RoomKey } from './waiting-room-store.ts';

export interface ScheduleCalls {
	db: Db;
	clock: Clock;
	record: TheRecord;
	key: RoomKey;
	life: RoomLife;
	queue: Pick<Queue, 'figures' | 'reset'>;
}

const nonceBytes = 16;

/** The duty manager's hand on the room's life: schedule, epoch, draw. */
export function scheduleRoutes(app: StaffApp, calls: ScheduleCalls): void {
	const { db, record, key, life } = calls;
	app.get('/api/v1/queue/schedule', { schema: { response: { 200: Schedule } } }, async (_request, reply) => {
		const answer = await describe(calls, db, await readSchedule(db, key));
		void reply.header('etag', `"${answer.version}"`).header('cache-control', 'no-store');
		return answer;
	});
	app.put(
		'/api/v1/queue/schedule',
		{ schema: { body: ScheduleRequest, response: { 200: Schedule } } },
		async (request, reply) => {
			const account = who(request.account);
			await record.runCommand(request, reply, account.id, async (tx) => {
				await lockRoomLife(tx, key);
				const before = await readSchedule(tx, key);
				checkVersion(request, before.version);
				const after = await editSchedule(calls, tx, before, request.body);
				if (after !== before) {
					const { reason } = request.body;
					await record.append(tx, {
						...{ actor: account.email, action: 'queue.schedule', subject: key.room, reason, before, after }
					});
				}
				void reply.header('etag', `"${after.version}"`);
				const draw = await findDraw(tx, key, 'opening');
				return {
					body: await describe(calls, tx, after),
					afterCommit: () => life.adopt({ schedule: after, draw })
				};
			});
			return reply;
		}
	);
	app.post(
		'/api/v1/queue/epoch',
		{ schema: { body: EpochRequest, response: { 200: EpochAnswer } } },
		async (request, reply) => beginEpoch(calls, request.body, request, reply)
	);
	app.post(
		'/api/v1/queue/draw',
		{ schema: { body: DrawRequest, response: { 200: DrawFacts } } },
		async (request, reply) => {
			const account = who(request.account);
			await record.runCommand(request, reply, account.id, async (tx) => {
				await lockRoomLife(tx, key);
				const running = await findDraw(tx, key, 'opening');
				if (running && isRunning(publicState(running.state))) throw new AppError('draw_running');
				// A draw that nobody can register for would be drawn empty, and stand in front of the true one.
				if (!drawsLater(await readSchedule(tx, key), calls.clock.now()))
					throw new AppError('nothing_to_draw');
				const draw = await commitDraw(calls, tx, calls.queue.figures().epoch);
				await record.append(tx, {
					...{ actor: account.email, action: 'queue.draw', subject: key.room, reason: request.body.reason },
					after: { draw: draw.id, commitment: draw.commitment }
				});
				return { body: factsOf(draw, calls.clock.now()), afterCommit: () => life.adopt({ draw }) };
			});
			return reply;
		}
	);
	app.post(
		'/api/v1/queue/draw/randomness',
		{ schema: { body: RandomnessRequest, response: { 200: DrawFacts } } },
		async (request, reply) => giveRandomness(calls, request.body, request, reply)
	);
}

function who(account: Account | null): Account {
	if (!account) throw new AppError('not_signed_in');
	return account;
}

/** @throws AppError `version_missing`, `version_changed` for If-Match, `somebody_faster` for the body's version */
function checkVersion(request: FastifyRequest<{ Body: ScheduleRequest }>, version: number): void {
	const header = request.headers['if-match'];
	const expected = request.body.expectedVersion;
	if (header === undefined && expected === undefined) throw new AppError('version_missing', { version });
	if (header !== undefined && header !== '*' && header.replace(/^W\//, '') !== `"${version}"`)
		throw new AppError('version_changed', { version });
	if (expected !== undefined && expected !== version) throw new AppError('somebody_faster', { version });
}

/** Writes the edit, with the draw that its pre-queue needs. @throws AppError `bad_schedule`, `draw_running` */
async function editSchedule(
	calls: ScheduleCalls,
	tx: Tx,
	before: RoomSchedule,
	edit: ScheduleRequest
): Promise<RoomSchedule> {
	const { key, clock } = calls;
	const after = applyEdit(before, edit);
	if (after === before) return before;
	const field = findScheduleFault(after);
	if (field !== null) throw new AppError('bad_schedule', { field });
	const { epoch } = calls.queue.figures();
	const newest = await findDraw(tx, key, 'opening');
	const draw = newest?.epoch === epoch ? newest : null;
	const standing = draw && { state: publicState(draw.state), registered: draw.registered };
	if (breaksPromise(before, after, standing, clock.now())) throw new AppError('draw_running');
	await writeSchedule(tx, key, after);
	const running = draw !== null && isRunning(publicState(draw.state));
	if (drawsLater(after, clock.now()) && !running) await commitDraw(calls, tx, epoch);
	if (running && draw.state === 'committed' && after.preQueueOpensAt === null) {
		await voidRunning(tx, key, 'opening');
	}
	return after;
}

/** A new draw: its secret is committed to before anybody can be in it. */
async function commitDraw({ key, clock, life }: ScheduleCalls, tx: Tx, epoch: number): Promise<StoredDraw> {
	await voidRunning(tx, key, 'opening');
	const nonce = randomBytes(nonceBytes);
	const commitment = commitmentOf(life.keysOf({ nonce }).secret);
	const id = await insertDraw(tx, key, { epoch, kind: 'opening', nonce, commitment, now: clock.now() });
	return (await findDraw(tx, key, 'opening', id))!;
}

/** Voids every ticket and pass: typed reason, typed name of the room, on record. */
async function beginEpoch(
	calls: ScheduleCalls,
	{ expectedEpoch, confirm, reason }: EpochRequest,
	request: FastifyRequest,
	reply: FastifyReply
): Promise<FastifyReply> {
	const { key, queue, record, life } = calls;
	const account = who(request.account);
	await record.runCommand(request, reply, account.id, async (tx) => {
		await lockRoomLife(tx, key);
		const { epoch, issued } = queue.figures();
		if (confirm !== key.room) throw new AppError('bad_request', { field: 'confirm', detail: key.room });
		if (epoch !== expectedEpoch) throw new AppError('somebody_faster', { epoch });
		const schedule = await readSchedule(tx, key);
		await voidRunning(tx, key, 'opening');
		if (drawsLater(schedule, calls.clock.now())) await commitDraw(calls, tx, epoch + 1);
		await record.append(tx, {
			...{ actor: account.email, action: 'queue.epoch', subject: key.room, reason },
			...{ before: { epoch, issued }, after: { epoch: epoch + 1 } }
		});
		const draw = await findDraw(tx, key, 'opening');
		await queue.reset(false);
		return { body: { epoch: queue.figures().epoch }, afterCommit: () => life.adopt({ schedule, draw }) };
	});
	return reply;
}

/** @throws AppError `draw_not_frozen`, `draw_settled` */
async function giveRandomness(
	calls: ScheduleCalls,
	{ value, source, round, reason }: RandomnessRequest,
	request: FastifyRequest,
	reply: FastifyReply
): Promise<FastifyReply> {
	const { key, record, life, clock } = calls;
	const account = who(request.account);
	await record.runCommand(request, reply, account.id, async (tx) => {
		const draw = await findDraw(tx, key, 'opening');
		if (!draw) throw new AppError('not_found');
		const given = { value: value.toLowerCase(), source, round: round ?? null, simulated: false };
		if (!(await saveRandomness(tx, draw.id, { ...given, at: clock.now() }))) {
			throw new AppError(draw.randomness || draw.state === 'placed' ? 'draw_settled' : 'draw_not_frozen');
		}
		await record.append(tx, {
			...{ actor: account.email, action: 'queue.draw.randomness', subject: key.room, reason },
			...{ before: { draw: draw.id, root: draw.root }, after: given }
		});
		const settled = (await findDraw(tx, key, 'opening', draw.id))!;
		return {
			body: factsOf(settled, clock.now()),
			afterCommit: () => life.adopt({ draw: settled })
		};
	});
	return reply;
}

async function describe(
	{ clock, key, queue }: ScheduleCalls,
	db: Db | Tx,
	schedule: RoomSchedule
): Promise<Schedule> {
	const { epoch } = queue.figures();
	const newest = await findDraw(db, key, 'opening');
	const draw = newest?.epoch === epoch ? newest : null;
	return {
		...schedule,
		epoch,
		state: roomStateAt(schedule, draw && publicState(draw.state), clock.now()),
		prepared: await countPrepared(db, key.season),
		registered: schedule.preQueueOpensAt === null ? null : (draw?.registered ?? 0),
		draw: draw && factsOf(draw, clock.now())
	};
}
