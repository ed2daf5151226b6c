import type { KeyBoard, Mark, MovedPermit, PermitOffer } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { createSignal, type Signal } from '../../platform/signal.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Identity } from './identity.ts';
import { createKeyCommands } from './key-commands.ts';
import { createVault } from './key-crypto.ts';
import { createKeyRing } from './key-ring.ts';
import { keyRoutes, showBoard } from './key-routes.ts';
import type { ListKind, StoredList } from './keys-store.ts';
import { createListKeeper } from './list-keeper.ts';
import { listRoutes } from './list-routes.ts';
import { listFacts, listMoved, type PermitFacts } from './permit-facts-store.ts';
import { isGenuine, textOf } from './permit-text.ts';
import { permitRoutes, type SiteNames } from './permits-routes.ts';
import {
	countValidBySlot,
	deleteAll,
	deleteHeld,
	findById,
	findHeld,
	findValid,
	insertPermits,
	listByIds,
	makeValid,
	markCancelled,
	type StoredPermit
} from './permits-store.ts';
import { createRevocationDeltas } from './revocation-deltas.ts';
import { giveKey } from './revoked-store.ts';
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
export { drawQr } from './permit-qr.ts';
export type { SiteNames } from './permits-routes.ts';
export type { PermitFacts } from './permit-facts-store.ts';
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
	/** For the transaction that moves: a permit that held places is valid instead of the old one, which gates honour for a while. */
	replaceByHeld(tx: Tx, id: string, held: string, honouredUntil: number): Promise<boolean>;
	/** For the transaction that takes a place away; gates honour the permit for a while. */
	revoke(tx: Tx, id: string, honouredUntil: number | null): Promise<boolean>;
	/** A permit that held places holds none any more. */
	deleteHeld(tx: Tx, id: string): Promise<boolean>;
	findById(db: Db | Tx, id: string): Promise<StoredPermit | undefined>;
	/** These permits, in order of their ids. */
	listByIds(
		db: Db | Tx,
		ids: readonly string[],
		states: readonly StoredPermit['state'][]
	): Promise<StoredPermit[]>;
	/** Permits that were moved with their slot out of a place or into it, newest first, until both windows are over. */
	listMoved(place: string, endedAfter: number): Promise<MovedPermit[]>;
	/** Says what the holder of an affected permit is offered. */
	setOffers(offerOf: (permit: StoredPermit) => Promise<PermitOffer | null>): void;
	/** What is known of these; one that does not exist is not in the answer. */
	facts(db: Db | Tx, ids: readonly string[]): Promise<Map<string, PermitFacts>>;
	countValidBySlot(db: Db | Tx, room: string): Promise<{ slot: number; people: number; permits: number }[]>;
	/** Laboratory only. */
	deleteAll(tx: Tx): Promise<void>;
	/** Booking says where places go back to. */
	setPlaceKeeper<Held>(keeper: PlaceKeeper<Held>): void;
	/** After the commit of a cancellation. */
	cancelled: Signal<StoredPermit>;
	/** The signed form of a permit, `P1:…`, the same each time; null while it cannot be signed. */
	textOf(permit: StoredPermit): Promise<string | null>;
	/** Whether a scanned text is that permit of this season by the keys as they are now; null where nobody can say. */
	isGenuine(text: string, id: string | undefined): Promise<boolean | null>;
	/** A signed list for scanners as its own call gives it; undefined until there is one. */
	signedList(kind: ListKind): StoredList | undefined;
	/** What leads from a version of the revocation list to the newest, signed; null where the whole list must be fetched. */
	revocationsSince(version: number): Promise<Buffer | null>;
	/** Keys and lists as they are now, without anything secret. */
	keyBoard(): Promise<KeyBoard>;
	/** Looks at once what has changed of keys and revoked permits, and signs the lists anew. */
	keepLists(): Promise<void>;
}

export function createPermits(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	identity: Identity;
	site: SiteNames;
	season: string;
	mark: Mark;
	record: Pick<TheRecord, 'append' | 'runCommand'>;
	/** Master secret: keys lie in the database encrypted under it. */
	secret: string;
	/** Demo and laboratory: a root of the server's own signs the key list. */
	automaticRoot: boolean;
}): Permits {
	const { db, clock, log, season } = deps;
	const signing = createSigning(deps);
	const { ring } = signing;
	const deltas = createRevocationDeltas({ db, season, ring });
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
	let offerOf: (permit: StoredPermit) => Promise<PermitOffer | null> = async () => null;

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
		insert: (tx, permits) => insertPermits(tx, season, permits, ring.signingKid()),
		findOf,
		cancel,
		async replace(tx, id, by) {
			if (!(await markCancelled(tx, season, id, clock.now(), { replacedBy: by.id }))) return false;
			if ((await insertPermits(tx, season, [by], ring.signingKid())) !== 1)
				throw new Error('a changed permit had no room for its successor');
			return true;
		},
		async replaceByHeld(tx, id, held, honouredUntil) {
			const moved = { replacedBy: held, honouredUntil };
			if (!(await markCancelled(tx, season, id, clock.now(), moved))) return false;
			if (!(await makeValid(tx, season, held, clock.now(), ring.signingKid())))
				throw new Error('a moved permit had no successor');
			return true;
		},
		revoke: (tx, id, honouredUntil) => markCancelled(tx, season, id, clock.now(), { honouredUntil }),
		deleteHeld: (tx, id) => deleteHeld(tx, season, id),
		findById: (on, id) => findById(on, season, id),
		listByIds: (on, ids, states) => listByIds(on, season, ids, states),
		listMoved: (place, endedAfter) => listMoved(db, season, place, endedAfter, limits.permits.movedShownMax),
		setOffers(next) {
			offerOf = next;
		},
		facts: (on, ids) => listFacts(on, season, ids),
		countValidBySlot: (on, room) => countValidBySlot(on, season, room),
		deleteAll: (tx) => deleteAll(tx, season),
		setPlaceKeeper(next) {
			keeper = next as PlaceKeeper;
		},
		cancelled,
		textOf: signing.textOf,
		isGenuine: (text, id) => isGenuine(text, id, ring),
		signedList: (kind) => ring.keys().lists[kind],
		revocationsSince: deltas.since,
		keyBoard: signing.board,
		keepLists: signing.lists.keep,
		hotRoutes(app) {
			const { textOf: signedText } = signing;
			permitRoutes(app, {
				...{ identity: deps.identity, site: deps.site, mark: deps.mark, findOf, cancel, textOf: signedText },
				offerOf: (permit) => offerOf(permit)
			});
			settingsRoutes(app, deps.identity, deps.site.timeZone);
			listRoutes(app, ring, deltas);
		},
		staffRoutes: signing.staffRoutes,
		start: signing.start,
		stop: signing.stop
	};
}

/** Keys, lists and texts put together. */
function createSigning(deps: Parameters<typeof createPermits>[0]) {
	const { db, clock, log, season, record, site } = deps;
	const vault = createVault(deps.secret);
	const { automaticRoot } = deps;
	const ring = createKeyRing({ db, clock, log, vault, season, automaticRoot, places: site.places });
	const lists = createListKeeper({ db, clock, ring, season });
	const commands = createKeyCommands({ clock, ring, lists, record, season });
	let stopTimer = () => {};
	let running = Promise.resolve();
	/** One round at a time; a failed one is tried again with the next. */
	const keep = () => {
		running = running.then(lists.keep).catch((error: unknown) => {
			log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'the permit lists wait');
		});
	};
	return {
		...{ ring, lists },
		board: () => showBoard({ db, clock, season, ring }),
		textOf: (permit: StoredPermit) => textOf(permit, ring, (id, kid) => giveKey(db, season, id, kid)),
		staffRoutes(app: StaffApp) {
			keyRoutes(app, { db, clock, season, ring, commands, record, onChanged: keep });
		},
		async start() {
			await ring.start();
			await lists.keep();
			stopTimer = clock.setInterval(keep, limits.permits.refreshMs);
		},
		async stop() {
			stopTimer();
			await running;
		}
	};
}
