import type { Mark } from '../../../contract/index.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { drawQr } from './permit-qr.ts';
import { wordsOf, type PermitLanguage, type PermitWords } from './permit-words.ts';
import type { SiteNames } from './permits-routes.ts';
import type { StoredPermit } from './permits-store.ts';

/** Policy of the page: nothing is loaded and nothing runs. */
export const permitPagePolicy =
	"default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * 60 mm for 65 modules: 0.9 mm each, which a scanner reads at arm's length also on worn paper. Both languages stand on one
 * A4 page.
 */
const style =
	'@page{size:A4;margin:14mm}:root{color-scheme:light}body{max-width:40rem;margin:0 auto;padding:1.5rem;' +
	'font:1.125rem/1.6 system-ui,sans-serif;color:#111;background:#fff}svg{display:block;width:60mm;height:60mm;' +
	'margin:1rem auto}h1{margin:0;font-size:1.5rem}p{margin:.75rem 0}dl{margin:0}dl div{display:flex;gap:1rem;' +
	'padding:.25rem 0;border-bottom:1px solid #bbb}dl div:has(+.more){border:0;padding-bottom:0}dt{flex:0 0 9rem;' +
	'color:#444}.mark{padding:.3rem .75rem;border:2px dashed #111;font-weight:600}dd{margin:0;font-weight:600}.number dd{white-space:nowrap}section+section{margin-top:2rem}' +
	'@media(max-width:30rem){body{padding:1rem;font-size:1rem}dt{flex-basis:6.5rem}dl div{gap:.75rem}}' +
	'@media print{body{padding:0;max-width:none;font-size:1rem;line-height:1.45}svg{margin:.5rem auto}' +
	'section{break-inside:avoid}section+section{margin-top:1.25rem}}';

/**
 * A permit to print, as a whole page without script: Arabic first, the person's language (English where that is
 * Arabic) below.
 */
export async function permitPage(
	permit: StoredPermit,
	text: string,
	site: SiteNames,
	language: PermitLanguage,
	mark: Mark
): Promise<string> {
	const svg = await drawQr(text, 'Q');
	const arabic = wordsOf(permit, site, 'ar');
	const other = wordsOf(permit, site, language === 'ar' ? 'en' : language);
	return (
		`<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">` +
		`<title>${escapeHtml(`${arabic.title} ${permit.id}`)}</title><style>${style}</style></head><body><main>` +
		`${section(arabic, svg, mark)}${section(other, '', mark)}</main></body></html>`
	);
}

function section(words: PermitWords, picture: string, mark: Mark): string {
	const { language, direction, title, show, simulated, lines } = words;
	const rows = lines
		.map(({ key, name, value }) => {
			// The night says more about the day above it; the number is copied by people, and stays whole.
			const kind = key === 'night' ? ' class="more"' : key === 'number' ? ' class="number"' : '';
			return `<div${kind}><dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`;
		})
		.join('');
	return (
		`<section lang="${language}" dir="${direction}"><h1>${escapeHtml(title)}</h1>` +
		(mark === 'none' ? '' : `<p class="mark">${escapeHtml(simulated)}</p>`) +
		picture +
		`<p>${escapeHtml(show)}</p><dl>${rows}</dl></section>`
	);
}
