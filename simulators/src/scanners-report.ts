import type { Scanner } from '@marsad/server/contract';
import type { ScannerTally } from './scanners-life.ts';

/** One scanner, as it knows itself and as the server knows it. */
export interface ScannerRow extends ScannerTally {
	device: string;
	/** Entries that the server keeps of it. */
	kept: number;
	/** Made and not kept; kept and never made. */
	lost: number;
	doubled: number;
	/** Still in its queue at the end. */
	queued: number;
}

export interface ScannersReport {
	seed: number;
	seconds: number;
	people: number;
	scanners: ScannerRow[];
	/** What must not happen, in words; empty when all is well. */
	broken: string[];
}

/** Holds what scanners say against what the server keeps. */
export function buildScannersReport(facts: {
	seed: number;
	seconds: number;
	people: number;
	scanners: readonly { device: string; queued: number; tally: ScannerTally }[];
	kept: readonly Pick<Scanner, 'id' | 'entries'>[];
}): ScannersReport {
	const { seed, seconds, people } = facts;
	const scanners = facts.scanners.map(({ device, queued, tally }): ScannerRow => {
		const kept = facts.kept.find(({ id }) => id === device)?.entries ?? 0;
		const lost = Math.max(0, tally.made - kept - queued);
		return { ...tally, device, queued, kept, lost, doubled: Math.max(0, kept - tally.made) };
	});
	return { seed, seconds, people, scanners, broken: scanners.flatMap(findBroken) };
}

function findBroken(row: ScannerRow): string[] {
	const name = `${row.kind} at ${row.gate}`;
	const refused = Object.entries(row.refusedUnjustly).map(([cause, count]) => `${count} ${cause}`);
	return [
		...(row.lost > 0 ? [`${name} lost ${row.lost} entries`] : []),
		...(row.doubled > 0 ? [`${row.doubled} entries of ${name} are kept twice`] : []),
		...(row.queued > 0 ? [`${name} could not bring in ${row.queued} entries`] : []),
		...(refused.length > 0 ? [`${name} turned away people with a good permit: ${refused.join(', ')}`] : []),
		...(row.kind === 'wrong-clock' && !row.skewSeen ? [`nobody noticed the clock of ${name}`] : [])
	];
}

const columns = [
	['scans', 'scans'],
	['green', 'green'],
	['amber', 'amber'],
	['red', 'red'],
	['people', 'peopleIn'],
	['made', 'made'],
	['kept', 'kept'],
	['set aside', 'setAside'],
	['batches', 'batches'],
	['unanswered', 'unanswered']
] as const satisfies readonly (readonly [string, keyof ScannerRow])[];

/** A page for a terminal. */
export function writeScannersReport({ seed, seconds, people, scanners, broken }: ScannersReport): string {
	const width = 11;
	const line = (name: string, cells: readonly (string | number)[]) =>
		`  ${name.padEnd(26)}${cells.map((cell) => String(cell).padStart(width)).join('')}`;
	return [
		`scanners · ${people} people with permits in ${seconds} s · seed ${seed}`,
		line(
			'',
			columns.map(([head]) => head)
		),
		...scanners.map((row) =>
			line(
				`${row.kind} ${row.gate}`,
				columns.map(([, key]) => row[key])
			)
		),
		...(broken.length === 0
			? ['  every entry is kept once, and nobody with a good permit was turned away']
			: broken.map((what) => `  this must not happen: ${what}`)),
		''
	].join('\n');
}
