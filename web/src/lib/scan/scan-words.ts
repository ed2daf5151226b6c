import type { CountReason, EntryFlag, LocalText } from '@marsad/server/contract';
import type { ListFault } from '@marsad/server/contract/permit';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { settings } from '#lib/settings.svelte.ts';
import { wordOf } from '#lib/words.ts';
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
	if (cause === 'wrong-gate' && rightGates.length > 0)
		return m.scn_go_gate({ gates: format.names(rightGates.map(nameOf)) });
	if (cause === 'wrong-place' && rightPlace) return m.scn_go_place({ place: isolate(nameOf(rightPlace)) });
	if (cause === 'early' && window)
		return m.scn_come_at({ time: momentWord(window.fromSeconds * 1_000, now, format) });
	if (cause === 'gate-closed') return shutWord(state, format);
	return m.scn_invalid();
}

/** A gate that lets nobody in: held for a while, or closed. */
export function shutWord({ settings: known }: ScanState, format: Format): string {
	if (known?.mode !== 'held') return m.scn_gate_closed();
	const until = known.gate.holdUntil;
	return until === null ? m.scn_gate_held() : m.scn_gate_held_until({ time: isolate(format.time(until)) });
}

/** The cause, small, for the supervisor. */
export function causeWord({ cause, window, usedAt }: Judgement, format: Format, now: number): string | null {
	if (!cause) return null;
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

/** What is out of order on our side. */
export const flagWords = (flags: readonly EntryFlag[]): string[] =>
	flags.filter((flag) => flag !== 'supervisor').map((flag) => wordOf('scn_flag', flag));

export const reasonWord = (reason: CountReason): string => wordOf('scn_reason', reason);
export const listFaultWord = (fault: ListFault): string => m.scn_fault({ why: wordOf('scn_fault', fault) });
