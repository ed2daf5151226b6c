import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
	sizeOf,
	type GeneratorLoad,
	type GeneratorSecond,
	type RunBegun,
	type RunEnd
} from '@marsad/server/contract';
import { mergeEnds, peopleOf } from './spike-ends.ts';
import type { SpikeLink } from './spike-link.ts';
import type { PartBeat, PartEnd, PartOptions } from './spike-player.ts';
import { phaseOf } from './spike-schedule.ts';
import type { SpikeSockets } from './spike-sockets.ts';
import { addSeconds } from './spike-tally.ts';
import type { WorkerWord } from './spike-worker.ts';

export interface SpikeRunOptions {
	server: URL;
	link: SpikeLink;
	/** Threads; as many as there are cores but one, at most four, without it. */
	workers?: number;
	/** Screens that are cut, where the run has some and somebody may open them. */
	openSockets?: (run: RunBegun) => SpikeSockets | null;
	patienceSeconds?: number;
	print?: (line: string) => void;
}

const patienceSecondsDefault = 120;
const aliveMax = 20_000;
const socketsMax = 2_000;
const memoryMbMax = 1_500;
const secondsAtOnce = 100;
/** So many words in a row that nobody hears: the server is gone, and the run with it. */
const beatsLostMax = 12;

/**
 * Plays a run that the server has ready: begins it, lets people arrive in threads of their own, tells each second how
 * it goes, and ends it with its last word.
 * @throws SimulatorError when the server refuses it, or is gone
 */
export async function runSpike(options: SpikeRunOptions, signal: AbortSignal): Promise<RunEnd> {
	const { link, print = () => undefined } = options;
	const cores = availableParallelism();
	const workers = options.workers ?? Math.max(1, Math.min(4, cores - 1));
	const run = await link.begin({ workers, cores, clockAt: Date.now() });
	const startsAtMs = performance.timeOrigin + performance.now() + (run.startedAt - run.now) / run.timeScale;
	const size = sizeOf(run.parameters);
	print(`spike · ${run.profile} · seed ${run.seed} · ${size.people} people in ${Math.round(size.seconds)} s`);
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	signal.addEventListener('abort', onAbort, { once: true });
	if (signal.aborted) stop.abort();
	const usedBefore = process.cpuUsage();
	const beganMs = performance.now();
	const threads = startThreads({ ...options, run, workers, startsAtMs }, stop.signal);
	const sockets = options.openSockets?.(run) ?? null;
	const secondNow = () =>
		Math.max(0, ((performance.timeOrigin + performance.now() - startsAtMs) * run.timeScale) / 1_000);
	const beats = keepTelling({ run, link, threads, secondNow, stop, print });
	try {
		const ends = await threads.ended;
		// Screens that are on their way back are waited for while the server still hears of us.
		const back = sockets && !stop.signal.aborted ? await sockets.end() : null;
		await beats.finish();
		const { user, system } = process.cpuUsage(usedBefore);
		const usable = Math.min(cores, workers + 1) * Math.max(1, performance.now() - beganMs) * 1_000;
		const load = { cpuShare: Math.round(((user + system) / usable) * 100) / 100, workers, cores };
		const end = lastWord(ends, load, { stopped: stop.signal.aborted, untold: beats.untold() });
		const last = { ...end, sockets: back };
		await link.end(last);
		return last;
	} finally {
		stop.abort();
		sockets?.close();
		signal.removeEventListener('abort', onAbort);
	}
}

interface Threads {
	ended: Promise<PartEnd[]>;
	/** The newest word of each. */
	newest(): PartBeat[];
	/** Seconds that every thread has told, and nobody took yet. */
	take(): GeneratorSecond[];
}

function startThreads(
	options: SpikeRunOptions & { run: RunBegun; workers: number; startsAtMs: number },
	signal: AbortSignal
): Threads {
	const { run, workers, startsAtMs } = options;
	const newest = new Map<number, PartBeat>();
	const told = new Map<number, GeneratorSecond[]>();
	let takenTo = 0;
	const name = `run-${randomBytes(3).toString('hex')}`;
	const each = Array.from({ length: workers }, (_, worker) => {
		told.set(worker, []);
		const part: PartOptions = {
			...{ run, worker, workers, startsAtMs, name, memoryMbMax, server: options.server.origin },
			aliveMax: Math.ceil(aliveMax / workers),
			sockets: Math.ceil(socketsMax / workers),
			patienceSeconds: options.patienceSeconds ?? patienceSecondsDefault
		};
		const thread = new Worker(new URL('./spike-worker.ts', import.meta.url), { workerData: part });
		signal.addEventListener('abort', () => thread.postMessage('stop'), { once: true });
		if (signal.aborted) thread.postMessage('stop');
		return new Promise<PartEnd>((resolve, reject) => {
			thread.on('message', (word: WorkerWord) => {
				const beat = word.kind === 'beat' ? word.beat : word.end;
				newest.set(worker, beat);
				told.get(worker)?.push(...beat.seconds);
				if (word.kind === 'end') resolve(word.end);
			});
			thread.once('error', reject);
			thread.once('exit', (code) => reject(new Error(`a thread of the generator ended with ${code}`)));
		});
	});
	return {
		ended: Promise.all(each),
		newest: () => [...newest.values()],
		take() {
			const parts = [...told.values()];
			const to = Math.min(...parts.map((part) => part.at(-1)?.second ?? takenTo), takenTo + secondsAtOnce);
			const ready = addSeconds(parts.map((part) => part.filter(({ second }) => second <= to)));
			for (const [worker, part] of told)
				told.set(
					worker,
					part.filter(({ second }) => second > to)
				);
			takenTo = Math.max(takenTo, to);
			return ready;
		}
	};
}

function keepTelling(deps: {
	run: RunBegun;
	link: SpikeLink;
	threads: Threads;
	secondNow: () => number;
	stop: AbortController;
	print: (line: string) => void;
}) {
	const { run, link, threads, secondNow, stop, print } = deps;
	const over = new AbortController();
	let untold: GeneratorSecond[] = [];
	let lost = 0;
	const sum = (name: 'offered' | 'started' | 'dropped' | 'underWay' | 'booked') =>
		threads.newest().reduce((all, beat) => all + beat[name], 0);
	const tell = async () => {
		untold = [...untold, ...threads.take()];
		const second = secondNow();
		const counts = { offered: sum('offered'), started: sum('started'), dropped: sum('dropped') };
		const phase = phaseOf(run.parameters, second);
		const sent = untold.slice(0, secondsAtOnce);
		try {
			const body = {
				second,
				phase,
				...counts,
				underWay: sum('underWay'),
				booked: sum('booked'),
				seconds: sent
			};
			if (await link.beat(body)) stop.abort();
			untold = untold.slice(sent.length);
			lost = 0;
		} catch {
			// One word that is lost is told with the next; a server that is gone ends the run.
			if (++lost >= beatsLostMax) stop.abort();
		}
	};
	const loop = (async () => {
		for (let turn = 0; !over.signal.aborted; turn++) {
			await tell();
			const [offered, booked, underWay] = [sum('offered'), sum('booked'), sum('underWay')];
			const phase = phaseOf(run.parameters, secondNow());
			if (turn % 10 === 0)
				print(`spike · ${phase} · arrived ${offered} · booked ${booked} · on the way ${underWay}`);
			await delay(run.beatEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
		}
	})();
	return {
		async finish() {
			over.abort();
			await loop;
			await tell();
		},
		untold: () => [...untold, ...threads.take()]
	};
}

function lastWord(
	ends: readonly PartEnd[],
	load: Pick<GeneratorLoad, 'cpuShare' | 'workers' | 'cores'>,
	more: { stopped: boolean; untold: GeneratorSecond[] }
): Omit<RunEnd, 'sockets'> {
	const all = mergeEnds(ends);
	return {
		stopped: more.stopped,
		seconds: more.untold.slice(-secondsAtOnce),
		generator: {
			...load,
			...all.generator,
			memoryMb: Math.round(process.memoryUsage.rss() / 1_048_576),
			clockOffMs: null
		},
		people: peopleOf(ends),
		...{ refusals: all.refusals, faults: all.faults }
	};
}
