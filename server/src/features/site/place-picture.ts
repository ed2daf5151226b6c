import { Type } from 'typebox';
import { AppError } from '../../errors.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import { createProjection, type Point } from './geometry.ts';
import { partsOf } from './site-parts.ts';
import type { Site } from './site.ts';

const width = 320;
const margin = 12;

/**
 * A small sketch of where a place is: the zones of the site in grey, its own filled, its gates as dots. It carries no
 * text, so that it needs no language. Null for a place that the site does not have.
 */
export function drawPlace({ file, places }: Pick<Site, 'file' | 'places'>, id: string): string | null {
	const place = places.find((one) => one.id === id);
	if (!place) return null;
	const { zones, gates } = partsOf(file);
	const positions = [
		...zones.flatMap(({ geometry }) => geometry.coordinates.flat()),
		...gates.map(({ geometry }) => geometry.coordinates)
	];
	const { project, width: across, height: down } = createProjection(positions);
	const scale = (width - 2 * margin) / Math.max(across, down, 1);
	const put = (position: readonly number[]): Point => {
		const [x, y] = project(position);
		return [Math.round(margin + x * scale), Math.round(margin + y * scale)];
	};
	const outline = zones.map(({ properties, geometry }) => {
		const points = (geometry.coordinates[0] ?? []).map((position) => put(position).join(' ')).join('L');
		return `<path d="M${points}z" fill="${place.zones.includes(properties.id) ? '#0b7a4b' : '#d5d9de'}"/>`;
	});
	const doors = gates
		.filter(({ properties }) => place.gates.includes(properties.id))
		.map(({ geometry }) => {
			const [x, y] = put(geometry.coordinates);
			return `<circle cx="${x}" cy="${y}" r="5" fill="#fff" stroke="#111" stroke-width="2"/>`;
		});
	const height = Math.round(down * scale) + 2 * margin;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><g stroke="#fff">${outline.join('')}</g>${doors.join('')}</svg>`;
}

const retrySeconds = 60;
const headers = {
	'cache-control': 'public, max-age=300',
	'content-security-policy': "default-src 'none'",
	'content-type': 'image/svg+xml; charset=utf-8'
};

/** GET /places/:id/picture. Drawn once; a level may switch pictures off. */
export function pictureRoute(app: HotApp, site: Site, flags: Pick<Flags, 'isOn'>): void {
	const drawn = new Map(site.places.map(({ id }) => [id, drawPlace(site, id)]));
	app.get(
		'/places/:id/picture',
		{ schema: { params: Type.Object({ id: Type.String() }), response: { 200: Type.String() } } },
		async (request, reply) => {
			if (!flags.isOn('images')) {
				throw new AppError('feature_off', {}, Math.ceil(retrySeconds * (1 + Math.random() / 2)));
			}
			const picture = drawn.get(request.params.id);
			if (!picture) throw new AppError('not_found');
			return reply.headers(headers).send(picture);
		}
	);
}
