import type { ZoneProperties } from '@marsad/server/contract';
import type { Point } from './demo-site-geometry.ts';

/** A zone of the demo as it is drawn by hand; the rest of it is worked out. */
export interface DemoZone {
	id: string;
	ar: string;
	en: string;
	use: ZoneProperties['use'];
	holding: number;
	outline: Point[];
	feeds: string[];
}

/** An entrance, its line of counters, and where people stand before it. */
export interface DemoGate {
	number: number;
	zone: string;
	outside: string;
	point: Point;
	along: [Point, Point];
	lanes: number;
}

/** Thirteen zones in three rings, from outside to inside. */
export const zones: readonly DemoZone[] = [
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

/** Where the crowd waits before the gates. Cameras know it: its outer side is open and cannot be counted. */
export const forecourts: readonly DemoZone[] = [
	zone(
		'forecourt-north',
		'الساحة الخارجية الشمالية',
		'North forecourt',
		'queue',
		8_000,
		'15,120 250,30 650,30 885,120 930,80 690,-45 210,-45 -30,80',
		['ramp-8', 'plaza-1', 'ramp-2']
	),
	zone(
		'forecourt-east',
		'الساحة الخارجية الشرقية',
		'East forecourt',
		'queue',
		4_000,
		'885,120 930,80 1010,110 1010,430 960,450 910,420',
		['hall-3']
	),
	zone(
		'forecourt-south',
		'الساحة الخارجية الجنوبية',
		'South forecourt',
		'queue',
		8_000,
		'805,510 700,600 200,600 95,510 40,545 180,675 720,675 860,545',
		['ramp-4', 'plaza-5', 'ramp-6']
	),
	zone(
		'forecourt-west',
		'الساحة الخارجية الغربية',
		'West forecourt',
		'queue',
		4_000,
		'15,120 -30,80 -110,110 -110,430 -60,450 -10,420',
		['hall-7']
	)
];

/** Eight entrances, one into each zone of the outer ring. */
export const gates: readonly DemoGate[] = [
	gate(1, 'plaza-1', 'north', 60, '450,30 330,30 570,30'),
	gate(2, 'ramp-2', 'north', 30, '788,83 720,56.8 855,108.5'),
	gate(3, 'hall-3', 'east', 30, '891,190 888,160 900,300'),
	gate(4, 'ramp-4', 'south', 30, '811,505 870,454 750,557'),
	gate(5, 'plaza-5', 'south', 60, '450,600 570,600 330,600'),
	gate(6, 'ramp-6', 'south', 30, '89,505 150,557 30,454'),
	gate(7, 'hall-7', 'west', 30, '9,190 0,300 12,160'),
	gate(8, 'ramp-8', 'north', 30, '112,83 45,108.5 180,56.8')
];

/** Ways out that are never closed. */
export const exits: readonly {
	id: string;
	ar: string;
	en: string;
	zone: string;
	point: Point;
	lanes: number;
}[] = [
	{ id: 'exit-north', ar: 'المخرج الشمالي', en: 'North exit', zone: 'plaza-1', point: [615, 30], lanes: 40 },
	{ id: 'exit-south', ar: 'المخرج الجنوبي', en: 'South exit', zone: 'plaza-5', point: [285, 600], lanes: 40 }
];

/** Passages on which nothing turns people round any more, from the outer ring to the court behind it. */
export const passages: readonly { from: string; to: string; way: [Point, Point]; widthMetres: number }[] = [
	passage('plaza-1', 'north-court', 18, '450,60 450,170'),
	passage('hall-3', 'east-court', 12, '860,270 740,290'),
	passage('plaza-5', 'south-court', 18, '450,570 450,460'),
	passage('hall-7', 'west-court', 12, '40,270 160,290')
];

/** Release routes under the rings, from a court straight to a forecourt: kept free from the first step on. */
export const releases: readonly {
	id: string;
	ar: string;
	en: string;
	from: string;
	to: string;
	way: [Point, Point];
}[] = [
	release('north', 'الشمالي', 'North', '400,190 400,0'),
	release('east', 'الشرقي', 'East', '700,330 985,330'),
	release('south', 'الجنوبي', 'South', '500,440 500,635'),
	release('west', 'الغربي', 'West', '200,330 -85,330')
];

/** Where slots are booked: three entrances to the same site, each with its gates and the court behind them. */
export const places: {
	id: string;
	ar: string;
	en: string;
	numbers: number[];
	inside: string;
	point: Point;
}[] = [
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
	use: DemoZone['use'],
	holding: number,
	points: string,
	feeds: string[]
): DemoZone {
	return { id, ar, en, use, holding, outline: readPoints(points), feeds };
}

function gate(number: number, zone: string, side: string, lanes: number, points: string): DemoGate {
	const [point, start, end] = readPoints(points) as [Point, Point, Point];
	return { number, zone, outside: `forecourt-${side}`, point, along: [start, end], lanes };
}

function passage(from: string, to: string, widthMetres: number, points: string) {
	return { from, to, way: readPoints(points) as [Point, Point], widthMetres };
}

function release(side: string, ar: string, en: string, points: string) {
	return {
		id: `release-${side}`,
		ar: `مسار الإخلاء ${ar}`,
		en: `${en} release route`,
		from: `${side}-court`,
		to: `forecourt-${side}`,
		way: readPoints(points) as [Point, Point]
	};
}

function readPoints(points: string): Point[] {
	return points.split(' ').map((pair) => pair.split(',').map(Number) as Point);
}
