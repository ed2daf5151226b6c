import type { ActionStep, Zone } from '@marsad/server/contract';

/** How urgent something abnormal is. Drawn three times: shape, colour, word. */
export const priorities = ['critical', 'high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

export const shapes: Record<Priority, string> = { critical: '◆', high: '▲', medium: '■', low: '●' };

/** The priority of an action step in force: 75 meters the feed, 85 diverts, 95 holds; an earlier one is low. */
export function priorityOfPercent(percent: number): Priority {
	if (percent >= 95) return 'critical';
	if (percent >= 85) return 'high';
	return percent >= 75 ? 'medium' : 'low';
}

export function priorityOfStep(step: ActionStep | null): Priority | null {
	return step ? priorityOfPercent(step.percent) : null;
}

export function comparePriority(a: Priority, b: Priority): number {
	return priorities.indexOf(a) - priorities.indexOf(b);
}

/** The priority of a zone. An unknown one is never normal, for nobody sees it; nor is one that counts wrongly. */
export function priorityOfZone(zone: Zone): Priority | null {
	const byStep = priorityOfStep(zone.step);
	if (zone.quality !== 'unknown' && !zone.drift) return byStep;
	return byStep && comparePriority(byStep, 'medium') < 0 ? byStep : 'medium';
}
