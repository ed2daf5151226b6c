import { drawNormal, drawPoisson } from './chance.ts';

/** One counter on a border: the most people that pass it in a second. */
export interface BorderCounter {
	id: string;
	perSecondMax: number;
}

/** Two zones (null is outside) that people walk between, past its counters. */
export interface Border {
	from: string | null;
	to: string | null;
	counters: readonly BorderCounter[];
	/** Entrances on it: all its inflow passes them. Absent: nothing but people's own will is in the way. */
	gates?: readonly string[];
}

/** What a crowd needs to know of a site. */
export interface CrowdSite {
	/** Capacity of each zone, people. */
	capacities: ReadonlyMap<string, number>;
	borders: readonly Border[];
	/** Zones before gates: who is held up waits there. */
	forecourts?: ReadonlySet<string>;
}

/** What lets people in or keeps them out, as the signs at the gates say now. */
export interface Orders {
	/** People a minute that a gate lets in; Infinity while it is open, 0 while it is held or closed. */
	inflowPerMinute(gate: string): number;
	/** Whether people are told to leave a zone. */
	isEvacuated(zone: string): boolean;
}

/** Open gates, and nobody is told to leave. */
export const noOrders: Orders = { inflowPerMinute: () => Infinity, isEvacuated: () => false };

/** People on a site, second by second. Pure: time and chance come in. */
export interface Crowd {
	/** People in a zone now. */
	present(zone: string): number;
	/** People of each zone now. */
	presentByZone(): Record<string, number>;
	/** What a perfect counter has counted since the crowd began. */
	passed(counter: string): { in: number; out: number };
	/** People who have come from outside, less those who have left, since the crowd began. */
	net(): number;
	/** People who want to go in and stand before held gates, by forecourt. */
	heldUp(forecourt: string): number;
	/** Moves people for so many seconds (at most ten at once). @param share where each zone is heading */
	step(seconds: number, share: (zone: string) => number, orders?: Orders): void;
}

/** People use so much of what a counter could let through: a believable crowd does not run. */
const pacePart = 0.5;
/** People a second and counter that walk one way where the zone they come from is full. */
const strollPerSecond = 0.5;
const outsideShare = 0.5;
/** Whoever was held up goes in within about so long once the way is free. */
const pushSeconds = 120;
/** Beyond this share of what a forecourt bears nobody joins those who wait. */
const forecourtShareMax = 1.2;
/** People a second and counter that a difference of one whole capacity drives across. */
const drivePerSecond = 12;
/** The crowd wanders about its target: standard deviation as a share of capacity, and how long a mood lasts. */
const wanderShare = 0.012;
const wanderSeconds = 45;
/** Longer times are walked in pieces: people who see where others went do not all go there. */
const pieceSeconds = 1;
const stepSecondsMax = 10;

/** A crowd that already stands on the site, each zone as full as `startShare` says. */
export function createCrowd(
	site: CrowdSite,
	options: { random: () => number; startShare: (zone: string) => number }
): Crowd {
	const { random } = options;
	const present = new Map(
		[...site.capacities].map(([zone, capacity]) => [
			zone,
			Math.round(capacity * Math.max(0, options.startShare(zone)))
		])
	);
	const moods = new Map([...site.capacities.keys()].map((zone) => [zone, 0]));
	const passed = new Map(
		site.borders.flatMap(({ counters }) => counters).map(({ id }) => [id, { in: 0, out: 0 }])
	);
	/** Those before held gates, who would be inside by now. */
	const waiting = new Map([...(site.forecourts ?? [])].map((zone) => [zone, 0]));
	let net = 0;

	const shareOf = (zone: string) => (present.get(zone) ?? 0) / (site.capacities.get(zone) || 1);

	/** How far a zone is above where it is heading, as a share of its capacity; outside is where it likes to be. */
	const surplus = (zone: string | null, share: (zone: string) => number) =>
		zone === null ? 0 : shareOf(zone) - share(zone) - (moods.get(zone) ?? 0);

	const add = (zone: string | null, people: number) => {
		if (zone === null) net -= people;
		else present.set(zone, (present.get(zone) ?? 0) + people);
	};

	const walk = (
		border: Border,
		direction: 'in' | 'out',
		wanted: number,
		most: readonly number[],
		gateMost = Infinity
	): number => {
		const [origin, goal] = direction === 'in' ? [border.from, border.to] : [border.to, border.from];
		const room = most.reduce((sum, count) => sum + count, 0);
		const there = origin === null ? Infinity : (present.get(origin) ?? 0);
		const people = Math.min(wanted, there, room, gateMost);
		for (const [at, count] of spreadOut(people, most, random).entries()) {
			const counted = passed.get(border.counters[at]?.id ?? '');
			if (counted) counted[direction] += count;
		}
		add(origin, -people);
		add(goal, people);
		return people;
	};

	/** How many the gates of a border let in now; a part of a person is drawn. */
	const gateRoom = ({ gates }: Border, seconds: number, orders: Orders) => {
		if (!gates) return Infinity;
		const perSecond = gates.reduce((sum, gate) => sum + orders.inflowPerMinute(gate) / 60, 0);
		return perSecond === Infinity ? Infinity : Math.floor(perSecond * seconds + random());
	};

	/** Who is turned back at a gate waits; who waits goes in as fast as the gate allows. */
	const enter = (border: Border, wanted: number, most: readonly number[], room: number, seconds: number) => {
		const held = border.from === null ? undefined : waiting.get(border.from);
		if (border.from === null || held === undefined) return void walk(border, 'in', wanted, most, room);
		const pushing = Math.min(held, Math.ceil((held * seconds) / pushSeconds));
		const entered = walk(border, 'in', wanted + pushing, most, room);
		const bears = (site.capacities.get(border.from) ?? 0) * forecourtShareMax;
		waiting.set(border.from, Math.max(0, Math.min(bears, held + wanted - entered)));
	};

	const movePiece = (seconds: number, share: (zone: string) => number, orders: Orders) => {
		wander(moods, seconds, random);
		const heading = (zone: string) =>
			orders.isEvacuated(zone)
				? -(moods.get(zone) ?? 0)
				: share(zone) + (waiting.get(zone) ?? 0) / (site.capacities.get(zone) || 1);
		for (const border of site.borders) {
			const { from, to, counters } = border;
			const most = counters.map(({ perSecondMax }) =>
				Math.max(1, Math.floor(perSecondMax * pacePart * seconds))
			);
			const drive = (surplus(from, heading) - surplus(to, heading)) * drivePerSecond;
			const stroll = (zone: string | null) =>
				strollPerSecond * (zone === null || waiting.has(zone) ? outsideShare : shareOf(zone));
			const scale = counters.length * seconds;
			const calm = to !== null && orders.isEvacuated(to) ? 0 : 1;
			const inwards = drawPoisson((stroll(from) * calm + Math.max(0, drive)) * scale, random);
			enter(border, inwards, most, gateRoom(border, seconds, orders), seconds);
			walk(border, 'out', drawPoisson((stroll(to) + Math.max(0, -drive)) * scale, random), most);
		}
	};

	return {
		present: (zone) => present.get(zone) ?? 0,
		presentByZone: () => Object.fromEntries(present),
		passed: (counter) => ({ ...(passed.get(counter) ?? { in: 0, out: 0 }) }),
		net: () => net,
		heldUp: (forecourt) => waiting.get(forecourt) ?? 0,
		step(seconds, share, orders = noOrders) {
			const span = Math.min(Math.max(0, seconds), stepSecondsMax);
			for (let done = 0; done < span; done += pieceSeconds)
				movePiece(Math.min(pieceSeconds, span - done), share, orders);
		}
	};
}

/** Who passes where: everybody anywhere, as long as there is room. @param most how many fit, by counter */
function spreadOut(people: number, most: readonly number[], random: () => number): number[] {
	const counts = most.map(() => 0);
	for (let count = 0; count < people; count++) {
		let at = Math.floor(random() * most.length);
		while ((counts[at] ?? 0) >= (most[at] ?? 0)) at = (at + 1) % most.length;
		counts[at] = (counts[at] ?? 0) + 1;
	}
	return counts;
}

/** A mood drifts about nothing and forgets where it was (Ornstein and Uhlenbeck). */
function wander(moods: Map<string, number>, seconds: number, random: () => number): void {
	const keep = Math.exp(-seconds / wanderSeconds);
	for (const [zone, mood] of moods)
		moods.set(zone, mood * keep + wanderShare * Math.sqrt(1 - keep * keep) * drawNormal(random));
}
