import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { SiteFile } from '@marsad/server/contract';

/**
 * Makes the demo site: thirteen zones in three rings, eight gates, 500 counters and one optional door for recorded
 * series. Run `node simulators/src/make-demo-site.ts` after a change; the file it writes is kept in the repository.
 */

type Point = [number, number];
type Feature = SiteFile['features'][number];
type Zone = {
	id: string;
	ar: string;
	en: string;
	use: 'open' | 'walkway' | 'queue';
	holding: number;
	outline: Point[];
	feeds: string[];
};
type Boundary = { from: string; to: string; edges: [Point, Point][] };

/** The drawing is in plan units; this many metres make one. */
const metresPerUnit = 0.4;
/** North-west corner of the drawing: an empty plain. */
const origin = { longitude: 46.3, latitude: 24.9 };
const counterTotal = 500;
const gateCounters = 12;
const cameras = [
	{ zone: 'north-court', count: 12, authority: true },
	{ zone: 'core', count: 4, authority: false }
];

const zones: Zone[] = [
	zone('plaza-1', 'ساحة 1', 'Plaza 1', 'open', 7_000, '250,30 650,30 600,130 300,130', ['north-court']),
	zone('ramp-2', 'منحدر 2', 'Ramp 2', 'walkway', 4_000, '650,30 885,120 780,220 600,130', ['east-court']),
	zone('hall-3', 'رواق 3', 'Hall 3', 'open', 5_000, '885,120 910,420 760,388 780,220', ['east-court']),
	zone('ramp-4', 'منحدر 4', 'Ramp 4', 'walkway', 4_000, '910,420 700,600 610,500 760,388', ['east-court']),
	zone('plaza-5', 'ساحة 5', 'Plaza 5', 'open', 7_000, '700,600 200,600 290,500 610,500', ['south-court']),
	zone('ramp-6', 'منحدر 6', 'Ramp 6', 'walkway', 4_000, '200,600 -10,420 140,388 290,500', ['west-court']),
	zone('hall-7', 'رواق 7', 'Hall 7', 'open', 5_000, '-10,420 15,120 120,220 140,388', ['west-court']),
	zone('ramp-8', 'منحدر 8', 'Ramp 8', 'walkway', 4_000, '15,120 250,30 300,130 120,220', ['west-court']),
	zone('north-court', 'الصحن الشمالي', 'North court', 'open', 9_000, '300,130 600,130 540,244 360,244', [
		'core'
	]),
	zone(
		'east-court',
		'الصحن الشرقي',
		'East court',
		'open',
		11_000,
		'600,130 780,220 760,388 610,500 540,386 590,353 599,272 540,244',
		['core']
	),
	zone('south-court', 'الصحن الجنوبي', 'South court', 'open', 9_000, '610,500 290,500 360,386 540,386', [
		'core'
	]),
	zone(
		'west-court',
		'الصحن الغربي',
		'West court',
		'open',
		11_000,
		'290,500 140,388 120,220 300,130 360,244 302,272 311,353 360,386',
		['core']
	),
	zone(
		'core',
		'الوسط',
		'Core',
		'open',
		16_000,
		'360,244 540,244 599,272 590,353 540,386 360,386 311,353 302,272',
		[]
	)
];

const gates: { number: number; zone: string; point: Point; along: [Point, Point]; lanes: number }[] = [
	{
		number: 1,
		zone: 'plaza-1',
		point: [450, 30],
		along: [
			[330, 30],
			[570, 30]
		],
		lanes: 60
	},
	{
		number: 2,
		zone: 'ramp-2',
		point: [788, 83],
		along: [
			[720, 56.8],
			[855, 108.5]
		],
		lanes: 30
	},
	{
		number: 3,
		zone: 'hall-3',
		point: [891, 190],
		along: [
			[888, 160],
			[900, 300]
		],
		lanes: 30
	},
	{
		number: 4,
		zone: 'ramp-4',
		point: [811, 505],
		along: [
			[870, 454],
			[750, 557]
		],
		lanes: 30
	},
	{
		number: 5,
		zone: 'plaza-5',
		point: [450, 600],
		along: [
			[570, 600],
			[330, 600]
		],
		lanes: 60
	},
	{
		number: 6,
		zone: 'ramp-6',
		point: [89, 505],
		along: [
			[150, 557],
			[30, 454]
		],
		lanes: 30
	},
	{
		number: 7,
		zone: 'hall-7',
		point: [9, 190],
		along: [
			[0, 300],
			[12, 160]
		],
		lanes: 30
	},
	{
		number: 8,
		zone: 'ramp-8',
		point: [112, 83],
		along: [
			[45, 108.5],
			[180, 56.8]
		],
		lanes: 30
	}
];

/** Where slots are booked: three entrances to the same site, each with its gates and the court behind them. */
const places: { id: string; ar: string; en: string; numbers: number[]; inside: string; point: Point }[] = [
	{
		id: 'north',
		ar: 'المدخل الشمالي',
		en: 'North entrance',
		numbers: [8, 1, 2],
		inside: 'north-court',
		point: [450, 20]
	},
	{
		id: 'south',
		ar: 'المدخل الجنوبي',
		en: 'South entrance',
		numbers: [4, 5, 6],
		inside: 'south-court',
		point: [450, 580]
	},
	{ id: 'halls', ar: 'الأروقة', en: 'Halls', numbers: [3, 7], inside: 'core', point: [450, 300] }
];

function zone(
	id: string,
	ar: string,
	en: string,
	use: Zone['use'],
	holding: number,
	points: string,
	feeds: string[]
): Zone {
	const outline = points.split(' ').map((pair) => pair.split(',').map(Number) as Point);
	return { id, ar, en, use, holding, outline, feeds };
}

function toPosition([x, y]: Point): [number, number] {
	const metresPerDegree = (6_371_008.8 * Math.PI) / 180;
	const east = (x * metresPerUnit) / (metresPerDegree * Math.cos((origin.latitude * Math.PI) / 180));
	const north = (-y * metresPerUnit) / metresPerDegree;
	return [round(origin.longitude + east), round(origin.latitude + north)];
}

const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
const edgesOf = (outline: Point[]): [Point, Point][] =>
	outline.map((point, index) => [point, outline[(index + 1) % outline.length] ?? point]);
const lengthOf = ([[x1, y1], [x2, y2]]: [Point, Point]) => Math.hypot(x2 - x1, y2 - y1);
const totalLength = ({ edges }: Boundary) => edges.reduce((sum, edge) => sum + lengthOf(edge), 0);

function areaSquareMetres(outline: Point[]): number {
	const twice = edgesOf(outline).reduce((sum, [[x1, y1], [x2, y2]]) => sum + x1 * y2 - x2 * y1, 0);
	return Math.round((Math.abs(twice) / 2) * metresPerUnit ** 2);
}

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

/** Shares a number out by length, largest remainder first, at least two each. */
function shareOut(total: number, lengths: number[]): number[] {
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
function pointAlong(edges: [Point, Point][], share: number): Point {
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

function makeCounters(): Feature[] {
	const cameraTotal = cameras.reduce((sum, { count }) => sum + count, 0);
	const inner = boundaries();
	const shares = shareOut(counterTotal - cameraTotal - gates.length * gateCounters, inner.map(totalLength));
	const label = (number: number) => String(number).padStart(2, '0');
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
		...cameras.flatMap(({ zone: id, count, authority }) => {
			const outline = zones.find((other) => other.id === id)?.outline ?? [];
			const middle: Point = [mean(outline.map(([x]) => x)), mean(outline.map(([, y]) => y))];
			return Array.from({ length: count }, (_, index) => {
				const channel = `${id.replace('-', '_')}_${label(index + 1)}`;
				const turn = (index / count) * 2 * Math.PI;
				return counter(
					`camera-${id}-${label(index + 1)}`,
					null,
					id,
					[middle[0] + 40 * Math.cos(turn), middle[1] + 30 * Math.sin(turn)],
					{
						adapter: 'frigate',
						device: 'frigate',
						channel,
						measures: 'present',
						authority,
						peoplePerSecondMax: undefined
					}
				);
			});
		}),
		counter('recorded-door', null, 'plaza-5', [250, 600], { optional: true, periodSeconds: 60 })
	];
}

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** The whole file. Signed by a role: a demo site has no competent person. */
export function makeDemoSite(): SiteFile {
	const signed = {
		signedBy: { ar: 'الشخص المختص، الموقع التجريبي', en: 'Competent person, demo site' },
		signedOn: '2026-01-15'
	};
	const file: SiteFile = {
		type: 'FeatureCollection',
		marsad: {
			version: 1,
			site: 'demo',
			name: { ar: 'الموقع التجريبي', en: 'Demo site' },
			timeZone: 'Asia/Riyadh'
		},
		features: [
			...zones.map((entry): Feature => ({
				type: 'Feature',
				properties: {
					kind: 'zone',
					id: entry.id,
					name: { ar: entry.ar, en: entry.en },
					use: entry.use,
					capacity: {
						holding: entry.holding,
						// Everybody out in the eight minutes of the Green Guide, rounded up.
						exitPerMinute: Math.ceil(entry.holding / 8 / 50) * 50,
						...signed
					},
					areaSquareMetres: areaSquareMetres(entry.outline),
					feeds: entry.feeds,
					sourcePolicy: 'sum'
				},
				geometry: {
					type: 'Polygon',
					coordinates: [
						[...entry.outline, entry.outline[0] ?? [0, 0]].map((point) => toPosition(point as Point))
					]
				}
			})),
			...gates.map(({ number, zone: id, point, lanes }): Feature => ({
				type: 'Feature',
				properties: {
					kind: 'gate',
					id: `gate-${number}`,
					name: { ar: `بوابة ${number}`, en: `Gate ${number}` },
					lanes,
					direction: 'in',
					zone: id
				},
				geometry: { type: 'Point', coordinates: toPosition(point) }
			})),
			...places.map(({ id, ar, en, numbers, inside, point }): Feature => ({
				type: 'Feature',
				properties: {
					kind: 'place',
					id,
					name: { ar, en },
					zones: [
						...numbers.flatMap((number) => gates.find((gate) => gate.number === number)?.zone ?? []),
						inside
					],
					gates: numbers.map((number) => `gate-${number}`)
				},
				geometry: { type: 'Point', coordinates: toPosition(point) }
			})),
			...makeCounters()
		]
	};
	return JSON.parse(JSON.stringify(file)) as SiteFile;
}

/** One feature a line: a change of one counter is one line in a review. */
export function printSite(file: SiteFile): string {
	const { features, ...head } = file;
	const lines = features.map((feature) => `    ${JSON.stringify(feature)}`).join(',\n');
	return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "features": [\n${lines}\n  ]\n}\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
	writeFileSync(
		fileURLToPath(new URL('../../server/sites/demo.geojson', import.meta.url)),
		printSite(makeDemoSite())
	);
}
