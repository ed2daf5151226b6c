import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { asPublicPage } from './shell.ts';

const shell = readFileSync(new URL('../app.html', import.meta.url), 'utf8');

it('gives the page its own language, and none of the start-up of the console', () => {
	expect(asPublicPage(shell, 'en')).toContain('<html lang="en" dir="ltr">');
	expect(asPublicPage(shell, 'ar')).toContain('<html lang="ar" dir="rtl">');
	expect(asPublicPage(shell, 'ar')).not.toContain('<script');
});
