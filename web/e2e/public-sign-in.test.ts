import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pageClient, startIssuer, type TestIssuer } from '../../server/test/kit/issuer.ts';
import { english } from '../src/public/texts/en.ts';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, openGlass, takeShot, type Glass } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';

let browser: Browser;
let issuer: TestIssuer;
let server: RealServer;
let glass: Glass;

async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
	const { port } = probe.address() as AddressInfo;
	await new Promise((resolve) => probe.close(resolve));
	return port;
}
/** The product as it runs for real: no demo, nobody believed without a token. */
const real = { DEMO: '', DEMO_PASSWORD: '', ELIGIBILITY_URL: 'none', ADMIT_PER_SECOND: '50' };

beforeAll(async () => {
	browser = await launchChromium();
	const port = await freePort();
	issuer = await startIssuer({ redirectUris: [`http://127.0.0.1:${port}/`] });
	server = await startServer({
		...{ ...real, PORT: String(port) },
		...{ PERSON_ISSUER: issuer.issuer, PERSON_AUDIENCE: pageClient }
	});
});
afterEach(() => glass?.close());
afterAll(async () => {
	await browser?.close();
	await server?.close();
	await issuer?.close();
});

const open = async (path: string) => {
	glass = await openGlass(browser, {
		...{ baseURL: server.url, language: 'en' },
		expected: /status of (401|403|404|429|503)|fonts\.googleapis/
	});
	await glass.page.goto(path);
	return glass.page;
};
const section = (page: Page, name: string) => page.locator(`[data-section="${name}"]`);

/** The forms of the test issuer: any name, any password, then the consent. */
async function signInAtIssuer(page: Page, name: string): Promise<void> {
	await page.waitForURL(`${issuer.issuer}/**`);
	await page.locator('input[name="login"]').fill(name);
	await page.locator('input[name="password"]').fill('any');
	await page.locator('button[type="submit"]').click();
	await page.waitForURL(/interaction/);
	await page.locator('input[name="login"]').waitFor({ state: 'detached' });
	await page.locator('button[type="submit"]').click();
}

describe('signing in by code and PKCE', () => {
	it('comes back to the very address, byte for byte, with the code gone from it', async () => {
		const target = '/en/?x=a%2Bb&x=2&x=1&q=%D8%AD%D8%AC+y%20z#f%2F1';
		const page = await open(target);
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		await page.locator('[data-press="sign-in"]:visible').click();
		await signInAtIssuer(page, 'person-one');
		await page.waitForURL(server.url + target);
		await page.locator('[data-press="sign-out"]:visible').waitFor();
		expect(await page.evaluate(() => location.href)).toBe(server.url + target);
		const question = new URL(asked.find((url) => url.includes('/auth?'))!);
		expect(Object.fromEntries(question.searchParams)).toMatchObject({
			response_type: 'code',
			client_id: pageClient,
			code_challenge_method: 'S256',
			redirect_uri: `${server.url}/`
		});
		expect(question.searchParams.get('nonce')?.length).toBeGreaterThan(40);
		// What may be used again is in the tab alone, and nowhere in the history.
		const kept = await page.evaluate(() => [JSON.stringify(localStorage), sessionStorage.length]);
		expect(kept[0]).not.toContain('eyJ');
		expect(kept[1]).toBe(1);
	});

	it('takes a place before anybody is known, and the place joins the account at the claim', async () => {
		const page = await open('/en/');
		await page.locator('[data-press="join"]:visible:enabled').click();
		await Promise.race([
			section(page, 'called').waitFor(),
			section(page, 'choosing').waitFor(),
			page.locator('[data-press="sign-in"]:visible').last().waitFor()
		]);
		await expect
			.poll(() => page.locator('[data-press="sign-in"]:visible').count(), { timeout: 30_000 })
			.toBeGreaterThan(0);
		await takeShot(page, 'sign-in-called-en');
		await page.locator('[data-press="sign-in"]:visible').first().click();
		await signInAtIssuer(page, 'person-two');
		await page.waitForURL(`${server.url}/en/`);
		await page.locator('[data-press="claim"]:visible').click();
		await section(page, 'choosing').waitFor();
		await takeShot(page, 'sign-in-choosing-en');
		await expectSound(glass);
	});

	it('follows no answer to a question that this tab did not ask', async () => {
		const page = await open('/en/?keep=1');
		await page.locator('[data-press="sign-in"]:visible').click();
		await page.waitForURL(`${issuer.issuer}/**`);
		const before = issuer.asked('/token');
		await page.goto(`${server.url}/?code=stolen&state=made-up`);
		await page.locator('[data-section="start"]:visible').waitFor();
		expect(issuer.asked('/token')).toBe(before);
		expect(await page.evaluate(() => sessionStorage.getItem('marsad.token'))).toBeNull();
	});

	it('tells the issuer’s refusal and goes back where the person was', async () => {
		const page = await open('/en/?keep=1');
		let state = '';
		page.on('request', (request) => {
			if (request.url().includes('/auth?')) state = new URL(request.url()).searchParams.get('state') ?? '';
		});
		await page.locator('[data-press="sign-in"]:visible').click();
		await page.waitForURL(`${issuer.issuer}/**`);
		await page.goto(`${server.url}/?error=access_denied&state=${state}`);
		await page.waitForURL(`${server.url}/en/?keep=1`);
		await expect
			.poll(() => page.locator('[data-part="notice"]').textContent())
			.toContain(english.live.notices['sign-in-failed']);
	});

	it('lets the page call the issuer and nobody else', async () => {
		const { headers } = await fetch(`${server.url}/en/`);
		const policy = headers.get('content-security-policy');
		expect(policy).toContain(`connect-src 'self' ${issuer.issuer};`);
		expect(policy).toContain("script-src 'self';");
		expect(policy).toContain("frame-ancestors 'none'");
		const console = await fetch(`${server.url}/control`);
		expect(console.headers.get('content-security-policy')).toContain("connect-src 'self';");
		const { body } = await server.call('GET', '/queue/settings');
		expect(body).toMatchObject({ identity: 'sign-in', signIn: { clientId: pageClient } });
	});

	it('calls with a token of somebody’s own making are refused', async () => {
		const response = await fetch(`${server.url}/permits/mine`, {
			headers: { authorization: `Bearer ${await issuer.sign({ aud: 'another-client' })}` }
		});
		expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
			401,
			'no_identity'
		]);
		const own = await fetch(`${server.url}/permits/mine`, {
			headers: { authorization: `Bearer ${await issuer.sign()}` }
		});
		expect(own.status).toBe(204);
	});
});

it('without an issuer the page says plainly that signing in is not set up', async () => {
	const bare = await startServer(real);
	try {
		glass = await openGlass(browser, { baseURL: bare.url, language: 'en' });
		await glass.page.goto('/en/');
		await expect
			.poll(() => glass.page.locator('[data-part="notice"]').textContent())
			.toContain(english.live.notices['sign-in-off']);
		expect(await glass.page.locator('[data-press="join"]:visible').count()).toBe(0);
		await takeShot(glass.page, 'sign-in-off-en');
		await expectSound(glass);
	} finally {
		await bare.close();
	}
});
