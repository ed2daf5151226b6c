import { headlineOf, titleOfSubject, type Alarm, type Dispatch } from '@marsad/server/contract';
import { isolate, type Format } from '#lib/format.ts';
import { stateSince } from '#lib/dispatch/board.ts';
import { dispatchStateWord } from '#lib/dispatch/words.ts';
import { m } from '#lib/paraglide/messages.js';
import { personWord, runningTime } from '#lib/words.ts';

export function alarmStateWord(state: Alarm['state']): string {
	return {
		unacknowledged: m.alm_state_unack,
		acknowledged: m.alm_state_ack,
		'returned-unacknowledged': m.alm_state_returned,
		normal: m.alm_state_over
	}[state]();
}

/** Title and subject in one: "Plaza 5 · 87 % full". */
export function alarmTitle(alarm: Alarm, locale: 'ar' | 'en'): string {
	return titleOfSubject(headlineOf(alarm)[locale], alarm.subject.names[locale]);
}

function amount(value: number, unit: string, format: Format): string {
	const whole = format.count(Math.round(value));
	switch (unit) {
		case 'percent':
			return format.percent(value / 100);
		case 'people':
			return m.alm_unit_people({ count: Math.round(value), n: whole });
		case 'people/m2':
			return m.alm_unit_density({ n: format.ratio(value) });
		case 'seconds':
			return value < 60
				? m.dur_short_seconds({ n: format.count(Math.round(value)) })
				: runningTime(value * 1_000, format);
		case 'milliseconds':
			return `${whole} ${m.unit_ms()}`;
		case 'celsius':
			return m.alm_unit_celsius({ n: format.count(Math.round(value)) });
		case 'messages/min':
			return m.alm_unit_messages({ n: whole });
		case 'ratio':
			return format.ratio(value);
		default:
			return whole;
	}
}

/** Times of which nobody could tell what they measure: until a zone is full, left of a hold, since something is so. */
const timeWords: Readonly<Record<string, (given: { value: string }) => string>> = {
	'zone-step': m.alm_ev_full_in,
	'zone-fills': m.alm_ev_full_in,
	'gate-hold-grows': m.alm_ev_hold_left,
	'gate-hold-ends': m.alm_ev_hold_left,
	'gate-hold-over': m.alm_ev_hold_left,
	'gate-outside-unknown': m.alm_ev_hold_left,
	'gate-difference': m.alm_ev_since,
	'device-gone': m.alm_ev_since,
	evacuation: m.alm_ev_since,
	'dispatch-unanswered': m.alm_ev_since
};

/** The measured value against its limit; an unknown value is said, never drawn as nothing. */
export function evidenceWords({ definition, evidence }: Alarm, format: Format): string {
	const measured =
		evidence.value === null ? m.alm_value_unknown() : isolate(amount(evidence.value, evidence.unit, format));
	const said = evidence.unit === 'seconds' && evidence.value !== null ? timeWords[definition] : undefined;
	const value = said ? said({ value: measured }) : measured;
	return evidence.limit === null
		? value
		: m.alm_value_limit({ value, limit: isolate(amount(evidence.limit, evidence.unit, format)) });
}

/** What is being done about it, the nearest to the street first; null: nobody does anything yet. */
export function doingWords(
	alarm: Alarm,
	order: Dispatch | null,
	format: Format,
	now: number,
	gateName: (id: string) => string = (id) => id
): string | null {
	const { links, confirmed, claim } = alarm;
	if (order) {
		const since = stateSince(order);
		const clock = since === null ? '' : ` ${isolate(runningTime(now - since, format))}`;
		return `${isolate(order.teamNames[format.locale])} ${dispatchStateWord(order.state)}${clock}`;
	}
	if (links.dispatch !== null) return m.alm_doing_team();
	if (links.gate !== null) return m.alm_doing_gate({ gate: isolate(gateName(links.gate)) });
	if (links.level !== null) return m.alm_doing_level({ level: format.count(links.level) });
	if (confirmed) return m.alm_doing_confirmed({ text: isolate(confirmed.text) });
	if (claim)
		return claim.alive
			? m.alm_doing_claim({ name: isolate(personWord(claim.by)) })
			: m.alm_doing_claim_gone({ name: isolate(personWord(claim.by)) });
	return null;
}

/** Where it stands, in the words of the wall: "not acknowledged 1:32". */
export function standingWords(alarm: Alarm, format: Format, now: number): string {
	const since = (at: number) => isolate(runningTime(now - at, format));
	if (alarm.state === 'unacknowledged')
		return m.alm_standing_unack({ clock: since(alarm.worsenedAt ?? alarm.raisedAt) });
	if (alarm.state === 'returned-unacknowledged')
		return m.alm_standing_returned({ clock: since(alarm.returnedAt ?? alarm.raisedAt) });
	return m.alm_standing_ack({
		name: isolate(personWord(alarm.acknowledged?.by ?? null) ?? '–'),
		clock: since(alarm.acknowledged?.at ?? alarm.raisedAt)
	});
}
