import type { DispatchPlace, PlaceRequest } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Site } from '../site/index.ts';

export { refuseOld } from '../../refuse-old.ts';

/** Seven digits, with or without signs between them, in Latin or Arabic digits: a telephone or an identity number. */
const longNumber = /(?:[0-9٠-٩۰-۹][\s().+-]*){7,}/;
const address = /\S@\S/;

/**
 * Refuses a text that looks as if it named a person.
 * @throws AppError personal_data
 */
export function refusePersonal(field: string, text: string | null | undefined): void {
	if (text && (longNumber.test(text) || address.test(text))) throw new AppError('personal_data', { field });
}

/** @throws AppError no_such_place */
export function findPlace(site: Site, request: PlaceRequest): DispatchPlace {
	const gate = request.gate === undefined ? null : site.gates.find(({ id }) => id === request.gate);
	const zone = site.zones.get(request.zone ?? gate?.zone ?? '');
	if (gate === undefined || !zone) throw new AppError('no_such_place', { ...request });
	refusePersonal('place/spot', request.spot);
	return {
		zone: zone.id,
		names: gate ? gate.name : zone.names,
		gate: gate?.id ?? null,
		spot: request.spot?.trim() || null
	};
}
