import type { Narrowest, RunParameters } from '../../../contract/index.ts';
import { phaseSpans } from '../../../contract/index.ts';
import { bestMean, meanOf, mostOf, type RunSecond, type ServerSecond } from './run-seconds.ts';

type Depths = readonly (number | null)[];

/** As the conductor does: this share of a measured part may be used. */
const usableShare = 0.8;
/** What a part takes is the mean over so long. */
const measureSeconds = 10;
/** Growth over a window counts from so many people, or from this share of what came in it. */
const growthLeast = 5;
const growthShare = 0.05;
const windowSecondsMin = 5;
const windowSecondsMax = 60;
/** A gap up to this long is no gap in a backlog. */
const gapSecondsMax = 3;
const nobody = 0.5;

/** One backlog of a run, second by second; what nobody knows is null. */
export interface Backlog {
	part: 'room' | 'work' | 'pool' | 'queue';
	id: string;
	depths: Depths;
}

/** Every backlog that a run has. */
export function backlogsOf(seconds: readonly RunSecond[]): Backlog[] {
	const read = (of: (server: ServerSecond) => number | null) =>
		fillGaps(seconds.map(({ server }) => (server ? of(server) : null)));
	const names = new Set(seconds.flatMap(({ server }) => server?.queues.map(({ name }) => name) ?? []));
	const pool = read(({ poolWaiting }) => poolWaiting);
	const hasPool = pool.some((depth) => depth !== null);
	return [
		{ part: 'room', id: 'waiting-room', depths: read(({ waiting }) => waiting) },
		{ part: 'work', id: 'booking', depths: read(({ inHand }) => inHand) },
		...(hasPool ? [{ part: 'pool', id: 'database', depths: pool } as const] : []),
		...[...names].map((id): Backlog => ({
			...{ part: 'queue', id },
			depths: read(({ queues }) => queues.find(({ name }) => name === id)?.depth ?? 0)
		}))
	];
}

/** How long something must grow before it is a bottleneck: a burst is none. */
export function growthWindow({ holdSeconds }: RunParameters): number {
	return Math.min(windowSecondsMax, Math.max(windowSecondsMin, Math.round(holdSeconds / 3)));
}

/** From when on a backlog grew for a whole window, in each third of it; seconds from the start, null: never. */
export function growsFrom(depths: Depths, came: Depths, windowSeconds: number): number | null {
	for (let last = windowSeconds; last < depths.length; last++) {
		const window = depths.slice(last - windowSeconds, last + 1);
		const first = window[0] ?? null;
		const end = window.at(-1) ?? null;
		if (first === null || end === null) continue;
		const inflow = came.slice(last - windowSeconds, last).reduce<number>((sum, one) => sum + (one ?? 0), 0);
		if (end - first < Math.max(growthLeast, growthShare * inflow)) continue;
		const thirds = [0, 1, 2].map((third) => meanOf(partOf(window, third)));
		if (thirds.some((mean) => mean === null)) continue;
		if (thirds[0]! >= thirds[1]! || thirds[1]! >= thirds[2]!) continue;
		const began = window.findLastIndex((depth) => depth !== null && depth <= first + nobody);
		return last - windowSeconds + began;
	}
	return null;
}

/** The part that gave way first; the waiting room itself only where nothing behind it did. */
export function findNarrowest(seconds: readonly RunSecond[], parameters: RunParameters): Narrowest | null {
	const window = growthWindow(parameters);
	const served = seconds.map(({ server }) => server?.served ?? null);
	const joined = seconds.map(({ server }) => server?.joined ?? null);
	const mostServed = (from: number) => bestMean(served.slice(from), measureSeconds);
	const found: Narrowest[] = [];
	const take = (narrow: Omit<Narrowest, 'suggestedPerSecond'>, perServed: number | null) => {
		const most = narrow.mostPerSecond;
		const suggested = most === null || perServed === null ? null : (usableShare * most) / perServed;
		found.push({ ...narrow, mostPerSecond: rounded(most), suggestedPerSecond: rounded(suggested) });
	};
	for (const { part, id, depths } of backlogsOf(seconds)) {
		const second = growsFrom(depths, part === 'room' ? joined : served, window);
		if (second === null || part === 'room') continue;
		if (part === 'queue')
			take({ part, id, second, ...drainOf(seconds, id, second) }, perServedOf(seconds, id));
		else take({ part, id, second, mostPerSecond: mostServed(second) }, 1);
	}
	const opened = seconds.findIndex(({ server }) => server?.breakerOpen);
	if (opened >= 0)
		take({ part: 'check', id: 'eligibility', second: opened, mostPerSecond: mostServed(0) }, 1);
	const [first] = found.sort((a, b) => a.second - b.second);
	return first ?? heldByTheRate(seconds, joined, window);
}

/** Nothing behind the room gave way: what held people back was the rate that somebody had set. */
function heldByTheRate(seconds: readonly RunSecond[], joined: Depths, window: number): Narrowest | null {
	const [room] = backlogsOf(seconds);
	const second = room ? growsFrom(room.depths, joined, window) : null;
	if (second === null) return null;
	const held = seconds.slice(second, second + window);
	const id = held.findLast(({ server }) => server?.limitedBy)?.server?.limitedBy ?? 'manager';
	const mostPerSecond = rounded(meanOf(held.map(({ server }) => server?.ratePerSecond)));
	return { part: 'admission', id, second, mostPerSecond, suggestedPerSecond: null };
}

/** The most that was served a second over ten seconds while nothing behind the room grew. */
export function provenOf(seconds: readonly RunSecond[], narrowest: Narrowest | null): number | null {
	const until = narrowest === null || narrowest.part === 'admission' ? seconds.length : narrowest.second;
	return rounded(
		bestMean(
			seconds.slice(0, until).map(({ server }) => server?.served ?? null),
			measureSeconds
		)
	);
}

/** People more each second while the load held, in the room and behind it. */
export function growthOf(seconds: readonly RunSecond[], parameters: RunParameters): number | null {
	const { from, to } = phaseSpans(parameters).hold;
	const [room, work] = backlogsOf(seconds);
	const at = (second: number) => {
		const index = Math.min(seconds.length, Math.round(second)) - 1;
		const waiting = room?.depths[index] ?? (index < 0 ? 0 : null);
		const inHand = work?.depths[index] ?? (index < 0 ? 0 : null);
		return waiting === null || inHand === null ? null : waiting + inHand;
	};
	// A run that broke off held its load for less, or never did.
	const until = Math.min(to, seconds.length);
	if (until <= from) return null;
	const [before, after] = [at(from), at(until)];
	return before === null || after === null ? null : rounded((after - before) / (until - from));
}

/** How long the one who came last at the worst moment had to wait: for the turn, or to be served. */
export function waitMost(seconds: readonly RunSecond[]): number | null {
	const waits = seconds.map(({ server }, index) => {
		if (!server) return null;
		const lately = bestMean(
			seconds
				.slice(Math.max(0, index - measureSeconds + 1), index + 1)
				.map((one) => one.server?.served ?? null),
			measureSeconds
		);
		const forService = lately !== null && lately > 0 ? server.inHand / lately : 0;
		return Math.max(server.oldestSeconds ?? 0, forService);
	});
	return rounded(mostOf(waits));
}

export interface RecoveryReading {
	/** Seconds from the start; null: not within the run. */
	lastQueueEmpty: number | null;
	capacityBack: number | null;
	recovered: number | null;
}

/**
 * When everything that had grown was gone: not before the last queue is empty and capacity is back. A run that ends
 * before has not recovered, and seconds that nobody knows are no good ones.
 */
export function readRecovery(seconds: readonly RunSecond[], parameters: RunParameters): RecoveryReading {
	const spans = phaseSpans(parameters);
	const calmUntil = Math.round(spans.baseline.to);
	const dropAt = Math.round(spans.hold.to);
	const ends = backlogsOf(seconds).map(({ depths }) => {
		// What comes and goes while nothing is the matter is nobody's backlog.
		const usual = Math.max(nobody, mostOf(depths.slice(0, calmUntil)) ?? 0);
		return lastBusy(depths, usual);
	});
	const lastQueueEmpty = endOf(Math.max(...ends), dropAt, seconds.length);
	const before = seconds.slice(0, Math.max(1, calmUntil));
	const rate = meanOf(before.map(({ server }) => server?.ratePerSecond));
	const level = mostOf(before.map(({ server }) => server?.level)) ?? 0;
	const isBack = ({ server }: RunSecond) =>
		server !== null && rate !== null && server.ratePerSecond >= 0.99 * rate && server.level <= level;
	const lastWithout = seconds.findLastIndex((second) => second.server !== null && !isBack(second)) + 1;
	const capacityBack = rate === null ? null : endOf(lastWithout, dropAt, seconds.length);
	const recovered =
		lastQueueEmpty === null || capacityBack === null ? null : Math.max(lastQueueEmpty, capacityBack);
	return { lastQueueEmpty, capacityBack, recovered };
}

/** The second from which on it was over for good, not before the load dropped; null where it never was, or never dropped. */
function endOf(busyUntil: number, dropAt: number, length: number): number | null {
	if (busyUntil >= length || dropAt >= length) return null;
	return busyUntil < dropAt ? dropAt : busyUntil + 1;
}

/** The last second with more in it than usual, seen over three seconds; 0: never. */
function lastBusy(depths: Depths, usual: number): number {
	for (let index = depths.length - 1; index >= 0; index--) {
		const lately = depths.slice(Math.max(0, index - 2), index + 1);
		if (lately.every((depth) => depth === null || depth > usual)) return index + 1;
	}
	return 0;
}

function drainOf(seconds: readonly RunSecond[], id: string, from: number) {
	const drains = seconds.slice(from).map(({ server }) => {
		const queue = server?.queues.find(({ name }) => name === id);
		return queue && queue.depth > nobody ? queue.drainPerSecond : null;
	});
	return { mostPerSecond: bestMean(drains, measureSeconds) ?? mostOf(drains) };
}

/** Items that one served person leaves in a queue; null for one that has nothing to do with bookings. */
function perServedOf(seconds: readonly RunSecond[], id: string): number | null {
	if (id === 'sync') return null;
	let items = 0;
	let served = 0;
	let before = 0;
	for (const { server } of seconds) {
		const queue = server?.queues.find(({ name }) => name === id);
		if (!server || !queue) continue;
		items += queue.depth - before + queue.drainPerSecond;
		before = queue.depth;
		served += server.served;
	}
	return served > 0 && items > 0 ? Math.round((items / served) * 20) / 20 || null : null;
}

function fillGaps(depths: Depths): Depths {
	let known: number | null = null;
	let missing = 0;
	return depths.map((depth) => {
		missing = depth === null ? missing + 1 : 0;
		if (depth !== null) known = depth;
		return missing <= gapSecondsMax ? (depth ?? known) : null;
	});
}

function partOf<T>(values: readonly T[], third: number): readonly T[] {
	const size = values.length / 3;
	return values.slice(
		Math.floor(third * size),
		Math.max(Math.floor(third * size) + 1, Math.floor((third + 1) * size))
	);
}

function rounded(value: number | null): number | null {
	return value === null ? null : Math.round(value * 10) / 10;
}
