import { Type } from 'typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FirstSignInRequest, Session, SignInRequest } from '../../../contract/index.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import { endedCookie, readSessionToken, sessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { SignIns } from './sign-ins.ts';

/** POST, GET and DELETE /api/v1/session, and the way in of the first administrator. */
export function peopleRoutes(app: StaffApp, sessions: Sessions, signIns: SignIns): void {
	const answer = (
		request: FastifyRequest,
		reply: FastifyReply,
		opened: { token: string; session: Session }
	) => {
		reply.header('set-cookie', sessionCookie(opened.token, isSecure(request)));
		return opened.session;
	};

	app.post(
		'/api/v1/session',
		{ schema: { body: SignInRequest, response: { 200: Session } } },
		async (request, reply) => {
			const earlier = readSessionToken(request.headers.cookie);
			return answer(request, reply, await signIns.signIn({ ...request.body, address: request.ip, earlier }));
		}
	);

	app.post(
		'/api/v1/session/first',
		{ schema: { body: FirstSignInRequest, response: { 200: Session } } },
		async (request, reply) =>
			answer(request, reply, await signIns.signInFirst({ ...request.body, address: request.ip }))
	);

	app.get('/api/v1/session', { schema: { response: { 200: Session } } }, async (request) =>
		sessions.describe(request.account!, request.headers)
	);

	app.delete('/api/v1/session', { schema: { response: { 204: Type.Null() } } }, async (request, reply) => {
		await sessions.signOut(request.account!, request.headers.cookie);
		return reply
			.header('set-cookie', endedCookie(isSecure(request)))
			.code(204)
			.send(null);
	});
}

/** Browsers name the scheme they see in Origin, also where a proxy in front ends TLS. */
function isSecure(request: FastifyRequest): boolean {
	return request.protocol === 'https' || (request.headers.origin?.startsWith('https://') ?? false);
}
