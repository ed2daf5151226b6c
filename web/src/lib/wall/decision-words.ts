import type { ConductorDecision } from '@marsad/server/contract';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { modeWord } from '#lib/words.ts';

/** What a decision changed: "250 to 180". */
export function sayChange({ before, perSecond }: ConductorDecision, format: Format): string {
	const to = isolate(format.rate(perSecond));
	if (before === null) return m.dec_first({ to });
	const from = isolate(format.rate(before));
	return from === to ? m.dec_same({ to }) : m.dec_from_to({ from, to });
}

/** A health signal with its value, in its own unit; a name the screen does not know stays as it is. */
export function saySignal(name: string, value: number | null, format: Format): string {
	const seconds = isolate(value === null ? '–' : `${format.secondsOf(value)} ${m.unit_seconds()}`);
	switch (name) {
		case 'booking p95':
			return m.signal_booking_p95({ value: seconds });
		case 'booking in hand':
			return m.signal_booking_in_hand({ value: seconds });
		case 'pool wait':
			return m.signal_pool_wait({ value: seconds });
		case 'faults':
			return m.signal_faults({ value: isolate(value === null ? '–' : format.percent(value)) });
		case 'eligibility':
			return m.signal_eligibility();
		case 'database':
			return m.signal_database();
		case 'instances':
			return m.signal_instances({ value: isolate(value === null ? '–' : format.percent(value)) });
		case 'valkey':
			return m.signal_valkey();
		default:
			return isolate(name);
	}
}

/** Why the rate is what it is: "health: booking p95 2.1 s". */
export function sayWhy(decision: ConductorDecision, format: Format): string {
	switch (decision.limitedBy) {
		case 'health':
			return decision.worstSignal === null
				? m.dec_why_none()
				: m.dec_why_health({ signal: saySignal(decision.worstSignal, decision.worstValue, format) });
		case 'manager':
			return m.dec_why_manager({ rate: isolate(format.rate(decision.managerPerSecond)) });
		case 'level':
			return m.dec_why_level({ level: format.count(decision.level) });
		case 'narrowest-part':
			return m.dec_why_narrowest();
		case 'rising':
			return m.dec_why_rising();
		case 'leases':
			return m.dec_why_leases();
		case 'mode':
			return m.dec_why_mode({ mode: modeWord(decision.mode ?? '–') });
		case 'blind':
			return m.dec_why_blind({
				time: isolate(decision.blindSince === null ? '–' : format.clock(decision.blindSince))
			});
		case 'none':
			return m.dec_why_none();
	}
}

/** Which signals are missing, in words. */
export function sayMissing(missing: readonly string[], format: Format): string {
	return format.names(missing.map((name) => saySignal(name, null, format)));
}

const wallForMs = 600_000;
/** A change too small to be seen from across the room is no news there; the list on the spike page has it. */
const newsShare = 0.02;
const newsPerSecondMin = 0.5;

/** The newest change for the wall, while it is news; a rise step by step is none. */
export function newsOf(
	decisions: readonly ConductorDecision[] | null,
	now: number
): ConductorDecision | null {
	const newest = decisions?.[0];
	if (!newest || newest.before === null || newest.limitedBy === 'rising') return null;
	const change = Math.abs(newest.perSecond - newest.before);
	if (change < Math.max(newsShare * newest.before, newsPerSecondMin)) return null;
	return now - newest.at < wallForMs ? newest : null;
}
