import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { DrawFacts, DrawProof } from '../../../../contract/index.ts';
import { AppError } from '../../../errors.ts';
import { limits } from '../../../limits.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { HotApp } from '../../../platform/http/hot-app.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Seen } from '../visitor.ts';
import type { RoomKey } from '../waiting-room-store.ts';
import { factsOf } from './draw-facts.ts';
import { findDraw, type StoredDraw } from './draw-store.ts';
import { listEntries, storedLine } from './entries-store.ts';
import { entryBytes, type DrawKeys } from './entry.ts';
import { createProver } from './proof.ts';

export interface DrawCalls {
	db: Db;
	clock: Clock;
	metrics: Metrics;
	key: RoomKey;
	keysOf(draw: StoredDraw): DrawKeys;
	see: (request: FastifyRequest) => Promise<Seen>;
}

const DrawQuery = Type.Object({ draw: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) });
const ProofQuery = Type.Object({
	...DrawQuery.properties,
	entry: Type.Optional(Type.String({ pattern: `^[0-9a-f]{${entryBytes * 2}}$` })),
	user: Type.Optional(Type.String())
});
const aSecond = 'public, max-age=1';
/** A frozen list never changes. */
const forEver = 'public, max-age=31536000, immutable';

/** What everybody may know of a draw: its facts, its list, and for each entry the proof that it is in the list. */
export function drawRoutes(app: HotApp, calls: DrawCalls): void {
	const { db, clock, key } = calls;
	const prover = createProver(db);
	const lists = gate(limits.draw.listsAtOnceMax, calls.metrics, 'list');
	const proofs = gate(limits.draw.proofsAtOnceMax, calls.metrics, 'proof');

	const find = async (id: number | undefined): Promise<StoredDraw> => {
		const draw = await findDraw(db, key, id === undefined ? 'opening' : null, id);
		if (!draw) throw new AppError('not_found');
		return draw;
	};
	const findFrozen = async (id: number | undefined): Promise<StoredDraw & { root: string }> => {
		const draw = await find(id);
		const { root } = draw;
		if (root === null) throw new AppError('draw_not_frozen');
		return { ...draw, root };
	};

	app.get(
		'/queue/draw',
		{
			schema: {
				querystring: DrawQuery,
				response: { 200: DrawFacts, 204: Type.Null({ description: 'No draw was announced yet.' }) }
			}
		},
		async (request, reply) => {
			void reply.header('cache-control', aSecond);
			const { draw } = request.query;
			const found = await findDraw(db, key, draw === undefined ? 'opening' : null, draw);
			// Only who asks for one that never was is wrong.
			if (!found && draw === undefined) return reply.code(204).send(null);
			if (!found) throw new AppError('not_found');
			return factsOf(found, clock.now());
		}
	);
	app.get('/queue/draw/entries', { schema: { querystring: DrawQuery } }, async (request, reply) => {
		const draw = await findFrozen(request.query.draw);
		void reply
			.header('content-type', 'text/plain; charset=utf-8')
			.header('cache-control', request.query.draw === undefined ? aSecond : forEver);
		return sendList(reply, db, draw.id, lists.enter());
	});
	app.get(
		'/queue/draw/proof',
		{ schema: { querystring: ProofQuery, response: { 200: DrawProof } } },
		async (request, reply) => {
			void reply.header('cache-control', 'no-store, private');
			const draw = await findFrozen(request.query.draw);
			const leave = proofs.enter();
			try {
				for (const entry of await entriesOf(calls, draw, request, request.query.entry)) {
					const proof = await prover.prove(draw, entry);
					if (proof) return proof;
				}
			} finally {
				leave();
			}
			throw new AppError('not_found');
		}
	);
}

/** The entry that is asked for, else those of whoever asks. */
async function entriesOf(
	{ keysOf, see }: DrawCalls,
	draw: StoredDraw,
	request: FastifyRequest,
	entry: string | undefined
): Promise<string[]> {
	if (entry !== undefined) return [entry];
	const { account, browser } = (await see(request)).visitor;
	const holders = [account, browser].filter((holder) => holder !== null);
	return holders.map((holder) => keysOf(draw).entryOf(holder));
}

/** At most so many at once; whoever comes on top hears when to come again. */
function gate(max: number, metrics: Metrics, what: string) {
	const refused = metrics.counter(
		`marsad_draw_${what}_refusals_total`,
		`Readers of a draw's ${what} turned away because too many read at once`
	);
	let inside = 0;
	return {
		enter(): () => void {
			if (inside >= max) {
				refused.inc();
				throw new AppError('busy', {}, 5);
			}
			inside += 1;
			let left = false;
			return () => {
				if (!left) inside -= 1;
				left = true;
			};
		}
	};
}

/** The list as one text, a line an entry, read page by page as fast as the reader takes it. */
function sendList(reply: FastifyReply, db: Db, draw: number, leave: () => void): FastifyReply {
	async function* pages() {
		for (let after: Buffer | null = null; ;) {
			const page = await listEntries(db, draw, after, limits.draw.pageSize);
			if (page.length > 0) {
				yield page.map((entry) => `${storedLine(entry)}\n`).join('');
				after = page.at(-1)!.entry;
			}
			if (page.length < limits.draw.pageSize) return;
		}
	}
	const stream = Readable.from(pages(), { objectMode: false });
	const deadline = AbortSignal.timeout(limits.draw.listTimeoutMs);
	const giveUp = () => stream.destroy(new Error('the reader of a list was too slow'));
	deadline.addEventListener('abort', giveUp);
	stream.once('close', () => {
		deadline.removeEventListener('abort', giveUp);
		leave();
	});
	return reply.send(stream);
}
