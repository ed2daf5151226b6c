import type { CountReason, EntryFlag, LocalText } from '@marsad/server/contract';
import type { ListFault } from '@marsad/server/contract/permit';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { settings } from '#lib/settings.svelte.ts';
import { timeRange, wordOf } from '#lib/words.ts';
import type { Judgement } from './judge.ts';
import type { ScanState } from './scan-state.ts';

/** A name of the site in the language of the screen. */
export const nameOf = (names: LocalText): string => names[settings.locale];

/** The one large word of an answer: what to do, and where to go. Never what somebody may have done. */
export function answerWord(
	judgement: Judgement,
	direction: 'in' | 'out',
	state: ScanState,
	format: Format,
	now: number
): string {
	const { verdict, cause, rightGates, rightPlace, window } = judgement;
	if (verdict !== 'red') return direction === 'out' ? m.scn_leave() : m.scn_enter();
	if (isForNew(judgement)) return m.scn_show_new();
	if (cause === 'wrong-gate' && rightGates.length > 0)
		return m.scn_go_gate({ gates: format.names(rightGates.map(nameOf)) });
	if (cause === 'wrong-place' && rightPlace) return m.scn_go_place({ place: isolate(nameOf(rightPlace)) });
	if (cause === 'early' && window)
		return m.scn_come_at({ time: momentWord(window.fromSeconds * 1_000, now, format) });
	if (cause === 'gate-closed') return shutWord(state, format, now);
	return m.scn_invalid();
}

/** A gate that lets nobody in: held for a while, or closed. */
export function shutWord({ settings: known }: ScanState, format: Format, now: number): string {
	if (known?.mode !== 'held') return m.scn_gate_closed();
	const until = known.gate.holdUntil;
	// A hold that is over goes on until a person ends it: a time that is past helps nobody who waits.
	return until === null || until <= now
		? m.scn_gate_held()
		: m.scn_gate_held_until({ time: isolate(format.time(until)) });
}

/** Red, and the permit that came of this one is what opens a gate. */
const isForNew = ({ cause, moved }: Judgement): boolean =>
	moved !== undefined && ['revoked', 'early', 'late', 'wrong-place'].some((one) => one === cause);

/** When, and where else, the permit is good that came of one that was moved; null where that is not the matter. */
export function movedWord(
	judgement: Judgement,
	{ settings: known }: ScanState,
	format: Format,
	now: number
): string | null {
	const { moved, verdict } = judgement;
	if (!moved || (verdict === 'red' ? !isForNew(judgement) : !judgement.flags.includes('moved'))) return null;
	const day = format.gregorian(moved.startsAt);
	const hours = timeRange(moved.startsAt, moved.endsAt, format);
	const time = day === format.gregorian(now) ? hours : `${isolate(day)} ${hours}`;
	const place =
		known?.place?.place === moved.place ? undefined : known?.places?.find(({ id }) => id === moved.place);
	return place ? m.scn_new_at_place({ place: isolate(nameOf(place.names)), time }) : m.scn_new_at({ time });
}

/** The cause, small, for the supervisor. */
export function causeWord(judgement: Judgement, format: Format, now: number): string | null {
	const { cause, window, usedAt } = judgement;
	if (!cause) return null;
	if (cause === 'revoked' && judgement.moved) return m.scn_cause_moved();
	if (cause === 'late' && window)
		return m.scn_cause_late({ time: momentWord(window.untilSeconds * 1_000, now, format) });
	if (cause === 'used' && usedAt !== undefined)
		return m.scn_cause_used_at({ time: isolate(format.time(usedAt)) });
	return wordOf('scn_cause', cause);
}

/** A time of today alone, else with its day. */
function momentWord(at: number, now: number, format: Format): string {
	const day = format.gregorian(at);
	return isolate(day === format.gregorian(now) ? format.time(at) : `${day} ${format.time(at)}`);
}

/** What is out of order on our side; that it is within the grace is the rule. */
export const flagWords = (flags: readonly EntryFlag[]): { word: string; isPlain: boolean }[] =>
	flags
		.filter((flag) => flag !== 'supervisor')
		.map((flag) => ({ word: wordOf('scn_flag', flag), isPlain: flag === 'grace' }));

export const reasonWord = (reason: CountReason): string => wordOf('scn_reason', reason);
export const listFaultWord = (fault: ListFault): string => m.scn_fault({ why: wordOf('scn_fault', fault) });
