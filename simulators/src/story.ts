import type { PeoplePhase } from './people.ts';

/** One part of the story: what people do online and what the crowd does on site meanwhile. */
export interface StoryPhase extends PeoplePhase {
	/** How full zones are to become, as a share of their capacity; zones that are not named follow `restShare`. */
	zoneTargets: Readonly<Record<string, number>>;
}

/** The story of the demo, repeated without a seam. */
export const story: readonly StoryPhase[] = [
	{ name: 'calm', seconds: 90, arrivalsPerSecond: 4, slowShare: 0.1, eligibilityDelayMs: 20, zoneTargets: {} }
];
