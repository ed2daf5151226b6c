import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { encodePairing, type Permit } from '../../../server/contract/index.ts';
import { keysFor } from '../../src/lib/scan/wedge.fixture.ts';

/** As much of a server as these helpers need: benchmarks have another one. */
export interface Calls {
	call(
		method: string,
		path: string,
		options?: { cookie?: string; body?: object }
		// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of every call there is
	): Promise<{ status: number; body: any }>;
	signIn(who: string): Promise<string>;
}

interface QrModules {
	modules: { size: number; data: Uint8Array };
}
const qrcode = createRequire(import.meta.url)('qrcode') as {
	create(segments: { data: string; mode: 'alphanumeric' }[], options: object): QrModules;
};

/** The gate of these tests, and its place on the demo's site. */
export const gate = { id: 'gate-1', place: 'north' } as const;

/** A scanner as the administrator makes it, with the code that its screen shows. */
export async function makeScanner(
	server: Calls,
	name = 'north 1'
): Promise<{ id: string; token: string; code: string }> {
	const cookie = await server.signIn('admin');
	const body = { name, gate: gate.id, reason: 'a test of the gate' };
	const made = await server.call('POST', '/api/v1/scanners', { cookie, body });
	if (made.status !== 200) throw new Error(JSON.stringify(made.body));
	const { token } = made.body;
	return { id: made.body.scanner.id, token, code: encodePairing(token) };
}

/** The slot at the gate's place that begins in some hours, with a day of grace on both sides: its place is not full now. */
export async function openSlot(server: Calls): Promise<number> {
	await grace(server);
	const { body } = await server.call('GET', '/slots');
	const isLater = (slot: { place: string; startsAt: number }) =>
		slot.place === gate.place && slot.startsAt > Date.now() + 2 * 3_600_000;
	return body.slots.find(isLater).id;
}

/** Windows are wide: these tests ask for everything but the time. */
export async function grace(server: Calls, seconds = 86_400): Promise<void> {
	const cookie = await server.signIn('admin');
	const body = { earlySeconds: seconds, lateSeconds: seconds, reason: 'a test of the gate' };
	const set = await server.call('PUT', `/api/v1/entries/places/${gate.place}`, { cookie, body });
	if (set.status !== 200) throw new Error(JSON.stringify(set.body));
}

/** Waits for somebody's turn, books, and returns what their permit says. */
export async function bookPermit(server: Calls, user: string, slot: number, party = 1): Promise<Permit> {
	const joined = (await server.call('POST', '/queue/join', { body: { user, party } })).body;
	let token = joined.token;
	for (let attempt = 0; attempt < 120; attempt++) {
		const claim = { user, ticket: joined.ticket };
		token ??= (await server.call('POST', '/queue/claim', { body: claim })).body?.token;
		const booked = await server.call('POST', '/book', { body: { user, slot, party, token } });
		if (booked.body?.ok === true) return (await server.call('GET', `/permits/mine?user=${user}`)).body;
		if (![403, 429, 503].includes(booked.status))
			throw new Error(`not booked: ${JSON.stringify(booked.body)}`);
		await delay(500);
	}
	throw new Error('no turn to book');
}

const picture = { width: 640, height: 480, perSecond: 10 };

/**
 * A film for the fake camera: each text for so many seconds as a QR code on a phone's screen, null for an empty picture; then
 * from the start again.
 */
export async function filmCodes(file: string, scenes: readonly [string | null, number][]): Promise<void> {
	const { width, height, perSecond } = picture;
	const chroma = Buffer.alloc((width * height) / 2, 128);
	const parts: Buffer[] = [Buffer.from(`YUV4MPEG2 W${width} H${height} F${perSecond}:1 Ip A1:1 C420mpeg2\n`)];
	for (const [text, seconds] of scenes) {
		const luma = text === null ? Buffer.alloc(width * height, 96) : drawCode(text);
		for (let frame = 0; frame < seconds * perSecond; frame++)
			parts.push(Buffer.from('FRAME\n'), luma, chroma);
	}
	await writeFile(file, Buffer.concat(parts));
}

function drawCode(text: string): Buffer {
	const { width, height } = picture;
	const luma = Buffer.alloc(width * height, 96);
	const { size, data } = qrcode.create([{ data: text, mode: 'alphanumeric' }], {
		errorCorrectionLevel: 'M'
	}).modules;
	const scale = Math.floor((height * 0.75) / (size + 8));
	const [left, top] = [(width - (size + 8) * scale) >> 1, (height - (size + 8) * scale) >> 1];
	for (let y = 0; y < (size + 8) * scale; y++) {
		for (let x = 0; x < (size + 8) * scale; x++) {
			const [column, row] = [Math.floor(x / scale) - 4, Math.floor(y / scale) - 4];
			const isDark =
				column >= 0 && row >= 0 && column < size && row < size && data[row * size + column] === 1;
			luma[(top + y) * width + left + x] = isDark ? 24 : 225;
		}
	}
	return luma;
}

/** Sends texts as a hand reader on an Arabic keyboard does, and waits for the answer to each. @returns the answers */
export async function readByHand(page: Page, texts: readonly string[]): Promise<string[]> {
	const places = Object.fromEntries(
		[...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'].map((letter) => [letter, keysFor(letter)[0]!])
	);
	return page.evaluate(
		async ({ all, places }) => {
			const answers: string[] = [];
			const answerNow = () => document.querySelector<HTMLElement>('[data-verdict]');
			const press = (code: string, shiftKey: boolean, key: string) =>
				document.body.dispatchEvent(
					new KeyboardEvent('keydown', { code, key, shiftKey, bubbles: true, cancelable: true })
				);
			for (const text of all) {
				const before = answerNow()?.dataset['seq'];
				for (const letter of text) {
					const { code, shiftKey } = places[letter] ?? { code: 'Backquote', shiftKey: false };
					press(code, shiftKey, 'ش');
				}
				press('Enter', false, 'Enter');
				const until = performance.now() + 10_000;
				while (answerNow()?.dataset['seq'] === before || !answerNow()) {
					if (performance.now() > until) throw new Error(`no answer to code ${answers.length + 1}`);
					await new Promise((resolve) => setTimeout(resolve, 1));
				}
				answers.push(answerNow()!.dataset['verdict']!);
			}
			return answers;
		},
		{ all: texts, places }
	);
}
