import { m } from '#lib/paraglide/messages.js';
import type { Mark, Quality, Role } from '@marsad/server/contract';
import { titleOf, type Answer } from '#lib/api.ts';
import { isolate, splitDuration, type Format } from '#lib/format.ts';
import type { Priority } from '#lib/priority.ts';

/** Stands between two parts of a line; a constant, for blanks at the edge of a tag are taken away. */
export const dot = ' · ';

/** Why a call did not come to what it asked for, in the person's words; null when it did. */
export function failureOf(answer: Answer<unknown>, locale: 'ar' | 'en'): string | null {
	if (answer.kind === 'ok') return null;
	return answer.kind === 'refused' ? titleOf(answer.problem.code, locale) : m.state_no_answer();
}

/** "2 min 10 s", in Arabic with the noun's right form. */
export function duration(totalSeconds: number, format: Format): string {
	const { hours, minutes, seconds } = splitDuration(totalSeconds);
	const parts: string[] = [];
	if (hours > 0) parts.push(m.dur_hours({ count: hours, n: format.count(hours) }));
	if (minutes > 0) parts.push(m.dur_minutes({ count: minutes, n: format.count(minutes) }));
	if (seconds > 0 || parts.length === 0)
		parts.push(m.dur_seconds({ count: seconds, n: format.count(seconds) }));
	const [a, b] = parts as [string, string | undefined];
	return b === undefined ? a : m.dur_join({ a, b });
}

/** The same for a wall: from two minutes on without seconds, so that a line does not move each second. */
export function calmDuration(totalSeconds: number, format: Format): string {
	return duration(totalSeconds < 120 ? totalSeconds : Math.floor(totalSeconds / 60) * 60, format);
}

/** An age in its largest whole unit: "3 s", "4 min". */
export function shortAge(totalSeconds: number, format: Format): string {
	const { hours, minutes, seconds } = splitDuration(totalSeconds);
	if (hours > 0) return m.dur_hours({ count: hours, n: format.count(hours) });
	if (minutes > 0) return m.dur_minutes({ count: minutes, n: format.count(minutes) });
	return m.dur_short_seconds({ n: format.count(seconds) });
}

/** From so many minutes on "13:59" could be a time of day. */
const clockLikeMinutes = 10;

/** A clock that runs, for things people wait for: "1:05", then "13 min", "1 h 2 min", which no time of day looks like. */
export function runningTime(ms: number, format: Format): string {
	const total = Math.max(0, Math.floor(ms / 1_000));
	const minutes = Math.floor(total / 60);
	if (minutes < clockLikeMinutes)
		return `${format.count(minutes)}:${format.count(total % 60).padStart(2, format.count(0))}`;
	if (minutes < 60) return m.dur_minutes({ count: minutes, n: format.count(minutes) });
	return m.dur_hours_minutes({
		hours: format.count(Math.floor(minutes / 60)),
		minutes: format.count(minutes % 60)
	});
}

/** "21:23 to 21:25", or the one minute when both ends are in it. */
export function timeRange(from: number, to: number, format: Format): string {
	const [a, b] = [format.time(from), format.time(to)];
	return a === b ? isolate(a) : m.between_times({ from: isolate(a), to: isolate(b) });
}

export function priorityWord(priority: Priority): string {
	return {
		critical: m.priority_critical,
		high: m.priority_high,
		medium: m.priority_medium,
		low: m.priority_low
	}[priority]();
}

export function qualityWord(quality: Quality): string {
	return {
		live: m.quality_live,
		partial: m.quality_partial,
		stale: m.quality_stale,
		unknown: m.quality_unknown
	}[quality]();
}

export function markWord(mark: Exclude<Mark, 'none'>): string {
	return mark === 'exercise' ? m.mark_exercise() : m.mark_simulated();
}

const roleWords: Record<Role, () => string> = {
	'duty-manager': m.role_duty_manager,
	'crowd-controller': m.role_crowd_controller,
	'on-call-engineer': m.role_on_call_engineer,
	'team-leader': m.role_team_leader,
	steward: m.role_steward,
	provider: m.role_provider,
	viewer: m.role_viewer,
	administrator: m.role_administrator
};
export function roleWord(role: Role): string {
	return roleWords[role]();
}

/** Names that the product itself gave: the seats of a demo. Every other name is as its owner wrote it. */
const seatWords: Readonly<Record<string, () => string>> = {
	Administrator: m.role_administrator,
	'Duty manager': m.role_duty_manager,
	'Second duty manager': m.role_second_duty_manager,
	'Crowd controller': m.role_crowd_controller,
	'On-call engineer': m.role_on_call_engineer,
	'Team leader': m.role_team_leader,
	'Gate steward': m.role_steward,
	Viewer: m.role_viewer
};
/** Who did something; several are divided by commas. */
export function personWord<T extends string | null>(names: T): T | string {
	if (names === null) return names;
	const parts = names.split(', ').map((name) => seatWords[name]?.() ?? name);
	return parts.join(m.word_comma());
}

/** A name the server uses for a part, flag or reason, in the language of the screen; unknown ones stay as they are. */
function fromTable(prefix: string, name: string): string {
	const table = m as unknown as Record<string, (() => string) | undefined>;
	return table[`${prefix}_${name.replaceAll('-', '_')}`]?.() ?? name;
}
export const flagWord = (flag: string): string => fromTable('flag', flag);
export const partWord = (name: string): string => fromTable('name', name);
export const rejectWord = (reason: string): string => fromTable('reject', reason);
export const deviceStateWord = (state: string): string => fromTable('device', state);
export const partStateWord = (state: string): string => fromTable('part', state);
export const breakerWord = (state: string): string => fromTable('breaker', state);
export const modeWord = (mode: string): string => fromTable('mode', mode);
/** The word of a stable name under a message prefix (`step_why` and `density`). */
export const wordOf = (prefix: string, name: string): string => fromTable(prefix, name);
