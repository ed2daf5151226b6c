import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { GeneratorSecond, RunBegun } from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { createPeopleApi } from './people-api.ts';
import { createBots } from './people-bots.ts';
import { createCallCounts } from './people-calls.ts';
import { livePerson, type Ending, type LifeDeps } from './people-life.ts';
import { createWatch, type WatchFigures } from './people-watch.ts';
import { botSchedule, scheduleOf, temperOf } from './spike-schedule.ts';
import { createTally } from './spike-tally.ts';

/** The part of a run that one thread plays. */
export interface PartOptions {
	run: RunBegun;
	server: string;
	/** This thread, of so many: it plays every so-manieth person. */
	worker: number;
	workers: number;
	/** Second 0 on the machine's clock, epoch ms with fractions. */
	startsAtMs: number;
	/** Names the people of this run, so that nobody has been here before. */
	name: string;
	aliveMax: number;
	sockets: number;
	/** So long after the last arrival it ends, whoever is still on the way (the server's seconds). */
	patienceSeconds: number;
	memoryMbMax: number;
}

/** How far it is; told once a second. */
export interface PartBeat {
	seconds: GeneratorSecond[];
	offered: number;
	started: number;
	dropped: number;
	underWay: number;
	booked: number;
}

/** What a thread ends with. */
export interface PartEnd extends PartBeat {
	notStarted: number;
	startedLate: number;
	latestMs: number;
	notSent: number;
	loopDelayP99Ms: number;
	endings: Record<string, number>;
	permits: string[];
	watch: WatchFigures;
	refusals: Record<string, number>;
	faults: Record<string, number>;
	withoutWord: number;
	bots: { bots: number; notStarted: number; gotThrough: number };
}

const lateMs = 1_000;
const sendWaitMaxMs = 20_000;
const botsAliveMax = 2_000;

/** Plays one part: people arrive when they were drawn to, whatever became of those before them. */
export async function playPart(
	options: PartOptions,
	tell: (beat: PartBeat) => void,
	signal: AbortSignal
): Promise<PartEnd> {
	const { run, startsAtMs } = options;
	const { timeScale, parameters, seed } = run;
	const nowMs = () => (performance.timeOrigin + performance.now() - startsAtMs) * timeScale;
	const secondNow = () => Math.max(1, Math.floor(nowMs() / 1_000) + 1);
	const tally = createTally();
	const calls = createCallCounts();
	const shared = { timeScale, sendWaitMaxMs, anyHost: true };
	const stop = AbortSignal.any([signal]);
	const api = createPeopleApi(options.server, {
		...{ ...shared, quickConnections: options.sockets, bookingConnections: options.sockets },
		onCall(seen) {
			// What a stop breaks off is nobody's fault.
			if (stop.aborted) return;
			calls.see(seen);
			tally.answer(seen, secondNow());
		}
	});
	const botApi = createPeopleApi(options.server, {
		...shared,
		quickConnections: Math.ceil(options.sockets / 4)
	});
	const people = createPeople(options, { api, nowMs, tally, signal: stop });
	const bots = createBots(botApi);
	const loop = monitorEventLoopDelay({ resolution: 10 });
	loop.enable();
	const beat = (): PartBeat => ({ seconds: tally.take(secondNow()), ...people.counts() });
	const beats = setInterval(() => tell(beat()), 1_000 / timeScale);
	try {
		const botsCome = letCome(botSchedule(parameters, seed), options, nowMs, stop, () => {
			if (people.botsAlive >= botsAliveMax) return bots.skip();
			people.botsAlive += 1;
			void bots.live(stop).finally(() => (people.botsAlive -= 1));
		});
		await letCome(scheduleOf(parameters, seed), options, nowMs, stop, people.start);
		await Promise.all([botsCome, people.through(options.patienceSeconds)]);
	} finally {
		clearInterval(beats);
		loop.disable();
		await Promise.all([api.close(), botApi.close()]);
	}
	await people.ended();
	const { refusals, faults, notSent } = calls.figures();
	const { bots: came, notStarted, gotThrough } = bots.figures();
	return {
		...{ ...people.end(), notSent, refusals, faults, seconds: tally.take(secondNow() + 1) },
		withoutWord: Object.entries(faults).reduce((sum, [name, n]) => sum + (/without/.test(name) ? n : 0), 0),
		loopDelayP99Ms: Math.round(loop.percentile(99) / 1e5) / 10,
		bots: { bots: came, notStarted, gotThrough }
	};
}

function createPeople(
	{ run, worker, name, aliveMax, memoryMbMax }: PartOptions,
	deps: {
		api: LifeDeps['api'];
		nowMs: () => number;
		tally: ReturnType<typeof createTally>;
		signal: AbortSignal;
	}
) {
	const { nowMs, tally, signal, api } = deps;
	const watch = createWatch();
	const permits: string[] = [];
	const endings: Record<string, number> = {};
	const alive = new Set<Promise<void>>();
	const sums = { offered: 0, started: 0, notStarted: 0, startedLate: 0, latestMs: 0, booked: 0 };
	const over = new AbortController();
	const stop = AbortSignal.any([signal, over.signal]);
	const sleep = (ms: number) => delay(ms / run.timeScale, undefined, { signal: stop });
	const count = (ending: string) => (endings[ending] = (endings[ending] ?? 0) + 1);

	const live = async (index: number) => {
		const random = createRandom(run.seed + 7_919 * (index + 1));
		const life: LifeDeps = { api, watch, random, now: nowMs, sleep, onRefused: () => undefined };
		try {
			const ending = await livePerson(life, `${name}-${index}`, temperOf(run, index));
			if (ending.kind === 'booked') {
				sums.booked += 1;
				permits.push(ending.permit);
			}
			count(endingOf(ending));
		} catch (error) {
			if (!stop.aborted) throw error;
			count('under-way');
		}
	};
	return {
		botsAlive: 0,
		start(index: number, dueMs: number) {
			const latenessMs = Math.max(0, nowMs() - dueMs) / run.timeScale;
			const second = Math.floor(dueMs / 1_000) + 1;
			sums.latestMs = Math.max(sums.latestMs, Math.round(latenessMs));
			sums.offered += 1;
			tally.add('offered', second);
			const isLate = latenessMs > lateMs;
			if (isLate) sums.startedLate += 1;
			const mayStart = alive.size < aliveMax && process.memoryUsage.rss() / 1_048_576 < memoryMbMax;
			if (!mayStart) sums.notStarted += 1;
			if (!mayStart || isLate) tally.add('dropped', second);
			if (!mayStart) return;
			sums.started += 1;
			tally.add('started', second);
			const one: Promise<void> = live(index).finally(() => alive.delete(one));
			// An error of ours is thrown where everybody is waited for.
			one.catch(() => undefined);
			alive.add(one);
		},
		/** Waits for everybody who is still on the way, but not for ever. */
		async through(patienceSeconds: number) {
			const timer = setTimeout(() => over.abort(), (patienceSeconds * 1_000) / run.timeScale);
			await Promise.race([Promise.all(alive), aborted(stop)]);
			clearTimeout(timer);
			over.abort();
		},
		ended: () => Promise.all(alive),
		counts: () => ({
			...{ offered: sums.offered, started: sums.started, booked: sums.booked, underWay: alive.size },
			dropped: sums.notStarted + sums.startedLate
		}),
		end: () => ({
			...{ ...sums, endings, permits, watch: watch.figures(), underWay: alive.size, worker },
			dropped: sums.notStarted + sums.startedLate
		})
	};
}

/** Calls `start` at each moment that is this thread's, or as soon after it as this machine can. */
async function letCome(
	moments: Float64Array,
	{ worker, workers, run }: PartOptions,
	nowMs: () => number,
	signal: AbortSignal,
	start: (index: number, dueMs: number) => void
): Promise<void> {
	let turns = 0;
	for (let index = worker; index < moments.length && !signal.aborted;) {
		const dueMs = moments[index]!;
		const inMs = (dueMs - nowMs()) / run.timeScale;
		if (inMs > 0) {
			await delay(inMs, undefined, { signal }).catch(() => undefined);
			continue;
		}
		start(index, dueMs);
		index += workers;
		// Whoever is let loose must be able to send between two arrivals.
		if (++turns % 50 === 0) await delay(0);
	}
}

function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Stable words, which screens translate. */
function endingOf(ending: Ending): string {
	if (ending.kind !== 'refused') return ending.kind;
	return ending.code === 'not-sent' ? 'not-played' : `refused:${ending.code}`;
}
