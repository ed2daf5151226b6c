import type { LiveTopic } from '../../../server/contract/index.ts';

/** What every screen of the control room watches. */
export const wallTopics: readonly LiveTopic[] = [
	...(['overview', 'spike', 'crowd', 'levels', 'alarms', 'dispatch', 'season'] as const)
];
