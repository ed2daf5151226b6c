import type { SiteFile } from '../../../contract/index.ts';

/**
 * The smallest site with every kind of part, for tests: outside ─door-1→ hall ─door-2→ court, and a yard that two
 * cameras watch. `tally` is an optional door.
 */
export function smallSite(): SiteFile {
	const capacity = { holding: 500, signedBy: 'Competent person, test site', signedOn: '2026-01-15' };
	const square = (east: number) => ({
		type: 'Polygon' as const,
		coordinates: [
			[
				[east, 24.9],
				[east + 0.001, 24.9],
				[east + 0.001, 24.899],
				[east, 24.899],
				[east, 24.9]
			]
		]
	});
	const point = { type: 'Point' as const, coordinates: [46.3005, 24.8995] };
	const zone = (id: string, ar: string, en: string, east: number, feeds: string[]) => ({
		type: 'Feature' as const,
		properties: {
			kind: 'zone' as const,
			id,
			name: { ar, en },
			use: 'open' as const,
			capacity,
			areaSquareMetres: 1_000,
			feeds
		},
		geometry: square(east)
	});
	const door = (id: string, from: string | null, to: string, more: { optional?: boolean } = {}) => ({
		type: 'Feature' as const,
		properties: {
			kind: 'counter' as const,
			id,
			adapter: 'own' as const,
			device: id,
			measures: 'crossing' as const,
			from,
			to,
			periodSeconds: 5,
			authority: true,
			peoplePerSecondMax: 10,
			...more
		},
		geometry: point
	});
	const camera = (id: string, channel: string) => ({
		type: 'Feature' as const,
		properties: {
			kind: 'counter' as const,
			id,
			adapter: 'frigate' as const,
			device: 'frigate',
			channel,
			measures: 'present' as const,
			from: null,
			to: 'yard',
			periodSeconds: 5,
			authority: id === 'camera-1'
		},
		geometry: point
	});
	return {
		type: 'FeatureCollection',
		marsad: {
			version: 1,
			site: 'test',
			name: { ar: 'موقع الاختبار', en: 'Test site' },
			timeZone: 'Asia/Riyadh'
		},
		features: [
			zone('hall', 'الرواق', 'Hall', 46.3, ['court']),
			zone('court', 'الصحن', 'Court', 46.301, []),
			zone('yard', 'الفناء', 'Yard', 46.302, []),
			{
				type: 'Feature',
				properties: {
					kind: 'gate',
					id: 'gate-1',
					name: { ar: 'بوابة 1', en: 'Gate 1' },
					lanes: 4,
					direction: 'in',
					zone: 'hall'
				},
				geometry: point
			},
			{
				type: 'Feature',
				properties: { kind: 'corridor', id: 'passage', from: 'hall', to: 'yard' },
				geometry: {
					type: 'LineString',
					coordinates: [
						[46.3005, 24.8995],
						[46.3025, 24.8995]
					]
				}
			},
			door('door-1', null, 'hall'),
			door('door-2', 'hall', 'court'),
			door('tally', null, 'hall', { optional: true }),
			camera('camera-1', 'yard_1'),
			camera('camera-2', 'yard_2'),
			{
				type: 'Feature',
				properties: {
					kind: 'place',
					id: 'whole',
					name: { ar: 'الموقع', en: 'The site' },
					zones: ['hall', 'court', 'yard'],
					gates: ['gate-1']
				},
				geometry: point
			}
		]
	};
}
