import { Type } from 'typebox';
import { Changed } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { readPermitId, type Identity } from '../permits/index.ts';
import type { Change, ChangeResult } from './change.ts';
import type { BookingPath } from './path.ts';
import { blockOf } from './quota-words.ts';
import { readKey, readSlot, type BookInput } from './read-request.ts';
import type { SlotsView } from './slots-view.ts';

/** The wish to change, with everything that may stand in its way before the database is asked. */
export type Changer = (
	holder: string,
	id: string,
	slot: number,
	key: BookInput['key']
) => Promise<ChangeResult>;

/**
 * Door, then the limit in front of the pool: a change is a booking, and comes after the people who have none.
 * @throws AppError `feature_off` while a level has switched changes off, `booking_closed`, `busy`
 */
export function createChanger(deps: {
	flags: Pick<Flags, 'isOn'>;
	metrics: Metrics;
	log: Log;
	path: Pick<BookingPath, 'enter' | 'withPlace'>;
	change: Changer;
	onChanged(change: Change): void;
}): Changer {
	const outcomes = deps.metrics.counter('marsad_permits_changes_total', 'Attempts to change, by outcome', [
		'outcome'
	]);
	return async (holder, id, slot, key) => {
		if (!deps.flags.isOn('change-slot')) throw new AppError('feature_off', {}, 60);
		if (!deps.flags.isOn('booking')) throw new AppError('booking_closed', {}, 60);
		const { visit, retryAfterSeconds } = deps.path.enter();
		if (!visit) throw new AppError('busy', {}, retryAfterSeconds);
		try {
			const result = await deps.path.withPlace(() => deps.change(holder, id, slot, key));
			if (!result) throw new AppError('busy', {}, retryAfterSeconds);
			outcomes.inc({ outcome: result.outcome });
			if (result.outcome === 'changed' && result.first) deps.onChanged(result.change);
			return result;
		} catch (error) {
			if (error instanceof AppError) throw error;
			deps.log.warn(
				{ error: error instanceof Error ? error.message : 'unknown' },
				'a change could not be committed'
			);
			throw new AppError('busy', {}, retryAfterSeconds);
		} finally {
			visit.leave();
		}
	};
}

/** POST /permits/:id/change: another slot for a valid permit. */
export function changeRoute(
	app: HotApp,
	{ identity, slots, change }: { identity: Identity; slots: SlotsView; change: Changer }
): void {
	app.post(
		'/permits/:id/change',
		{ schema: { params: Type.Object({ id: Type.String() }), response: { 200: Changed } } },
		async (request, reply) => {
			const { holder } = await identity.identify(request);
			const id = readPermitId(request.params.id);
			if (!id) throw new AppError('not_yours');
			const slot = readSlot(request);
			if (slot === null) throw new AppError('bad_input', { field: 'slot' });
			const key = readKey(request.headers, { change: id, slot });
			if (key === undefined) throw new AppError('bad_input', { field: 'Idempotency-Key' });
			const result = await change(holder, id, slot, key);
			void reply.header('cache-control', 'no-store');
			if (result.outcome === 'changed') {
				const { from, to } = result.change;
				return { ok: true as const, slot: to.slot, permit: to.id, party: to.party, replaced: from.id };
			}
			if (result.outcome === 'sameSlot') {
				return { ok: true as const, slot, permit: id, party: result.party, replaced: id };
			}
			throw refusal(result, slot, slots);
		}
	);
}

function refusal(
	result: Exclude<ChangeResult, { outcome: 'changed' | 'sameSlot' }>,
	slot: number,
	slots: SlotsView
): AppError {
	switch (result.outcome) {
		case 'keyReused':
			return new AppError('key_reused');
		case 'alreadyBooked':
			return new AppError('already_booked', { permit: result.permit });
		case 'slotFull':
			return new AppError('slot_full', { alternatives: slots.offers(slot, result.wanted) });
		case 'quotaFull': {
			const alternatives = slots.offers(slot, result.wanted);
			return new AppError('quota_full', { blocking: blockOf(result.level), alternatives });
		}
		case 'noSuchSlot':
			return new AppError('no_such_slot');
		case 'tooLate':
			return new AppError('too_late_to_change');
		case 'notValid':
			return new AppError('not_valid');
	}
}
