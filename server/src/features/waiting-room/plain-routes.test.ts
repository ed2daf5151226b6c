import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { plainPage } from './plain-page.ts';
import { plainLanguages, plainTexts } from './plain-texts.ts';

let app: TestApp;
beforeAll(async () => {
	app = await createTestApp({ env: { LAB: '1', ADMIT_PER_SECOND: '0.1' } });
	for (let i = 0; i < 5; i++) await app.call('POST', `/queue/join?user=front-${i}`);
});
afterAll(() => app.close());

/** A browser without script: it sends forms, keeps cookies and follows where it is sent. */
function openBrowser() {
	let cookie = '';
	const go = async (method: 'GET' | 'POST', path: string, form: Record<string, string> = {}) => {
		const response = await fetch(app.url + path, {
			method,
			redirect: 'manual',
			headers: { cookie, origin: app.url, 'sec-fetch-site': 'same-origin' },
			...(method === 'POST' ? { body: new URLSearchParams(form) } : {})
		});
		const set = response.headers.get('set-cookie');
		if (set !== null) cookie = set.includes('Max-Age=0') ? '' : set.split(';')[0]!;
		return { status: response.status, headers: response.headers, html: await response.text() };
	};
	return {
		get: (path: string) => go('GET', path),
		post: (path: string, form = {}) => go('POST', path, form)
	};
}

describe('the waiting room without JavaScript', () => {
	it('gives a place by a form, keeps it, shows it when pressed, and takes it back', async () => {
		const browser = openBrowser();
		expect((await browser.get('/plain/en')).html).toContain(plainTexts.en.join);
		const joined = await browser.post('/plain/en/join', { party: '3' });
		expect([joined.status, joined.headers.get('location')]).toEqual([303, '/plain/en/place']);
		expect(joined.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
		const place = await browser.get('/plain/en/place');
		expect(place.html).toContain(plainTexts.en.kept);
		expect(place.html).toMatch(/Ahead of you: \d/);
		// The same place again from another language and after another press.
		await browser.post('/plain/ar/join', { party: '1' });
		expect((await browser.get('/plain/ar/place')).html).toContain('dir="rtl"');
		const left = await browser.post('/plain/en/leave');
		expect(left.html).toContain(plainTexts.en.left);
		const gone = await browser.get('/plain/en/place');
		expect([gone.status, gone.html.includes(plainTexts.en.gone)]).toEqual([403, true]);
	});

	it('changes nothing by reading, and hands out no cookie for it', async () => {
		const before = (await app.call('GET', '/queue/progress')).body.issued;
		const browser = openBrowser();
		for (const language of plainLanguages) {
			const page = await browser.get(`/plain/${language}`);
			expect(page.status).toBe(200);
			expect(page.headers.get('set-cookie')).toBeNull();
			expect(page.headers.get('cache-control')).toBe('no-store, private');
			expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
			expect(page.html).toContain(plainTexts[language].join);
			expect(page.html).not.toMatch(/<script|http-equiv|onclick/i);
		}
		expect((await app.call('GET', '/queue/progress')).body.issued).toBe(before);
	});

	it('takes no form of another site', async () => {
		const response = await fetch(`${app.url}/plain/en/join`, {
			method: 'POST',
			redirect: 'manual',
			headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
			body: new URLSearchParams({ party: '1' })
		});
		expect(response.status).toBe(403);
	});

	it('believes no cookie of somebody’s own making', async () => {
		const response = await fetch(`${app.url}/plain/en/place`, {
			headers: { cookie: `marsad_plain=${'k'.repeat(32)}~T1.aaaaaaaa.bbbbbbbbbbb.${'c'.repeat(43)}` }
		});
		expect(response.status).toBe(403);
	});
});

describe('a plain page', () => {
	it('lets nothing become part of the page', () => {
		const html = plainPage('en', plainTexts.en, { heading: '<b>"x"', lines: ["<i>'&"], hasPlace: false });
		expect(html).toContain('&lt;b&gt;&quot;x&quot;');
		expect(html).toContain('&lt;i&gt;&#39;&amp;');
		expect(escapeHtml('plain')).toBe('plain');
	});
	it('says the same in every language, with the same blanks', () => {
		const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
		for (const language of plainLanguages)
			for (const [name, text] of Object.entries(plainTexts.en)) {
				const own = plainTexts[language][name as keyof typeof plainTexts.en];
				expect(blanks(own), `${language} ${name}`).toEqual(blanks(text));
			}
	});
});
