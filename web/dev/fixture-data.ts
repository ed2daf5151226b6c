import { readFileSync } from 'node:fs';
import { type SitePlan, type SpikeNow, type Trend, type Zone } from '@marsad/server/contract';
import { sampleSpike, sampleTotal, sampleZone } from './samples.ts';

/** Plausible figures of one storm, to look at the screens without the server. For development only. */

interface Feature {
	properties: {
		kind: string;
		id: string;
		name: { ar: string; en: string };
		capacity?: { holding: number; signedBy: { ar: string; en: string }; signedOn: string };
		use?: string;
		feeds?: string[];
		zone?: string;
		lanes?: number;
		direction?: string;
	};
	geometry: { coordinates: unknown };
}

const file = JSON.parse(
	readFileSync(new URL('../../server/sites/demo.geojson', import.meta.url), 'utf8')
) as { features: Feature[] };
const zonesOfSite = file.features.filter((each) => each.properties.kind === 'zone');
const metres = (lon: number, lat: number): [number, number] => [
	Math.round((lon - 46.300111) * 111_320 * Math.cos((24.9 * Math.PI) / 180)),
	Math.round((24.8998921 - lat) * 111_320)
];

export function planOfDemo(): SitePlan {
	const zones = zonesOfSite.map(({ properties, geometry }) => {
		const ring = (geometry.coordinates as [number, number][][])[0]!.map(([lon, lat]) => metres(lon, lat));
		return {
			id: properties.id,
			names: properties.name,
			capacity: properties.capacity!.holding,
			use: properties.use!,
			rings: [ring],
			label: centroid(ring),
			feeds: properties.feeds ?? [],
			steps: [...steps].reverse().map(([percent, action]) => ({
				percent,
				action,
				who: { ar: 'مشرف الحشود', en: 'Crowd controller' },
				asks: ({ 60: 'watch', 75: 'meter', 85: 'divert', 95: 'hold' } as const)[percent] ?? 'watch',
				...(percent === 85 ? { density: 3.5, timeToCapacitySeconds: 600 } : {})
			})),
			signedBy: properties.capacity!.signedBy,
			signedOn: properties.capacity!.signedOn,
			areaSquareMetres: 1_000,
			openAir: properties.id.startsWith('plaza'),
			approach: [],
			release: ['ramp-4']
		};
	});
	const all = zones.flatMap((zone) => zone.rings[0]!);
	return {
		site: 'demo',
		name: { ar: 'الموقع التجريبي', en: 'Demo site' },
		timeZone: 'Asia/Riyadh',
		zones,
		gates: file.features
			.filter((each) => each.properties.kind === 'gate')
			.map(({ properties, geometry }) => ({
				id: properties.id,
				names: properties.name,
				direction: properties.direction!,
				zone: properties.zone!,
				lanes: properties.lanes!,
				outside: null,
				point: metres(...(geometry.coordinates as [number, number]))
			})),
		corridors: [],
		counters: [],
		places: [],
		bounds: { width: Math.max(...all.map((p) => p[0])), height: Math.max(...all.map((p) => p[1])) }
	};
}

function centroid(ring: readonly [number, number][]): [number, number] {
	let [x, y, twice] = [0, 0, 0];
	for (let i = 0; i + 1 < ring.length; i += 1) {
		const [[x1, y1], [x2, y2]] = [ring[i]!, ring[i + 1]!];
		const cross = x1 * y2 - x2 * y1;
		twice += cross;
		x += (x1 + x2) * cross;
		y += (y1 + y2) * cross;
	}
	return [x / (3 * twice), y / (3 * twice)];
}

const shares: Record<string, number> = {
	'plaza-1': 0.41,
	'ramp-2': 0.36,
	'hall-3': 0.58,
	'ramp-4': 0.77,
	'plaza-5': 0.87,
	'ramp-6': 0.44,
	'hall-7': 0.39,
	'ramp-8': 0.33,
	'north-court': 0.62,
	'east-court': 0.61,
	'south-court': 0.66,
	'west-court': 0.52,
	core: 0.7
};

const steps: readonly [60 | 75 | 85 | 95, { ar: string; en: string }][] = [
	[95, { ar: 'إيقاف التفويج، توجيه فريق', en: 'Hold the feed, dispatch a team' }],
	[85, { ar: 'تحويل القادمين، فريق احتياط جاهز', en: 'Divert, team on stand-by' }],
	[75, { ar: 'إدخال على دفعات من المنطقة المغذّية', en: 'Meter the feed' }],
	[60, { ar: 'راقب المنطقة', en: 'Watch the zone' }]
];

export type Scene = 'storm' | 'calm' | 'critical' | 'stale' | 'silent' | 'drift' | 'evacuation';

export function zonesNow(now: number, scene: Scene): Zone[] {
	return zonesOfSite.map(({ properties: { id, name, capacity } }) => {
		const wobble = Math.sin(now / 9_000 + id.length) * 0.008;
		const base =
			scene === 'calm'
				? Math.min(0.55, shares[id]! * 0.6)
				: scene === 'critical' && id === 'plaza-5'
					? 0.97
					: shares[id]!;
		const occupancy = scene === 'drift' && (id === 'west-court' || id === 'hall-3') ? 0 : base + wobble;
		const holding = capacity!.holding;
		const isSilentToo = scene === 'silent' && !['plaza-1', 'ramp-2', 'hall-7', 'core'].includes(id);
		const isDrift = scene === 'drift' && (id === 'west-court' || id === 'hall-3');
		const isUnknown = (id === 'north-court' && scene !== 'calm') || isSilentToo;
		const isStale = scene === 'stale' && id === 'hall-7';
		const percent = steps.find(([each]) => occupancy * 100 >= each);
		const present = Math.round(occupancy * holding);
		return sampleZone({
			id,
			name: name.en,
			names: name,
			present: isUnknown ? null : present,
			capacity: holding,
			occupancy: isUnknown ? null : occupancy,
			density: isUnknown ? null : occupancy * 1.3,
			quality: isUnknown
				? 'unknown'
				: isStale
					? 'stale'
					: id === 'ramp-6' && scene !== 'calm'
						? 'partial'
						: 'live',
			mark: 'simulated',
			at: isUnknown ? now - 245_000 : isStale ? now - 32_000 : now - 1_500,
			ageSeconds: 1.5,
			sources: isUnknown
				? { heard: 0, expected: 30 }
				: id === 'ramp-6' && scene !== 'calm'
					? { heard: 28, expected: 31 }
					: { heard: 38, expected: 38 },
			step: isUnknown
				? { percent: 75, action: steps[2]![1], why: 'blind' as const }
				: percent
					? { percent: percent[0], action: percent[1], why: 'occupancy' as const }
					: null,
			timeToCapacity:
				id === 'plaza-5' && scene !== 'calm'
					? { fromSeconds: 560, toSeconds: 850, since: now - 10_000 }
					: null,
			netInflowPerMinute: id === 'plaza-5' ? 92.4 : Math.round(wobble * 2_000),
			lastKnown: {
				present: isUnknown ? Math.round(0.62 * holding) : present,
				at: isUnknown ? now - 245_000 : now - 1_500
			},
			drift: isDrift,
			...depthsOf(id, holding, now, isUnknown, isStale),
			worstCase: isUnknown ? { low: Math.round(0.61 * holding), high: Math.round(0.74 * holding) } : null
		});
	});
}

/** What stands a click deeper: hold point, feeders, a disagreement, hints, heat. */
function depthsOf(
	id: string,
	holding: number,
	now: number,
	isUnknown: boolean,
	isStale: boolean
): Partial<Zone> {
	const signed = { ar: 'الشخص المختص، الموقع التجريبي', en: 'Competent person, demo site' };
	return {
		binding: { which: 'exit', people: holding, signedBy: signed, signedOn: '2026-01-15' },
		upstream: id === 'plaza-5' ? ['south-court', 'ramp-4', 'ramp-6'] : ['core'],
		holdPoint: {
			people: Math.round(holding * (id === 'plaza-5' ? 0.84 : 0.9)),
			committed: isUnknown ? null : 410,
			reached: id === 'plaza-5'
		},
		levelOfService: isUnknown ? null : id === 'plaza-5' ? 'E' : 'C',
		flowPerMinute: isUnknown ? null : { in: 310, out: 218 },
		movement: isUnknown ? null : id === 'ramp-4' ? 'jammed' : 'moving',
		disagreement: id === 'hall-3' ? { camera: 3_140, doors: 2_020 } : null,
		error: id === 'plaza-5' ? 0.021 : null,
		anchor: { at: now - 9 * 3_600_000, present: 0, by: 'nightly' },
		heat: id.startsWith('plaza') ? { wbgtCelsius: 31.4, at: now - 40_000 } : null,
		assumedFullAt: isStale ? now - 30_000 : null,
		hints:
			id === 'hall-3'
				? [{ counter: 'hall-3-c2', kind: 'direction-suspect', since: now - 3_000_000 }]
				: id === 'plaza-5'
					? [{ counter: 'plaza-5-c4', kind: 'held', since: now - 90_000 }]
					: []
	};
}

export function totalNow(now: number, zones: readonly Zone[]) {
	return sampleTotal({
		present: zones.reduce((sum, zone) => sum + (zone.present ?? 0), 0),
		capacity: zones.reduce((sum, zone) => sum + zone.capacity, 0),
		missing: zones.filter((zone) => zone.quality === 'unknown').map((zone) => zone.id),
		drift: zones.filter((zone) => zone.drift).map((zone) => zone.id),
		sources: {
			heard: zones.reduce((sum, zone) => sum + zone.sources.heard, 0),
			expected: zones.reduce((sum, zone) => sum + zone.sources.expected, 0)
		},
		at: now,
		quality: zones.some((zone) => zone.quality !== 'live') ? 'partial' : 'live',
		mark: 'simulated'
	});
}

/** One second of the storm: an opening 14 minutes ago, more joining than may book since. */
export function spikeAt(now: number, startedAt: number, scene: Scene, level: number): SpikeNow {
	const noise = Math.sin(now / 3_100) + Math.sin(now / 1_700);
	const minutes = (now - startedAt) / 60_000;
	const isStorm = scene !== 'calm' && minutes > 16;
	const joined = isStorm ? 345 + noise * 4 : 92 + noise * 3;
	const rate = isStorm ? 250 : 250;
	const depth = isStorm ? Math.round((minutes - 16) * 60 * 95) : 0;
	const ratio = isStorm ? (minutes > 27.9 ? 0.91 : 1) + noise * 0.006 : 1 + noise * 0.002;
	const provenance = { at: now, quality: 'live', mark: 'simulated' } as const;
	const base = sampleSpike({ at: now, level, mark: 'simulated' });
	return {
		...base,
		room: {
			...base.room,
			...provenance,
			joinedPerSecond: joined,
			admittedPerSecond: Math.min(joined, rate),
			joined: Math.round(joined * 60),
			admitted: Math.round(Math.min(joined, rate) * 60),
			ratio: Math.min(joined, rate) / joined,
			depth,
			active: 1_930,
			oldestSeconds: depth > 0 ? depth / rate : null,
			emptiesAt:
				depth > 0 ? [Math.round(now + (depth / rate) * 900), Math.round(now + (depth / rate) * 1_250)] : null
		},
		work: {
			offered: 15_600,
			served: Math.round(15_600 * ratio),
			ratio,
			belowOneSeconds: ratio < 0.98 ? Math.round((minutes - 27.9) * 60) : 0,
			...provenance
		},
		booking: {
			p50Ms: 180,
			p95Ms: isStorm ? 640 + noise * 20 : 210,
			p99Ms: 1_100,
			count: 15_000,
			...provenance
		},
		outcomes: {
			...base.outcomes,
			...provenance,
			booked: 14_120,
			repeated: 31,
			slotFull: 212,
			alreadyBooked: 9,
			noPass: 4,
			notEligible: 57,
			busy: isStorm ? 640 : 0
		},
		pool: {
			inUse: isStorm ? 9 : 2,
			size: 10,
			waitingForOne: isStorm ? 14 : 0,
			waitP95Ms: isStorm ? 38 : 1,
			...provenance
		},
		rate: {
			...base.rate,
			...provenance,
			perSecond: rate,
			narrowestPerSecond: 312,
			limitedBy: isStorm ? 'narrowest-part' : 'manager',
			measured: scene !== 'stale'
		},
		process: {
			eventLoopP99Ms: 21,
			sockets: 6,
			reconnectsPerSecond: 0.1,
			pollsPerSecond: 412,
			memoryMb: 236,
			...provenance
		},
		dependencies: [
			{ name: 'database', state: 'up', breaker: null, detail: null, at: now - 400 },
			{ name: 'broker', state: 'up', breaker: null, detail: null, at: now - 900 },
			{
				name: 'eligibility',
				state: scene === 'critical' ? 'slow' : 'up',
				breaker: scene === 'critical' ? 'open' : 'closed',
				detail: null,
				at: now - 300
			}
		],
		queues: [
			{ name: 'booking', depth: isStorm ? 214 : 1, oldestSeconds: 0.8, drainPerSecond: 236 },
			{ name: 'readings', depth: 12, oldestSeconds: 0.2, drainPerSecond: 101 }
		]
	};
}

export function trendUntil(now: number, startedAt: number, scene: Scene): Trend {
	const stepSeconds = 5;
	const at: number[] = [];
	for (let time = Math.max(startedAt, now - 3_600_000); time <= now; time += stepSeconds * 1_000)
		at.push(time);
	const rows = at.map((time) => spikeAt(time, startedAt, scene, 1));
	return {
		stepSeconds,
		at,
		series: {
			joinedPerSecond: rows.map((row) => row.room.joinedPerSecond),
			admittedPerSecond: rows.map((row) => row.room.admittedPerSecond),
			depth: rows.map((row) => row.room.depth),
			workRatio: rows.map((row) => row.work.ratio),
			roomRatio: rows.map((row) => row.room.ratio),
			p95Ms: rows.map((row) => row.booking.p95Ms),
			ratePerSecond: rows.map((row) => row.rate.perSecond),
			servedPerSecond: rows.map((row) => row.work.served / 60),
			offeredPerSecond: rows.map((row) => row.work.offered / 60),
			level: rows.map(() => 1)
		}
	};
}

export function zoneTrend(id: string, now: number, scene: Scene): Trend {
	const at: number[] = [];
	for (let time = now - 3_600_000; time <= now; time += 15_000) at.push(time);
	const rows = at.map((time) => zonesNow(time, scene).find((zone) => zone.id === id)!);
	const climb = (i: number) => (id === 'plaza-5' ? (i / at.length) * 0.3 + 0.7 : 1);
	const isHidden = (time: number) => id === 'north-court' && now - time < 245_000;
	return {
		stepSeconds: 15,
		at,
		series: {
			present: rows.map((row, i) =>
				isHidden(at[i]!) ? null : Math.round((row.present ?? row.lastKnown!.present) * climb(i))
			),
			occupancy: rows.map((row, i) => (isHidden(at[i]!) ? null : (row.occupancy ?? 0.62) * climb(i)))
		}
	};
}
