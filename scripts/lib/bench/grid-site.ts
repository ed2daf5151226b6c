import type { SiteFile } from '../../../server/contract/index.ts';

type Feature = SiteFile['features'][number];

/** Size of a zone in degrees: 60 to 70 m. */
const side = 0.0006;
const origin = { east: 46.3, north: 24.9 };
const signed = {
	signedBy: { ar: 'الشخص المختص، موقع القياس', en: 'Competent person, site of the benchmark' },
	signedOn: '2026-01-15'
};
const periodSeconds = 5;

/**
 * A site of any size for measurements: zones in rows, a counted door between each two neighbours, doors from outside
 * along the first row, and cameras in zones until there are as many counters as asked for.
 * @throws Error when so few counters do not make all doors
 */
export function makeGridSite(size: { columns: number; rows: number; counters: number }): SiteFile {
	const { columns, rows } = size;
	const cells = Array.from({ length: columns * rows }, (_, at) => ({
		...{ at, column: at % columns, row: Math.floor(at / columns), id: `zone-${at + 1}` }
	}));
	const idAt = (column: number, row: number) => cells[row * columns + column]?.id ?? null;
	const doors = cells.flatMap(({ column, row, id }) => [
		...(row === 0 ? [door(`${id}-in`, null, id, [column + 0.5, row])] : []),
		...(column + 1 < columns ? [door(`${id}-east`, id, idAt(column + 1, row), [column + 1, row + 0.5])] : []),
		...(row + 1 < rows ? [door(`${id}-south`, id, idAt(column, row + 1), [column + 0.5, row + 1])] : [])
	]);
	const cameras = size.counters - doors.length;
	if (cameras < 0) throw new Error(`a site of ${columns} × ${rows} zones needs ${doors.length} counters`);
	return {
		type: 'FeatureCollection',
		marsad: {
			...{ version: 1, site: 'grid', name: { ar: 'موقع القياس', en: 'Site of the benchmark' } },
			timeZone: 'Asia/Riyadh'
		},
		features: [
			...cells.map(({ at, column, row, id }) => zone(at, id, [column, row], idAt(column + 1, row))),
			...doors,
			...Array.from({ length: cameras }, (_, at) => {
				const { id, column, row } = cells[(at * 7) % cells.length]!;
				const name = `${id}-camera-${Math.floor(at / cells.length) + 1}`;
				return counter(name, { measures: 'present', from: null, to: id }, [column + 0.5, row + 0.5]);
			})
		]
	};
}

const positionOf = ([column, row]: readonly [number, number]) => [
	Number((origin.east + column * side).toFixed(7)),
	Number((origin.north - row * side).toFixed(7))
];

function zone(at: number, id: string, [column, row]: [number, number], feeds: string | null): Feature {
	const corners = [
		[column, row],
		[column + 1, row],
		[column + 1, row + 1],
		[column, row + 1],
		[column, row]
	] as const;
	return {
		type: 'Feature',
		properties: {
			...{ kind: 'zone', id, name: { ar: `منطقة ${at + 1}`, en: `Zone ${at + 1}` }, use: 'open' },
			capacity: { holding: 1_000 + (at % 5) * 500, exitPerMinute: 500, ...signed },
			...{ areaSquareMetres: 4_000, feeds: feeds === null ? [] : [feeds], openAir: true }
		},
		geometry: { type: 'Polygon', coordinates: [corners.map(positionOf)] }
	};
}

function door(id: string, from: string | null, to: string | null, point: [number, number]): Feature {
	return counter(id, { measures: 'crossing', from, to, peoplePerSecondMax: 12 }, point);
}

function counter(
	id: string,
	says: {
		measures: 'crossing' | 'present';
		from: string | null;
		to: string | null;
		peoplePerSecondMax?: number;
	},
	point: [number, number]
): Feature {
	return {
		type: 'Feature',
		properties: { kind: 'counter', id, adapter: 'own', device: id, ...says, periodSeconds, authority: true },
		geometry: { type: 'Point', coordinates: positionOf(point) }
	};
}
