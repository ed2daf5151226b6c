/** Turns the shared shell into a public page: its language and direction, its palette by the reader's own choice. */
export function asPublicPage(html: string, language: 'ar' | 'en'): string {
	const direction = language === 'ar' ? 'rtl' : 'ltr';
	return html
		.replace(/<html[^>]*>/, `<html lang="${language}" dir="${direction}">`)
		.replace(/\s*<script src="\/boot\.js"><\/script>/, '');
}
