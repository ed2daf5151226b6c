import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp } from '../../../test/kit/index.ts';
import { createBench, from, input, type BookingBench } from './booking.fixture.ts';
import { readRetryAfterMs } from './eligibility-http.ts';

type Reply = { status?: number; headers?: Record<string, string>; body?: unknown; delayMs?: number };

/** A real HTTP service that answers as it is told, and counts. */
async function standIn(answer: (holder: string, asked: number) => Reply) {
	const seen: string[] = [];
	let running = 0;
	let most = 0;
	const read = async (request: IncomingMessage) => {
		let text = '';
		for await (const chunk of request) text += String(chunk);
		return (JSON.parse(text) as { holder: string }).holder;
	};
	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const holder = await read(request);
		seen.push(holder);
		most = Math.max(most, ++running);
		const {
			status = 200,
			headers = {},
			body = { eligible: true },
			delayMs = 0
		} = answer(holder, seen.length);
		await new Promise((resolve) => setTimeout(resolve, delayMs));
		running -= 1;
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
	};
	const server = createServer((request, response) => void handle(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	return { url, seen, most: () => most, close: () => server.closeAllConnections() };
}

describe('the eligibility service over real HTTP', () => {
	let bench: BookingBench | undefined;
	let service: Awaited<ReturnType<typeof standIn>> | undefined;
	afterEach(async () => {
		await bench?.close();
		service?.close();
	});
	const open = async (answer: (holder: string, asked: number) => Reply) => {
		service = await standIn(answer);
		bench = await createBench({ lab: { checkMs: 0 }, eligibilityUrl: service.url });
		return { ...bench.instances[0]!, bench, service };
	};

	it('says by what quotas count a person; what it does not say is unknown, and garbage is no yes', async () => {
		const { booking, bench } = await open((holder) =>
			holder === 'garbled'
				? { body: { eligible: true, country: '<script>' } }
				: { body: { eligible: true, country: holder === 'silent' ? null : 'SA', provider: 'north' } }
		);
		const [slot = 0] = await bench.addSlots([20]);
		await bench.putQuota({ slot, dimension: 'country', shares: { SA: 1 } });
		expect(await booking.book('one', input(slot))).toMatchObject({ outcome: 'booked' });
		expect(await booking.book('two', input(slot))).toMatchObject({
			outcome: 'quotaFull',
			level: { dimension: 'country', why: 'full' },
			attributes: from('SA', 'north')
		});
		expect(await booking.book('silent', input(slot))).toMatchObject({
			outcome: 'quotaFull',
			level: { why: 'no-share' }
		});
		expect(await booking.book('garbled', input(slot))).toMatchObject({ outcome: 'busy' });
		expect(booking.figures().eligibility.trouble).toBe('failed');
	});

	it('is asked once about a person: five tabs, a retry, and nobody who is prepared', async () => {
		const { booking, bench, service } = await open(() => ({ delayMs: 30 }));
		const [slot = 0, other = 0] = await bench.addSlots([20, 20]);
		await Promise.all(Array.from({ length: 5 }, () => booking.book('tabs', input(slot))));
		await booking.book('tabs', input(other));
		await booking.book('ready', input(slot), from('SA'));
		expect(await booking.checkEligibility('weeks-before')).toMatchObject({ eligible: true });
		await booking.book('weeks-before', input(slot));
		expect(service.seen).toEqual(['tabs', 'weeks-before']);
	});

	it('limited: it is left alone as long as it asks, people hear when to come back, fewer are asked at once afterwards', async () => {
		let limited = true;
		const { booking, bench, service } = await open(() =>
			limited ? { status: 429, headers: { 'retry-after': '2' } } : {}
		);
		const [slot = 0] = await bench.addSlots([200]);
		expect(await booking.book('p0', input(slot))).toMatchObject({ outcome: 'busy' });
		const asked = service.seen.length;
		const turned = await Promise.all(
			Array.from({ length: 50 }, (_, person) => booking.book(`early-${person}`, input(slot)))
		);
		for (const result of turned) {
			expect(result.outcome).toBe('busy');
			expect('retryAfterSeconds' in result && result.retryAfterSeconds).toBeGreaterThanOrEqual(1);
		}
		expect(service.seen.length).toBe(asked);
		const { limit, breaker, trouble } = booking.figures().eligibility;
		expect([limit, breaker, trouble]).toEqual([100, 'closed', 'limited']);
		limited = false;
		await expect
			.poll(async () => (await booking.book('p0', input(slot))).outcome, { timeout: 20_000, interval: 250 })
			.toBe('booked');
	});

	it('503 with Retry-After is limited, without one it is failing', async () => {
		const { booking, bench } = await open((holder) =>
			holder === 'rest' ? { status: 503, headers: { 'retry-after': '1' } } : { status: 503 }
		);
		const [slot = 0] = await bench.addSlots([20]);
		await booking.book('fails', input(slot));
		expect(booking.figures().eligibility.trouble).toBe('failed');
		await booking.book('rest', input(slot));
		expect(booking.figures().eligibility.trouble).toBe('limited');
	});

	it('slow: people wait for it without holding a connection, and everybody is booked', async () => {
		const { booking, bench, service, database } = await open(() => ({ delayMs: 400 }));
		const [slot = 0] = await bench.addSlots([400]);
		const comeBack = async (holder: string) => {
			for (;;) {
				const { outcome } = await booking.book(holder, input(slot));
				if (outcome !== 'busy') return outcome;
			}
		};
		const running = Promise.all(Array.from({ length: 80 }, (_, person) => comeBack(`slow-${person}`)));
		await expect.poll(() => booking.figures().eligibility.running, { timeout: 20_000 }).toBeGreaterThan(40);
		// The list of slots and a batch at the most; those who wait for the service hold none.
		const { inUse, waitingForOne } = database.poolFigures();
		expect(inUse + waitingForOne).toBeLessThanOrEqual(4);
		expect((await running).every((outcome) => outcome === 'booked')).toBe(true);
		expect(service.most()).toBeLessThanOrEqual(200);
	});

	it('failing: the breaker opens, and people hear how long it rests', async () => {
		const { booking, bench, service } = await open(() => ({ status: 500 }));
		const [slot = 0] = await bench.addSlots([20]);
		for (let person = 0; person < 200; person++) await booking.book(`f-${person}`, input(slot));
		expect(booking.figures().eligibility.breaker).toBe('open');
		expect(service.seen.length).toBeLessThan(200);
		const result = await booking.book('later', input(slot));
		expect('retryAfterSeconds' in result && result.retryAfterSeconds).toBeGreaterThanOrEqual(5);
	});
});

describe('Retry-After', () => {
	it('is read in both of its forms, and never as something it is not', () => {
		const now = Date.UTC(2026, 10, 30, 12, 0, 0);
		expect(readRetryAfterMs('7', now)).toBe(7_000);
		expect(readRetryAfterMs('Mon, 30 Nov 2026 12:00:20 GMT', now)).toBe(20_000);
		expect(readRetryAfterMs('Mon, 30 Nov 2026 11:00:00 GMT', now)).toBe(0);
		expect([null, 'soon', '-4x'].map((value) => readRetryAfterMs(value, now))).toEqual([null, null, null]);
	});
});

describe('the simulated service', () => {
	it('is steered to be slow, failing and limited, and people hear what they can act on', async () => {
		const test = await createTestApp();
		const steer = (body: unknown) => test.call('POST', '/api/v1/simulators/eligibility', { body });
		const { body: slots } = await test.call('GET', '/slots');
		const slot = (slots.slots as { id: number }[]).at(-1)?.id;
		const book = async (user: string) => {
			const { body } = await test.call('POST', '/queue/join', { body: { user } });
			return test.call('POST', '/book', { body: { user, slot }, headers: { 'x-token': body.token } });
		};
		expect((await book('calm')).status).toBe(200);
		await steer({ failShare: 1 });
		const failing = await book('failing');
		expect([failing.status, failing.body.code]).toEqual([503, 'busy']);
		const steered = await steer({ failShare: 0, limitPerSecond: 0, retryAfterSeconds: 9 });
		expect(steered.body).toMatchObject({ limitPerSecond: 0, failShare: 0 });
		const limited = await book('limited');
		expect(limited.status).toBe(503);
		expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(9);
		await test.close();
	});
});
