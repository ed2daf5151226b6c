import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { limits } from '../limits.ts';
import { createBreaker } from '../platform/breaker.ts';
import { createTestClock } from '../platform/clock.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import { buildHttp } from '../platform/http/build.ts';
import type { HotApp } from '../platform/http/hot-app.ts';
import type { StaffApp } from '../platform/http/staff-app.ts';
import { createLog } from '../platform/log.ts';
import type { Pulled } from './pull.ts';
import { syncRoutes } from './sync-routes.ts';

const scannerToken = `Bearer s-0123456789ab.${'x'.repeat(43)}`;
const answer = JSON.stringify({
	...{ at: 1, parts: [], unchanged: [], errors: [], hasMore: false, pullAfterMs: 1, reconnectSpreadMs: 1 }
});

/** The call over parts that a test moves by hand; no store behind it. */
function make() {
	const clock = createTestClock();
	const elapsedMs = () => clock.elapsedMs();
	const breakers = {
		scanner: createBreaker(limits.breaker, elapsedMs),
		staff: createBreaker(limits.breaker, elapsedMs)
	};
	const parts = {
		identified: 0,
		storeFails: false,
		pull: async (): Promise<Pulled> => ({ text: answer, outcome: 'served' })
	};
	const outcomes: string[] = [];
	const app = buildHttp(createLog('silent'));
	syncRoutes(app as unknown as StaffApp, {
		...{ elapsedMs, random: () => 0.5, breakers, queue: createFairQueue(clock, limits.sync.queue) },
		credentialOf: ({ headers }) => headers.cookie ?? headers.authorization ?? null,
		async identify({ headers }) {
			parts.identified += 1;
			if (parts.storeFails) throw new Error('the store is away');
			if (headers.cookie === 'nobody') throw new AppError('not_signed_in');
			return { id: headers.cookie ?? 'scanner', role: 'viewer', tenant: headers.cookie ?? 'gates' };
		},
		pull: () => parts.pull(),
		onOutcome: (outcome, reason) => outcomes.push(reason ?? outcome)
	});
	const send = async (who: string, headers: Record<string, string> = { cookie: who }) => {
		const response = await app.inject({ method: 'POST', url: '/api/v1/sync/pull', headers, payload: {} });
		const { code, reason, retryAfterSeconds } = response.json();
		const retryAfter = response.headers['retry-after'];
		return { status: response.statusCode, code, reason, retryAfterSeconds, retryAfter };
	};
	/** Each by somebody else: no pace stands in the way. */
	const many = async (count: number, name: string) => {
		const all = await Promise.all(Array.from({ length: count }, (_, one) => send(`${name} ${one}`)));
		return all.map(({ status }) => status);
	};
	return { app, clock, parts, outcomes, send, many };
}

describe('the call of the pull', () => {
	let app: HotApp;
	const start = () => {
		const bench = make();
		app = bench.app;
		return bench;
	};
	afterEach(() => app.close());

	it('pauses for 30 s when more than 5 of 100 fail in a minute, and asks nobody meanwhile', async () => {
		const { parts, clock, send, many } = start();
		await many(30, 'calm');
		parts.storeFails = true;
		expect((await many(2, 'early')).every((status) => status === 500)).toBe(true);
		parts.identified = 0;
		const refused = await send('later');
		expect(refused).toEqual({
			...{ status: 503, code: 'sync_paused', reason: 'breaker-open', retryAfterSeconds: 30, retryAfter: '30' }
		});
		expect(parts.identified).toBe(0);
		// Scanners have a breaker of their own, and a store that answers them again.
		parts.storeFails = false;
		expect((await send('', { authorization: scannerToken })).status).toBe(200);
		clock.advance(30_000);
		expect(await many(3, 'try')).toEqual([200, 200, 200]);
		expect(await many(50, 'after')).toEqual(Array.from({ length: 50 }, () => 200));
	});

	it('stays paused when a try fails', async () => {
		const { parts, clock, send, many } = start();
		parts.pull = async () => ({ text: answer, outcome: 'failed' });
		await many(25, 'bad');
		clock.advance(30_000);
		expect((await send('try')).status).toBe(200);
		parts.pull = async () => ({ text: answer, outcome: 'served' });
		clock.advance(29_000);
		expect((await send('again')).reason).toBe('breaker-open');
	});

	it('takes neither refusals nor a kind that is missing for failures', async () => {
		const { parts, send, many, outcomes } = start();
		parts.pull = async () => ({ text: answer, outcome: 'partial' });
		await many(40, 'some');
		for (let i = 0; i < 60; i++) await send('nobody');
		const eager = await Promise.all(Array.from({ length: 100 }, () => send('eager')));
		expect(eager.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
		expect((await send('calm')).status).toBe(200);
		expect(outcomes).not.toContain('failed');
		expect(outcomes).toContain('pace');
	});

	it('tells a tenant with too much waiting when to come back, serves the others, and gives up what waited too long', async () => {
		const { parts, clock, send } = start();
		const ends: (() => void)[] = [];
		parts.pull = () =>
			new Promise((resolve) => ends.push(() => resolve({ text: answer, outcome: 'served' })));
		// One tenant, many clients of it.
		const noisy = Array.from({ length: 70 }, (_, one) =>
			send('', { authorization: `Bearer s-0123456789ab.${one}` })
		);
		await expect.poll(() => ends.length).toBe(limits.sync.queue.runningPerTenant);
		const full = await Promise.race(noisy);
		expect(full).toMatchObject({ status: 503, code: 'busy', reason: 'queue-full-for-tenant' });
		expect(full.retryAfterSeconds).toBe(10);
		const quiet = send('quiet');
		await expect.poll(() => ends.length).toBe(limits.sync.queue.runningPerTenant + 1);
		ends.at(-1)!();
		expect((await quiet).status).toBe(200);
		clock.advance(limits.sync.queue.deadlineMs);
		for (const end of ends) end();
		const all = await Promise.all(noisy);
		expect(new Set(all.map(({ reason }) => reason))).toEqual(
			new Set([undefined, 'queue-full-for-tenant', 'too-late'])
		);
	});
});
