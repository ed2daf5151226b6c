import type { SiteFile } from '@marsad/server/contract';
import {
	edgesOf,
	lengthOf,
	middleOf,
	pointAlong,
	shareOut,
	toPosition,
	type Point
} from './demo-site-geometry.ts';
import { forecourts, gates, zones } from './demo-site-plan.ts';

type Feature = SiteFile['features'][number];
type Boundary = { from: string; to: string; edges: [Point, Point][] };

/** All counters that are missed while they are silent. */
const counterTotal = 500;
/** At each gate. */
export const gateCounters = 12;
const cameras = [
	{ zone: 'north-court', count: 12, authority: true },
	{ zone: 'core', count: 4, authority: false }
];
const forecourtCameras = 2;
/** Zones with a heat sensor, measured once a minute. */
const heatZones = ['plaza-5', 'north-court', 'core'];
const heatPeriodSeconds = 60;

const totalLength = ({ edges }: Boundary) => edges.reduce((sum, edge) => sum + lengthOf(edge), 0);
export const label = (number: number) => String(number).padStart(2, '0');

/** Zones that share an edge are neighbours; `in` leads towards the later one of the list, which is further inside. */
function boundaries(): Boundary[] {
	const key = ([x, y]: Point) => `${x},${y}`;
	const found = new Map<string, Boundary>();
	for (const [index, outer] of zones.entries()) {
		const own = new Map(edgesOf(outer.outline).map((edge) => [`${key(edge[0])} ${key(edge[1])}`, edge]));
		for (const inner of zones.slice(index + 1)) {
			const shared = edgesOf(inner.outline).flatMap(([a, b]) => {
				const edge = own.get(`${key(b)} ${key(a)}`) ?? own.get(`${key(a)} ${key(b)}`);
				return edge ? [edge] : [];
			});
			if (shared.length > 0)
				found.set(`${outer.id} ${inner.id}`, { from: outer.id, to: inner.id, edges: shared });
		}
	}
	return [...found.values()];
}

function counter(
	id: string,
	from: string | null,
	to: string,
	point: Point,
	more: Record<string, unknown> = {}
): Feature {
	return {
		type: 'Feature',
		properties: {
			kind: 'counter',
			id,
			adapter: 'own',
			device: id,
			measures: 'crossing',
			from,
			to,
			periodSeconds: 5,
			authority: true,
			peoplePerSecondMax: 12,
			...more
		},
		geometry: { type: 'Point', coordinates: toPosition(point) }
	} as Feature;
}

/** Counters of gates, inner boundaries, cameras, forecourts and heat, and one door for recorded series. */
export function makeCounters(): Feature[] {
	const cameraTotal = cameras.reduce((sum, { count }) => sum + count, 0);
	const views = cameraTotal + forecourts.length * forecourtCameras + heatZones.length;
	const inner = boundaries();
	const shares = shareOut(counterTotal - views - gates.length * gateCounters, inner.map(totalLength));
	return [
		...gates.flatMap(({ number, zone: to, along }) =>
			Array.from({ length: gateCounters }, (_, index) =>
				counter(
					`gate-${number}-${label(index + 1)}`,
					null,
					to,
					pointAlong([along], (index + 0.5) / gateCounters)
				)
			)
		),
		...inner.flatMap(({ from, to, edges }, index) =>
			Array.from({ length: shares[index] ?? 0 }, (_, at) =>
				counter(
					`${from}_${to}-${label(at + 1)}`,
					from,
					to,
					pointAlong(edges, (at + 0.5) / (shares[index] ?? 1))
				)
			)
		),
		...courtCameras(),
		...forecourts.flatMap(({ id, outline }) => {
			const edge: [Point, Point] = [outline.at(-3) ?? [0, 0], outline.at(-2) ?? [0, 0]];
			return Array.from({ length: forecourtCameras }, (_, index) =>
				view(`${id}-${label(index + 1)}`, id, pointAlong([edge], (index + 0.5) / forecourtCameras), {
					measures: 'present'
				})
			);
		}),
		...heatZones.map((id) =>
			view(`heat-${id}`, id, middleOf(zones.find((other) => other.id === id)?.outline ?? []), {
				measures: 'heat',
				authority: false,
				periodSeconds: heatPeriodSeconds
			})
		),
		counter('recorded-door', null, 'plaza-5', [250, 600], { optional: true, periodSeconds: 60 })
	];
}

function courtCameras(): Feature[] {
	return cameras.flatMap(({ zone: id, count, authority }) => {
		const middle = middleOf(zones.find((other) => other.id === id)?.outline ?? []);
		return Array.from({ length: count }, (_, index) => {
			const turn = (index / count) * 2 * Math.PI;
			const point: Point = [middle[0] + 40 * Math.cos(turn), middle[1] + 30 * Math.sin(turn)];
			return view(`camera-${id}-${label(index + 1)}`, id, point, {
				adapter: 'frigate',
				device: 'frigate',
				channel: `${id.replace('-', '_')}_${label(index + 1)}`,
				measures: 'present',
				authority
			});
		});
	});
}

/** A counter that looks into one zone. */
function view(id: string, zone: string, point: Point, more: Record<string, unknown>): Feature {
	return counter(id, null, zone, point, { peoplePerSecondMax: undefined, ...more });
}
