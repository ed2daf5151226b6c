import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './kit/index.ts';

/** Every label a metric may carry. None of them holds who somebody is, or anything that somebody outside can write. */
const labelsAllowed = new Set([
	...['state', 'event', 'reason', 'outcome', 'of', 'percentile', 'source', 'end', 'queue', 'part', 'kind'],
	...['action', 'le', 'type', 'space', 'version', 'major', 'minor', 'patch', 'quantile', 'result', 'name'],
	...['class', 'priority', 'level', 'topic', 'adapter', 'why', 'store', 'command', 'language']
]);
const valueAllowed =
	/^(?:[a-z][a-zA-Z0-9_-]{0,40}|v?\d+(?:\.\d+){0,2}|\+Inf|\d+(?:\.\d+)?(?:e-?\d+)?|[A-Z][A-Za-z]{2,40})$/;

describe('GET /metrics', () => {
	let test: TestApp;
	const person = 'somebody-very-personal';
	beforeAll(async () => {
		test = await createTestApp({ env: { LAB: '1', DEMO: '' } });
		await test.call('POST', '/queue/join', { body: { user: person } });
		await test.call('POST', '/book', { body: { user: person, slot: 1 } });
		await test.call('POST', '/book', { body: { user: person, slot: 2 }, headers: { 'x-token': 'forged' } });
		await test.call('GET', `/queue/status?ticket=nonsense&user=${person}`);
		await test.signIn('duty');
	});
	afterAll(() => test.close());

	const read = async () => {
		const { body } = await test.call('GET', '/metrics');
		const lines = String(body)
			.split('\n')
			.filter((line) => line !== '');
		return { text: String(body), lines };
	};
	const nameOf = (line: string) => line.slice(0, line.search(/[{ ]/));

	it('has help and a type for every metric, and names with their unit', async () => {
		await expect.poll(async () => (await read()).text, { timeout: 20_000 }).toContain('marsad_blind 0');
		const { lines } = await read();
		const told = (keyword: string) =>
			new Map(
				lines
					.filter((line) => line.startsWith(`# ${keyword} `))
					.map((line) => line.split(' '))
					.map(([, , name, ...rest]) => [name!, rest.join(' ')])
			);
		const help = told('HELP');
		const types = told('TYPE');
		for (const line of lines.filter((one) => !one.startsWith('#'))) {
			const name = nameOf(line);
			const family = help.has(name) ? name : name.replace(/_(bucket|sum|count|total)$/, '');
			expect(help.get(family)?.length, name).toBeGreaterThan(8);
			expect(types.has(family), name).toBe(true);
			if (!name.startsWith('marsad_')) continue;
			expect(name).toMatch(/^marsad_[a-z0-9]+(_[a-z0-9]+)*$/);
			if (types.get(family) === 'counter') expect(name).toMatch(/_total$/);
		}
	});

	it('has everything that the Grafana dashboard asks for, with the labels it groups by', async () => {
		const file = new URL('../../deploy/grafana/marsad-spike.json', import.meta.url);
		const asked: string[] = [];
		JSON.parse(await readFile(file, 'utf8'), (key, value: unknown) => {
			if (key === 'expr') asked.push(String(value));
			return value;
		});
		const { lines } = await read();
		const families = new Set(
			lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2]!)
		);
		expect(asked.length).toBeGreaterThan(30);
		for (const expression of asked) {
			const names = expression.match(/\b(?:marsad|process)_[a-z0-9_]+/g) ?? [];
			expect(names.length, expression).toBeGreaterThan(0);
			for (const name of names) expect(families, name).toContain(name);
			const label = /by \((\w+)\)/.exec(expression)?.[1];
			// A counter without an event yet has no labels to be seen.
			const own = lines.filter((line) => line.startsWith(`${names[0]}{`));
			if (label && own.length > 0) expect(own.join('\n'), expression).toContain(`${label}="`);
		}
	});

	it('tells room, rate, work and parts', async () => {
		const { lines } = await read();
		const names = new Set(lines.filter((line) => !line.startsWith('#')).map(nameOf));
		for (const name of [
			'marsad_waiting_room_people',
			'marsad_waiting_room_people_total',
			'marsad_waiting_room_inflow_per_second',
			'marsad_waiting_room_outflow_per_second',
			'marsad_waiting_room_oldest_wait_seconds',
			'marsad_waiting_room_expected_wait_seconds',
			'marsad_waiting_room_places_max',
			'marsad_waiting_room_no_show_ratio',
			'marsad_waiting_room_pending_people',
			'marsad_admission_rate_per_second',
			'marsad_admission_limit_per_second',
			'marsad_admission_limited_by',
			'marsad_health_ratio',
			'marsad_blind',
			'marsad_level',
			'marsad_drain_inflow_ratio',
			'marsad_booking_latency_seconds',
			'marsad_booking_attempts_total',
			'marsad_eligibility_latency_seconds',
			'marsad_queue_depth',
			'marsad_queue_oldest_seconds',
			'marsad_database_pool_connections',
			'marsad_database_pool_wait_seconds',
			'marsad_part_up',
			'marsad_event_loop_p99_seconds',
			'marsad_live_sockets',
			'marsad_status_polls_per_second'
		])
			expect(names, name).toContain(name);
	});

	it('holds nothing personal in any label', async () => {
		const { text, lines } = await read();
		for (const word of [person, 'example.org', '127.0.0.1', 'forged', 'nonsense'])
			expect(text).not.toContain(word);
		for (const line of lines.filter((one) => !one.startsWith('#'))) {
			const labels = /\{(.*)\}/.exec(line)?.[1] ?? '';
			for (const [, label, value] of labels.matchAll(/([a-zA-Z_]+)="((?:[^"\\]|\\.)*)"/g)) {
				expect(labelsAllowed, `${line}: ${label}`).toContain(label);
				expect(value, line).toMatch(valueAllowed);
			}
		}
	});

	it('is not for strangers, nor through a proxy', async () => {
		const { status } = await test.call('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } });
		expect(status).toBe(404);
	});
});

describe('figures by the staff calls', () => {
	let test: TestApp;
	beforeAll(async () => {
		test = await createTestApp();
	});
	afterAll(() => test.close());

	it('are given to the control room alone, and within bounds', async () => {
		const duty = await test.signIn('duty');
		const steward = await test.signIn('steward');
		const from = Date.now() - 600_000;
		for (const path of [`/api/v1/spike/history?from=${from}`, '/api/v1/spike/decisions']) {
			expect((await test.call('GET', path)).status).toBe(401);
			expect((await test.call('GET', path, { cookie: steward })).status).toBe(403);
			expect((await test.call('GET', path, { cookie: duty })).status).toBe(200);
		}
		const bad = await test.call('GET', '/api/v1/spike/history?from=1&resolution=1', { cookie: duty });
		expect(bad).toMatchObject({ status: 400, body: { code: 'bad_request', field: 'resolution' } });
		expect((await test.call('GET', '/api/v1/spike/history?from=x', { cookie: duty })).status).toBe(400);
		expect((await test.call('GET', '/api/v1/spike/decisions?limit=9999', { cookie: duty })).status).toBe(400);
	});

	it('tell a command of the duty manager: the decision that follows, and whose hand it was', async () => {
		const duty = await test.signIn('duty');
		const told = await test.call('PUT', '/api/v1/queue/rate', {
			cookie: duty,
			// So few that a machine which is slow just now has nothing to climb: how it climbs is tested elsewhere.
			body: { perSecond: 3, reason: 'the payment service is slow' }
		});
		expect(told.status).toBe(200);
		const newest = async () => {
			const { body } = await test.call('GET', '/api/v1/spike/decisions?limit=1', { cookie: duty });
			return body.decisions[0];
		};
		await expect.poll(newest, { timeout: 30_000, interval: 500 }).toMatchObject({
			kind: 'change',
			// 250, or less where this machine was just too slow for it.
			before: expect.any(Number),
			perSecond: 3,
			managerPerSecond: 3,
			limitedBy: 'manager'
		});
	});
});
