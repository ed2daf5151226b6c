import type { Zone } from '@marsad/server/contract';
import { m } from '#lib/paraglide/messages.js';
import { isolate, type Format } from '#lib/format.ts';
import { priorityWord, qualityWord, shortAge, timeRange } from '#lib/words.ts';
import type { Fullness, ZoneView } from './zone-view.ts';

/** How full, in figures: "87%", "61 to 74%", "–". */
export function saidShare(fullness: Fullness, format: Format): string {
	switch (fullness.kind) {
		case 'share':
			return format.percent(fullness.share);
		case 'bounds':
			return format.percentRange(fullness.low, fullness.high, m.word_to());
		case 'last':
			return `${format.percent(fullness.share)}?`;
		case 'nothing':
			return '–';
	}
}

/** A zone in one spoken line. */
export function spokenZone(zone: Zone, view: ZoneView, format: Format, now: number): string {
	const name = zone.names[format.locale];
	const age = view.at === null ? '' : ` ${shortAge((now - view.at) / 1_000, format)}`;
	const quality = view.quality === 'live' ? qualityWord('live') : `${qualityWord(view.quality)}${age}`;
	const said = m.zone_spoken({ name, share: saidShare(view.fullness, format), quality });
	return view.priority ? `${priorityWord(view.priority)}: ${said}` : said;
}

/** A zone that needs longer than this to fill is not filling in any sense that helps a controller. */
export const farAwaySeconds = 2 * 3_600;

/** When a zone is full: "full 21:27 to 21:32", "full now"; null when it is not filling. */
export function saidFull(zone: Zone, format: Format): string | null {
	if (zone.occupancy !== null && zone.occupancy >= 1) return m.abn_zone_full_now();
	const full = zone.timeToCapacity;
	if (!full || full.fromSeconds > farAwaySeconds) return null;
	const range = timeRange(full.since + full.fromSeconds * 1_000, full.since + full.toSeconds * 1_000, format);
	return m.abn_zone_full({ range });
}

/** When the last sign of an unknown zone came. */
export function saidLastHeard(zone: Zone, format: Format): string {
	const at = zone.lastKnown?.at ?? zone.at;
	return at === null ? m.zone_unknown_never() : m.abn_unknown_last({ time: isolate(format.time(at)) });
}
