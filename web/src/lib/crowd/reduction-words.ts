import type { AffectedState, Reduction, ReductionTarget } from '@marsad/server/contract';
import { isolate } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { local, site } from '#lib/site.svelte.ts';

const stateWords: Record<AffectedState, () => string> = {
	new: m.red_new,
	offered: m.red_offered,
	waiting: m.red_waiting,
	accepted: m.red_accepted,
	moved: m.red_moved,
	declined: m.red_declined,
	changed: m.red_changed,
	revoked: m.red_revoked,
	kept: m.red_kept,
	entered: m.red_entered,
	withdrawn: m.red_left
};
export const affectedWord = (state: AffectedState): string => stateWords[state]();

const reductionWords: Record<Reduction['state'], () => string> = {
	proposed: m.red_state_proposed,
	running: m.red_state_running,
	done: m.red_state_done,
	withdrawn: m.red_state_withdrawn,
	lapsed: m.red_state_lapsed
};
export const reductionWord = (state: Reduction['state']): string => reductionWords[state]();

/** "12 people", with the noun's right form. */
export function peopleWord(people: number): string {
	return m.red_people({ count: people, n: isolate(site.format.count(people)) });
}

export function permitsWord(permits: number): string {
	return m.red_permits({ count: permits, n: isolate(site.format.count(permits)) });
}

/** A moment of another day carries its date. */
export function momentWord(at: number): string {
	return `${isolate(site.format.gregorian(at))} ${isolate(site.format.time(at))}`;
}

/** What shrinks, in a line. */
export function targetWord(target: ReductionTarget, slots: Reduction['slots']): string {
	const [first] = slots;
	if (target.kind === 'slot') {
		if (!first) return m.red_one_slot();
		return `${local(first.placeName)} · ${momentWord(first.startsAt)}`;
	}
	const id = target.kind === 'place' ? target.place : target.zone;
	const known = target.kind === 'place' ? site.plan?.places : site.plan?.zones;
	const names = known?.find((one) => one.id === id)?.names;
	const span = m.between_times({ from: momentWord(target.from), to: momentWord(target.to) });
	return `${names ? local(names) : id} · ${span}`;
}
