import type { Page } from 'playwright-core';
import type { MovedPermit, ScannerSettings } from '../../../server/contract/index.ts';
import type { Language } from './pages.ts';
import { say } from './staff.ts';

/** What the server told a scanner, as a test wants it told. */
export interface Bent {
	settings?: Partial<ScannerSettings>;
	gate?: Partial<ScannerSettings['gate']>;
	/** The server's clock is ahead by so much. */
	aheadMs?: number;
}

/** Runs in the page, before it: news come as the server tells them, less what a test wants otherwise. */
export function bendNews(): void {
	const real = window.fetch.bind(window);
	const page = window as unknown as { bent?: Bent };
	window.fetch = async (input, init) => {
		const { bent } = page;
		if (!bent || !String(input).endsWith('/sync/pull')) return real(input, init);
		const asked = JSON.parse(String(init?.body)) as object;
		const answer = await real(input, { ...init, body: JSON.stringify({ ...asked, cursors: {} }) });
		if (!answer.ok) return answer;
		const body = (await answer.json()) as {
			at: number;
			parts: { kind: string; items: { value: ScannerSettings }[] }[];
		};
		body.at += bent.aheadMs ?? 0;
		const settings = body.parts.find(({ kind }) => kind === 'entry-settings')?.items[0]?.value;
		if (settings) {
			Object.assign(settings, bent.settings);
			Object.assign(settings.gate, bent.gate);
		}
		return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
	};
}

/** The scanner hears this now. */
export async function tellScanner(page: Page, language: Language, bent: Bent): Promise<void> {
	await page.evaluate((how) => void Object.assign(window, { bent: how }), bent);
	for (const name of ['scn_more', 'scn_sync_now', 'scn_close'] as const)
		await page.getByRole('button', { name: say(language, name), exact: true }).click();
}

/** Runs in the page: from now on the camera answers like this. */
export function failCamera(name: string): void {
	navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('not here', name));
}

/** A permit that was moved to the same place, three hours later. */
export function movedFrom(permit: string, place: string, honouredUntil: number): MovedPermit {
	const startsAt = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3 * 3_600_000;
	const successor = `${permit.slice(0, -4)}${permit.endsWith('0000') ? '0001' : '0000'}`;
	return { permit, successor, honouredUntil, place, slot: 1, startsAt, endsAt: startsAt + 3_600_000 };
}
