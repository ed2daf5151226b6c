import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { asPublicPage, languageOfRoute } from './shell.ts';

const shell = readFileSync(new URL('../app.html', import.meta.url), 'utf8');

it('gives the page its own language, and none of the start-up of the console', () => {
	expect(asPublicPage(shell, 'en')).toContain('<html lang="en" dir="ltr">');
	expect(asPublicPage(shell, 'ar')).toContain('<html lang="ar" dir="rtl">');
	expect(asPublicPage(shell, 'ur')).toContain('<html lang="ur" dir="rtl">');
	expect(asPublicPage(shell, 'ar')).not.toContain('<script');
});

it('knows the language of a route by its first part', () => {
	const routes = ['/(public)', '/(public)/en', '/(public)/bn', '/(public)/draw', '/(public)/fr/draw'];
	expect(routes.map(languageOfRoute)).toEqual(['ar', 'en', 'bn', 'ar', 'fr']);
});
