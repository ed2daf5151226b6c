import type { AffectedState } from '../../../contract/index.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Change, MovePort } from '../booking/index.ts';
import type { Permits, StoredPermit } from '../permits/index.ts';
import { listEntered } from './affected-store.ts';
import { setAffected, type AffectedRow } from './affected-rows-store.ts';

/** What is to become of an affected permit: its holder's answer, the rule for those who gave none, or an end without one. */
export type Verdict = 'accept' | 'decline' | 'move' | 'revoke' | 'keep' | 'withdraw' | 'moot';

export interface SettleDeps {
	season: string;
	permits: Pick<Permits, 'listByIds'>;
	moves: Pick<MovePort, 'lock' | 'replace' | 'revoke' | 'release'>;
	now(): number;
	/** For so long gates honour a permit of this place that was moved or revoked. */
	graceMs(tx: Tx, place: string): Promise<number>;
}

/** What came of the rows that were settled. */
export interface Settled {
	row: AffectedRow;
	state: AffectedState;
	change: Change | null;
}

/**
 * Settles open rows, each with everything that hangs on it in this transaction: the old permit, the places held, and the
 * row. A row that somebody else settled meanwhile is left as it is. Slots and quotas are locked first, rows last, as
 * everywhere.
 */
export async function settle(
	deps: SettleDeps,
	tx: Tx,
	rows: readonly AffectedRow[],
	verdictOf: (row: AffectedRow) => Verdict
): Promise<Settled[]> {
	const { permits, moves, season } = deps;
	const ids = rows.map(({ permit }) => permit);
	const old = await permits.listByIds(tx, ids, ['valid', 'cancelled']);
	const successors = rows.flatMap(({ successor }) => successor ?? []);
	const locks = await moves.lock(tx, [...old, ...(await permits.listByIds(tx, successors, ['held']))]);
	// Whoever had the locks before us may have changed them.
	const held = await permits.listByIds(tx, successors, ['held']);
	const now = new Map((await permits.listByIds(tx, ids, ['valid', 'cancelled'])).map((one) => [one.id, one]));
	const heldOf = new Map(held.map((one) => [one.id, one]));
	const entered = await listEntered(tx, season, ids);
	const settled: Settled[] = [];
	for (const row of rows) {
		const permit = now.get(row.permit);
		if (!permit) continue;
		const places = row.successor === null ? undefined : heldOf.get(row.successor);
		const end = endOf(verdictOf(row), permit, entered.has(row.permit), places !== undefined);
		if (!end) continue;
		const to = {
			...{ state: end.state, settledAt: deps.now() },
			successor: end.keepsPlaces ? row.successor : null
		};
		if (!(await setAffected(tx, season, row, to))) continue;
		const graceMs = end.isOwnWish ? null : await deps.graceMs(tx, permit.place);
		const until =
			graceMs === null
				? null
				: honouredUntil(end.state, permit, places ?? null, { now: deps.now(), graceMs });
		let change: Change | null = null;
		if (end.keepsPlaces && places) {
			if (!(await moves.replace(tx, permit, places, locks, until ?? deps.now())))
				throw new Error('a permit was changed under its locks');
			change = {
				from: { ...permit, state: 'cancelled', replacedBy: places.id },
				to: { ...places, state: 'valid', issuedAt: deps.now() }
			};
		} else {
			if (places) await moves.release(tx, places, locks);
			if (end.isRevoked) await moves.revoke(tx, permit, locks, until);
		}
		settled.push({ row, state: end.state, change });
	}
	return settled;
}

/**
 * Until when gates honour the old permit, epoch ms. Whoever was moved unasked to an earlier slot comes, having seen
 * nothing, when the old one begins, and is too late for the new one: the grace reaches from there. Pure.
 */
export function honouredUntil(
	state: AffectedState,
	from: { startsAt: number },
	to: { startsAt: number } | null,
	{ now, graceMs }: { now: number; graceMs: number }
): number {
	const isUnaware = state === 'moved' && to !== null && to.startsAt < from.startsAt;
	return (isUnaware ? Math.max(now, from.startsAt) : now) + graceMs;
}

interface End {
	state: AffectedState;
	/** The places held become the holder's. */
	keepsPlaces: boolean;
	isRevoked: boolean;
	/** The holder gave it up: no gate honours it any longer. */
	isOwnWish: boolean;
}

/** What a verdict comes to for this permit as it is now; null: nothing, for there are no places to go to. Pure. */
export function endOf(
	verdict: Verdict,
	permit: Pick<StoredPermit, 'state' | 'replacedBy'>,
	hasEntered: boolean,
	hasPlaces: boolean
): End | null {
	const end = (state: AffectedState, more: Partial<End> = {}): End => ({
		...{ state, keepsPlaces: false, isRevoked: false, isOwnWish: false },
		...more
	});
	if (permit.state !== 'valid') return end(permit.replacedBy === null ? 'declined' : 'changed');
	if (verdict === 'withdraw') return end('withdrawn');
	// Nobody who is inside is moved, and nobody who came in has a second permit.
	if (hasEntered) return end('entered');
	if (verdict === 'decline') return end('declined', { isRevoked: true, isOwnWish: true });
	if (verdict === 'revoke') return end('revoked', { isRevoked: true });
	if (verdict === 'keep') return end('kept');
	if (!hasPlaces || verdict === 'moot') return null;
	return end(verdict === 'accept' ? 'accepted' : 'moved', { keepsPlaces: true });
}
