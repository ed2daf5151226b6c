/** Where somebody was at one frame, metres. */
export interface Step {
	person: number;
	frame: number;
	x: number;
	y: number;
}

/** How the columns of a file of trajectories stand. */
export type TrajectoryColumns = 'person-first' | 'frame-first';

/**
 * Reads walked paths: one row a person and frame, `person frame x y` or `frame person x y`, by blanks or tabs; lines
 * with # are remarks.
 * @throws Error that names the line, when a row is not what it should be
 */
export function readTrajectories(text: string, columns: TrajectoryColumns): Step[] {
	return text.split(/\r?\n/).flatMap((content, index) => {
		if (content.trim() === '' || content.startsWith('#')) return [];
		const [first = NaN, second = NaN, x = NaN, y = NaN] = content.trim().split(/\s+/).map(Number);
		if ([first, second, x, y].some(Number.isNaN)) throw new Error(`line ${index + 1}: no four numbers`);
		const [person, frame] = columns === 'person-first' ? [first, second] : [second, first];
		return [{ person, frame, x, y }];
	});
}

/** A line across the way: `axis` at this many metres. */
export interface CountingLine {
	axis: 'x' | 'y';
	at: number;
}

/** What a counter over the line would say of everybody: `up` towards larger numbers. Once a crossing, each way. */
export function countCrossings(steps: readonly Step[], line: CountingLine): { up: number; down: number } {
	const counted = { up: 0, down: 0 };
	for (const { isUp } of crossingsOf(steps, line)) counted[isUp ? 'up' : 'down'] += 1;
	return counted;
}

/** The same in a report each second, from the first frame on; also of seconds in which nobody crosses. */
export function crossingsBySecond(
	steps: readonly Step[],
	line: CountingLine,
	framesPerSecond: number
): { second: number; up: number; down: number }[] {
	const first = steps.reduce((least, { frame }) => Math.min(least, frame), Infinity);
	const last = steps.reduce((most, { frame }) => Math.max(most, frame), -Infinity);
	const secondOf = (frame: number) => Math.floor((frame - first) / framesPerSecond);
	const seconds = Array.from({ length: steps.length === 0 ? 0 : secondOf(last) + 1 }, (_, second) => ({
		...{ second, up: 0, down: 0 }
	}));
	for (const { frame, isUp } of crossingsOf(steps, line))
		seconds[secondOf(frame)]![isUp ? 'up' : 'down'] += 1;
	return seconds;
}

/** Every change of side, at the frame at which it is seen. */
function crossingsOf(steps: readonly Step[], line: CountingLine): { frame: number; isUp: boolean }[] {
	const last = new Map<number, boolean>();
	return steps
		.toSorted((a, b) => a.frame - b.frame)
		.flatMap((step) => {
			const isUp = step[line.axis] >= line.at;
			const was = last.get(step.person);
			last.set(step.person, isUp);
			return was === undefined || was === isUp ? [] : [{ frame: step.frame, isUp }];
		});
}

/** Which of the two first columns is the person: read the right way, nobody jumps from one row of theirs to the next. */
export function guessColumns(text: string): TrajectoryColumns {
	return jumpOf(readTrajectories(text, 'person-first')) <= jumpOf(readTrajectories(text, 'frame-first'))
		? 'person-first'
		: 'frame-first';
}

/** Metres from one row of a person to the next, on average. */
function jumpOf(steps: readonly Step[]): number {
	const last = new Map<number, Step>();
	let [metres, rows] = [0, 0];
	for (const step of steps.toSorted((a, b) => a.frame - b.frame)) {
		const before = last.get(step.person);
		last.set(step.person, step);
		if (!before) continue;
		metres += Math.hypot(step.x - before.x, step.y - before.y);
		rows += 1;
	}
	return rows === 0 ? Infinity : metres / rows;
}

/** A piece of ground, its edges included. */
export interface Box {
	x: readonly [number, number];
	y: readonly [number, number];
}

/** What a camera over the box would say, frame after frame. */
export function countInside(steps: readonly Step[], { x, y }: Box): { frame: number; present: number }[] {
	const present = new Map<number, number>();
	for (const step of steps) {
		const isInside = step.x >= x[0] && step.x <= x[1] && step.y >= y[0] && step.y <= y[1];
		present.set(step.frame, (present.get(step.frame) ?? 0) + Number(isInside));
	}
	return [...present]
		.map(([frame, people]) => ({ frame, present: people }))
		.sort((a, b) => a.frame - b.frame);
}
