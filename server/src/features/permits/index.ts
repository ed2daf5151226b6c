import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { createSignal, type Signal } from '../../platform/signal.ts';
import type { Identity } from './identity.ts';
import { permitRoutes, type SiteNames } from './permits-routes.ts';
import {
	countValidBySlot,
	deleteAll,
	findById,
	findHeld,
	findValid,
	insertPermits,
	markCancelled,
	type StoredPermit
} from './permits-store.ts';
import { settingsRoutes } from './settings-routes.ts';

export {
	createIdentity,
	type IdentifiableRequest,
	type Identity,
	type Person,
	type TokenReader
} from './identity.ts';
export { createIssuer } from './identity-issuer.ts';
export type { PersonAttributes } from '../../../contract/index.ts';
export { newPermitId, readPermitId } from './permit-id.ts';
export type { SiteNames } from './permits-routes.ts';
export type { StoredPermit } from './permits-store.ts';
export { listPlaces, type Place } from './places.ts';

/** Where a permit's places go back to. Both run inside the transaction that cancels. */
export interface PlaceKeeper<Held = unknown> {
	/** Takes the locks of slot and quotas, before the permit is touched: bookings take them in the same order. */
	lock(tx: Tx, permit: StoredPermit): Promise<Held>;
	giveBack(tx: Tx, permit: StoredPermit, held: Held): Promise<void>;
}

/** Permits: one a person and season while valid. */
export interface Permits extends Feature {
	/** For the transaction that books: the valid permits of these people, and all that these tickets were spent on. */
	findHeld(db: Db | Tx, holders: readonly string[], tickets: readonly string[]): Promise<StoredPermit[]>;
	/** For the transaction that books: returns how many were inserted; fewer than given means somebody was faster. */
	insert(tx: Tx, permits: readonly StoredPermit[]): Promise<number>;
	findOf(holder: string): Promise<StoredPermit | undefined>;
	/** Cancels and gives the place back exactly once; a repeat gets the same answer. */
	cancel(holder: string, id: string): Promise<StoredPermit>;
	/** For the transaction that changes: replaces a valid permit by another; false when it was not valid any more. */
	replace(tx: Tx, id: string, by: StoredPermit): Promise<boolean>;
	findById(db: Db | Tx, id: string): Promise<StoredPermit | undefined>;
	countValidBySlot(db: Db | Tx, room: string): Promise<{ slot: number; people: number; permits: number }[]>;
	/** Laboratory only. */
	deleteAll(tx: Tx): Promise<void>;
	/** Booking says where places go back to. */
	setPlaceKeeper<Held>(keeper: PlaceKeeper<Held>): void;
	/** After the commit of a cancellation. */
	cancelled: Signal<StoredPermit>;
}

export function createPermits(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	identity: Identity;
	site: SiteNames;
	season: string;
}): Permits {
	const { db, clock, log, season } = deps;
	const cancellations = deps.metrics.counter(
		'marsad_permits_cancelled_total',
		'Permits cancelled by their holders'
	);
	const cancelled = createSignal<StoredPermit>((error) =>
		log.error(
			{ error: error instanceof Error ? error.message : 'unknown' },
			'a listener to cancellations failed'
		)
	);
	let keeper: PlaceKeeper | null = null;

	/** A permit that was changed for another is not cancelled: the other one is valid, and whoever asks must know. */
	const unlessReplaced = async (tx: Tx, permit: StoredPermit): Promise<StoredPermit> => {
		const [valid] = permit.replacedBy === null ? [] : await findHeld(tx, season, [permit.holder], []);
		if (valid) throw new AppError('permit_replaced', { permit: valid.id });
		return permit;
	};

	const cancel = async (holder: string, id: string): Promise<StoredPermit> => {
		const { permit, changed } = await db.transaction().execute(async (tx) => {
			const found = await findById(tx, season, id);
			if (!found || found.holder !== holder) throw new AppError('not_yours');
			if (found.state === 'cancelled') return { permit: await unlessReplaced(tx, found), changed: false };
			const held = await keeper?.lock(tx, found);
			const first = await markCancelled(tx, season, id, clock.now());
			if (first) await keeper?.giveBack(tx, found, held);
			else await unlessReplaced(tx, (await findById(tx, season, id)) ?? found);
			return { permit: { ...found, state: 'cancelled' as const }, changed: first };
		});
		if (changed) {
			cancellations.inc();
			cancelled.emit(permit);
		}
		return permit;
	};

	const findOf = (holder: string) => findValid(db, season, holder);
	return {
		name: 'permits',
		findHeld: (on, holders, tickets) => findHeld(on, season, holders, tickets),
		insert: (tx, permits) => insertPermits(tx, season, permits),
		findOf,
		cancel,
		async replace(tx, id, by) {
			if (!(await markCancelled(tx, season, id, clock.now(), by.id))) return false;
			if ((await insertPermits(tx, season, [by])) !== 1)
				throw new Error('a changed permit had no room for its successor');
			return true;
		},
		findById: (on, id) => findById(on, season, id),
		countValidBySlot: (on, room) => countValidBySlot(on, season, room),
		deleteAll: (tx) => deleteAll(tx, season),
		setPlaceKeeper(next) {
			keeper = next as PlaceKeeper;
		},
		cancelled,
		hotRoutes(app) {
			permitRoutes(app, { identity: deps.identity, site: deps.site, findOf, cancel });
			settingsRoutes(app, deps.identity, deps.site.timeZone);
		}
	};
}
