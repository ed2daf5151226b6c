import type { Zone } from '../../../contract/index.ts';

/** Cameras and doors contradict each other from this many people and this share of the larger number on. */
const peopleMin = 10;
const shareMin = 0.25;
/** A contradiction stands until it has shrunk to this part: at its edge it would come and go. */
const endsAtPart = 0.5;

/** Whether two ways of counting the same people contradict each other; null while they agree well enough. */
export function disagreementOf(
	camera: number | null,
	doors: number | null,
	before: Zone['disagreement']
): Zone['disagreement'] {
	if (camera === null || doors === null) return null;
	const by = { camera: Math.max(0, Math.round(camera)), doors: Math.max(0, Math.round(doors)) };
	const limit = Math.max(peopleMin, shareMin * Math.max(by.camera, by.doors)) * (before ? endsAtPart : 1);
	return Math.abs(by.camera - by.doors) >= limit ? by : null;
}
