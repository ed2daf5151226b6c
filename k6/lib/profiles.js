// @ts-check
// The phases and profiles of a spike run, under the names that the board and `npm run sim -- spike` use.

export const phaseNames = ['baseline', 'ramp', 'hold', 'drop', 'recovery'];

/**
 * @typedef {{ base: number, peak: number, baseline: number, ramp: number, hold: number, drop: number, recovery: number,
 *   curve: number[] }} Shape
 */

/**
 * Arrivals a second and seconds of each phase.
 * @param {Partial<Shape>} change what differs from the five stages
 * @returns {Shape}
 */
function shape(change) {
	return Object.assign(
		{ base: 5, peak: 30, baseline: 300, ramp: 30, hold: 120, drop: 30, recovery: 600, curve: [] },
		change
	);
}

/** @type {Record<string, Shape>} */
export const profiles = {
	'opening-second': shape({ base: 0, peak: 2000, baseline: 10, ramp: 0, hold: 1, drop: 0, recovery: 120 }),
	'five-stages': shape({}),
	'pre-queue': shape({ baseline: 120, ramp: 10, hold: 60, recovery: 300 }),
	returners: shape({ baseline: 60 }),
	'reconnect-storm': shape({ baseline: 60, peak: 5, recovery: 180 }),
	bots: shape({ baseline: 60, peak: 10, recovery: 180 }),
	'slow-dependency': shape({ baseline: 60, recovery: 300 }),
	'level-drill': shape({ baseline: 60, peak: 15, hold: 900, recovery: 180 }),
	'connection-ceiling': shape({ baseline: 60, recovery: 180 }),
	'last-season': shape({ hold: 600, curve: [5, 30, 60, 45, 30, 20, 10, 5] })
};

/**
 * The stages of k6's arrival-rate executors: a straight line to each target.
 * @param {Shape} of
 * @returns {{ duration: string, target: number }[]}
 */
export function stagesOf(of) {
	const first = of.curve.length > 0 ? of.curve[0] || 0 : of.peak;
	const rest = of.curve.length > 1 ? of.curve.slice(1) : [of.peak];
	const stage = (/** @type {number} */ seconds, /** @type {number} */ target) => ({
		duration: Math.round(seconds * 1000) + 'ms',
		target: Math.round(target)
	});
	return [
		stage(of.baseline, of.base),
		stage(of.ramp, first),
		...rest.map((target) => stage(of.hold / rest.length, target)),
		stage(of.drop, of.base),
		stage(of.recovery, of.base)
	];
}

/**
 * People that arrive.
 * @param {Shape} of
 */
export function peopleOf(of) {
	let before = of.base;
	let people = 0;
	for (const stage of stagesOf(of)) {
		people += ((parseInt(stage.duration, 10) / 1000) * (before + stage.target)) / 2;
		before = stage.target;
	}
	return Math.round(people);
}

/**
 * The phase in which a moment lies, seconds from the start; people who are still on their way come after all of them.
 * @param {Shape} of
 * @param {number} second
 */
export function phaseAt(of, second) {
	const lengths = [of.baseline, of.ramp, of.hold, of.drop, of.recovery];
	let end = 0;
	for (let i = 0; i < lengths.length; i++) {
		end += lengths[i] || 0;
		if (second < end) return phaseNames[i] || 'after';
	}
	return 'after';
}
