import { Type } from 'typebox';
import { Permit, PermitCancelled, type Mark, type PermitOffer } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import type { Identity } from './identity.ts';
import { drawQr } from './permit-qr.ts';
import { permitPage, permitPagePolicy } from './permit-page.ts';
import { choosePermitLanguage, describePermit } from './permit-words.ts';
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
	/** Stands on what is printed, too. */
	mark: Mark;
	findOf(holder: string): Promise<StoredPermit | undefined>;
	/** @throws AppError `not_yours` for another person's, and for one that does not exist */
	cancel(holder: string, id: string): Promise<StoredPermit>;
	/** What its holder is offered because its slot shrinks; null for nothing. */
	offerOf(permit: StoredPermit): Promise<PermitOffer | null>;
	/** `P1:…`; null while it cannot be signed. */
	textOf(permit: StoredPermit): Promise<string | null>;
}

const Nothing = Type.Null({ description: 'No valid permit.' });

/**
 * GET /permits/mine, its printable page, and POST /permits/:id/cancel. None asks a flag or a level: a permit can be shown and a
 * place given back whatever else is switched off.
 */
export function permitRoutes(app: HotApp, calls: PermitCalls): void {
	app.get(
		'/permits/mine',
		{ schema: { response: { 200: Permit, 204: Nothing } } },
		async (request, reply) => {
			const { holder } = await calls.identity.identify(request);
			const permit = await calls.findOf(holder);
			void reply.header('cache-control', 'no-store');
			// Nothing booked is no fault: every page asks this.
			if (!permit) return reply.code(204).send(null);
			const offer = await calls.offerOf(permit);
			const shown = await showPermit(permit, calls.site, await calls.textOf(permit));
			return offer ? { ...shown, offer } : shown;
		}
	);

	app.get('/permits/mine/print', async (request, reply) => {
		const { holder } = await calls.identity.identify(request);
		const permit = await calls.findOf(holder);
		const text = permit && (await calls.textOf(permit));
		if (!permit) throw new AppError('not_found');
		if (!text) throw new AppError('not_ready');
		const { lang } = request.query as { lang?: unknown };
		const language = choosePermitLanguage(lang, request.headers['accept-language']);
		return reply
			.header('cache-control', 'no-store')
			.header('content-security-policy', permitPagePolicy)
			.header('x-content-type-options', 'nosniff')
			.header('referrer-policy', 'no-referrer')
			.type('text/html; charset=utf-8')
			.send(await permitPage(permit, text, calls.site, language, calls.mark));
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

async function showPermit(permit: StoredPermit, site: SiteNames, text: string | null): Promise<Permit> {
	const { id, slot, place, startsAt, endsAt, party, state, issuedAt } = permit;
	const placeName = site.places.find((known) => known.id === place)?.name;
	return {
		...{ id, slot, place, startsAt, endsAt, party, issuedAt },
		state: state === 'valid' ? 'valid' : 'cancelled',
		timeZone: site.timeZone,
		...(placeName ? { placeName } : {}),
		...(text === null ? {} : { text }),
		qr: await drawQr(text ?? id, 'M'),
		words: describePermit(permit, site)
	};
}
