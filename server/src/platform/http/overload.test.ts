import { describe, expect, it } from 'vitest';
import { createLog } from '../../../test/kit/index.ts';
import { limits } from '../../limits.ts';
import { findPriority } from '../../priorities.ts';
import { createMetrics } from '../metrics.ts';
import { buildHttp } from './build.ts';
import { protectFromOverload } from './overload.ts';
import { createShedder } from './shedding.ts';

/** As in the table of limits, with a smaller bound for addresses, so that a test can reach it. */
const pace = { client: limits.http.client, address: { ...limits.http.address, burst: 400, perSecond: 40 } };

const build = (anyPace = false) => {
	const state = { load: 0, ms: 0 };
	const metrics = createMetrics();
	const app = buildHttp(createLog('silent'));
	const elapsedMs = () => state.ms;
	const shedder = createShedder({
		signals: () => [{ name: 'test', value: state.load, start: 0, most: 1 }],
		elapsedMs,
		random: () => 0.5
	});
	protectFromOverload(app, { findPriority, shedder, metrics, elapsedMs, anyPace, pace });
	const ok = async () => ({ ok: true });
	for (const path of ['/book', '/queue/join', '/queue/claim', '/queue/leave', '/permits/:id/cancel'])
		app.post(path, ok);
	for (const path of ['/queue/status', '/queue/progress', '/permits/mine', '/slots', '/healthz'])
		app.get(path, ok);
	app.post('/api/v1/levels/current', ok);
	for (const path of ['/api/v1/record', '/api/v1/zones/trend', '/api/v1/zones', '/queue/new'])
		app.get(path, ok);
	const ask = async (call: string, headers: Record<string, string> = {}, remoteAddress = '203.0.113.7') => {
		const [method = '', url = ''] = call.split(' ');
		const { statusCode, headers: answered } = await app.inject({
			method: method as 'GET',
			url,
			headers,
			remoteAddress
		});
		return { status: statusCode, retryAfter: Number(answered['retry-after']) };
	};
	const at = async (load: number, calls: readonly string[]) => {
		state.load = load;
		state.ms += 60_000;
		const refused: string[] = [];
		for (const call of calls) if ((await ask(call)).status === 503) refused.push(call);
		return refused;
	};
	return { app, state, metrics, ask, at };
};

const never = [
	'GET /permits/mine',
	'POST /permits/x/cancel',
	'GET /healthz',
	'POST /api/v1/levels/current',
	'GET /api/v1/zones'
];

describe('under load', () => {
	it('history gives way first, then status, joins, claims, bookings; what may never be refused never is', async () => {
		const { at, app } = build();
		const inOrder = [
			'GET /api/v1/zones/trend',
			'GET /queue/new',
			'GET /slots',
			'GET /queue/status',
			'GET /queue/progress',
			'POST /queue/join',
			'POST /queue/claim',
			'POST /book',
			'POST /queue/leave'
		];
		const calls = [...inOrder, ...never];
		expect(await at(0, calls)).toEqual([]);
		let before = 0;
		for (const load of [0.4, 0.55, 0.6, 0.64, 0.67, 0.72, 0.8, 0.9, 1]) {
			const refused = await at(load, calls);
			expect(refused).toEqual(inOrder.slice(0, refused.length));
			expect(refused.length).toBeGreaterThanOrEqual(before);
			before = refused.length;
		}
		expect(before).toBe(inOrder.length);
		await app.close();
	});

	it('an admitted person’s second step comes before a new person’s first', async () => {
		const { ask, state, app } = build();
		state.load = 0.86;
		expect((await ask('POST /queue/join')).status).toBe(503);
		expect((await ask('POST /book')).status).toBe(503);
		expect((await ask('POST /book', { 'x-token': 'pass' })).status).toBe(200);
		await app.close();
	});

	it('says when to come back, spread, and counts each class', async () => {
		const { ask, state, metrics, app } = build();
		state.load = 1;
		const { status, retryAfter } = await ask('POST /queue/join');
		expect(status).toBe(503);
		expect(retryAfter).toBeGreaterThanOrEqual(30);
		expect(await metrics.text()).toContain('marsad_http_shed_total{class="join"} 1');
		await app.close();
	});
});

describe('the pace of clients', () => {
	const burst = limits.http.client.burst;

	it('bounds one that hammers, and nobody else behind the same address', async () => {
		const { ask, metrics, app } = build();
		const hammer = await Promise.all(
			Array.from({ length: burst + 20 }, () => ask('GET /queue/status?ticket=one'))
		);
		expect(hammer.filter(({ status }) => status === 429)).toHaveLength(20);
		expect(hammer.at(-1)?.retryAfter).toBeGreaterThanOrEqual(1);
		const others = await Promise.all(
			Array.from({ length: 300 }, (_, person) => ask(`GET /queue/status?ticket=t${person}`))
		);
		expect(others.every(({ status }) => status === 200)).toBe(true);
		expect(await metrics.text()).toContain('marsad_http_clients_limited_total{by="key"} 20');
		await app.close();
	});

	it('bounds an address only far above what thousands behind it need, with a figure of its own', async () => {
		// Four thousand people in the same second, each again every two seconds, are no anomaly.
		expect(limits.http.address.burst).toBeGreaterThanOrEqual(20_000);
		expect(limits.http.address.perSecond).toBeGreaterThanOrEqual(2_000);
		const { ask, metrics, app, state } = build();
		let refused = 0;
		for (let turn = 0; turn < pace.address.burst + 50; turn++) {
			if ((await ask(`GET /queue/status?ticket=a${turn}`)).status === 429) refused += 1;
		}
		expect(refused).toBe(50);
		expect((await ask('GET /queue/status?ticket=b', {}, '198.51.100.9')).status).toBe(200);
		// A proxy of ours speaks for everybody.
		expect((await ask('GET /queue/status?ticket=c', {}, '10.0.0.2')).status).toBe(200);
		expect(await metrics.text()).toContain('marsad_http_clients_limited_total{by="address"} 50');
		state.ms += 1_000;
		expect((await ask('GET /queue/status?ticket=d')).status).toBe(200);
		await app.close();
	});

	it('never bounds cancelling, showing, or the public document; the laboratory asks at any pace', async () => {
		const { ask, app } = build();
		for (const call of ['GET /permits/mine', 'POST /permits/x/cancel', 'GET /queue/progress']) {
			const answers = await Promise.all(Array.from({ length: burst * 2 }, () => ask(`${call}?user=one`)));
			expect(answers.every(({ status }) => status === 200)).toBe(true);
		}
		await app.close();
		const laboratory = build(true);
		const answers = await Promise.all(
			Array.from({ length: burst * 2 }, () => laboratory.ask('GET /queue/status?ticket=one'))
		);
		expect(answers.every(({ status }) => status === 200)).toBe(true);
		await laboratory.app.close();
	});
});
