import type { ActionStep, Zone } from '@marsad/server/contract';

/** How urgent something abnormal is. Drawn three times: shape, colour, word. */
export const priorities = ['critical', 'high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

export const shapes: Record<Priority, string> = { critical: '◆', high: '▲', medium: '■', low: '●' };

/** The priority of an action step: 75 meters the feed, 85 diverts, 95 holds; below that a zone is normal. */
export function priorityOfPercent(percent: number): Priority | null {
	if (percent >= 95) return 'critical';
	if (percent >= 85) return 'high';
	if (percent >= 75) return 'medium';
	return null;
}

export function priorityOfStep(step: ActionStep | null): Priority | null {
	return step ? priorityOfPercent(step.percent) : null;
}

export function comparePriority(a: Priority, b: Priority): number {
	return priorities.indexOf(a) - priorities.indexOf(b);
}

/** The priority of a zone: an unknown one is never normal, for nobody sees it. */
export function priorityOfZone(zone: Zone): Priority | null {
	const byStep = priorityOfStep(zone.step);
	return byStep ?? (zone.quality === 'unknown' ? 'medium' : null);
}
