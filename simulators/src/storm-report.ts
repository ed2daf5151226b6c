import type { GroupFigures } from './storm-crowd.ts';
import { findPulse, peakPerSecond, percentileOf } from './storm-figures.ts';
import type { ScreenCopy } from './storm-socket.ts';

/** One group after the storm. Seconds are since the cut. */
export interface StormRow {
	name: string;
	temper: string;
	sockets: number;
	attempts: number;
	/** Most attempts in any one second. */
	peakPerSecond: number;
	/** The strongest beat in its attempts; null where there are too few to tell. */
	pulse: { correlation: number; seconds: number } | null;
	refused: Record<string, number>;
	unanswered: number;
	back: number;
	halfBackSeconds: number | null;
	lastBackSeconds: number | null;
	/** Screens that show what they should at the end. */
	right: number;
}

export interface StormReport {
	seed: number;
	groups: StormRow[];
	/** All groups together. */
	peakPerSecond: number;
	/** Of the sockets that were cut. */
	peakShare: number;
	everybodyIsBack: boolean;
	everyScreenIsRight: boolean;
}

/** How far a screen may lag behind the newest: patches that are on their way. */
const patchesOnTheWay = 3;

/** Whether a screen shows what all of the same moment show, of the newest start of the server. */
export function createScreenJudge(copies: readonly (ScreenCopy | null)[], reference: ScreenCopy) {
	const known = new Map<number, string>([[reference.seq, JSON.stringify(sorted(reference.state))]]);
	const newest = Math.max(
		reference.seq,
		...copies.map((copy) => (copy?.stream === reference.stream ? copy.seq : 0))
	);
	return (copy: ScreenCopy | null): boolean => {
		if (copy?.stream !== reference.stream || copy.seq < newest - patchesOnTheWay) return false;
		const text = JSON.stringify(sorted(copy.state));
		const same = known.get(copy.seq);
		if (same === undefined) known.set(copy.seq, text);
		return same === undefined || same === text;
	};
}

const sorted = (state: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(Object.entries(state).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export function buildStormReport(
	seed: number,
	groups: readonly GroupFigures[],
	copiesOf: (group: string) => readonly (ScreenCopy | null)[],
	reference: ScreenCopy
): StormReport {
	const all = groups.flatMap(({ name }) => copiesOf(name));
	const isRight = createScreenJudge(all, reference);
	const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 100) / 10);
	const rows = groups.map((group): StormRow => {
		const copies = copiesOf(group.name);
		return {
			...{ name: group.name, temper: group.temper, sockets: group.sockets, attempts: group.attempts.length },
			...{ peakPerSecond: peakPerSecond(group.attempts), pulse: findPulse(group.attempts) },
			...{ refused: group.refused, unanswered: group.unanswered },
			back: copies.filter((copy) => copy !== null).length,
			halfBackSeconds: seconds(percentileOf(group.backMs, 50)),
			lastBackSeconds: seconds(percentileOf(group.backMs, 100)),
			right: copies.filter(isRight).length
		};
	});
	const sockets = rows.reduce((sum, row) => sum + row.sockets, 0);
	const peak = peakPerSecond(groups.flatMap(({ attempts }) => attempts));
	return {
		...{ seed, groups: rows, peakPerSecond: peak, peakShare: peak / Math.max(1, sockets) },
		everybodyIsBack: rows.every((row) => row.back === row.sockets),
		everyScreenIsRight: rows.every((row) => row.right === row.sockets)
	};
}

/** A page for a terminal. */
export function writeStormReport(report: StormReport): string {
	const list = (table: Record<string, number>) =>
		Object.entries(table)
			.map(([why, count]) => `${why} ${count}`)
			.join(', ');
	const lines = report.groups.map((row) => {
		const refused = list(row.refused);
		return [
			`  ${row.name} (${row.temper}): ${row.back} of ${row.sockets} back, ${row.right} right`,
			`half after ${row.halfBackSeconds ?? '–'} s, the last after ${row.lastBackSeconds ?? '–'} s`,
			`${row.attempts} handshakes, at most ${row.peakPerSecond} in a second`,
			row.pulse === null
				? 'too few to tell a pulse'
				: `strongest beat ${row.pulse.correlation.toFixed(2)} at ${row.pulse.seconds} s`,
			...(refused === '' ? [] : [`refused: ${refused}`]),
			...(row.unanswered > 0 ? [`without an answer: ${row.unanswered}`] : [])
		].join(' · ');
	});
	return [
		`storm · seed ${report.seed} · at most ${report.peakPerSecond} handshakes in a second (${(report.peakShare * 100).toFixed(1)} % of the clients)`,
		...lines,
		''
	].join('\n');
}
