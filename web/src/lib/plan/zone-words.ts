import type { Zone } from '@marsad/server/contract';
import { m } from '#lib/paraglide/messages.js';
import { isolate, type Format } from '#lib/format.ts';
import { priorityWord, qualityWord, shortAge, timeRange } from '#lib/words.ts';
import type { Full } from './zone-full.ts';
import type { Fullness, ZoneView } from './zone-view.ts';

/** How full, in figures: "87%", "61 to 74%", "–". */
export function saidShare(fullness: Fullness, format: Format): string {
	switch (fullness.kind) {
		case 'share':
			return format.percent(fullness.share);
		case 'bounds':
			return format.percentRange(fullness.low, fullness.high, m.word_to());
		case 'last':
		case 'wrong':
			return `${format.percent(fullness.share)}?`;
		case 'nothing':
			return '–';
	}
}

/** A zone in one spoken line. */
export function spokenZone(zone: Zone, view: ZoneView, format: Format, now: number): string {
	const name = zone.names[format.locale];
	const age = view.at === null ? '' : ` ${shortAge((now - view.at) / 1_000, format)}`;
	const quality = view.fullness.kind === 'wrong' ? m.zone_wrong() : `${qualityWord(view.quality)}${age}`;
	const said = m.zone_spoken({ name, share: saidShare(view.fullness, format), quality });
	return view.priority ? `${priorityWord(view.priority)}: ${said}` : said;
}

const minutesOf = (from: number, to: number, format: Format): string => {
	const [a, b] = [format.count(from / 60), format.count(to / 60)];
	return a === b ? a : `${a} ${m.word_to()} ${b}`;
};

/** What stands of an estimate of a zone that is no longer heard: "was 9 to 14 min at 21:14". */
function saidWas(full: Extract<Full, { kind: 'assumed' }>, format: Format): string | null {
	return (
		full.was &&
		m.crowd_full_was({
			range: isolate(minutesOf(full.was.fromSeconds, full.was.toSeconds, format)),
			time: isolate(format.time(full.was.at))
		})
	);
}
const saidAssumed = (full: Extract<Full, { kind: 'assumed' }>, now: number, format: Format): string =>
	full.at === null || full.at <= now
		? m.abn_full_assumed_now()
		: m.abn_full_assumed({ time: isolate(format.time(full.at)) });

/** When a zone is full, by the clock: "full 21:27 to 21:32"; null when nothing is to be feared or known. */
export function saidFull(full: Full, now: number, format: Format): string | null {
	switch (full.kind) {
		case 'now':
			return m.abn_zone_full_now();
		case 'range':
			return m.abn_zone_full({
				range: timeRange(now + full.fromSeconds * 1_000, now + full.toSeconds * 1_000, format)
			});
		case 'assumed':
			return saidAssumed(full, now, format);
		case 'far':
		case 'not-filling':
		case 'not-known':
			return null;
	}
}

/** The same for a table and a panel, in minutes left and with what an old estimate was. */
export function saidFullIn(full: Full, now: number, format: Format): string {
	switch (full.kind) {
		case 'now':
			return m.abn_zone_full_now();
		case 'range':
			return m.dur_minutes_range({ range: minutesOf(full.fromSeconds, full.toSeconds, format) });
		case 'assumed':
			return [saidWas(full, format), saidAssumed(full, now, format)]
				.filter((part) => part !== null)
				.join(format.locale === 'ar' ? '، ' : ', ');
		case 'far':
			return m.crowd_not_soon();
		case 'not-filling':
			return m.crowd_not_filling();
		case 'not-known':
			return m.crowd_not_known();
	}
}

/** When the last sign of an unknown zone came. */
export function saidLastHeard(zone: Zone, format: Format): string {
	const at = zone.lastKnown?.at ?? zone.at;
	return at === null ? m.zone_unknown_never() : m.abn_unknown_last({ time: isolate(format.time(at)) });
}
