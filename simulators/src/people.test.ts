import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp } from '../../server/test/kit/index.ts';
import { createPeopleApi } from './people-api.ts';
import { chooseSlot, livePerson } from './people-life.ts';
import { plainTraits } from './people-person.ts';
import { createWatch } from './people-watch.ts';
import { roomShare, runPeople } from './people.ts';

interface Reply {
	status?: number;
	body: unknown;
	retryAfter?: number;
}
type Script = Record<string, (call: number) => Reply>;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0)) await close();
});

/** A server that answers each call as the test says, and writes down who asked what. */
async function serve(script: Script) {
	const asked: string[] = [];
	const counts = new Map<string, number>();
	const server = createServer((request: IncomingMessage, response) => {
		const path = (request.url ?? '').split('?')[0] ?? '';
		asked.push(path);
		const call = (counts.get(path) ?? 0) + 1;
		counts.set(path, call);
		const reply = script[path]?.(call) ?? { status: 404, body: { code: 'not_found' } };
		request.resume();
		request.on('end', () => {
			response.writeHead(reply.status ?? 200, {
				'content-type': 'application/json',
				...(reply.retryAfter === undefined ? {} : { 'retry-after': String(reply.retryAfter) })
			});
			response.end(JSON.stringify(reply.body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const api = createPeopleApi(url);
	closers.push(async () => {
		await api.close();
		server.close();
	});
	const slept: number[] = [];
	const deps = {
		api,
		random: () => 0.5,
		sleep: async (ms: number) => void slept.push(ms),
		now: () => performance.now(),
		watch: createWatch(),
		onRefused: () => undefined
	};
	return { deps, asked, slept, url };
}
const slots = { slots: [{ id: 3, left: 9, full: false }], at: 0, bookingOpen: true };
const booked = { ok: true, slot: 3, permit: 'P', party: 1 };
const calm = { party: 1, slow: false, absent: false };

describe('a simulated person', () => {
	it('joins, asks when told, claims, thinks, chooses and books', async () => {
		const { deps, asked, slept } = await serve({
			'/queue/join': () => ({ body: { admitted: false, ticket: 'T', number: 10, pollAfterMs: 5_000 } }),
			'/queue/progress': () => ({ body: { released: 10, ratePerSecond: 5, pollFactor: 1 } }),
			'/queue/status': (call) => ({
				body: call === 1 ? { admitted: false, pollAfterMs: 6_000 } : { admitted: true }
			}),
			'/queue/claim': () => ({ body: { token: 'PASS', expiresAt: 0 } }),
			'/slots': () => ({ body: slots }),
			'/book': () => ({ body: booked })
		});
		expect(await livePerson(deps, 'sim-1', calm)).toEqual({ kind: 'booked', permit: 'P', slot: 3 });
		expect(asked.filter((path) => path !== '/queue/progress')).toEqual([
			'/queue/join',
			'/queue/status',
			'/queue/status',
			'/queue/claim',
			'/slots',
			'/book'
		]);
		expect(slept.slice(0, 2)).toEqual([5_000, 6_000]);
	});

	it('obeys Retry-After: R and up to half of it more, never less, and gives up in the end', async () => {
		const { deps, asked, slept } = await serve({
			'/queue/join': () => ({ status: 503, body: { code: 'queue_full' }, retryAfter: 8 })
		});
		expect(await livePerson(deps, 'sim-1', calm)).toEqual({
			kind: 'refused',
			at: 'join',
			code: 'queue_full'
		});
		expect(asked).toHaveLength(8);
		expect(slept).toEqual(Array.from({ length: 7 }, () => 10_000));
	});

	it('takes another slot when the wanted one is full, and knows when all are', async () => {
		const full = await serve({
			'/queue/join': () => ({ body: { admitted: true, token: 'PASS' } }),
			'/slots': () => ({ body: slots }),
			'/book': (call) =>
				call === 1
					? { status: 409, body: { code: 'slot_full', alternatives: [{ id: 4 }] } }
					: { body: { ...booked, slot: 4 } }
		});
		expect(await livePerson({ ...full.deps, random: () => 0.4 }, 'sim-1', calm)).toMatchObject({
			kind: 'booked',
			slot: 4
		});
		const none = await serve({
			'/queue/join': () => ({ body: { admitted: true, token: 'PASS' } }),
			'/slots': () => ({ body: { ...slots, slots: [{ id: 3, left: 0, full: true }] } })
		});
		expect(await livePerson(none.deps, 'sim-1', calm)).toEqual({ kind: 'full' });
	});

	it('may never come when called', async () => {
		const { deps, asked } = await serve({
			'/queue/join': () => ({ body: { admitted: false, ticket: 'T', number: 1, pollAfterMs: 5_000 } }),
			'/queue/progress': () => ({ body: { released: 1, ratePerSecond: 5, pollFactor: 1 } }),
			'/queue/status': () => ({ body: { admitted: true } })
		});
		expect(await livePerson(deps, 'sim-1', { ...calm, absent: true })).toEqual({ kind: 'absent' });
		expect(asked).not.toContain('/queue/claim');
	});

	it('asks for nothing that the page says is off, and waits as long as booking is paused', async () => {
		const two = [
			{ id: 3, place: 'hall', left: 9, full: false },
			{ id: 4, place: 'hall', left: 9, full: false }
		];
		const live = async (off: string[]) => {
			const server = await serve({
				'/queue/progress': () => ({ body: { released: 1, ratePerSecond: 5, pollFactor: 2, off } }),
				'/queue/join': () => ({ body: { admitted: true, token: 'PASS' } }),
				'/slots': () => ({ body: { ...slots, slots: two, places: { hall: { ar: 'قاعة', en: 'Hall' } } } }),
				'/book': (call) =>
					call < 20
						? { status: 503, body: { code: 'booking_closed' }, retryAfter: 20 }
						: { body: { ...booked, slot: 3 } },
				'/places/hall/picture': () => ({ body: {} }),
				'/permits/P/change': () => ({ body: { ...booked, slot: 4, permit: 'Q', replaced: 'P' } })
			});
			await server.deps.api.progress();
			const temper = { ...calm, traits: { ...plainTraits, changes: true } };
			return { asked: server.asked, ending: await livePerson(server.deps, 'sim-1', temper) };
		};
		const all = await live([]);
		expect(all.ending).toEqual({ kind: 'booked', permit: 'Q', slot: 4 });
		expect(all.asked).toEqual(expect.arrayContaining(['/places/hall/picture', '/permits/P/change']));
		const less = await live(['images', 'change-slot', 'analytics']);
		expect(less.ending).toEqual({ kind: 'booked', permit: 'P', slot: 3 });
		expect(less.asked.filter((path) => /picture|change/.test(path))).toEqual([]);
	});

	it('wants the early hours most, and room for the whole party', () => {
		const list = Array.from({ length: 10 }, (_, id) => ({ id, left: id === 0 ? 1 : 5, full: false }));
		expect(chooseSlot(list, 3, () => 0)).toBe(1);
		expect(chooseSlot(list, 3, () => 0.5)).toBe(3);
		expect(chooseSlot(list, 6, () => 0.5)).toBeNull();
		expect(chooseSlot([{ id: 1, left: null, full: false }], 3, () => 0.9)).toBe(1);
	});
});

describe('simulated people', () => {
	it('make room when places run short, and not for what nobody can know', () => {
		expect(
			roomShare([
				{ capacity: 100, left: 20 },
				{ capacity: 100, left: 40 }
			])
		).toBe(0.3);
		expect(roomShare([{ capacity: 100, left: null }])).toBe(1);
		expect(roomShare([])).toBe(1);
	});

	it('cancel the earliest bookings of a place that is nearly full', async () => {
		const cancelled: string[] = [];
		const { url } = await serve({
			'/api/v1/simulators/eligibility': () => ({ body: {} }),
			'/queue/join': () => ({ body: { admitted: true, token: 'PASS' } }),
			'/slots': () => ({ body: { ...slots, slots: [{ id: 3, capacity: 100, left: 9, full: false }] } }),
			'/book': (call) => ({ body: { ...booked, permit: `P${call}` } }),
			...Object.fromEntries(
				Array.from({ length: 400 }, (_, index) => [
					`/permits/P${index + 1}/cancel`,
					() => {
						cancelled.push(`P${index + 1}`);
						return { body: { ok: true } };
					}
				])
			)
		});
		const stop = new AbortController();
		const story = [
			{ name: 'spike', seconds: 60, arrivalsPerSecond: 20, slowShare: 0, eligibilityDelayMs: 0 }
		];
		const running = runPeople({ url, story, print: () => undefined }, stop.signal);
		await expect.poll(() => cancelled.length, { timeout: 30_000 }).toBeGreaterThan(3);
		stop.abort();
		await running;
		expect(cancelled).toContain('P1');
	});

	it('go to a server on this machine only', async () => {
		const story = [{ name: 'calm', seconds: 1, arrivalsPerSecond: 1, slowShare: 0, eligibilityDelayMs: 0 }];
		const going = runPeople({ url: 'http://tickets.example.org', story }, new AbortController().signal);
		await expect(going).rejects.toThrow('on this machine only');
	});

	it('book on a real server as the story says, and stop when told', async () => {
		const app = await createTestApp({ env: { LAB: '1', LAB_CHECK_MS: '1' } });
		closers.push(() => app.close());
		const lines: string[] = [];
		const stop = new AbortController();
		const story = [
			{
				name: 'spike',
				seconds: 1,
				arrivalsPerSecond: 40,
				slowShare: 0,
				eligibilityDelayMs: 5,
				eligibilityFailShare: 0.1
			},
			{ name: 'calm', seconds: 600, arrivalsPerSecond: 2, slowShare: 0.5, eligibilityDelayMs: 1 }
		];
		const running = runPeople({ url: app.url, story, print: (line) => lines.push(line) }, stop.signal);
		await expect
			.poll(async () => ((await app.call('GET', '/stats')).body as { bookings: number }).bookings, {
				timeout: 50_000,
				interval: 250
			})
			.toBeGreaterThan(20);
		await expect.poll(() => lines.some((line) => line.includes('booked')), { timeout: 30_000 }).toBe(true);
		stop.abort();
		await running;
		expect(lines.join('\n')).not.toContain('failed');
	});
});
