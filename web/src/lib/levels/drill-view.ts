import type { Drill, DrillEffect } from '@marsad/server/contract';
import type { Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { wordOf } from '#lib/words.ts';

type Figure = DrillEffect['figures'][number];
type Name = Figure['name'];

export const figureWord = (name: Name): string =>
	wordOf(
		'lev_figure',
		name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
	);

/** A measured figure with its unit; "–" where nobody knew. */
export function figureValue(name: Name, value: number | null, format: Format): string {
	if (value === null) return '–';
	if (name === 'p95Ms' || name === 'loopP99Ms')
		return value >= 1_000
			? `${format.secondsOf(value)} ${m.unit_seconds()}`
			: `${format.count(value)} ${m.unit_ms()}`;
	if (name === 'workRatio') return format.ratio(value);
	return name === 'depth' || name === 'poolInUse' ? format.count(value) : format.rate(value);
}

/** Change from before to during as a share of before; null when it cannot be said. */
export function changeOf({ before, during }: Figure): number | null {
	if (before === null || during === null || before === 0) return null;
	return (during - before) / before;
}

/** A change with its sign, isolated by the caller: "−61%", "+4%". */
export function changeWords(share: number, format: Format): string {
	const text = format.percent(Math.abs(share));
	return Math.round(Math.abs(share) * 100) === 0 ? `±${text}` : `${share < 0 ? '−' : '+'}${text}`;
}

const telling: readonly Name[] = ['p95Ms', 'workRatio', 'pollsPerSecond', 'admittedPerSecond'];

/** What a ladder says of a drill in one glance: the first telling figure that moved by a twentieth or more. */
export function headline(effect: DrillEffect | null): { name: Name; change: number } | null {
	const known = telling.flatMap((name) => {
		const figure = effect?.figures.find((each) => each.name === name);
		const change = figure ? changeOf(figure) : null;
		return change === null ? [] : [{ name, change }];
	});
	return known.find(({ change }) => Math.abs(change) >= 0.05) ?? known[0] ?? null;
}

export const outcomeWord = (outcome: NonNullable<Drill['outcome']>): string =>
	wordOf('lev_drill_outcome', outcome);

/** What of the guard's three numbers a form holds; null where one is no number in its range. */
export function readGuard(form: { p95Seconds: string; workRatio: string; depth: string }) {
	const p95 = readNumber(form.p95Seconds);
	const work = readNumber(form.workRatio);
	const depth = form.depth.trim() === '' ? 'any' : readNumber(form.depth);
	if (p95 === null || p95 <= 0 || p95 > 600 || work === null || work < 0 || work > 1) return null;
	if (depth === null || (depth !== 'any' && (depth < 0 || !Number.isInteger(depth)))) return null;
	return { p95MsMax: Math.round(p95 * 1_000), workRatioMin: work, depthMax: depth === 'any' ? null : depth };
}

function readNumber(text: string): number | null {
	const latin = text
		.trim()
		.replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
		.replaceAll('\u066b', '.')
		.replaceAll(/[,\u066c]/g, '');
	return /^\d+(\.\d+)?$/.test(latin) ? Number(latin) : null;
}
