import type { PersonAttributes } from '../../../../contract/index.ts';

/** What a party wishes, as it stands in the published list: slots, the best first, and by what quotas it counts. */
export interface Wishes {
	choices: readonly number[];
	attributes: PersonAttributes;
}

/** `3-1-7;PK;;family`: no comma, no line break, one spelling. */
export function writeWishes({ choices, attributes }: Wishes): string {
	const { country, provider, category } = attributes;
	return [choices.join('-'), country ?? '', provider ?? '', category ?? ''].join(';');
}

export function readWishes(text: string): Wishes {
	const [choices = '', country = '', provider = '', category = ''] = text.split(';');
	return {
		choices: choices.split('-').filter(Boolean).map(Number),
		attributes: { country: country || null, provider: provider || null, category: category || null }
	};
}
