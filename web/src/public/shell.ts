import { directionOf, languages, type Language } from './texts/texts.ts';

/** The language of a public route, by its first segment; the root speaks the first one. */
export function languageOfRoute(route: string): Language {
	const segment = route.replace(/^\/\(public\)\/?/, '').split('/')[0];
	return languages.find((language) => language === segment) ?? languages[0];
}

/** Turns the shared shell into a public page: its language and direction, its palette by the reader's own choice. */
export function asPublicPage(html: string, language: Language): string {
	return html
		.replace(/<html[^>]*>/, `<html lang="${language}" dir="${directionOf(language)}">`)
		.replace(/\s*<script src="\/boot\.js"><\/script>/, '');
}
