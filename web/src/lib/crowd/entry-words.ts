import type { EntryGap, Scanner, ScannerClock } from '@marsad/server/contract';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { dot, duration, shortAge, wordOf } from '#lib/words.ts';
import { listAgeSeconds, type ListName, type ScannerTrouble } from './scanners.ts';

/** A difference with its sign: "+12", "−3". */
export function saidGap(gap: number, format: Format): string {
	const sign = gap > 0 ? '+' : gap < 0 ? '−' : '';
	return isolate(`${sign}${format.count(Math.abs(gap))}`);
}

/** Who decides how full it is behind a gate. */
export const saidAuthority = (authority: EntryGap['authority']): string => wordOf('ent_authority', authority);

/** Seconds with one digit below a minute, else the nearest whole minute or hour: a clock is off by as much, it has no age. */
function amountOf(ms: number, format: Format): string {
	const seconds = Math.abs(ms) / 1_000;
	if (seconds < 59.95) return isolate(`${format.oneDigit(seconds)} ${m.unit_seconds()}`);
	const minutes = Math.round(seconds / 60);
	return isolate(shortAge(minutes < 60 ? minutes * 60 : Math.round(seconds / 3_600) * 3_600, format));
}

/** By how much a scanner's clock is off; null when that is below half a second. */
export function saidClock({ offsetMs }: ScannerClock, format: Format): string | null {
	if (Math.abs(offsetMs) < 500) return null;
	const amount = amountOf(offsetMs, format);
	return offsetMs > 0 ? m.sens_clock_ahead({ amount }) : m.sens_clock_behind({ amount });
}

/** How far an entry's corrected time may be from the true one; null below two seconds. */
export const saidUncertainty = (ms: number, format: Format): string | null =>
	ms < 2_000 ? null : m.ent_give_or_take({ amount: amountOf(ms, format) });

/** Version and age of a list of a scanner, as it stands by now. */
export function saidList(scanner: Scanner, list: ListName, now: number, format: Format): string {
	if (!scanner.report) return m.scn_not_said();
	const found = scanner.report[list];
	if (!found) return m.scn_no_list();
	const version = isolate(format.count(found.version));
	const age = listAgeSeconds(scanner, list, now);
	return age === null
		? m.scn_version_only({ version })
		: m.scn_version({ version, age: isolate(shortAge(age, format)) });
}

/** What is wrong with a scanner, in words. */
export function saidScannerTrouble(trouble: ScannerTrouble, now: number, format: Format): string {
	switch (trouble.kind) {
		case 'silent': {
			const silent = isolate(duration(Math.max(0, now - trouble.since) / 1_000, format));
			return trouble.waiting === null || trouble.waiting === 0
				? m.scn_t_silent({ duration: silent })
				: m.scn_t_silent_waiting({ duration: silent, n: isolate(format.count(trouble.waiting)) });
		}
		case 'never':
			return m.scn_t_never();
		case 'clock': {
			const amount = amountOf(trouble.offsetMs, format);
			return trouble.offsetMs > 0 ? m.scn_t_clock_ahead({ amount }) : m.scn_t_clock_behind({ amount });
		}
		case 'set-aside':
			return m.scn_t_set_aside({ n: isolate(format.count(trouble.entries)) });
		default:
			return wordOf(`scn_t_${trouble.kind}`, trouble.why);
	}
}

/** A time of today alone, else with its date. */
export function saidTime(at: number, now: number, format: Format): string {
	const day = format.gregorian(at);
	return day === format.gregorian(now)
		? isolate(format.clock(at))
		: isolate(`${day}${dot}${format.time(at)}`);
}
