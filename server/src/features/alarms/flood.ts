import { floodAbove, floodEndsBelow } from '../../../contract/index.ts';
import type { StoredAlarm, Why } from './model.ts';

export interface Ring {
	alarm: StoredAlarm | null;
	why: Why;
	sounds: boolean;
}

/** What is asked for, as it sounds. */
export interface FloodPlan {
	rings: Ring[];
	begins: boolean;
	ends: boolean;
}

/** Escalations are calls to other people: they are heard in a flood, and make none. */
const countsFor = (why: Why) => why !== 'escalated' && why !== 'flood';

/**
 * Flood mode: above ten annunciations in ten minutes one sound stands for all that come, until it is below five. All
 * are on the list and in the record; medium and low ones are shown in groups. Pure.
 * @param recent annunciations of the last ten minutes that count
 */
export function planFlood(options: {
	rings: readonly { alarm: StoredAlarm; why: Why }[];
	recent: number;
	inFlood: boolean;
}): FloodPlan {
	const fresh = options.rings.filter(({ why }) => countsFor(why)).length;
	const all = options.recent + fresh;
	const begins = !options.inFlood && all > floodAbove;
	const holds = begins || (options.inFlood && all >= floodEndsBelow);
	const rings: Ring[] = options.rings.map(({ alarm, why }) => {
		const isHushed = holds && countsFor(why);
		if (isHushed) alarm.inFlood = alarm.priority === 'medium' || alarm.priority === 'low';
		return { alarm, why, sounds: !isHushed };
	});
	if (begins) rings.push({ alarm: null, why: 'flood', sounds: true });
	return { rings, begins, ends: options.inFlood && !holds };
}
