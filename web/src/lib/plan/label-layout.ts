/** Finds room for the labels of a plan: each inside its own zone, so that no two can ever overlap. Pure; all in pixels. */

export type Point = readonly [x: number, y: number];
export interface Size {
	readonly width: number;
	readonly height: number;
}
/** By its middle. */
export interface Box extends Size {
	readonly x: number;
	readonly y: number;
}
export interface Placed {
	/** Which of the forms fits: 0 is the fullest. */
	index: number;
	x: number;
	y: number;
	/** False when not even the last form has room: it stands where most of it is inside. */
	fits: boolean;
}

/** A zone, and what wants to stand in it. */
export interface LabelRoom {
	rings: readonly (readonly Point[])[];
	anchor: Point;
	forms: readonly (readonly Size[])[];
	obstacles?: readonly Box[];
	gap?: number;
}

/** How many places are tried along the longer side of a zone. */
const triesAlong = 48;

/**
 * The fullest size that fits into the zone, as near to the anchor as possible. What does not fit at its full is tried
 * in its next shorter form, and so on.
 * @param rings outline first, then holes
 * @param forms from the fullest to the shortest, each its lines from the top; at least one. Every line is looked at by
 *   itself: a short line may stand where a zone is narrow
 * @param obstacles what a label must not cover, such as the signs of gates
 * @param gap room between a label and the border
 */
export function placeLabel(zone: LabelRoom): Placed {
	const { rings, anchor, forms, obstacles = [], gap = 3 } = zone;
	const places = placesIn(rings[0] ?? [], anchor);
	for (const [index, lines] of forms.entries()) {
		for (const [x, y] of places) {
			const boxes = lineBoxes([x, y], lines, gap);
			if (boxes.every((box) => isInside(box, rings) && !obstacles.some((other) => doOverlap(box, other))))
				return { index, x, y, fits: true };
		}
	}
	const middle = places.find((place) => isPointInside(place, rings)) ?? anchor;
	return { index: Math.max(0, forms.length - 1), x: middle[0], y: middle[1], fits: false };
}

/** Places labels by the id of their zone, and looks for a place again only when something has changed. */
export function rememberPlaces(): (id: string, room: LabelRoom) => Placed {
	const known = new Map<string, { key: string; placed: Placed }>();
	return (id, room) => {
		const key = JSON.stringify(room);
		const before = known.get(id);
		if (before?.key === key) return before.placed;
		const placed = placeLabel(room);
		known.set(id, { key, placed });
		return placed;
	};
}

/** Where the lines of a label stand whose middle is given, each with the gap around it. */
export function lineBoxes([x, y]: Point, lines: readonly Size[], gap: number): Box[] {
	let top = y - lines.reduce((sum, { height }) => sum + height, 0) / 2;
	return lines.map(({ width, height }) => {
		const box = { x, y: top + height / 2, width: width + 2 * gap, height: height + 2 * gap };
		top += height;
		return box;
	});
}

/** The anchor, then a grid over the zone, nearest first. */
function placesIn(outline: readonly Point[], anchor: Point): Point[] {
	const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
	const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
	const step = Math.max(3, Math.max(right - left, bottom - top) / triesAlong);
	const places: Point[] = [anchor];
	if (!Number.isFinite(step)) return places;
	// Counted from the anchor, so that a label leaves its line or its column only when it has to.
	for (let x = anchor[0] - Math.floor((anchor[0] - left) / step) * step; x <= right; x += step)
		for (let y = anchor[1] - Math.floor((anchor[1] - top) / step) * step; y <= bottom; y += step)
			places.push([x, y]);
	const distance = ([x, y]: Point) => Math.hypot(x - anchor[0], y - anchor[1]);
	return places.sort((a, b) => distance(a) - distance(b));
}

export function doOverlap(a: Box, b: Box): boolean {
	return (
		Math.abs(a.x - b.x) * 2 < a.width + b.width - 1e-9 && Math.abs(a.y - b.y) * 2 < a.height + b.height - 1e-9
	);
}

/** Whether the whole box lies in the outline and in none of the holes. */
export function isInside(box: Box, rings: readonly (readonly Point[])[]): boolean {
	const [left, right] = [box.x - box.width / 2, box.x + box.width / 2];
	const [top, bottom] = [box.y - box.height / 2, box.y + box.height / 2];
	if (!isPointInside([box.x, box.y], rings)) return false;
	// The middle is inside: the box is, when no border runs through it.
	return rings.every((ring) =>
		ring.every((from, i) => !doesCross(from, ring[(i + 1) % ring.length]!, { left, right, top, bottom }))
	);
}

function isPointInside([x, y]: Point, rings: readonly (readonly Point[])[]): boolean {
	let isIn = false;
	for (const ring of rings) {
		for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
			const [[xi, yi], [xj, yj]] = [ring[i]!, ring[j]!];
			if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isIn = !isIn;
		}
	}
	return isIn;
}

/** Whether a line runs through a box (Liang and Barsky). */
function doesCross(
	[x1, y1]: Point,
	[x2, y2]: Point,
	box: { left: number; right: number; top: number; bottom: number }
): boolean {
	let [from, to] = [0, 1];
	for (const [start, delta, low, high] of [
		[x1, x2 - x1, box.left, box.right],
		[y1, y2 - y1, box.top, box.bottom]
	] as const) {
		if (delta === 0) {
			if (start <= low || start >= high) return false;
			continue;
		}
		const [a, b] = [(low - start) / delta, (high - start) / delta];
		from = Math.max(from, Math.min(a, b));
		to = Math.min(to, Math.max(a, b));
	}
	return from < to;
}
