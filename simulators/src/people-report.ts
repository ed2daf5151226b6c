import type { BotFigures } from './people-bots.ts';
import type { CallsFigures } from './people-calls.ts';
import type { FaultKind, WatchFigures } from './people-watch.ts';

/** How well this machine kept up: a run that it could not offer says nothing about the server. */
export interface GeneratorFigures {
	offered: number;
	started: number;
	/** Not let loose: too many were under way, or memory ran short. */
	notStarted: number;
	/** Let loose more than a second late, and the longest delay. */
	startedLate: number;
	latestMs: number;
	loopDelayP99Ms: number;
	/** Of one core. */
	cpuShare: number;
	memoryMb: number;
}

/** What the server itself says. */
export interface ServerFigures {
	/** Numbers given out during the run, to our people or to anybody else; null when it could not be asked. */
	numbersGiven: number | null;
	/** The laboratory's own count of permits and places, and whether any slot is oversold; null elsewhere. */
	stats: { bookings: number; booked: number; capacity: number } | null;
}

/** Everything that a run ends with. */
export interface Report {
	scenario: string;
	seed: number;
	/** The command that plays it again. */
	replay: string;
	seconds: number;
	/** Ended by a signal or by its longest time, before everybody was through. */
	interrupted: boolean;
	generator: GeneratorFigures & {
		notSent: number;
		waitedHere: number;
		longestWaitMs: number;
		valid: boolean;
	};
	/** People by outcome; they add up to those who started. */
	people: Record<string, number>;
	tried: Record<string, number>;
	rules: Rule[];
	/** From arrival to the pass, seconds by the server's clock. */
	waits: Percentiles | null;
	/** |time told − real wait| in seconds, and the share of waits inside the range told. */
	told: (Percentiles & { inRangeShare: number }) | null;
	calls: CallsFigures['calls'];
	refusals: Record<string, number>;
	faults: Record<string, number>;
	brokenConnections: number;
	bots: BotFigures | null;
	server: ServerFigures & { numbersOurs: number };
}

/** One thing that must not happen, and how often it did. */
export interface Rule {
	text: string;
	count: number;
	/** The run fails when it happened. */
	isFatal: boolean;
}

export interface Percentiles {
	count: number;
	p50: number;
	p95: number;
	max: number;
}

/** A larger share not offered makes a run invalid. */
const shortfallMax = 0.005;

/** Puts the figures together. */
export function buildReport(input: {
	about: Pick<Report, 'scenario' | 'seed' | 'replay' | 'seconds' | 'interrupted'>;
	generator: GeneratorFigures;
	people: Record<string, number>;
	watch: WatchFigures;
	calls: CallsFigures;
	bots: BotFigures | null;
	server: ServerFigures;
}): Report {
	const { about, generator, people, watch, calls, bots, server } = input;
	const { notSent, waitedHere, longestWaitMs } = calls;
	const shortfall = generator.notStarted + generator.startedLate + notSent;
	const valid = shortfall <= shortfallMax * Math.max(1, generator.offered);
	return {
		...about,
		generator: { ...generator, notSent, waitedHere, longestWaitMs: Math.round(longestWaitMs), valid },
		people,
		tried: watch.tried,
		rules: rulesOf(input),
		waits: percentilesOf(watch.waitsMs.map((ms) => ms / 1_000)),
		told: toldOf(watch),
		calls: calls.calls,
		refusals: calls.refusals,
		faults: calls.faults,
		brokenConnections: calls.broken,
		bots,
		server: { ...server, numbersOurs: watch.numbers }
	};
}

/** Fatal rules that were broken, one short text each. */
export function brokenRules(report: Report): string[] {
	return report.rules
		.filter(({ isFatal, count }) => isFatal && count > 0)
		.map(({ text, count }) => `${text}: ${count}`);
}

function rulesOf(input: Parameters<typeof buildReport>[0]): Rule[] {
	const { watch, calls, bots, server } = input;
	const count = (kind: FaultKind) => watch.faults[kind];
	const oversold = server.stats ? Math.max(0, server.stats.booked - server.stats.capacity) : 0;
	return [
		{ text: 'people booked twice', count: count('bookedTwice') + count('permitOfTwo'), isFatal: true },
		{ text: 'places sold more than there are', count: oversold, isFatal: true },
		{ text: 'shared passes that worked for another', count: count('sharedPassWorked'), isFatal: true },
		{ text: 'shared places shown to another', count: count('sharedPlaceShown'), isFatal: true },
		{ text: 'faults (5xx other than 503)', count: calls.serverFaults + (bots?.faults ?? 0), isFatal: true },
		{ text: 'calls of bots that got through', count: bots?.gotThrough ?? 0, isFatal: true },
		{ text: 'people with two passes', count: count('passesOfOne'), isFatal: true },
		{ text: 'people with two places', count: count('placesOfOne'), isFatal: false },
		{ text: 'places lost with the network', count: count('placeLost'), isFatal: false },
		{ text: 'unfair inversions', count: count('inversions'), isFatal: false },
		{ text: 'repeats with another answer', count: count('repeatDiffers'), isFatal: false },
		{ text: 'dead passes that did not lead to the permit', count: count('deadPassRefused'), isFatal: false }
	];
}

function percentilesOf(values: readonly number[]): Percentiles | null {
	if (values.length === 0) return null;
	const sorted = [...values].sort((a, b) => a - b);
	const at = (share: number) => {
		const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
		return Math.round(value * 10) / 10;
	};
	return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

function toldOf({ told }: WatchFigures): Report['told'] {
	const errors = percentilesOf(told.map(({ errorSeconds }) => errorSeconds));
	if (!errors) return null;
	const inside = told.filter(({ inRange }) => inRange).length;
	return { ...errors, inRangeShare: Math.round((inside / told.length) * 100) / 100 };
}

/** The report for people: validity first, then what became of everybody, then why. */
export function writeReport(report: Report): string {
	const { generator, people, waits, told, bots, server } = report;
	const start = Object.values(people).reduce((sum, count) => sum + count, 0);
	const blocks = [
		[
			`${report.scenario} · ${report.seconds} s${report.interrupted ? ' · ended before everybody was through' : ''}`
		],
		['this machine', ...generatorLines(generator)],
		[`people (${start})`, ...table(people)],
		[
			'rules',
			...report.rules.map(({ text, count }) => `${count === 0 ? '  kept  ' : '  BROKEN'} ${text}: ${count}`)
		],
		[
			'waits from arrival to pass, seconds',
			waits
				? row('p50 · p95 · max', `${waits.p50} · ${waits.p95} · ${waits.max}`)
				: row('nobody got a pass', '–'),
			...(told
				? [
						row('told time off by: p50 · p95 · max', `${told.p50} · ${told.p95} · ${told.max}`),
						row('waits inside the range told', `${Math.round(told.inRangeShare * 100)} % of ${told.count}`)
					]
				: [])
		],
		['calls, milliseconds p50 · p95 · max', ...callLines(report.calls)],
		['refused as designed', ...table(report.refusals)],
		['faults', ...table(report.faults), row('connections broken', report.brokenConnections)],
		['tried by people', ...table(report.tried)],
		...(bots ? [botLines(bots)] : []),
		['the server says', ...serverLines(server)],
		[`again: ${report.replay}`]
	];
	return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function generatorLines(generator: Report['generator']): string[] {
	const { offered, started, notStarted, startedLate, latestMs, notSent, waitedHere, longestWaitMs } =
		generator;
	return [
		row('people offered · let loose', `${offered} · ${started}`),
		row('not let loose (limit of this machine)', notStarted),
		row('let loose late · latest by', `${startedLate} · ${latestMs} ms`),
		row('calls not sent', notSent),
		row('calls that waited here · longest', `${waitedHere} · ${longestWaitMs} ms`),
		row('event loop late p99 · CPU · memory', loadOf(generator)),
		row('verdict', generator.valid ? 'valid' : 'NOT VALID: this machine could not offer what was asked')
	];
}

function loadOf({ loopDelayP99Ms, cpuShare, memoryMb }: GeneratorFigures): string {
	return `${loopDelayP99Ms} ms · ${Math.round(cpuShare * 100)} % of a core · ${memoryMb} MB`;
}

function callLines(calls: Report['calls']): string[] {
	return Object.entries(calls).map(([name, { count, p50Ms, p95Ms, maxMs }]) =>
		row(`${name} (${count})`, `${p50Ms} · ${p95Ms} · ${maxMs}`)
	);
}

function botLines({ bots, notStarted, calls, gotThrough, refused, faults, lost }: BotFigures): string[] {
	return [
		`bots (${bots})`,
		row('not let loose (limit of this machine)', notStarted),
		...table(calls),
		row('got through', gotThrough),
		row('faults · lost', `${faults} · ${lost}`),
		...table(refused, 'refused: ')
	];
}

function serverLines({ numbersGiven, numbersOurs, stats }: Report['server']): string[] {
	return [
		row('numbers given out · to these people', `${numbersGiven ?? 'unknown'} · ${numbersOurs}`),
		...(stats
			? [row('permits · places booked · of', `${stats.bookings} · ${stats.booked} · ${stats.capacity}`)]
			: [])
	];
}

function table(counts: Readonly<Record<string, number>>, prefix = ''): string[] {
	const entries = Object.entries(counts).filter(([, count]) => count > 0);
	return entries.length === 0
		? [row('none', '–')]
		: entries.map(([name, count]) => row(prefix + name, count));
}

function row(label: string, value: string | number): string {
	return `  ${label} ${'.'.repeat(Math.max(2, 44 - label.length))} ${value}`;
}
