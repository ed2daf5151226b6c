import type { NumberedPlace } from '../../../contract/permit/index.ts';
import { limits } from '../../limits.ts';
import type { Name, Numbered } from './numbers-store.ts';
import type { Place } from './places.ts';

/** The names that a site's permits need numbers for. */
export function namesOf(places: readonly Place[]): Name[] {
	return places.flatMap(({ id, gates }) => [
		{ kind: 'place' as const, place: '', name: id },
		...(gates ?? [])
			.slice(0, limits.permits.gatesOfPlaceMax)
			.map((gate) => ({ kind: 'gate' as const, place: id, name: gate.id }))
	]);
}

/** The number of a name, or undefined. */
export function findNumber(
	numbers: readonly Numbered[],
	kind: Numbered['kind'],
	name: string
): number | undefined {
	return numbers.find((one) => one.kind === kind && one.name === name)?.number;
}

/** What the revocation list says of places and categories. Gates stand in the order of their bits. */
export function describeNumbers(numbers: readonly Numbered[]): {
	places: NumberedPlace[];
	categories: { number: number; id: string }[];
} {
	const gatesOf = Map.groupBy(
		numbers.filter(({ kind }) => kind === 'gate'),
		({ place }) => place
	);
	return {
		places: numbers
			.filter(({ kind }) => kind === 'place')
			.map(({ number, name }) => ({
				...{ number, id: name },
				gates: (gatesOf.get(name) ?? [])
					.filter((gate) => gate.number < limits.permits.gatesOfPlaceMax)
					.toSorted((a, b) => a.number - b.number)
					.map((gate) => gate.name)
			})),
		categories: numbers
			.filter(({ kind }) => kind === 'category')
			.map(({ number, name }) => ({ number, id: name }))
	};
}
