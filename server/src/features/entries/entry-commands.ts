import type {
	Account,
	EntryConflict,
	LocalText,
	PlaceEntryRequest,
	PlaceEntrySettings,
	Scanner,
	ScannerRequest,
	TrailEntry
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import { markSeen } from './conflict-store.ts';
import { defaultPlace, listPlaceSettings, savePlaceSettings, type StoredPlace } from './place-store.ts';
import { countScanners, insertScanner, listScanners, markRevoked, type EntryScope } from './scanner-store.ts';
import { newScannerToken } from './scanner-token.ts';
import { listTrail } from './trail-store.ts';

/** What staff may do, each inside the transaction of a command. */
export interface EntryCommands {
	createScanner(
		tx: Tx,
		account: Account,
		request: ScannerRequest
	): Promise<{ scanner: Scanner; token: string }>;
	revokeScanner(tx: Tx, account: Account, id: string, reason: string): Promise<Scanner>;
	setPlace(tx: Tx, account: Account, place: string, request: PlaceEntryRequest): Promise<PlaceEntrySettings>;
	seeConflict(tx: Tx, account: Account, id: string, reason: string): Promise<EntryConflict>;
	/**
	 * The look itself is on record, also where there is nothing to see.
	 * @throws AppError `forbidden` where a place that the trail leads through does not let this role look
	 */
	lookAtTrail(tx: Tx, account: Account, permit: string, reason: string): Promise<TrailEntry[]>;
}

export function createEntryCommands(deps: {
	clock: Clock;
	site: Site;
	scope: EntryScope;
	record: Pick<TheRecord, 'append'>;
	/** The place that a gate leads into. */
	placeOf(gate: string): string | undefined;
}): EntryCommands {
	const { clock, site, scope, record, placeOf } = deps;
	const find = async (tx: Tx, id: string): Promise<Scanner> => {
		const all = await listScanners(tx, scope, clock.now());
		const scanner = all.find((one) => one.id === id);
		if (!scanner) throw new AppError('no_such_device', { device: id });
		return scanner;
	};

	return {
		async createScanner(tx, { email: actor }, { name, gate, reason }) {
			if (!site.gates.some(({ id }) => id === gate)) throw new AppError('no_such_place', { gate });
			if ((await countScanners(tx, scope)) >= limits.entries.scannersMax)
				throw new AppError('bad_request', { detail: 'too many scanners' });
			const { id, token, secretSha256 } = newScannerToken();
			await insertScanner(tx, scope, { id, name, gate, secretSha256, at: clock.now(), by: actor });
			await record.append(tx, {
				actor,
				action: 'scanner.create',
				subject: id,
				reason,
				after: { name, gate }
			});
			return { scanner: await find(tx, id), token };
		},
		async revokeScanner(tx, { email: actor }, id, reason) {
			const { name, gate } = await find(tx, id);
			const isFirst = await markRevoked(tx, scope, id, clock.now());
			if (isFirst)
				await record.append(tx, {
					actor,
					action: 'scanner.revoke',
					subject: id,
					reason,
					before: { name, gate }
				});
			return find(tx, id);
		},
		async setPlace(tx, { email: actor }, place, { reason, expectedVersion, ...changes }) {
			const names = site.places.find(({ id }) => id === place)?.name;
			if (!names) throw new AppError('no_such_place', { place });
			const before = (await listPlaceSettings(tx, scope.season)).get(place) ?? defaultPlace(place);
			if (expectedVersion !== undefined && expectedVersion !== before.version)
				throw new AppError('somebody_faster', { version: before.version });
			const next: StoredPlace = { ...before, ...changes, version: before.version + 1 };
			if (!(await savePlaceSettings(tx, scope.season, next))) throw new AppError('somebody_faster');
			await record.append(tx, {
				actor,
				action: 'entry.settings',
				subject: place,
				reason,
				before,
				after: next
			});
			return withNames(next, names);
		},
		async seeConflict(tx, { email: actor, name }, id, reason) {
			const seen = await markSeen(tx, scope.season, id, { by: name, at: clock.now(), reason });
			if (seen === undefined) throw new AppError('not_found');
			if (seen === null) throw new AppError('somebody_faster');
			await record.append(tx, { actor, action: 'entry.conflict-seen', subject: id, reason });
			return seen;
		},
		async lookAtTrail(tx, { email: actor, role }, permit, reason) {
			const entries = await listTrail(tx, scope.season, permit);
			const settings = await listPlaceSettings(tx, scope.season);
			const places = new Set(entries.flatMap(({ gate }) => placeOf(gate) ?? []));
			for (const place of places) {
				const { trailViewers } = settings.get(place) ?? defaultPlace(place);
				if (!trailViewers.some((viewer) => viewer === role)) throw new AppError('forbidden');
			}
			await record.append(tx, { actor, action: 'entry.trail', subject: permit, reason });
			return entries;
		}
	};
}

/** Settings of a place as screens and scanners see them. */
export function withNames(place: StoredPlace, placeNames: LocalText): PlaceEntrySettings {
	return { ...place, placeNames };
}
