import { Type } from 'typebox';
import {
	CompromisedRequest,
	KeyBoard,
	NextKeyRequest,
	PermitKey,
	PinRootRequest,
	Reissued,
	ReissueRequest,
	SignedListRequest,
	type Account,
	type PermitListFacts
} from '../../../contract/index.ts';
import { decodeKeyList } from '../../../contract/permit/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { KeyCommands, Order } from './key-commands.ts';
import { signsFrom, stateOf } from './key-plan.ts';
import type { KeyRing } from './key-ring.ts';
import type { StoredList } from './keys-store.ts';
import { showRoot } from './list-routes.ts';
import { countByKey } from './revoked-store.ts';

interface KeyCalls {
	db: Db;
	clock: Clock;
	season: string;
	ring: KeyRing;
	commands: KeyCommands;
	record: Pick<TheRecord, 'runCommand'>;
	/** After a command: memory follows at once. */
	onChanged(): void;
}

const KidParams = Type.Object({ kid: Type.String({ maxLength: 16 }) });

/** The administrator's hand on keys, roots and lists. */
export function keyRoutes(app: StaffApp, calls: KeyCalls): void {
	const { commands, onChanged } = calls;
	app.get('/api/v1/permits/keys', { schema: { response: { 200: KeyBoard } } }, () => showBoard(calls));

	const run = (
		request: Parameters<TheRecord['runCommand']>[0],
		reply: Parameters<TheRecord['runCommand']>[1],
		reason: string,
		action: (tx: Tx, order: Order) => Promise<unknown>
	) => {
		const account = signedIn(request.account);
		return calls.record.runCommand(request, reply, account.id, async (tx) => ({
			body: await action(tx, { actor: account.email, reason }),
			afterCommit: onChanged
		}));
	};
	const Kid = Type.Pick(PermitKey, ['kid']);
	app.post(
		'/api/v1/permits/keys',
		{ schema: { body: NextKeyRequest, response: { 200: Kid } } },
		async (request, reply) => {
			const { reason, urgent } = request.body;
			await run(request, reply, reason, async (tx, order) => ({
				kid: await commands.addNext(tx, order, urgent ?? false)
			}));
			return reply;
		}
	);
	app.post(
		'/api/v1/permits/keys/:kid/reissue',
		{ schema: { params: KidParams, body: ReissueRequest, response: { 200: Reissued } } },
		async (request, reply) => {
			const { kid } = request.params;
			await run(request, reply, request.body.reason, async (tx, order) => ({
				...{ kid, permits: await commands.reissue(tx, order, kid) }
			}));
			return reply;
		}
	);
	app.post(
		'/api/v1/permits/keys/:kid/compromised',
		{ schema: { params: KidParams, body: CompromisedRequest, response: { 200: Reissued } } },
		async (request, reply) => {
			const { kid } = request.params;
			const { reason, permits } = request.body;
			await run(request, reply, reason, async (tx, order) => ({
				...{ kid, permits: await commands.compromise(tx, order, kid, permits ?? 0) }
			}));
			return reply;
		}
	);
	app.post(
		'/api/v1/permits/keys/list',
		{ schema: { body: SignedListRequest, response: { 200: Type.Object({ ok: Type.Literal(true) }) } } },
		async (request, reply) => {
			const signed = Uint8Array.from(Buffer.from(request.body.list, 'base64url'));
			await run(request, reply, request.body.reason, async (tx, order) => {
				await commands.takeList(tx, order, signed);
				return { ok: true };
			});
			return reply;
		}
	);
	app.post(
		'/api/v1/permits/roots',
		{ schema: { body: PinRootRequest, response: { 200: Kid } } },
		async (request, reply) => {
			const { reason, publicKey } = request.body;
			await run(request, reply, reason, async (tx, order) => ({
				kid: await commands.pinRoot(tx, order, publicKey)
			}));
			return reply;
		}
	);
}

function signedIn(account: Account | null): Account {
	if (!account) throw new AppError('not_signed_in');
	return account;
}

/** Keys and lists as they are now, without anything secret. */
export async function showBoard({
	db,
	clock,
	season,
	ring
}: Pick<KeyCalls, 'db' | 'clock' | 'season' | 'ring'>): Promise<KeyBoard> {
	const at = clock.now();
	const { keys, roots, lists, draft } = ring.keys();
	const counts = new Map((await countByKey(db, season)).map(({ kid, permits }) => [kid, permits]));
	const drafted = draft && decodeKeyList(draft.payload);
	return {
		...{ at, readAt: ring.readAt(), season },
		roots: roots.map(showRoot),
		keys: keys.map((key) => ({
			...{ kid: key.kid, publicKey: Buffer.from(key.publicKey).toString('hex') },
			...{ state: stateOf(key, keys, at), signsFrom: signsFrom(key), urgent: key.urgent },
			...{ createdAt: key.createdAt, notAfter: key.notAfter },
			...{ listedAt: key.listedAt, compromisedAt: key.compromisedAt },
			usable: ring.signerOf(key.kid) !== null,
			permits: counts.get(key.kid) ?? 0
		})),
		keyList: showList(lists.keys, at),
		revocations: showList(lists.revocations, at),
		draft:
			draft && drafted
				? { version: drafted.version, payload: Buffer.from(draft.payload).toString('base64url') }
				: null
	};
}

function showList(list: StoredList | undefined, at: number): PermitListFacts | null {
	if (!list) return null;
	const { version, issuedAt, nextUpdateAt, body } = list;
	return { version, issuedAt, nextUpdateAt, bytes: body.length, stale: at >= nextUpdateAt };
}
