import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { topics, type SiteFile } from '@marsad/server/contract';
import { type RecordedRow } from './replay-file.ts';
import { readSeries, type Recording, type RecordingChoice } from './replay-formats.ts';
import { SimulatorError } from './session.ts';
import { openLink, type Link } from './session-link.ts';

export interface ReplayOptions {
	server: URL;
	file: string;
	/** How many recorded seconds pass in one; `Infinity` is as fast as is allowed. */
	speed: number;
	/** The device to speak as; without it the site's counter for recorded series. */
	device?: string;
	/** Which series of the file, and where walked paths are counted. */
	choice?: RecordingChoice;
	print?: (line: string) => void;
}

/** What was sent and what the server has acknowledged, people in and out; of running totals no people are known. */
export interface ReplayResult {
	readings: number;
	sent: { in: number; out: number };
	acknowledged: { readings: number; in: number; out: number };
}

const fileBytesMax = 64 * 1_024 * 1_024;
const messagesPerSecondMax = 500;
const inFlightMax = 200;
/** Messages that the ceiling owes us are made up for this far, so that a slow timer does not lower it. */
const burstMs = 50;
const printEveryMs = 2_000;

/**
 * Sends a recorded series through the broker as a device would: deltas in their recorded rhythm, times re-stamped to
 * now with the original beside them, each said until it is acknowledged. Ends at the last row, or when aborted.
 * @throws SimulatorError for a file, a device or a server that cannot be used
 */
export async function runReplay(options: ReplayOptions, signal: AbortSignal): Promise<ReplayResult> {
	const print = options.print ?? ((line: string) => process.stdout.write(`${line}\n`));
	const recording = await readFileOf(options);
	const { rows } = recording;
	const link = await openLink({ server: options.server, print: (line) => print(`replay · ${line}`) });
	try {
		const { site, siteFile } = link.session();
		const device = findDevice(siteFile, options.device);
		print(
			`replay · ${rows.length} ${recording.isTotal ? 'running totals' : 'readings'} as ${device}, into the live figures of ${zonesOf(siteFile, device)}`
		);
		if (recording.withoutNumber > 0)
			print(`replay · ${recording.withoutNumber} rows hold no number: they are no readings`);
		const stream = createStream({ link, site, device, recording, print });
		const result = await Promise.race([link.failed, stream.play(options.speed, signal)]);
		print(describe(result, rows.length));
		return result;
	} finally {
		await link.close();
	}
}

async function readFileOf({ file, choice }: ReplayOptions): Promise<Recording> {
	const info = await stat(file).catch(() => null);
	if (!info?.isFile()) throw new SimulatorError(`there is no file ${file}`);
	if (info.size > fileBytesMax) throw new SimulatorError(`${file} is larger than 64 MB`);
	try {
		const recording = readSeries(await readFile(file, 'utf8'), choice);
		if (recording.rows.length > 0) return recording;
	} catch (error) {
		throw new SimulatorError(`${file}, ${error instanceof Error ? error.message : 'unreadable'}`);
	}
	throw new SimulatorError(`${file} holds no reading`);
}

/** @throws SimulatorError when the site has no counter that a recorded series may be sent as */
export function findDevice(siteFile: SiteFile, wanted: string | undefined): string {
	const doors = siteFile.features.flatMap(({ properties }) =>
		properties.kind === 'counter' && properties.adapter === 'own' && properties.measures === 'crossing'
			? [properties]
			: []
	);
	const found =
		wanted === undefined
			? doors.find(({ optional }) => optional)
			: doors.find(({ device }) => device === wanted);
	if (found) return found.device;
	if (wanted === undefined)
		throw new SimulatorError('this site has no counter for recorded series: name one with --device');
	throw new SimulatorError(
		`the site has no counter of the own format named ${wanted} that counts in and out`
	);
}

/** The zones whose people the device moves. */
function zonesOf(siteFile: SiteFile, device: string): string {
	const zones = siteFile.features.flatMap(({ properties }) =>
		properties.kind === 'counter' && properties.device === device ? [properties.from, properties.to] : []
	);
	return [...new Set(zones.filter((zone) => zone !== null))].join(' and ');
}

function createStream(options: {
	link: Link;
	site: string;
	device: string;
	recording: Recording;
	print: (line: string) => void;
}) {
	const { link, site, device, print } = options;
	const { rows, isTotal } = options.recording;
	const seqOf = ranksOf(rows);
	const people = (counts: { in: number; out: number }, row: RecordedRow) => {
		if (isTotal) return;
		counts.in += row.in ?? 0;
		counts.out += row.out ?? 0;
	};
	const boot = randomBytes(6).toString('hex');
	const result: ReplayResult = {
		readings: 0,
		sent: { in: 0, out: 0 },
		acknowledged: { readings: 0, in: 0, out: 0 }
	};
	const underWay = new Set<Promise<void>>();

	/** Said again, the same, on each new connection until it is acknowledged. */
	const send = async (row: RecordedRow, seq: number): Promise<void> => {
		const reading = JSON.stringify({
			ts: Date.now(),
			boot,
			seq,
			...(row.in === undefined ? {} : { in: row.in }),
			...(row.out === undefined ? {} : { out: row.out }),
			...(isTotal ? { total: true } : {}),
			sim: true,
			recordedAt: row.recordedAt
		});
		// Closed, it rejects: what was not acknowledged by then is told by the totals.
		do await link.whenUp();
		while (!(await link.say(topics.reading(site, device), reading)));
		result.acknowledged.readings += 1;
		people(result.acknowledged, row);
	};

	return {
		async play(speed: number, signal: AbortSignal): Promise<ReplayResult> {
			const sleep = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
			const startedAt = performance.now();
			const firstMs = rows[0]?.recordedMs ?? 0;
			let freeAt = startedAt;
			let printAt = startedAt + printEveryMs;
			await link.whenUp();
			await link.say(topics.state(site, device), 'online', { retain: true });
			for (const [index, row] of rows.entries()) {
				const dueAt = Math.max(startedAt + (row.recordedMs - firstMs) / speed, freeAt);
				while (!signal.aborted && dueAt > performance.now())
					await sleep(Math.min(Math.max(0, dueAt - performance.now()), 60_000));
				while (!signal.aborted && underWay.size >= inFlightMax)
					await Promise.race([...underWay, sleep(1_000)]);
				if (signal.aborted) break;
				freeAt = Math.max(dueAt, performance.now() - burstMs) + 1_000 / messagesPerSecondMax;
				result.readings += 1;
				people(result.sent, row);
				const one = send(row, seqOf[index]!)
					.catch(() => undefined)
					.finally(() => underWay.delete(one));
				underWay.add(one);
				if (performance.now() < printAt) continue;
				printAt = performance.now() + printEveryMs;
				print(`${describe(result, rows.length)} · recorded ${row.recordedAt}`);
			}
			await Promise.race([Promise.all(underWay), aborted(signal)]);
			await link.say(topics.state(site, device), 'offline', { retain: true });
			return result;
		}
	};
}

/** The place of each row in time: what a file tells too late has a lower number, as the device would have given it. */
function ranksOf(rows: readonly RecordedRow[]): number[] {
	const ranks = new Array<number>(rows.length);
	const inTime = [...rows.keys()].sort((a, b) => rows[a]!.recordedMs - rows[b]!.recordedMs || a - b);
	for (const [rank, index] of inTime.entries()) ranks[index] = rank;
	return ranks;
}

function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function describe({ readings, sent, acknowledged }: ReplayResult, all: number): string {
	const people = (counts: { in: number; out: number }) => `${counts.in} in, ${counts.out} out`;
	return `replay · ${readings} of ${all} readings sent: ${people(sent)} · acknowledged ${acknowledged.readings}: ${people(acknowledged)}`;
}
