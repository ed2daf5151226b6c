import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PermitRoots, type PermitRoot } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { KeyRing } from './key-ring.ts';
import type { RevocationDeltas } from './revocation-deltas.ts';
import type { ListKind, StoredRoot } from './keys-store.ts';

/** For how long a cache may answer in our place. */
const maxAgeSeconds = { keys: 60, revocations: 5 } as const;
const retrySeconds = 30;

/** GET /permits/keys, /permits/revocations and /permits/roots: from memory, for scanners, caches and anybody. */
export function listRoutes(app: HotApp, ring: Pick<KeyRing, 'keys'>, deltas: RevocationDeltas): void {
	app.get('/permits/keys', async (request, reply) => sendList(ring, 'keys', request, reply));
	app.get('/permits/revocations', async (request, reply) => {
		const since = readSince(request.query);
		const list = ring.keys().lists.revocations;
		if (since === null || !list) return sendList(ring, 'revocations', request, reply);
		void reply.header('cache-control', `public, max-age=${maxAgeSeconds.revocations}`);
		// Nothing newer; who has a higher version gets the list and finds out what is wrong.
		if (since === list.version) return reply.header('x-list-version', String(since)).code(204).send();
		// Without the database the whole list, which is in memory, serves everybody.
		const delta = await deltas.since(since).catch(() => null);
		if (!delta) return sendList(ring, 'revocations', request, reply);
		return reply
			.header('x-list-version', String(list.version))
			.header('x-list-base', String(since))
			.header('content-type', contentType)
			.send(delta);
	});
	app.get('/permits/roots', { schema: { response: { 200: PermitRoots } } }, async (_request, reply) => {
		void reply.header('cache-control', 'public, max-age=60');
		return { roots: ring.keys().roots.map(showRoot) };
	});
}

export function showRoot({ kid, publicKey, sealed, pinnedAt }: StoredRoot): PermitRoot {
	return { kid, publicKey: Buffer.from(publicKey).toString('hex'), automatic: sealed !== null, pinnedAt };
}

const contentType = 'application/cose; cose-type="cose-sign1"';

/** The version that somebody has; null: the whole list is wanted. @throws AppError `bad_request` */
function readSince(query: unknown): number | null {
	const { since } = query as { since?: unknown };
	if (since === undefined) return null;
	if (typeof since !== 'string' || !/^\d{1,10}$/.test(since))
		throw new AppError('bad_request', { field: 'since' });
	return Number(since) || null;
}

/** @throws AppError `no_key_list` until there is one */
function sendList(
	ring: Pick<KeyRing, 'keys'>,
	kind: ListKind,
	request: FastifyRequest,
	reply: FastifyReply
): FastifyReply {
	const list = ring.keys().lists[kind];
	if (!list) throw new AppError('no_key_list', {}, retrySeconds);
	// Not the version alone: a second installation under the same name counts from 1, too.
	const etag = `"${list.version}-${createHash('sha256').update(list.body).digest('hex').slice(0, 16)}"`;
	void reply
		.header('etag', etag)
		.header('cache-control', `public, max-age=${maxAgeSeconds[kind]}`)
		.header('x-list-version', String(list.version));
	const asked = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
	if (asked?.includes(etag) || asked?.includes('*')) return reply.code(304).send();
	return reply.header('content-type', contentType).send(list.body);
}
