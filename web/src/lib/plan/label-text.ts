import type { Zone } from '@marsad/server/contract';
import { m } from '#lib/paraglide/messages.js';
import { directionOf } from '#lib/crowd/sensors.ts';
import type { Format } from '#lib/format.ts';
import type { Priority } from '#lib/priority.ts';
import { shortAge } from '#lib/words.ts';
import type { ZoneView } from './zone-view.ts';
import { fullOf } from './zone-full.ts';
import { saidFullIn, saidShare } from './zone-words.ts';

/** A stretch of text of one size; `small` words join two numbers. */
export interface Part {
	text: string;
	small?: boolean;
}
export interface Line {
	role: 'name' | 'share' | 'more';
	parts: readonly Part[];
	/** Of the size that its role has. */
	scale: number;
	/** Drawn before it. */
	shape?: Priority | null;
}
/** One form of a label, from the top. */
export type LabelForm = readonly Line[];

interface LabelContext {
	format: Format;
	now: number;
	isLinkLive: boolean;
	/** Says how a zone moves and when it is full, where there is nothing graver to say. */
	detail?: boolean;
}

/** No figure on a wall gets smaller than this share of its size: 45 px become 34, 28 is the least. */
const smaller = 0.76;

/**
 * What can stand in a zone, from everything to a mark alone. Whatever is left out here stands in the label's hidden
 * text, its tooltip, the table and the panel.
 */
export function labelForms(
	name: string,
	zone: Zone | null,
	seen: ZoneView | null,
	context: LabelContext
): LabelForm[] {
	const called: Line = { role: 'name', parts: [{ text: name }], scale: 1 };
	if (!zone || !seen) return [[called, share([{ text: '–' }])], [share([{ text: '–' }])]];
	const shape = seen.quality === 'unknown' ? null : seen.priority;
	const whole = share(wholeParts(seen, context.format), 1, shape);
	const short = share(shortParts(seen, context.format), 1, shape);
	const more = moreOf(zone, seen, context);
	const tight = share(tightParts(seen, context.format), 1, shape);
	const named: LabelForm[] = [whole, short, tight].flatMap((line) => [
		[called, line],
		[called, { ...line, scale: smaller }]
	]);
	const bare: LabelForm[] = [short, tight].flatMap((line) => [[line], [{ ...line, scale: smaller }]]);
	// A narrow zone keeps its number when its priority needs a shape, too: one above the other.
	const stacked: LabelForm[] =
		shape === null
			? []
			: [[share([{ text: '' }], smaller, shape), { ...tight, scale: smaller, shape: null }]];
	const mark = share([{ text: seen.quality === 'unknown' ? '?' : '' }], smaller, seen.priority);
	return [
		...(more === null ? [] : [[called, whole, { role: 'more', parts: [{ text: more }], scale: 1 } as Line]]),
		...named,
		...bare,
		...stacked,
		[mark]
	];
}

function share(parts: readonly Part[], scale = 1, shape: Priority | null = null): Line {
	return { role: 'share', parts, scale, shape };
}

function wholeParts({ fullness }: ZoneView, format: Format): Part[] {
	if (fullness.kind !== 'bounds' || fullness.high - fullness.low < 0.01)
		return [{ text: saidShare(fullness, format) }];
	return [
		{ text: format.count(fullness.low * 100) },
		{ text: ` ${m.word_to()} `, small: true },
		{ text: format.percent(fullness.high) }
	];
}

/** Of bounds the upper one: it is what the zone is taken for. */
function shortParts({ fullness }: ZoneView, format: Format): Part[] {
	if (fullness.kind !== 'bounds') return [{ text: saidShare(fullness, format) }];
	return [{ text: `${m.zone_up_to()} `, small: true }, { text: format.percent(fullness.high) }];
}

/** The same without a word, where there is room for little. */
function tightParts({ fullness }: ZoneView, format: Format): Part[] {
	if (fullness.kind !== 'bounds') return [{ text: saidShare(fullness, format) }];
	return [{ text: `≤${format.percent(fullness.high)}` }];
}

function moreOf(
	zone: Zone,
	seen: ZoneView,
	{ format, now, isLinkLive, detail = false }: LabelContext
): string | null {
	if (seen.quality === 'unknown')
		return (
			zone.lastKnown &&
			m.zone_unknown_last({
				share: format.percent(zone.lastKnown.present / zone.capacity),
				time: format.time(zone.lastKnown.at)
			})
		);
	if (seen.quality === 'stale')
		return seen.at === null || !isLinkLive ? null : shortAge((now - seen.at) / 1_000, format);
	const heard = seen.quality === 'partial' ? `${zone.sources.heard}/${zone.sources.expected}` : null;
	return detail ? movementOf(zone, seen, format, now, heard) : heard;
}

const arrows = { up: '↑', down: '↓', steady: '→' } as const;

/** "↑ 92/min, 9 to 14 min": which way the people of a zone go, and when it is full if it fills. */
function movementOf(
	zone: Zone,
	seen: ZoneView,
	format: Format,
	now: number,
	heard: string | null
): string | null {
	const direction = directionOf(zone.netInflowPerMinute, zone.capacity);
	const full = fullOf(zone, seen.quality, now);
	const parts = [
		direction === null ? null : arrows[direction],
		full.kind === 'range' ? saidFullIn(full, now, format) : null,
		heard
	].filter((part) => part !== null);
	return parts.length === 0 ? null : parts.join(' ');
}
