import { Type } from 'typebox';
import { CrowdTotal, RecountRequest, Trend, Zone } from '../../../contract/index.ts';
import { AppError, preferredLanguage } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { StaffApp } from '../../platform/http/staff-app.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Recount } from './recount.ts';
import type { TrendMemory } from './trend.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 64 }) });
const TrendQuery = Type.Object(
	{ minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.zones.trendKeepMinutes })) },
	{ additionalProperties: false }
);
const ZonesAnswer = Type.Object({ zones: Type.Array(Zone), total: CrowdTotal });

/** A zone as the recount leaves it: what follows from the people follows from the new number. */
function counted(zone: Zone, present: number): Zone {
	// Density is people by area; what the area is shows only where somebody was counted.
	const density = zone.density && zone.present ? (zone.density / zone.present) * present : null;
	return { ...zone, present, occupancy: present / zone.capacity, density };
}

/** GET /api/v1/zones, one zone, trends, and the recount. */
export function zoneRoutes(
	app: StaffApp,
	deps: {
		list: (language: 'ar' | 'en') => Zone[];
		total: () => CrowdTotal;
		trend: TrendMemory;
		recount: Recount;
		record: Pick<TheRecord, 'runCommand'>;
		clock: Clock;
	}
): void {
	const find = (id: string, language: 'ar' | 'en'): Zone => {
		const zone = deps.list(language).find((other) => other.id === id);
		if (!zone) throw new AppError('no_such_zone', { zone: id });
		return zone;
	};
	const since = (minutes: number = limits.zones.trendKeepMinutes) => deps.clock.now() - minutes * 60_000;

	app.get('/api/v1/zones', { schema: { response: { 200: ZonesAnswer } } }, async (request) => ({
		zones: deps.list(preferredLanguage(request.headers['accept-language'])),
		total: deps.total()
	}));

	app.get(
		'/api/v1/zones/trend',
		{ schema: { querystring: TrendQuery, response: { 200: Trend } } },
		async (request) => deps.trend.ofAll(since(request.query.minutes))
	);

	app.get('/api/v1/zones/:id', { schema: { params: Params, response: { 200: Zone } } }, async (request) =>
		find(request.params.id, preferredLanguage(request.headers['accept-language']))
	);

	app.get(
		'/api/v1/zones/:id/trend',
		{ schema: { params: Params, querystring: TrendQuery, response: { 200: Trend } } },
		async (request) => {
			const { id } = find(request.params.id, 'en');
			return deps.trend.ofZone(id, since(request.query.minutes));
		}
	);

	app.post(
		'/api/v1/zones/:id/recount',
		{ schema: { params: Params, body: RecountRequest, response: { 200: Zone } } },
		async (request, reply) => {
			const language = preferredLanguage(request.headers['accept-language']);
			const { id } = find(request.params.id, language);
			const account = request.account!;
			const { present, reason, sure = false } = request.body;
			const { capacity } = find(id, language);
			if (present > capacity * limits.zones.recountDoubtShare && !sure)
				throw new AppError('recount_doubtful', { capacity, present });
			await deps.recount.prepare();
			await deps.record.runCommand(request, reply, account.id, async (tx) => {
				const settle = await deps.recount.write(tx, {
					zones: { [id]: present },
					actor: account.email,
					reason
				});
				return { body: counted(find(id, language), present), afterCommit: settle };
			});
			return reply;
		}
	);
}
