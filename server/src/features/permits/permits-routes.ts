import QRCode from 'qrcode';
import { Type } from 'typebox';
import { Permit, PermitCancelled } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Identity } from './identity.ts';
import { readPermitId } from './permit-id.ts';
import type { StoredPermit } from './permits-store.ts';
import type { Place } from './places.ts';

/** How the site names what stands on a permit. */
export interface SiteNames {
	timeZone: string;
	places: readonly Place[];
}

/** What the routes need of the feature. */
export interface PermitCalls {
	identity: Identity;
	/** What the site calls its places, and its time zone. */
	site: SiteNames;
	findOf(holder: string): Promise<StoredPermit | undefined>;
	/** @throws AppError `not_yours` for another person's, and for one that does not exist */
	cancel(holder: string, id: string): Promise<StoredPermit>;
}

/**
 * GET /permits/mine and POST /permits/:id/cancel. Neither asks a flag or a level: a permit can be shown and a
 * place given back whatever else is switched off.
 */
export function permitRoutes(app: HotApp, calls: PermitCalls): void {
	app.get('/permits/mine', { schema: { response: { 200: Permit } } }, async (request, reply) => {
		const { holder } = await calls.identity.identify(request);
		const permit = await calls.findOf(holder);
		if (!permit) throw new AppError('not_found');
		void reply.header('cache-control', 'no-store');
		return showPermit(permit, calls.site);
	});

	app.post(
		'/permits/:id/cancel',
		{ schema: { params: Type.Object({ id: Type.String() }), response: { 200: PermitCancelled } } },
		async (request, reply) => {
			const { holder } = await calls.identity.identify(request);
			const id = readPermitId(request.params.id);
			if (!id) throw new AppError('not_yours');
			const permit = await calls.cancel(holder, id);
			void reply.header('cache-control', 'no-store');
			return { ok: true as const, permit: permit.id, state: 'cancelled' as const };
		}
	);
}

async function showPermit(permit: StoredPermit, site: SiteNames): Promise<Permit> {
	const { id, slot, place, startsAt, endsAt, party, state, issuedAt } = permit;
	const qr = await QRCode.toString(id, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
	const placeName = site.places.find((known) => known.id === place)?.name;
	return {
		id,
		slot,
		place,
		startsAt,
		endsAt,
		party,
		state,
		issuedAt,
		timeZone: site.timeZone,
		...(placeName ? { placeName } : {}),
		qr
	};
}
