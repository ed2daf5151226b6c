import type { Alarm, AlarmSummary } from '@marsad/server/contract';
import { comparePriority } from '../priority.ts';
import type { Abnormal } from '../wall/abnormal.ts';
import { compareAlarms, isAside } from './alarm-list.ts';

/** The alarms that need a hand first, as the server ranks them; those it names and has not sent are left out. */
export function firstAlarms(summary: AlarmSummary | null, byId: ReadonlyMap<string, Alarm>): Alarm[] {
	if (!summary) return [];
	const named = summary.first.map((id) => byId.get(id)).filter((alarm) => alarm !== undefined);
	if (named.length > 0) return named;
	// A summary from before its alarms: what stands is shown all the same.
	return [...byId.values()]
		.filter((alarm) => !isAside(alarm) && alarm.state !== 'normal')
		.sort(compareAlarms);
}

/**
 * What is abnormal on the board and has no alarm that says so: nothing that the wall showed without alarms is lost
 * with them. A zone is left out only where one of its
 * alarms is at least as urgent.
 */
export function beyondAlarms<T extends Abnormal>(found: readonly T[], alarms: readonly Alarm[]): T[] {
	const standing = alarms.filter((alarm) => alarm.state !== 'normal');
	const subjects = new Set(standing.map(({ subject }) => `${subject.kind}:${subject.id}`));
	const definitions = standing.map(({ definition }) => definition);
	return found.filter((item) => {
		if (item.kind === 'zone' || item.kind === 'zone-unknown' || item.kind === 'zone-wrong')
			return !standing.some(
				({ zone, priority }) => zone === item.zone.id && comparePriority(priority, item.priority) <= 0
			);
		if (item.kind === 'part') return !subjects.has(`part:${item.name}`);
		if (item.kind === 'work') return !definitions.includes('work-ratio');
		if (item.kind === 'p95') return !definitions.includes('booking-slow');
		return true;
	});
}
