import type { PeoplePhase } from './people.ts';

/** A zone becomes so full at a second of the story; in between it goes in a straight line. */
export interface Waypoint {
	second: number;
	/** Share of the zone's capacity. */
	share: number;
}

/** Counters of one zone say nothing for a while: their link is down, they go on counting. */
export interface Silence {
	zone: string;
	fromSecond: number;
	toSecond: number;
	/** Share of the counters that decide the zone's occupancy, in file order. */
	counterShare: number;
}

/** What happens, as data: online by phases, on site by waypoints and silences. */
export interface Story {
	/** What people do online; their seconds add up to one story. */
	phases: readonly PeoplePhase[];
	/** How full a zone is when nothing happens to it; `otherShare` for zones that are not named. */
	restShares: Readonly<Record<string, number>>;
	otherShare: number;
	/** Before the first and after the last waypoint a zone is at rest. */
	waypoints: Readonly<Record<string, readonly Waypoint[]>>;
	silences: readonly Silence[];
}

/** One moment of the story. */
export interface Moment {
	/** Seconds since this round of the story began. */
	second: number;
	phase: PeoplePhase;
	zoneShare(zone: string): number;
	/** Share of the zone's deciding counters that is silent now, 0 to 1. */
	silentShare(zone: string): number;
}

/** How long a zone takes from rest to its first waypoint, and back from its last. */
const approachSeconds = 60;

/**
 * The demo's quarter of an hour: calm, an opening, more work than the eligibility service can do, a zone that fills,
 * cameras that fall silent, recovery. It ends as it begins, so that it can go round.
 */
export const demoStory: Story = {
	phases: [
		phase('calm', 90, { arrivalsPerSecond: 6 }),
		phase('opening', 40, { arrivalsPerSecond: 360 }),
		phase('many still come', 110, { arrivalsPerSecond: 100 }),
		// 200 checks at once of 2.6 s are 77 a second: fewer than come.
		phase('losing ground', 180, {
			arrivalsPerSecond: 95,
			slowShare: 0.2,
			eligibilityDelayMs: 2_600,
			eligibilityFailShare: 0.02
		}),
		phase('recovery', 210, { arrivalsPerSecond: 25 }),
		phase('calm again', 270, { arrivalsPerSecond: 6 })
	],
	restShares: {
		'plaza-1': 0.52,
		'ramp-2': 0.46,
		'hall-3': 0.49,
		'ramp-4': 0.47,
		'plaza-5': 0.54,
		'ramp-6': 0.48,
		'hall-7': 0.51,
		'ramp-8': 0.44,
		'north-court': 0.53,
		'east-court': 0.47,
		'south-court': 0.51,
		'west-court': 0.46,
		core: 0.54,
		'forecourt-north': 0.37,
		'forecourt-east': 0.35,
		'forecourt-south': 0.38,
		'forecourt-west': 0.36
	},
	otherShare: 0.5,
	waypoints: {
		'plaza-5': [
			{ second: 60, share: 0.57 },
			{ second: 110, share: 0.67 },
			{ second: 240, share: 0.77 },
			{ second: 345, share: 0.93 },
			{ second: 460, share: 0.96 },
			{ second: 560, share: 0.9 },
			{ second: 640, share: 0.58 }
		],
		'south-court': [
			{ second: 180, share: 0.52 },
			{ second: 400, share: 0.66 },
			{ second: 540, share: 0.62 }
		],
		'ramp-4': [
			{ second: 240, share: 0.5 },
			{ second: 420, share: 0.63 },
			{ second: 520, share: 0.58 }
		],
		'north-court': [
			{ second: 420, share: 0.56 },
			{ second: 480, share: 0.63 },
			{ second: 660, share: 0.61 }
		]
	},
	silences: [
		{ zone: 'hall-7', fromSecond: 40, toSecond: 150, counterShare: 0.2 },
		{ zone: 'north-court', fromSecond: 480, toSecond: 630, counterShare: 1 }
	]
};

function phase(
	name: string,
	seconds: number,
	more: Partial<PeoplePhase> & { arrivalsPerSecond: number }
): PeoplePhase {
	return { name, seconds, slowShare: 0.1, eligibilityDelayMs: 25, eligibilityFailShare: 0, ...more };
}

/** How long one round of the story takes, seconds. */
export function storySeconds(story: Story): number {
	return story.phases.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** What is going on so many seconds after the story began for the first time. */
export function storyAt(story: Story, secondsSinceStart: number): Moment {
	const length = storySeconds(story);
	const second = ((secondsSinceStart % length) + length) % length;
	return {
		second,
		phase: phaseAt(story.phases, second),
		zoneShare: (zone) => shareAt(story, zone, second),
		silentShare: (zone) =>
			Math.max(
				0,
				...story.silences
					.filter((silence) => silence.zone === zone)
					.filter(({ fromSecond, toSecond }) => second >= fromSecond && second < toSecond)
					.map(({ counterShare }) => counterShare)
			)
	};
}

function phaseAt(phases: readonly PeoplePhase[], second: number): PeoplePhase {
	let endsAt = 0;
	for (const candidate of phases) {
		endsAt += candidate.seconds;
		if (second < endsAt) return candidate;
	}
	throw new Error('a story needs a phase');
}

function shareAt(story: Story, zone: string, second: number): number {
	const rest = story.restShares[zone] ?? story.otherShare;
	const given = story.waypoints[zone] ?? [];
	const [first, last] = [given[0], given.at(-1)];
	if (!first || !last) return rest;
	const path = [
		{ second: Math.max(0, first.second - approachSeconds), share: rest },
		...given,
		{ second: Math.min(storySeconds(story), last.second + approachSeconds), share: rest }
	];
	const next = path.findIndex((point) => point.second > second);
	if (next === 0 || next === -1) return rest;
	const [from, to] = [path[next - 1], path[next]];
	if (!from || !to) return rest;
	return from.share + ((to.share - from.share) * (second - from.second)) / (to.second - from.second);
}
