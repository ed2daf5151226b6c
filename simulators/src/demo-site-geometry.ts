/** A point of the drawing, in plan units: x to the east, y to the south. */
export type Point = [number, number];

/** The drawing is in plan units; this many metres make one. */
const metresPerUnit = 0.4;
/** North-west corner of the drawing: an empty plain. */
const origin = { longitude: 46.3, latitude: 24.9 };

/** Plan units to longitude and latitude. */
export function toPosition([x, y]: Point): [number, number] {
	const metresPerDegree = (6_371_008.8 * Math.PI) / 180;
	const east = (x * metresPerUnit) / (metresPerDegree * Math.cos((origin.latitude * Math.PI) / 180));
	const north = (-y * metresPerUnit) / metresPerDegree;
	return [round(origin.longitude + east), round(origin.latitude + north)];
}

const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
/** The sides of an outline. */
export const edgesOf = (outline: Point[]): [Point, Point][] =>
	outline.map((point, index) => [point, outline[(index + 1) % outline.length] ?? point]);
/** Length of a side, plan units. */
export const lengthOf = ([[x1, y1], [x2, y2]]: [Point, Point]) => Math.hypot(x2 - x1, y2 - y1);

/** Area of an outline, rounded to whole metres. */
export function areaSquareMetres(outline: Point[]): number {
	const twice = edgesOf(outline).reduce((sum, [[x1, y1], [x2, y2]]) => sum + x1 * y2 - x2 * y1, 0);
	return Math.round((Math.abs(twice) / 2) * metresPerUnit ** 2);
}

/** Shares a number out by length, largest remainder first, at least two each. */
export function shareOut(total: number, lengths: number[]): number[] {
	const sum = lengths.reduce((a, b) => a + b, 0);
	const exact = lengths.map((length) => 2 + (length / sum) * (total - 2 * lengths.length));
	const shares = exact.map(Math.floor);
	const order = exact
		.map((value, index) => [value - Math.floor(value), index] as const)
		.sort((a, b) => b[0] - a[0]);
	const left = total - shares.reduce((a, b) => a + b, 0);
	for (const [, index] of order.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
	return shares;
}

/** The point at a share of the way along several edges. */
export function pointAlong(edges: [Point, Point][], share: number): Point {
	let left = edges.reduce((sum, edge) => sum + lengthOf(edge), 0) * share;
	for (const edge of edges) {
		const length = lengthOf(edge);
		if (left <= length) {
			const [[x1, y1], [x2, y2]] = edge;
			return [x1 + ((x2 - x1) * left) / length, y1 + ((y2 - y1) * left) / length];
		}
		left -= length;
	}
	return edges.at(-1)?.[1] ?? [0, 0];
}

/** The middle of the corners. */
export function middleOf(outline: readonly Point[]): Point {
	return [mean(outline.map(([x]) => x)), mean(outline.map(([, y]) => y))];
}

/** Length of a way, metres. */
export function metresOf(way: readonly Point[]): number {
	return Math.round(
		way.slice(1).reduce((sum, point, at) => sum + lengthOf([way[at] ?? point, point]), 0) * metresPerUnit
	);
}

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
