import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Progress, Stats } from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { createPeopleApi, type Answer, type PeopleApi, type RefusedAnswer } from './people-api.ts';
import { drawArrivals, profileSeconds, type ArrivalPart } from './people-arrivals.ts';
import { createBots } from './people-bots.ts';
import { createCallCounts } from './people-calls.ts';
import { livePerson, type Ending, type LifeDeps } from './people-life.ts';
import { buildReport, type GeneratorFigures, type Report } from './people-report.ts';
import { drawTemper, type Mix, type Temper } from './people-temper.ts';
import { createWatch } from './people-watch.ts';
import { SimulatorError } from './session.ts';

/** One run of one scenario. Times are the server's; a laboratory's clock runs `timeScale` times faster than ours. */
export interface RunOptions {
	/** A server on this machine, in demo or laboratory. */
	url: string;
	scenario: string;
	replay: string;
	people: number;
	profile: readonly ArrivalPart[];
	mix: Mix;
	botsPerPerson: number;
	seed: number;
	timeScale: number;
	/** People under way at the same moment; more are counted, not let loose. */
	aliveMax: number;
	/** Connections of people, and of bots. */
	sockets: number;
	/** So long after the last arrival it ends, whoever is still under way (the server's seconds). */
	patienceSeconds: number;
	print?: (line: string) => void;
}

/** What no run may ask of this machine, whatever it is told. */
export const runLimits = {
	people: 100_000,
	bots: 200_000,
	alive: 30_000,
	botsAlive: 2_000,
	sockets: 2_000,
	memoryMb: 1_200,
	/** A call that waits so long for a connection is not sent any more (real ms). */
	sendWaitMs: 20_000,
	/** A second lies between two. */
	firstAsksMax: 30
} as const;

const printEveryMs = 5_000;
const lateMs = 1_000;
/** Bots come steadily for so long at least: all of them in one second would only be turned away by this machine. */
const botSecondsMin = 20;

/**
 * Lets people and bots arrive in an open loop, as drawn before anybody starts, and waits until everybody is through,
 * the time is over or the signal aborts; then says what became of everybody.
 * @throws SimulatorError when the server cannot be reached, or takes no simulated people
 */
export async function runScenario(options: RunOptions, signal: AbortSignal): Promise<Report> {
	const calls = createCallCounts();
	const shared = { sendWaitMaxMs: runLimits.sendWaitMs, timeScale: options.timeScale };
	const { sockets } = options;
	let isStopped = signal.aborted;
	const onStop = () => (isStopped = true);
	const api = createPeopleApi(options.url, {
		...{ ...shared, quickConnections: sockets, bookingConnections: sockets },
		// What a stop breaks off is nobody's fault.
		onCall: (seen) => (isStopped ? undefined : calls.see(seen))
	});
	const botApi = createPeopleApi(options.url, { ...shared, quickConnections: Math.ceil(sockets / 4) });
	try {
		const first = await checkRoom(api, options.url);
		return await play(options, { api, botApi, calls, first, onStop }, signal);
	} finally {
		await Promise.all([api.close(), botApi.close()]);
	}
}

function isBusy(answer: Answer<unknown>): answer is RefusedAnswer {
	return !answer.ok && (answer.status === 503 || answer.status === 429);
}

async function checkRoom(api: PeopleApi, url: string): Promise<Progress> {
	let progress = await api.progress();
	// One that has just been started may be busy for a while.
	for (let asked = 1; isBusy(progress) && asked < runLimits.firstAsksMax; asked++) {
		await delay(1_000);
		progress = await api.progress();
	}
	if (!progress.ok && progress.lost !== null)
		throw new SimulatorError(`no server answers at ${url}: start it, or name it with --server`);
	if (isBusy(progress))
		throw new SimulatorError(`${url} answers with ${progress.status} and does not become ready`);
	if (!progress.ok || progress.body.mark !== 'simulated')
		throw new SimulatorError(`${url} takes no simulated people: start it with DEMO=1 or LAB=1`);
	return progress.body;
}

interface Stand {
	api: PeopleApi;
	botApi: PeopleApi;
	calls: ReturnType<typeof createCallCounts>;
	first: Progress;
	/** From now on calls break because we leave. */
	onStop: () => void;
}

async function play(options: RunOptions, stand: Stand, signal: AbortSignal): Promise<Report> {
	const { api, botApi, calls, first, onStop } = stand;
	const watch = createWatch();
	watch.seeEpoch(first.epoch);
	const inner = new AbortController();
	const stop = () => {
		onStop();
		inner.abort();
	};
	signal.addEventListener('abort', stop, { once: true });
	if (signal.aborted) stop();
	const load = measureLoad();
	const startedMs = performance.now();
	const people = createPopulation(options, { api, watch, signal: inner.signal });
	const bots = createBots(botApi);
	const print = setInterval(() => options.print?.(people.line(options.scenario)), printEveryMs);
	const overMs = (profileSeconds(options.profile) + options.patienceSeconds) * 1_000;
	const over = setTimeout(stop, overMs / options.timeScale);
	let botsAreOver: Promise<unknown> = Promise.resolve();
	const botsStop = new AbortController();
	try {
		if (options.botsPerPerson > 0) botsAreOver = letBotsCome(options, bots, inner.signal, botsStop.signal);
		await people.letAllCome();
	} finally {
		clearInterval(print);
		clearTimeout(over);
		botsStop.abort();
		signal.removeEventListener('abort', stop);
	}
	const interrupted = inner.signal.aborted;
	if (interrupted) await Promise.all([api.close(), botApi.close()]);
	await Promise.all([people.ended(), botsAreOver]);
	const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
	return buildReport({
		about: { scenario: options.scenario, seed: options.seed, replay: options.replay, seconds, interrupted },
		generator: { ...people.generator(), ...load.stop() },
		people: people.outcomes(),
		watch: watch.figures(),
		calls: calls.figures(),
		bots: options.botsPerPerson > 0 ? bots.figures() : null,
		server: await askServer(options, first)
	});
}

/** What the server counted, asked over connections of its own: those of the run may be closed already. */
async function askServer(
	options: RunOptions,
	first: Progress
): Promise<Parameters<typeof buildReport>[0]['server']> {
	const api = createPeopleApi(options.url, { quickConnections: 1, sendWaitMaxMs: 5_000 });
	try {
		const progress = await api.progress();
		const stats = (await api.raw({ name: 'stats', method: 'GET', path: '/stats' })) as Answer<Stats>;
		const same = progress.ok && progress.body.epoch === first.epoch;
		const { bookings, booked, capacity } = stats.ok ? stats.body : { bookings: 0, booked: 0, capacity: 0 };
		return {
			numbersGiven: same ? progress.body.issued - first.issued : null,
			stats: stats.ok ? { bookings, booked, capacity } : null
		};
	} finally {
		await api.close();
	}
}

/** Everybody's temper and moment are drawn before the first arrives: what happens later changes neither. */
function createPopulation(
	options: RunOptions,
	{ api, watch, signal }: Pick<LifeDeps, 'api' | 'watch'> & { signal: AbortSignal }
) {
	const { seed, timeScale } = options;
	const moments = drawArrivals(options.people, options.profile, createRandom(seed));
	const tempers = createRandom(seed ^ 0x5bd1e995);
	const run = randomBytes(3).toString('hex');
	const outcomes = new Map<string, number>();
	const alive = new Set<Promise<void>>();
	const counts = { offered: 0, started: 0, notStarted: 0, startedLate: 0, latestMs: 0 };
	const sleep = (ms: number) => delay(ms / timeScale, undefined, { signal });
	const stopped = new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	const count = (outcome: string) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

	const live = async (index: number, temper: Temper): Promise<void> => {
		const random = createRandom(seed + 7_919 * (index + 1));
		const now = () => performance.now() * timeScale;
		const deps: LifeDeps = { api, watch, random, now, sleep, onRefused: () => undefined };
		try {
			count(outcomeOf(await livePerson(deps, `sim-${run}-${index}`, temper)));
		} catch (error) {
			if (!signal.aborted) throw error;
			count('still under way');
		}
	};
	const mayStart = () =>
		alive.size < options.aliveMax && process.memoryUsage.rss() / 1_048_576 < runLimits.memoryMb;
	const start = (index: number, dueMs: number) => {
		const latenessMs = Math.max(0, performance.now() - dueMs);
		counts.latestMs = Math.max(counts.latestMs, Math.round(latenessMs));
		if (latenessMs > lateMs) counts.startedLate += 1;
		counts.offered += 1;
		const temper = drawTemper(options.mix, tempers);
		if (!mayStart()) {
			counts.notStarted += 1;
			return;
		}
		counts.started += 1;
		const one: Promise<void> = live(index, temper).finally(() => alive.delete(one));
		// An error of ours is thrown where everybody is waited for.
		one.catch(() => undefined);
		alive.add(one);
	};
	return {
		async letAllCome() {
			const beganMs = performance.now();
			await keepTo(moments, beganMs, timeScale, signal, start);
			await Promise.race([Promise.all(alive), stopped]);
		},
		ended: () => Promise.all(alive),
		generator: () => ({ ...counts }),
		outcomes: () => Object.fromEntries([...outcomes].sort(([, a], [, b]) => b - a)),
		line: (scenario: string) =>
			[
				`people · ${scenario} · arrived ${counts.started} of ${moments.length}`,
				`under way ${alive.size}`,
				...[...outcomes].map(([outcome, number]) => `${outcome} ${number}`)
			].join(' · ')
	};
}

/** Calls `start` at each moment, or as soon after it as this machine can; ends early when stopped. */
async function keepTo(
	moments: Float64Array,
	beganMs: number,
	timeScale: number,
	signal: AbortSignal,
	start: (index: number, dueMs: number) => void
): Promise<void> {
	for (let index = 0; index < moments.length && !signal.aborted;) {
		const dueMs = beganMs + moments[index]! / timeScale;
		const inMs = dueMs - performance.now();
		if (inMs > 0) {
			await delay(inMs, undefined, { signal }).catch(() => undefined);
			continue;
		}
		start(index++, dueMs);
		// Whoever is let loose must be able to send between two arrivals.
		if (index % 100 === 0) await delay(0);
	}
}

async function letBotsCome(
	options: RunOptions,
	bots: ReturnType<typeof createBots>,
	signal: AbortSignal,
	peopleAreThrough: AbortSignal
): Promise<void> {
	const count = Math.min(runLimits.bots, Math.round(options.people * options.botsPerPerson));
	const seconds = Math.max(botSecondsMin, profileSeconds(options.profile));
	const moments = drawArrivals(count, [{ seconds, from: 1, to: 1 }], createRandom(options.seed ^ 0x2545f491));
	const stop = AbortSignal.any([signal, peopleAreThrough]);
	const alive = new Set<Promise<void>>();
	await keepTo(moments, performance.now(), options.timeScale, stop, () => {
		if (alive.size >= runLimits.botsAlive) return bots.skip();
		const one: Promise<void> = bots.live(stop).finally(() => alive.delete(one));
		alive.add(one);
	});
	await Promise.all(alive);
}

function outcomeOf(ending: Ending): string {
	switch (ending.kind) {
		case 'booked':
			return 'booked once';
		case 'already':
			return 'had a permit already';
		case 'absent':
			return 'never claimed the turn';
		case 'expired':
			return 'missed the turn';
		case 'gave-up':
			return 'gave up waiting';
		case 'full':
			return 'found everything full';
		case 'refused':
			return ending.code === 'not-sent'
				? 'could not be played (not sent)'
				: `refused (${ending.at}: ${ending.code})`;
	}
}

function measureLoad() {
	const loop = monitorEventLoopDelay({ resolution: 10 });
	loop.enable();
	const cpu = process.cpuUsage();
	const startedMs = performance.now();
	return {
		stop(): Pick<GeneratorFigures, 'loopDelayP99Ms' | 'cpuShare' | 'memoryMb'> {
			loop.disable();
			const { user, system } = process.cpuUsage(cpu);
			const share = (user + system) / 1_000 / Math.max(1, performance.now() - startedMs);
			return {
				loopDelayP99Ms: Math.round(loop.percentile(99) / 1e5) / 10,
				cpuShare: Math.round(share * 100) / 100,
				memoryMb: Math.round(process.memoryUsage.rss() / 1_048_576)
			};
		}
	};
}
