import type { FastifyReply } from 'fastify';
import { limits } from '../../limits.ts';
import type { StaffApp } from './staff-app.ts';

interface Kept {
	body: string | Buffer;
	type: string;
	atMs: number;
}

/**
 * Answers what was asked before from a cache, while somebody says so for its route; `Age` tells how old it is. It stands
 * behind the checks of who may ask, and every account gets the same answers: what differs by account is never looked up
 * here. The oldest make room.
 */
export function answerFromCache(
	app: StaffApp,
	deps: {
		/** Whether answers of this route may be a while old now. */
		isHeld(method: string, route: string): boolean;
		elapsedMs(): number;
	}
): void {
	const kept = new Map<string, Kept>();
	const { answersMax, bytesMax, heldMs } = limits.answerCache;
	const held = (method: string, route: string | undefined) =>
		route !== undefined && deps.isHeld(method, route);

	app.addHook('preHandler', async (request, reply): Promise<FastifyReply | void> => {
		if (!held(request.method, request.routeOptions.url)) return;
		const known = kept.get(request.url);
		const ageMs = known ? deps.elapsedMs() - known.atMs : Infinity;
		if (!known || ageMs >= heldMs) return;
		return reply
			.headers({ age: String(Math.floor(ageMs / 1_000)), 'content-type': known.type })
			.send(known.body);
	});
	app.addHook('onSend', async (request, reply, payload) => {
		if (reply.statusCode !== 200 || reply.hasHeader('age')) return;
		if (!held(request.method, request.routeOptions.url)) return;
		if ((typeof payload !== 'string' && !Buffer.isBuffer(payload)) || payload.length > bytesMax) return;
		kept.delete(request.url);
		kept.set(request.url, {
			body: payload,
			type: String(reply.getHeader('content-type')),
			atMs: deps.elapsedMs()
		});
		for (const oldest of kept.keys()) {
			if (kept.size <= answersMax) break;
			kept.delete(oldest);
		}
	});
}
