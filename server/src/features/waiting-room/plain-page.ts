import { escapeHtml } from '../../platform/escape-html.ts';
import type { PlainLanguage, PlainTexts } from './plain-texts.ts';

/** What one plain page says, and what can be pressed on it. */
export interface PlainView {
	heading: string;
	lines: readonly string[];
	/** A place is kept: it can be looked at and given up; else one can be taken. */
	hasPlace: boolean;
}

const partyMax = 10;

/** Policy of the plain pages: nothing is loaded, nothing runs, forms come back here. */
export const plainPolicy =
	"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const style =
	':root{color-scheme:light dark}body{max-width:34rem;margin:0 auto;padding:1.5rem;font:1.125rem/1.5 system-ui,sans-serif}' +
	'button,select{font:inherit;min-height:3rem;padding:.5rem 1rem}button{width:100%;margin-top:1rem}label{display:block}' +
	'a{display:inline-block;min-height:44px}';

/** A whole page without script, picture or timer. Everything that varies is escaped. */
export function plainPage(language: PlainLanguage, texts: PlainTexts, view: PlainView): string {
	const direction = language === 'ar' || language === 'ur' ? 'rtl' : 'ltr';
	const base = `/plain/${language}`;
	const press = (action: string, label: string, inside = '') =>
		`<form method="post" action="${base}/${action}">${inside}<button>${escapeHtml(label)}</button></form>`;
	const numbers = new Intl.NumberFormat(texts.locale);
	const sizes = Array.from({ length: partyMax }, (_, i) => i + 1)
		.map((size) => `<option value="${size}">${numbers.format(size)}</option>`)
		.join('');
	const party = `<label>${escapeHtml(texts.party)} <select name="party">${sizes}</select></label>`;
	const lines = view.lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
	const actions = view.hasPlace
		? `<form method="get" action="${base}/place"><button>${escapeHtml(texts.look)}</button></form>` +
			press('leave', texts.leave)
		: press('join', texts.join, party);
	return (
		`<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">` +
		`<title>${escapeHtml(texts.title)}</title><style>${style}</style></head><body><main>` +
		`<h1>${escapeHtml(view.heading)}</h1>${lines}${actions}</main>` +
		`<p><a href="${language === 'ar' ? '/' : `/${language}/`}">${escapeHtml(texts.back)}</a></p></body></html>`
	);
}
