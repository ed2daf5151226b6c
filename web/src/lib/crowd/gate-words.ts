import type { CrowdOutside, Gate, GateConfirmation, GateStateName } from '@marsad/server/contract';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { duration, personWord, wordOf } from '#lib/words.ts';
import { holdClock, type GateTrouble } from './gates.ts';

export const gateStateWord = (state: GateStateName): string => wordOf('gate_state', state);

/** A command or a confirmation with what belongs to it: "metered, 120 a minute". */
export function saidGateState(state: GateStateName, ratePerMinute: number | null, format: Format): string {
	const word = gateStateWord(state);
	if (state !== 'metered' || ratePerMinute === null) return word;
	return m.gate_metered_at({ word, rate: isolate(format.count(ratePerMinute)) });
}

/** Who said what stands at a gate, and when. */
export function saidConfirmedBy(confirmed: GateConfirmation, format: Format): string {
	const by = isolate(personWord(confirmed.by));
	const time = isolate(format.time(confirmed.at));
	return confirmed.byRadio ? m.gate_by_radio({ time, by }) : m.gate_by({ time, by });
}

/** The clock of a hold: "ends in 3 min 10 s, at 21:40", or by how much it is over. */
export function saidHold(hold: NonNullable<Gate['hold']>, now: number, format: Format): string {
	const { secondsLeft, secondsOver } = holdClock(hold, now);
	const time = isolate(format.time(hold.until));
	return secondsLeft > 0
		? m.gate_hold_left({ duration: isolate(duration(secondsLeft, format)), time })
		: m.gate_hold_over({ duration: isolate(duration(secondsOver, format)), time });
}

/** How many stand before a gate; unknown is said, never left out. */
export function saidOutside(outside: CrowdOutside, format: Format): string {
	if (outside.people === null) return m.gate_outside_unknown();
	const people = isolate(format.count(outside.people));
	return outside.capacity === null
		? m.gate_outside_people({ people })
		: m.gate_outside_of({ people, capacity: isolate(format.count(outside.capacity)) });
}

/** Whether the crowd before a gate grows. */
export function saidGrowth(outside: CrowdOutside, format: Format): string {
	const growth = outside.growthPerMinute;
	if (growth === null) return m.gate_growth_unknown();
	if (Math.abs(growth) < 1) return m.gate_growth_none();
	const rate = isolate(format.count(Math.abs(growth)));
	return growth > 0 ? m.gate_grows({ rate }) : m.gate_shrinks({ rate });
}

/** What is wrong at a gate, in words. */
export function saidTrouble(trouble: GateTrouble, now: number, format: Format): string {
	switch (trouble.kind) {
		case 'hold-over':
			return m.gate_t_hold_over();
		case 'outside-full':
			return m.gate_t_outside_full({ time: isolate(format.time(trouble.at)) });
		case 'hold-ends':
			return m.gate_t_hold_ends();
		case 'hold-grows':
			return m.gate_t_hold_grows();
		case 'outside-unknown':
			return m.gate_t_outside_unknown();
		case 'not-confirmed':
			return m.gate_t_not_confirmed({
				duration: isolate(duration(Math.max(0, now - trouble.since) / 1_000, format))
			});
	}
}

/** A gate in one spoken line. */
export function spokenGate(
	gate: Gate,
	now: number,
	format: Format,
	troubles: readonly GateTrouble[]
): string {
	const parts = [
		`${gate.names[format.locale]}: ${saidGateState(gate.commanded.state, gate.commanded.ratePerMinute, format)}`,
		...troubles.map((trouble) => saidTrouble(trouble, now, format))
	];
	return parts.join(m.word_comma());
}
