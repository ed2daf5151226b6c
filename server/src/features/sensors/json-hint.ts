import type { LocalText } from '../../../contract/index.ts';

interface Slip {
	pattern: RegExp;
	en: string;
	ar: string;
}

/** What vendors print in their own documents, each found outside of texts, with its line. */
const slips: readonly Slip[] = [
	{ pattern: /\/\/|\/\*|^\s*#/m, en: 'a comment is not JSON', ar: 'التعليق ليس من JSON' },
	{ pattern: /[“”„]/, en: 'typographic quotes are not JSON', ar: 'علامات الاقتباس المنمّقة ليست من JSON' },
	{
		pattern: /\b(NaN|Infinity|undefined|None|True|False)\b/,
		en: 'a word that is no JSON value',
		ar: 'كلمة ليست قيمة JSON'
	},
	{ pattern: /'/, en: 'single quotes are not JSON', ar: 'علامات الاقتباس المفردة ليست من JSON' },
	{ pattern: /,\s*[}\]]/, en: 'a comma before a closing bracket', ar: 'فاصلة قبل قوس الإغلاق' },
	{ pattern: /[}\]"\d]\s*\n\s*"/, en: 'a comma is missing before this line', ar: 'تنقص فاصلة قبل هذا السطر' },
	{ pattern: /}\s*{/, en: 'two messages in one', ar: 'رسالتان في واحدة' }
];

/**
 * Where a pasted text stops being JSON, in words for a person. The wire stays strict: this only explains.
 *
 * @returns null when it is JSON
 */
export function jsonHint(text: string): LocalText | null {
	const body = text.replace(/^\uFEFF/, '').slice(0, 400_000);
	const message = faultOf(body);
	if (message === null) return null;
	const bare = withoutTexts(body);
	for (const { pattern, en, ar } of slips) {
		const found = pattern.exec(bare);
		if (!found) continue;
		const line = lineOf(bare, found.index + found[0].trimEnd().length - 1);
		return { en: `line ${line}: ${en}`, ar: `السطر ${line}: ${ar}` };
	}
	const position = Number(/position (\d+)/.exec(message)?.[1] ?? NaN);
	const line = Number.isNaN(position) ? lineOf(body, body.length) : lineOf(body, position);
	return position >= 0 && position < body.length
		? { en: `line ${line}: this is not JSON`, ar: `السطر ${line}: ليس JSON` }
		: { en: `line ${line}: the text ends too early`, ar: `السطر ${line}: النص ينتهي قبل تمامه` };
}

function faultOf(body: string): string | null {
	try {
		JSON.parse(body);
		return null;
	} catch (error) {
		return error instanceof Error ? error.message : '';
	}
}

/** Texts are made blank, so that what stands inside them is no slip; positions stay. */
function withoutTexts(body: string): string {
	return body.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, (text) => `"${' '.repeat(text.length - 2)}"`);
}

const lineOf = (text: string, index: number): number => text.slice(0, Math.max(0, index)).split('\n').length;
