import type {
	Dispatch,
	DispatchPlace,
	DispatchStateName,
	Incident,
	Team,
	TeamProposal
} from '@marsad/server/contract';
import { isolate, type Format, type Locale } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { shortAge } from '#lib/words.ts';

export function dispatchStateWord(state: DispatchStateName): string {
	return {
		reserved: m.dsp_state_reserved,
		sent: m.dsp_state_sent,
		acknowledged: m.dsp_state_acknowledged,
		'on-the-way': m.dsp_state_on_the_way,
		'on-the-spot': m.dsp_state_on_the_spot,
		done: m.dsp_state_done,
		cannot: m.dsp_state_cannot,
		cancelled: m.dsp_state_cancelled
	}[state]();
}

export function teamStateWord(state: Team['state']): string {
	return { free: m.dsp_team_free, busy: m.dsp_team_busy, 'off-duty': m.dsp_team_off }[state]();
}

/** "Plaza 5, gate 5, by the east rope". */
export function placeWords(place: DispatchPlace, locale: Locale): string {
	return [isolate(place.names[locale]), place.spot === null ? null : isolate(place.spot)]
		.filter((part) => part !== null)
		.join(m.word_comma());
}

/** Where a team said it is, with the age of that; unknown is said. `nameOf` names a zone. */
export function teamPlaceWords(
	place: Team['place'],
	nameOf: (zone: string) => string,
	format: Format,
	now: number
): string {
	if (place.zone === null || place.at === null || place.quality === 'unknown') return m.dsp_place_unknown();
	const age = shortAge((now - place.at) / 1_000, format);
	return m.dsp_place_said({ zone: isolate(nameOf(place.zone)), age: isolate(age) });
}

/** "4 to 6 min", or why nobody knows. */
export function walkWords(
	minutes: TeamProposal['minutes'],
	why: TeamProposal['why'],
	format: Format
): string {
	if (minutes === null) return why === 'no-path' ? m.dsp_walk_no_path() : m.dsp_walk_unknown();
	const [from, to] = [format.count(minutes.from), format.count(minutes.to)];
	return from === to
		? m.dsp_walk_one({ n: isolate(to) })
		: m.dsp_walk_range({ from: isolate(from), to: isolate(to) });
}

export function incidentKindWord(kind: Incident['kind']): string {
	return {
		'lost-person': m.inc_kind_lost,
		collapse: m.inc_kind_collapse,
		fight: m.inc_kind_fight,
		heat: m.inc_kind_heat,
		other: m.inc_kind_other
	}[kind]();
}
export function agencyWord(agency: Incident['told'][number]['agency']): string {
	return {
		'red-crescent': m.inc_agency_red_crescent,
		'civil-defence': m.inc_agency_civil_defence,
		'911': m.inc_agency_911
	}[agency]();
}
export function outcomeWord(outcome: NonNullable<Incident['closed']>['outcome']): string {
	return {
		found: m.inc_outcome_found,
		treated: m.inc_outcome_treated,
		'handed-over': m.inc_outcome_handed_over,
		settled: m.inc_outcome_settled,
		'false-alarm': m.inc_outcome_false_alarm,
		other: m.inc_outcome_other
	}[outcome]();
}

/** What of an order needs the desk, worst first; empty when it goes as it should. */
export function orderTroubles(order: Dispatch): string[] {
	const found: string[] = [];
	if (order.state === 'cannot') found.push(m.dsp_trouble_cannot({ reason: isolate(order.reason ?? '–') }));
	if (order.support)
		found.push(
			order.support.note === null
				? m.dsp_trouble_support()
				: m.dsp_trouble_support_note({ note: isolate(order.support.note) })
		);
	if (order.unanswered) found.push(m.dsp_trouble_unanswered());
	if (order.welfare && order.welfare.missed > 0)
		found.push(m.dsp_trouble_welfare({ count: order.welfare.missed, n: String(order.welfare.missed) }));
	return found;
}
