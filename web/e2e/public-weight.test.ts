import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { allTexts } from '../src/public/texts/all.ts';
import { directionOf, languages } from '../src/public/texts/texts.ts';

const webRoot = fileURLToPath(new URL('../build/', import.meta.url));
const firstLoadBytesMax = 30_000;
const scriptBytesMax = 8_000;

/** Everything a browser loads for the page before it can be used. */
function firstLoad(page: string): { html: string; files: string[] } {
	const html = readFileSync(join(webRoot, page), 'utf8');
	const linked = [...html.matchAll(/<(?:script|link)[^>]*?\s(?:src|href)="([^"]+)"/g)].map(
		(match) => match[1]!
	);
	return { html, files: linked };
}

describe.each(languages)('the first load in %s', (language) => {
	const { html, files } = firstLoad(language === 'ar' ? 'index.html' : `${language}/index.html`);
	const scripts = files.filter((file) => file.endsWith('.js'));

	it.each([
		['brotli', brotliCompressSync],
		['gzip', gzipSync]
	])('is under 30 kB, and its script at most 8 kB (%s)', (_name, compress) => {
		const bytes = (file: string) => compress(readFileSync(join(webRoot, file))).length;
		expect(scripts.map(bytes).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(scriptBytesMax);
		const all = compress(Buffer.from(html)).length + files.map(bytes).reduce((sum, one) => sum + one, 0);
		expect(all).toBeLessThan(firstLoadBytesMax);
	});

	it('has one script of its own, none inside the page, and no font or picture from anywhere', () => {
		expect(scripts).toHaveLength(1);
		expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
		expect(html).not.toMatch(/\son\w+=|https?:\/\/(?!www\.w3\.org)/);
		const css = files
			.filter((file) => file.endsWith('.css'))
			.map((file) => readFileSync(join(webRoot, file), 'utf8'));
		expect(css.join('')).not.toMatch(/url\(|@import/);
	});

	it('is in its own language and direction, and carries no other one’s texts', () => {
		expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
		const others = languages.filter((other) => other !== language).map((other) => allTexts[other]);
		const script = scripts.map((file) => readFileSync(join(webRoot, file), 'utf8')).join('');
		expect(html).toContain(allTexts[language].page.waiting.heading);
		for (const other of others) {
			expect(html).not.toContain(other.page.waiting.heading);
			expect(script).not.toContain(other.live.titles.choosing);
		}
	});

	it('can be read without its script: what this is, what will happen, and the way on', () => {
		const { page } = allTexts[language];
		for (const line of [...page.start.expectations, ...page.noScript.lines]) expect(html).toContain(line);
		expect(html).toContain(`href="/plain/${language}"`);
	});

	it('brings what comes later, at the turn or the sign-in, in under 5 kB more', () => {
		const later = [...html.matchAll(/data-(?:later|sign-in)="([^"]+)"/g)].map((match) => match[1]!);
		expect(later).toHaveLength(2);
		const bytes = later.map((file) => gzipSync(readFileSync(join(webRoot, file))).length);
		expect(Math.min(...bytes)).toBeGreaterThan(500);
		expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(5_000);
	});

	it('is never reloaded by a timer', () => {
		expect(html).not.toMatch(/http-equiv/i);
		for (const script of scripts)
			expect(readFileSync(join(webRoot, script), 'utf8')).not.toMatch(/\.reload\(/);
	});
});
