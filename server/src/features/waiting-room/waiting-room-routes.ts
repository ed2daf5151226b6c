import { ClaimAnswer, JoinAnswer, LeaveAnswer, StatusAnswer } from '../../../contract/index.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Identity } from '../booking/index.ts';
import type { Desk } from './desk.ts';

export interface RoomCalls {
	identity: Identity;
	desk: Desk;
	/** The prepared public document. */
	progress: () => Buffer;
}

const partyMax = 20;
/** Answers are small and flat: the plain serializer is the quick one. */
const serializerCompiler = () => JSON.stringify;

/** The public calls of the waiting room. Personal answers are never stored anywhere on the way. */
export function waitingRoomRoutes(app: HotApp, { identity, desk, progress }: RoomCalls): void {
	const personal = (reply: FastifyReply) => void reply.header('cache-control', 'no-store, private');
	/** A ticket without its person is nobody's: told apart from nothing. */
	const holderOf = async (request: FastifyRequest) => {
		try {
			return (await identity.identify(request)).holder;
		} catch (error) {
			throw error instanceof AppError && error.code === 'no_identity' ? new AppError('not_yours') : error;
		}
	};

	app.post(
		'/queue/join',
		{ schema: { response: { 200: JoinAnswer } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const { holder } = await identity.identify(request);
			return desk.join(holder, readParty(request));
		}
	);
	app.get(
		'/queue/status',
		{ schema: { response: { 200: StatusAnswer } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const holder = await holderOf(request);
			return desk.status(holder, valueOf(request.query, 'ticket'));
		}
	);
	app.post(
		'/queue/claim',
		{ schema: { response: { 200: ClaimAnswer } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const holder = await holderOf(request);
			return desk.claim(holder, valueOf(request.body, 'ticket') ?? valueOf(request.query, 'ticket'));
		}
	);
	app.post(
		'/queue/leave',
		{ schema: { response: { 200: LeaveAnswer } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const holder = await holderOf(request);
			await desk.leave(holder, valueOf(request.body, 'ticket') ?? valueOf(request.query, 'ticket'));
			return { left: true as const };
		}
	);
	app.get('/queue/progress', async (_request, reply) =>
		reply
			.header('cache-control', 'public, max-age=1')
			.header('content-type', 'application/json; charset=utf-8')
			.send(progress())
	);
}

function valueOf(part: unknown, name: string): unknown {
	return typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined;
}

/** From the body, else the query; a number or its decimal digits. @throws AppError `bad_request` */
function readParty(request: FastifyRequest): number {
	const value = valueOf(request.body, 'party') ?? valueOf(request.query, 'party') ?? 1;
	const party = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value;
	if (typeof party !== 'number' || !Number.isInteger(party) || party < 1 || party > partyMax) {
		throw new AppError('bad_request', {
			field: 'party',
			detail: `must be a whole number from 1 to ${partyMax}`
		});
	}
	return party;
}
