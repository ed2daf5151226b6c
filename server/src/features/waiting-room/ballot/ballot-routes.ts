import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
	Ballot,
	BallotMine,
	BallotRequest,
	BallotWish,
	DrawRequest,
	LeaveAnswer,
	RandomnessRequest,
	type Account,
	type PersonAttributes
} from '../../../../contract/index.ts';
import { AppError } from '../../../errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { HotApp } from '../../../platform/http/hot-app.ts';
import type { StaffApp } from '../../../platform/http/staff-app.ts';
import type { Booking, Identity } from '../../booking/index.ts';
import type { Record as TheRecord } from '../../record/index.ts';
import { factsOf, publicState } from '../draw/draw-facts.ts';
import { findDraw, insertDraw, saveRandomness, type StoredDraw } from '../draw/draw-store.ts';
import { commitmentOf, type DrawKeys } from '../draw/entry.ts';
import { isRunning } from '../schedule.ts';
import { lockRoomLife } from '../schedule-store.ts';
import type { Ready } from '../ready.ts';
import type { RoomKey } from '../waiting-room-store.ts';
import type { BallotLife, RunningBallot } from './ballot-life.ts';
import { closeBallot, findBallot, findOwn, insertBallot } from './ballot-store.ts';
import { readWishes } from './wishes.ts';

export interface BallotCalls {
	db: Db;
	clock: Clock;
	record: TheRecord;
	key: RoomKey;
	life: BallotLife;
	epoch: () => number;
	identity: Pick<Identity, 'identify'>;
	keysOf(draw: Pick<StoredDraw, 'nonce'>): DrawKeys;
	/** The signed "ready" of a request: such a person is not asked about again. */
	readyOf(request: FastifyRequest): Ready | null;
	askEligibility: Booking['checkEligibility'];
	listSlots(): Promise<readonly number[]>;
}

const nonceBytes = 16;

/** The public calls of a ballot: look, wish, look at one's own, leave. */
export function ballotRoutes(
	app: HotApp,
	/** `refuseNew` throws `joins_closed` while a level gives out no new places. */
	calls: BallotCalls & { refuseNew: () => void }
): void {
	const { life, clock } = calls;
	const current = (): RunningBallot => {
		const ballot = life.current();
		if (!ballot) throw new AppError('not_found');
		return ballot;
	};
	const personal = (reply: FastifyReply) => void reply.header('cache-control', 'no-store, private');
	const mine = async (holder: string): Promise<BallotMine> => {
		const { draw, given } = current();
		const entry = calls.keysOf(draw).entryOf(holder);
		const own = await findOwn(calls.db, draw.id, entry);
		if (!own) throw new AppError('not_found');
		const { party, place, slot } = own;
		const outcome = given === null ? 'waiting' : slot === null ? 'unplaced' : 'placed';
		const { choices } = readWishes(own.wishes);
		return {
			draw: draw.id,
			state: publicState(draw.state),
			entry,
			party,
			choices: [...choices],
			place,
			outcome,
			slot
		};
	};

	app.get('/queue/ballot', { schema: { response: { 200: Ballot } } }, async (_request, reply) => {
		void reply.header('cache-control', 'public, max-age=1');
		return describe(current(), clock.now());
	});
	app.post(
		'/queue/ballot',
		{ schema: { body: BallotWish, response: { 200: BallotMine } } },
		async (request, reply) => {
			personal(reply);
			const { holder } = await calls.identity.identify(request);
			const ready = calls.readyOf(request);
			calls.refuseNew();
			const { choices } = request.body;
			const party = request.body.party ?? ready?.party ?? 1;
			if (ready && party !== ready.party)
				throw new AppError('bad_request', { field: 'party', detail: `was prepared for ${ready.party}` });
			const unknown = choices.find((slot) => !current().slots.includes(slot));
			if (unknown !== undefined) throw new AppError('no_such_slot', { slot: unknown });
			const attributes = ready?.attributes ?? (await attributesOf(calls, holder));
			await life.register(holder, party, { choices, attributes });
			return mine(holder);
		}
	);
	app.get('/queue/ballot/mine', { schema: { response: { 200: BallotMine } } }, async (request, reply) => {
		personal(reply);
		return mine((await calls.identity.identify(request)).holder);
	});
	app.post('/queue/ballot/leave', { schema: { response: { 200: LeaveAnswer } } }, async (request, reply) => {
		personal(reply);
		if (!(await life.leave((await calls.identity.identify(request)).holder))) throw new AppError('not_found');
		return { left: true as const };
	});
}

/** Who is not prepared is asked about now, long before anybody is in a hurry. */
async function attributesOf({ askEligibility }: BallotCalls, holder: string): Promise<PersonAttributes> {
	const verdict = await askEligibility(holder);
	if (verdict === null) throw new AppError('busy', {}, 10);
	if (!verdict.eligible) throw new AppError('not_eligible', verdict.reason ? { reason: verdict.reason } : {});
	return verdict.attributes ?? { country: null, provider: null, category: null };
}

/** Opening a ballot, ending its registration, and giving it the outside randomness; each on record. */
export function ballotStaffRoutes(app: StaffApp, calls: BallotCalls): void {
	const { record, key, clock, life } = calls;
	const who = (account: Account | null): Account => {
		if (!account) throw new AppError('not_signed_in');
		return account;
	};
	const answer = { response: { 200: Ballot } };
	/** The change and its line in the record, then the ballot as it now is. */
	const run = async (
		request: FastifyRequest,
		reply: FastifyReply,
		action: string,
		work: (tx: Tx) => Promise<object>
	): Promise<FastifyReply> => {
		const account = who(request.account);
		const { reason } = request.body as { reason: string };
		await record.runCommand(request, reply, account.id, async (tx) => {
			await lockRoomLife(tx, key);
			const after = await work(tx);
			await record.append(tx, { actor: account.email, action, subject: key.room, reason, after });
			return { body: await read(calls, tx), afterCommit: () => void life.refresh().catch(() => undefined) };
		});
		return reply;
	};

	app.post('/api/v1/queue/ballot', { schema: { body: BallotRequest, ...answer } }, async (request, reply) =>
		run(request, reply, 'queue.ballot', async (tx) => {
			const running = await findDraw(tx, key, 'ballot');
			if (running && isRunning(publicState(running.state))) throw new AppError('draw_running');
			const { slots, closesAt } = request.body;
			if (closesAt <= clock.now()) throw new AppError('bad_schedule', { field: 'closesAt' });
			const known = await calls.listSlots();
			const unknown = slots.find((slot) => !known.includes(slot));
			if (unknown !== undefined) throw new AppError('no_such_slot', { slot: unknown });
			const nonce = randomBytes(nonceBytes);
			const commitment = commitmentOf(calls.keysOf({ nonce }).secret);
			const draw = { epoch: calls.epoch(), kind: 'ballot' as const, nonce, commitment, now: clock.now() };
			const id = await insertDraw(tx, key, draw);
			await insertBallot(tx, id, { slots, closesAt });
			return { draw: id, slots, closesAt, commitment };
		})
	);
	app.post('/api/v1/queue/ballot/run', { schema: { body: DrawRequest, ...answer } }, async (request, reply) =>
		run(request, reply, 'queue.ballot.run', async (tx) => {
			const draw = await findDraw(tx, key, 'ballot');
			if (draw?.state !== 'committed') throw new AppError('ballot_closed');
			await closeBallot(tx, draw.id, clock.now());
			return { draw: draw.id, registered: draw.registered };
		})
	);
	app.post(
		'/api/v1/queue/ballot/randomness',
		{ schema: { body: RandomnessRequest, ...answer } },
		async (request, reply) =>
			run(request, reply, 'queue.ballot.randomness', async (tx) => {
				const draw = await findDraw(tx, key, 'ballot');
				if (!draw) throw new AppError('not_found');
				const { value, source, round } = request.body;
				const given = { value: value.toLowerCase(), source, round: round ?? null, simulated: false };
				if (!(await saveRandomness(tx, draw.id, { ...given, at: clock.now() })))
					throw new AppError(draw.randomness ? 'draw_settled' : 'draw_not_frozen');
				return { draw: draw.id, root: draw.root, ...given };
			})
	);
}

async function read({ key, clock }: BallotCalls, tx: Tx): Promise<Ballot> {
	const draw = (await findDraw(tx, key, 'ballot'))!;
	return describe({ ...(await findBallot(tx, draw.id))!, draw }, clock.now());
}

function describe({ draw, closesAt, slots, rules, given }: RunningBallot, now: number): Ballot {
	return { draw: factsOf(draw, now), closesAt, slots: [...slots], rules, given };
}
