/** Mean earth radius, metres (IUGG). */
const earthRadiusMetres = 6_371_008.8;

export type Point = [number, number];

/** Signed-less area of a closed ring by the shoelace formula, in the square of the ring's own unit. */
export function ringArea(ring: readonly (readonly number[])[]): number {
	let twice = 0;
	for (let index = 0; index + 1 < ring.length; index++) {
		const [x1 = 0, y1 = 0] = ring[index] ?? [];
		const [x2 = 0, y2 = 0] = ring[index + 1] ?? [];
		twice += x1 * y2 - x2 * y1;
	}
	return Math.abs(twice) / 2;
}

/**
 * Longitude and latitude to site metres: x east, y south, from the north-west corner. Equirectangular around the
 * middle of the site, whose error over a few kilometres is far below a wall's thickness.
 */
export function createProjection(positions: readonly (readonly number[])[]): {
	project(position: readonly number[]): Point;
	width: number;
	height: number;
} {
	const easts = positions.map(([east = 0]) => east);
	const norths = positions.map(([, north = 0]) => north);
	const [west, north] = [min(easts), max(norths)];
	const radians = Math.PI / 180;
	const perDegree = earthRadiusMetres * radians;
	const shrink = Math.cos(((min(norths) + north) / 2) * radians);
	const project = ([lon = 0, lat = 0]: readonly number[]): Point => [
		round((lon - west) * perDegree * shrink),
		round((north - lat) * perDegree)
	];
	const [width, height] = project([max(easts), min(norths)]);
	return { project, width, height };
}

/**
 * A point well inside a ring, for its label: the centroid where that lies inside (convex enough), else the middle of
 * the widest stretch on the horizontal line through the middle.
 */
export function labelPoint(ring: readonly Point[]): Point {
	const middle = centroid(ring);
	if (contains(ring, middle)) return [round(middle[0]), round(middle[1])];
	const ys = ring.map(([, y]) => y);
	const y = (min(ys) + max(ys)) / 2;
	const crossings = edgesOf(ring)
		.filter(([[, y1], [, y2]]) => y1 > y !== y2 > y)
		.map(([[x1, y1], [x2, y2]]) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
		.sort((a, b) => a - b);
	let best: [number, number] = [0, 0];
	for (let index = 0; index + 1 < crossings.length; index += 2) {
		const stretch: [number, number] = [crossings[index] ?? 0, crossings[index + 1] ?? 0];
		if (stretch[1] - stretch[0] > best[1] - best[0]) best = stretch;
	}
	return [round((best[0] + best[1]) / 2), round(y)];
}

/** Length of a line, in its own unit. */
export function lineLength(points: readonly Point[]): number {
	const length = points
		.slice(1)
		.reduce(
			(sum, [x, y], index) => sum + Math.hypot(x - (points[index]?.[0] ?? x), y - (points[index]?.[1] ?? y)),
			0
		);
	return round(length);
}

/** Distance of a point from the nearest side of a line or ring, in its own unit. */
export function distanceToLine(line: readonly Point[], [x, y]: Point): number {
	const distances = edgesOf(line).map(([[x1, y1], [x2, y2]]) => {
		const squared = (x2 - x1) ** 2 + (y2 - y1) ** 2;
		const share = squared === 0 ? 0 : ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / squared;
		const along = Math.min(1, Math.max(0, share));
		return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
	});
	return min(distances);
}

/** Whether two sides of a closed ring cross or touch other than at the corner they share. */
export function crossesItself(ring: readonly (readonly number[])[]): boolean {
	const edges = edgesOf(ring.map(([x = 0, y = 0]): Point => [x, y]));
	return edges.some((one, index) =>
		edges.slice(index + 2).some((other, offset) => {
			const isClosing = index === 0 && index + 2 + offset === edges.length - 1;
			return !isClosing && meet(one, other);
		})
	);
}

function meet([a, b]: [Point, Point], [c, d]: [Point, Point]): boolean {
	const side = (p: Point, q: Point, r: Point) =>
		Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
	const within = (p: Point, q: Point, r: Point) =>
		Math.min(p[0], q[0]) <= r[0] &&
		r[0] <= Math.max(p[0], q[0]) &&
		Math.min(p[1], q[1]) <= r[1] &&
		r[1] <= Math.max(p[1], q[1]);
	const [c1, d1, a1, b1] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
	if (c1 !== d1 && a1 !== b1) return true;
	return (
		(c1 === 0 && within(a, b, c)) ||
		(d1 === 0 && within(a, b, d)) ||
		(a1 === 0 && within(c, d, a)) ||
		(b1 === 0 && within(c, d, b))
	);
}

/** Whether a point lies inside a ring (even-odd rule). */
export function contains(ring: readonly Point[], [x, y]: Point): boolean {
	return (
		edgesOf(ring).filter(
			([[x1, y1], [x2, y2]]) => y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)
		).length %
			2 ===
		1
	);
}

function centroid(ring: readonly Point[]): Point {
	let [x, y, twice] = [0, 0, 0];
	for (const [[x1, y1], [x2, y2]] of edgesOf(ring)) {
		const cross = x1 * y2 - x2 * y1;
		twice += cross;
		x += (x1 + x2) * cross;
		y += (y1 + y2) * cross;
	}
	return twice === 0 ? (ring[0] ?? [0, 0]) : [x / (3 * twice), y / (3 * twice)];
}

function edgesOf(ring: readonly Point[]): [Point, Point][] {
	return ring.slice(0, -1).map((point, index) => [point, ring[index + 1] ?? point]);
}

const min = (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value), Infinity);
const max = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), -Infinity);
const round = (metres: number) => Math.round(metres * 100) / 100;
