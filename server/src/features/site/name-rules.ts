import { tidyText, type SiteFile } from '../../../contract/index.ts';
import { fault, type Finding } from './finding.ts';

/** Keys of a site file whose texts people read, in one language or in both. */
const shown: ReadonlySet<string> = new Set(['name', 'action', 'who', 'signedBy', 'ar', 'en']);

/** Names and texts that would mirror or hide what stands around them on a screen or a sheet. */
export function textFaults(file: SiteFile): Finding[] {
	const parts: readonly { who: string; wer: string; value: object }[] = [
		{ who: 'The site', wer: 'الموقع', value: file.marsad },
		...file.features.map(({ properties }) => ({
			who: `The ${properties.kind} "${properties.id}"`,
			wer: `العنصر "${properties.id}"`,
			value: properties
		}))
	];
	return parts.flatMap(({ who, wer, value }) => {
		const bad = strayTexts(value)[0];
		if (bad === undefined) return [];
		return [
			fault(
				`${who} has a text that is blank, or holds marks nobody sees that turn or hide it: ${escaped(bad)}. Type it anew.`,
				`${wer} فيه نص فارغ أو فيه علامات لا تُرى تقلب اتجاهه أو تخفيه: ${escaped(bad)}. اكتبه من جديد.`
			)
		];
	});
}

function strayTexts(value: object): string[] {
	return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
		if (typeof item === 'object' && item !== null) return strayTexts(item);
		if (typeof item !== 'string' || !shown.has(key)) return [];
		const tidy = tidyText(item);
		return tidy === '' || tidy !== item.trim() ? [item] : [];
	});
}

/** What nobody sees, as its number. */
const escaped = (text: string) =>
	JSON.stringify(text).replace(
		/[\p{Cf}\p{Cc}]/gu,
		(mark) => `<U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`
	);
