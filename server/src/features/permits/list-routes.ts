import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PermitRoots, type PermitRoot } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { KeyRing } from './key-ring.ts';
import type { ListKind, StoredRoot } from './keys-store.ts';

/** For how long a cache may answer in our place. */
const maxAgeSeconds = { keys: 60, revocations: 5 } as const;
const retrySeconds = 30;

/** GET /permits/keys, /permits/revocations and /permits/roots: from memory, for scanners, caches and anybody. */
export function listRoutes(app: HotApp, ring: Pick<KeyRing, 'keys'>): void {
	for (const kind of ['keys', 'revocations'] as const)
		app.get(`/permits/${kind}`, async (request, reply) => sendList(ring, kind, request, reply));
	app.get('/permits/roots', { schema: { response: { 200: PermitRoots } } }, async (_request, reply) => {
		void reply.header('cache-control', 'public, max-age=60');
		return { roots: ring.keys().roots.map(showRoot) };
	});
}

export function showRoot({ kid, publicKey, sealed, pinnedAt }: StoredRoot): PermitRoot {
	return { kid, publicKey: Buffer.from(publicKey).toString('hex'), automatic: sealed !== null, pinnedAt };
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
	return reply.header('content-type', 'application/cose; cose-type="cose-sign1"').send(list.body);
}
