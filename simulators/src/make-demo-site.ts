import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { SiteFile, ZoneProperties } from '@marsad/server/contract';
import { gateCounters, label, makeCounters } from './demo-site-counters.ts';
import { areaSquareMetres, metresOf, toPosition } from './demo-site-geometry.ts';
import {
	exits,
	forecourts,
	gates,
	passages,
	places,
	releases,
	zones,
	type DemoZone
} from './demo-site-plan.ts';
import { writtenSteps } from './demo-site-steps.ts';

/**
 * Makes the demo site: thirteen zones in three rings and four forecourts before them, eight entrances and two exits,
 * 500 counters and one optional door for recorded series. Run `node simulators/src/make-demo-site.ts` after a change;
 * the file it writes is kept in the repository.
 */

type Feature = SiteFile['features'][number];

/** Signed by a role: a demo site has no competent person. */
const signed = {
	signedBy: { ar: 'الشخص المختص، الموقع التجريبي', en: 'Competent person, demo site' },
	signedOn: '2026-01-15'
};
const holdSecondsMax = 600;
const reopenSteps = 3;
const releaseWidthMetres = 8;
const underARoof = ['hall-3', 'hall-7'];
/** The demo never empties: at night a head count finds the hall as full as it rests. */
const nightlyAnchor = { zone: 'hall-7', at: '03:30', present: 2_550 };

/** The whole file. */
export function makeDemoSite(): SiteFile {
	const file: SiteFile = {
		type: 'FeatureCollection',
		marsad: {
			version: 1,
			site: 'demo',
			name: { ar: 'الموقع التجريبي', en: 'Demo site' },
			timeZone: 'Asia/Riyadh'
		},
		features: [
			...[...zones, ...forecourts].map(zoneFeature),
			...gates.map(gateFeature),
			...exits.map(exitFeature),
			...passages.map(passageFeature),
			...releases.map(releaseFeature),
			...places.map(placeFeature),
			...makeCounters()
		]
	};
	return JSON.parse(JSON.stringify(file)) as SiteFile;
}

function zoneFeature({ id, ar, en, use, holding, outline, feeds }: DemoZone): Feature {
	const steps = writtenSteps[id];
	const properties: ZoneProperties = {
		kind: 'zone',
		id,
		name: { ar, en },
		use,
		capacity: {
			holding,
			// Everybody out in the eight minutes of the Green Guide, rounded up.
			exitPerMinute: Math.ceil(holding / 8 / 50) * 50,
			...signed
		},
		areaSquareMetres: areaSquareMetres(outline),
		feeds,
		...approachOf(id),
		...(underARoof.includes(id) ? {} : { openAir: true }),
		...(nightlyAnchor.zone === id
			? { anchor: { at: nightlyAnchor.at, present: nightlyAnchor.present } }
			: {}),
		release: releaseOf(id),
		...(steps ? { steps: [...steps] } : {}),
		sourcePolicy: 'sum'
	};
	return {
		type: 'Feature',
		properties,
		geometry: {
			type: 'Polygon',
			coordinates: [[...outline, outline[0] ?? [0, 0]].map((point) => toPosition(point as [number, number]))]
		}
	};
}

/** Behind a passage people cannot be turned round; closing it takes as long as walking it twice, and a minute. */
function approachOf(zone: string): Pick<ZoneProperties, 'approach' | 'closeSeconds'> {
	const found = passages.find(({ to }) => to === zone);
	if (found) return { approach: [passageId(found)], closeSeconds: 60 + metresOf(found.way) * 2 };
	return gates.some((gate) => gate.zone === zone) ? { closeSeconds: 45 } : {};
}

/** A court leaves by its own release route, the core by all four, an outer zone by the exit that it has. */
function releaseOf(zone: string): string[] {
	if (zone === 'core') return releases.map(({ id }) => id);
	return [
		...releases.filter(({ from }) => from === zone).map(({ id }) => id),
		...exits.filter((exit) => exit.zone === zone).map(({ id }) => id)
	];
}

function gateFeature({ number, zone, outside, point, lanes }: (typeof gates)[number]): Feature {
	const name = { ar: `بوابة ${number}`, en: `Gate ${number}` };
	const counters = Array.from({ length: gateCounters }, (_, at) => `gate-${number}-${label(at + 1)}`);
	return {
		type: 'Feature',
		properties: {
			...{ kind: 'gate', id: `gate-${number}`, name, lanes, direction: 'in', zone },
			...{ outside, holdSecondsMax, reopenSteps, counters }
		},
		geometry: { type: 'Point', coordinates: toPosition(point) }
	};
}

function exitFeature({ id, ar, en, zone, point, lanes }: (typeof exits)[number]): Feature {
	return {
		type: 'Feature',
		properties: { kind: 'gate', id, name: { ar, en }, lanes, direction: 'out', zone },
		geometry: { type: 'Point', coordinates: toPosition(point) }
	};
}

function passageId({ from }: (typeof passages)[number]): string {
	return `passage-${from}`;
}

function passageFeature(passage: (typeof passages)[number]): Feature {
	const { from, to, way, widthMetres } = passage;
	const names = zones.find(({ id }) => id === from);
	return {
		type: 'Feature',
		properties: {
			...{ kind: 'corridor', id: passageId(passage), from, to },
			name: { ar: `ممر ${names?.ar}`, en: `Passage from ${names?.en}` },
			...{ lengthMetres: metresOf(way), widthMetres, stepFree: true }
		},
		geometry: { type: 'LineString', coordinates: way.map(toPosition) }
	};
}

function releaseFeature({ id, ar, en, from, to, way }: (typeof releases)[number]): Feature {
	return {
		type: 'Feature',
		properties: {
			...{ kind: 'corridor', id, name: { ar, en }, from, to },
			// Down to the level below and up again: no way for a wheelchair.
			...{ lengthMetres: metresOf(way), widthMetres: releaseWidthMetres, stepFree: false }
		},
		geometry: { type: 'LineString', coordinates: way.map(toPosition) }
	};
}

function placeFeature({ id, ar, en, numbers, inside, point }: (typeof places)[number]): Feature {
	return {
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
	};
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
