import type { LevelOfService, Zone } from '../../../contract/index.ts';
import type { SiteZone } from '../site/index.ts';

type Use = SiteZone['use'];

/**
 * Upper densities of the levels A to E, people per square metre (Fruin, Pedestrian Planning and Design, 1971). Open
 * places are judged as queues: people stand there.
 */
const densitiesMax: Readonly<Record<Use, readonly number[]>> = {
	walkway: [0.31, 0.43, 0.72, 1.08, 2.17],
	queue: [0.83, 1.08, 1.54, 3.59, 5.26],
	open: [0.83, 1.08, 1.54, 3.59, 5.26],
	stairs: [0.54, 0.72, 1.08, 1.54, 2.7]
};
const levels: readonly LevelOfService[] = ['A', 'B', 'C', 'D', 'E', 'F'];

/** Fruin's level of service; null where the density is not known. */
export function levelOfService(use: Use, density: number | null): LevelOfService | null {
	if (density === null) return null;
	const index = densitiesMax[use].findIndex((most) => density <= most);
	return levels[index === -1 ? levels.length - 1 : index] ?? null;
}

/**
 * Walking speed at a density, metres per second (Weidmann 1993): 1.34 × (1 − exp(−1.913 × (1/ρ − 1/5.4))). Times the
 * density it gives at most 73.5 people per metre and minute, at 1.75 people per square metre.
 */
export function walkingSpeed(density: number): number {
	if (density <= 0) return 1.34;
	return density >= 5.4 ? 0 : 1.34 * (1 - Math.exp(-1.913 * (1 / density - 1 / 5.4)));
}

const peakPerMetreMinute = 73.5;
/** Less than this share of the peak is little flow. */
const littleShare = 0.4;
const stillShare = 0.05;
/** Beyond the peak of the flow, where people mean to walk; beyond a stable crowd, where they may stand. */
const jamDensity: Readonly<Record<Use, number>> = { walkway: 1.75, stairs: 1.75, queue: 3.5, open: 3.5 };
const emptyDensity = 0.1;

/**
 * What the flow means at this density: the same little flow is "empty" or "jammed". Null when one of them is not
 * known, and where people simply stand.
 * @param flowPerMetreMinute people per metre of width and minute
 */
export function movementOf(
	use: Use,
	density: number | null,
	flowPerMetreMinute: number | null
): Zone['movement'] {
	if (density === null || flowPerMetreMinute === null) return null;
	if (density >= jamDensity[use] && flowPerMetreMinute < peakPerMetreMinute * littleShare) return 'jammed';
	if (flowPerMetreMinute >= peakPerMetreMinute * stillShare) return 'moving';
	return density < emptyDensity ? 'empty' : null;
}

/** Level exits pass so many people per metre and minute (Green Guide): tells how wide a zone opens. */
const exitPerMetreMinute = 82;

/** Width over which people come and go, metres: by what leaves it, else by the side of a square of its area. */
export function openingMetres({ capacities, areaSquareMetres }: SiteZone): number {
	const { exitPerMinute } = capacities;
	return exitPerMinute ? exitPerMinute / exitPerMetreMinute : Math.max(1, Math.sqrt(areaSquareMetres));
}
