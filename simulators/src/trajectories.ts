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
	const last = new Map<number, boolean>();
	for (const step of steps.toSorted((a, b) => a.frame - b.frame)) {
		const isBeyond = step[line.axis] >= line.at;
		const was = last.get(step.person);
		last.set(step.person, isBeyond);
		if (was === undefined || was === isBeyond) continue;
		counted[isBeyond ? 'up' : 'down'] += 1;
	}
	return counted;
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
