import type { ActionStep, Zone } from '@marsad/server/contract';

export interface ZoneLimit {
	kind: 'capacity' | 'hold' | 'step';
	/** People. */
	value: number;
	/** Of a step. */
	percent?: number;
}

/**
 * The lines that a zone's chart names: its capacity, its hold point, and the steps between which the people stand: the
 * last one reached and the next. Lines closer than a ninth of the capacity would hide each other's names: of two the
 * more important stays (capacity, then hold point, then steps).
 */
export function limitsOf(
	zone: Pick<Zone, 'capacity' | 'holdPoint' | 'step'>,
	steps: readonly ActionStep[]
): ZoneLimit[] {
	const limits: ZoneLimit[] = [{ kind: 'capacity', value: zone.capacity }];
	if (zone.holdPoint && zone.holdPoint.people > 0)
		limits.push({ kind: 'hold', value: zone.holdPoint.people });
	const sorted = [...steps].sort((a, b) => a.percent - b.percent);
	const reached = zone.step?.percent ?? 0;
	const next = sorted.find((step) => step.percent > reached);
	const last = sorted.findLast((step) => step.percent <= reached);
	for (const step of [next, last]) {
		if (step && step.percent < 100)
			limits.push({
				kind: 'step',
				value: Math.round((zone.capacity * step.percent) / 100),
				percent: step.percent
			});
	}
	const kept: ZoneLimit[] = [];
	for (const limit of limits) {
		if (kept.every((other) => Math.abs(other.value - limit.value) >= zone.capacity / 9)) kept.push(limit);
	}
	return kept;
}
