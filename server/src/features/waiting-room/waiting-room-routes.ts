import { ClaimAnswer, JoinReply, LeaveAnswer, StatusReply } from '../../../contract/index.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Desk } from './desk.ts';
import type { Seen } from './visitor.ts';

export interface RoomCalls {
	/** Who asks. @throws AppError `no_identity` */
	see: (request: FastifyRequest) => Promise<Seen>;
	/** Whether somebody without an account may have a place. */
	anonymousPlaces: () => boolean;
	desk: Desk;
	/** Somebody joined, with the page in this language. */
	onJoin: (language: string) => void;
	/** The prepared public document. */
	progress: () => Buffer;
}

const partyMax = 20;
const progressHeaders = {
	'cache-control': 'public, max-age=1',
	'content-type': 'application/json; charset=utf-8'
};
/** Answers are small and flat: the plain serializer is the quick one. */
const serializerCompiler = () => JSON.stringify;

/** The public calls of the waiting room. Personal answers are never stored anywhere on the way. */
export function waitingRoomRoutes(
	app: HotApp,
	{ see, anonymousPlaces, desk, progress, onJoin }: RoomCalls
): void {
	const personal = (reply: FastifyReply) => void reply.header('cache-control', 'no-store, private');
	/** A ticket without its person is nobody's: told apart from nothing. */
	const ownerOf = async (request: FastifyRequest) => {
		try {
			return (await see(request)).visitor;
		} catch (error) {
			throw error instanceof AppError && error.code === 'no_identity' ? new AppError('not_yours') : error;
		}
	};

	app.post(
		'/queue/join',
		{ schema: { response: { 200: JoinReply } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const { visitor, party } = await see(request);
			if (visitor.account === null && !anonymousPlaces()) throw new AppError('no_identity');
			const answer = await desk.join(visitor, readParty(request, party));
			onJoin(languageOf(request));
			return answer;
		}
	);
	app.get(
		'/queue/status',
		{ schema: { response: { 200: StatusReply } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const visitor = await ownerOf(request);
			return desk.status(visitor, valueOf(request.query, 'ticket'));
		}
	);
	app.post(
		'/queue/claim',
		{ schema: { response: { 200: ClaimAnswer } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const visitor = await ownerOf(request);
			return desk.claim(visitor, valueOf(request.body, 'ticket') ?? valueOf(request.query, 'ticket'));
		}
	);
	app.post(
		'/queue/leave',
		{ schema: { response: { 200: LeaveAnswer } }, serializerCompiler },
		async (request, reply) => {
			personal(reply);
			const visitor = await ownerOf(request);
			await desk.leave(visitor, valueOf(request.body, 'ticket') ?? valueOf(request.query, 'ticket'));
			return { left: true as const };
		}
	);
	app.get('/queue/progress', async (_request, reply) => reply.headers(progressHeaders).send(progress()));
	app.prepared.add('/queue/progress', { bytes: progress, headers: progressHeaders });
}

const pageLanguages: ReadonlySet<unknown> = new Set(['ar', 'en', 'ur', 'id', 'tr', 'bn', 'fr']);

/** Of the page that joined, for a count and nothing else: `other` for everything that is no page of ours. */
function languageOf(request: FastifyRequest): string {
	const value = valueOf(request.body, 'language') ?? valueOf(request.query, 'language');
	return pageLanguages.has(value) ? String(value) : 'other';
}

export function valueOf(part: unknown, name: string): unknown {
	return typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined;
}

/** From the body, else the query; a number or its decimal digits; else what was prepared. @throws AppError `bad_request` */
export function readParty(request: FastifyRequest, prepared: number | null): number {
	const value = valueOf(request.body, 'party') ?? valueOf(request.query, 'party') ?? prepared ?? 1;
	const party = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value;
	if (typeof party !== 'number' || !Number.isInteger(party) || party < 1 || party > partyMax) {
		throw new AppError('bad_request', {
			field: 'party',
			detail: `must be a whole number from 1 to ${partyMax}`
		});
	}
	if (prepared !== null && party !== prepared) {
		throw new AppError('bad_request', { field: 'party', detail: `was prepared for ${prepared}` });
	}
	return party;
}
