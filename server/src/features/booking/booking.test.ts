import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildHttp } from '../../platform/http/build.ts';
import { createLog } from '../../../test/kit/index.ts';
import { createBench, identity, input, type BookingBench } from './booking.fixture.ts';

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

/** Serves the hot routes of a bench and calls them over real HTTP. */
async function serve(bench: BookingBench) {
	const app = buildHttp(createLog('silent'));
	const { permits, booking } = bench.instances[0]!;
	permits.hotRoutes?.(app);
	booking.hotRoutes?.(app);
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	const call = async (
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {}
	): Promise<Answer> => {
		const response = await fetch(url + path, {
			method,
			headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
			...(body === undefined ? {} : { body: JSON.stringify(body) })
		});
		return {
			status: response.status,
			headers: response.headers,
			body: (response.status === 204 ? null : await response.json()) as Answer['body']
		};
	};
	return { call, close: () => app.close() };
}

describe('booking with a pass', () => {
	let bench: BookingBench;
	let served: Awaited<ReturnType<typeof serve>>;
	beforeAll(async () => {
		bench = await createBench();
		served = await serve(bench);
		// A pass of this test: name of the person, party, and whether it ran out.
		bench.instances[0]!.booking.setPassVerifier((token, holder) => {
			const [name = '', party = '1', state = ''] = token.split(':');
			if (identity.holderOf(name) !== holder) return null;
			return { ticket: `ticket-${token}`, party: Number(party), expired: state === 'old' };
		});
	});
	afterAll(async () => {
		await served.close();
		await bench.close();
	});
	const book = (
		user: string,
		slot: unknown,
		token?: string,
		more: Record<string, unknown> = {},
		headers: Record<string, string> = {}
	) =>
		served.call(
			'POST',
			'/book',
			{ user, slot, ...more },
			{ ...(token ? { 'x-token': token } : {}), ...headers }
		);

	it('books, repeats, refuses a second slot, shows the permit, and gives the place back once', async () => {
		const [slot = 0, other = 0] = await bench.addSlots([5, 5]);
		const first = await book('amal', slot, 'amal:3');
		expect(first.status).toBe(200);
		expect(first.body).toEqual({
			ok: true,
			slot,
			permit: expect.stringMatching(/^[0-9A-Z-]{19}$/) as unknown,
			party: 3
		});
		expect(first.headers.get('cache-control')).toBe('no-store');
		expect((await book('amal', slot, 'amal:3')).body).toEqual(first.body);
		const second = await book('amal', other, 'amal:3');
		expect(second.status).toBe(409);
		expect(second.body).toMatchObject({
			error: 'already booked',
			code: 'already_booked',
			permit: first.body['permit']
		});

		const mine = await served.call('GET', '/permits/mine?user=amal');
		expect(mine.body).toMatchObject({
			id: first.body['permit'],
			slot,
			place: 'north',
			party: 3,
			state: 'valid',
			timeZone: 'Asia/Riyadh'
		});
		expect(mine.body['qr']).toContain('<svg');
		expect(mine.headers.get('cache-control')).toBe('no-store');
		expect(await served.call('GET', '/permits/mine?user=nobody')).toMatchObject({ status: 204, body: null });

		const cancel = (user: string) =>
			served.call('POST', `/permits/${String(first.body['permit'])}/cancel?user=${user}`);
		expect((await cancel('thief')).status).toBe(403);
		const answers = await Promise.all([cancel('amal'), cancel('amal'), cancel('amal')]);
		for (const answer of answers) {
			expect(answer.body).toEqual({ ok: true, permit: first.body['permit'], state: 'cancelled' });
		}
		expect(await bench.instances[0]!.booking.reconcile()).toEqual([]);
		expect((await book('amal', slot, 'amal:3')).body).toMatchObject({ code: 'no_pass' });
	});

	it('lets nobody book without a pass of their own', async () => {
		const [slot = 0] = await bench.addSlots([5]);
		for (const token of [undefined, 'someone:1', 'forged', '0', '']) {
			const answer = await book('badr', slot, token);
			expect(answer.status).toBe(403);
			expect(answer.body['code']).toBe('no_pass');
		}
		expect((await served.call('POST', '/book', { slot })).body['code']).toBe('no_identity');
	});

	it('still tells the holder of a pass that ran out of the booking it made', async () => {
		const [slot = 0, other = 0] = await bench.addSlots([5, 5]);
		expect((await book('dana', slot, 'dana:1:old')).body['code']).toBe('no_pass');
		const first = await book('dana', slot, 'dana:1');
		expect((await book('dana', slot, 'dana:1:old')).body).toEqual(first.body);
		expect((await book('dana', other, 'dana:1:old')).body['code']).toBe('already_booked');
	});

	it('says that a slot is full and names others with room for the party', async () => {
		const [slot = 0, small = 0, large = 0] = await bench.addSlots([1, 1, 9]);
		expect((await book('essa', slot, 'essa:2')).body['code']).toBe('slot_full');
		// What is offered comes from a view that is a second old.
		const listed = async () => {
			const { body } = await served.call('GET', '/slots');
			return (body['slots'] as { id: number }[]).map(({ id }) => id);
		};
		await expect.poll(listed, { timeout: 10_000 }).toContain(large);
		const answer = await book('essa', slot, 'essa:2');
		expect(answer.status).toBe(409);
		expect(answer.body['error']).toBe('slot full');
		const offered = (answer.body['alternatives'] as { id: number }[]).map(({ id }) => id);
		expect(offered).toContain(large);
		expect(offered).not.toContain(small);
	});

	it('names what is wrong with the asking: 422', async () => {
		const [slot = 0] = await bench.addSlots([5]);
		expect((await book('farid', 'one', 'farid:1')).body).toMatchObject({
			status: 422,
			code: 'bad_input',
			field: 'slot'
		});
		expect((await book('farid', 999_999, 'farid:1')).body).toMatchObject({
			status: 422,
			code: 'no_such_slot'
		});
		expect((await book('farid', slot, 'farid:1', { party: 2 })).body).toMatchObject({
			status: 422,
			field: 'party'
		});
		expect((await book('farid', slot, 'farid:1', { party: 1 })).status).toBe(200);
	});

	it('gives the first answer under a key, also after a cancel; another body is 422', async () => {
		const [slot = 0, other = 0] = await bench.addSlots([5, 5]);
		const key = { 'idempotency-key': 'once' };
		const first = await book('ghada', slot, 'ghada:1', {}, key);
		expect(first.status).toBe(200);
		await served.call('POST', `/permits/${String(first.body['permit'])}/cancel?user=ghada`);
		expect((await book('ghada', slot, 'ghada:1', {}, key)).body).toEqual(first.body);
		expect((await book('ghada', other, 'ghada:1', {}, key)).body).toMatchObject({
			status: 422,
			code: 'key_reused'
		});
		expect(await bench.instances[0]!.booking.reconcile()).toEqual([]);
		// The same key of another person is another key.
		expect((await book('hadi', slot, 'hadi:1', {}, key)).status).toBe(200);
		const twins = await Promise.all([1, 2].map(() => book('hiba', slot, 'hiba:1', {}, key)));
		expect(twins.map(({ status }) => status).sort()).toEqual([200, 409]);
		expect(twins.find(({ status }) => status === 409)?.body['code']).toBe('key_in_flight');
	});

	it('pauses with the level, keeps permits and cancels open, and spreads the returning', async () => {
		const [slot = 0] = await bench.addSlots([5]);
		const { flags, booking } = bench.instances[0]!;
		const own = await book('iman', slot, 'iman:1');
		flags.setOverride(new Set(['booking', 'places-left']));
		const waits = new Set<string | null>();
		for (let turn = 0; turn < 20; turn++) {
			const answer = await book(`jad-${turn}`, slot, `jad-${turn}:1`);
			expect(answer.body).toMatchObject({ status: 503, code: 'booking_closed' });
			waits.add(answer.headers.get('retry-after'));
		}
		expect(waits.size).toBeGreaterThan(3);
		const slots = await served.call('GET', '/slots');
		expect(slots.body['bookingOpen']).toBe(false);
		expect((slots.body['slots'] as { left: unknown }[])[0]?.left).toBeNull();
		expect((await served.call('GET', '/permits/mine?user=iman')).status).toBe(200);
		expect(
			(await served.call('POST', `/permits/${String(own.body['permit'])}/cancel?user=iman`)).status
		).toBe(200);
		flags.setOverride(new Set());
		const before = booking.figures();
		expect(before.outcomes.closed).toBeGreaterThanOrEqual(20);
		expect(before.offered - before.served).toBeGreaterThanOrEqual(20);
	});

	it('answers the slots from a prepared document that everybody shares for a second', async () => {
		const answer = await served.call('GET', '/slots');
		expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
		expect(answer.body).toMatchObject({
			bookingOpen: true,
			timeZone: 'Asia/Riyadh',
			places: { north: { en: 'North' } }
		});
	});

	it('treats every text field as text', async () => {
		const nasty = "'; drop table permits; --";
		expect((await served.call('GET', `/permits/mine?user=${encodeURIComponent(nasty)}`)).status).toBe(204);
		expect((await served.call('POST', `/permits/${encodeURIComponent(nasty)}/cancel?user=a`)).status).toBe(
			403
		);
		const [slot = 0] = await bench.addSlots([5]);
		expect((await book(nasty, slot, `${nasty}:1`, {}, { 'idempotency-key': nasty })).status).toBe(200);
		const { rows } = await sql<{ count: number }>`select count(*) as count from permits`.execute(
			bench.instances[0]!.database.db
		);
		expect(rows[0]?.count).toBeGreaterThan(0);
	});
});

describe('the laboratory', () => {
	let bench: BookingBench;
	let served: Awaited<ReturnType<typeof serve>>;
	beforeAll(async () => {
		bench = await createBench({ demo: true, lab: { checkMs: 1 }, eligibilityUrl: undefined });
		await bench.instances[0]!.booking.start?.();
		served = await serve(bench);
	});
	afterAll(async () => {
		await served.close();
		await bench.close();
	});

	it('has 50 slots of 100 places, books without a pass, and insists on one when asked', async () => {
		expect((await served.call('GET', '/stats')).body).toMatchObject({
			bookings: 0,
			booked: 0,
			capacity: 5_000
		});
		expect((await served.call('POST', '/book?user=lab-1&slot=7')).body).toMatchObject({
			ok: true,
			slot: 7,
			party: 1
		});
		expect((await served.call('POST', '/book?user=lab-2&slot=50', { party: 4 })).body).toMatchObject({
			ok: true,
			party: 4
		});
		expect((await served.call('POST', '/book?user=lab-3&slot=50&gated=1')).body['code']).toBe('no_pass');
		expect((await served.call('GET', '/stats')).body).toMatchObject({ bookings: 2, booked: 5 });
	});

	it('starts again on POST /reset, tells the others, and not for a page of another site', async () => {
		const { booking } = bench.instances[0]!;
		let told = 0;
		booking.onReset(() => void (told += 1));
		booking.registerStats(() => ({ issued: 42 }));
		for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
			expect(
				(await served.call('POST', '/reset', undefined, headers as unknown as Record<string, string>)).body[
					'code'
				]
			).toBe('cross_site');
		}
		expect(told).toBe(0);
		expect((await served.call('POST', '/reset')).status).toBe(200);
		expect(told).toBe(1);
		expect((await served.call('GET', '/stats')).body).toMatchObject({
			bookings: 0,
			booked: 0,
			capacity: 5_000,
			issued: 42
		});
		expect((await served.call('GET', '/slots')).body['slots']).toHaveLength(50);
		expect((await served.call('POST', '/book?user=lab-1&slot=1')).status).toBe(200);
		expect(await booking.reconcile()).toEqual([]);
	});

	it('finishes the bookings in hand when it stops, and takes no new ones', async () => {
		const { booking } = bench.instances[0]!;
		const people = Array.from({ length: 60 }, (_, person) => booking.book(`last-${person}`, input(9)));
		await new Promise((resolve) => setTimeout(resolve, 10));
		await booking.stop?.();
		const outcomes = (await Promise.all(people)).map(({ outcome }) => outcome);
		expect(outcomes.every((outcome) => outcome === 'booked' || outcome === 'busy')).toBe(true);
		expect((await booking.book('too-late', input(9))).outcome).toBe('busy');
		expect(await booking.reconcile()).toEqual([]);
	});
});

describe('outside demo and laboratory', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ eligibilityUrl: undefined });
		bench.instances[0]!.booking.setPassVerifier(() => ({ ticket: 't', party: 1, expired: false }));
	});
	afterAll(() => bench.close());

	it('refuses while nobody says who is eligible, has no laboratory calls and cannot be steered', async () => {
		const { booking } = bench.instances[0]!;
		expect((await booking.book('kamal', input(1, { token: 'x' }))).outcome).toBe('notConfigured');
		expect(booking.figures().eligibility.kind).toBe('not-configured');
		const served = await serve(bench);
		expect((await served.call('POST', '/reset')).status).toBe(404);
		expect((await served.call('GET', '/stats')).status).toBe(404);
		await served.close();
	});
});

describe('the eligibility service', () => {
	it('is asked with the holder before a connection is taken, and its word is handed on', async () => {
		const asked: unknown[] = [];
		const service = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const body = JSON.parse(Buffer.concat(chunks).toString()) as { holder: string };
				asked.push(body);
				const answer = body.holder === 'no' ? { eligible: false, reason: 'vaccination' } : { eligible: true };
				response
					.writeHead(body.holder === 'broken' ? 500 : 200)
					.end(body.holder === 'odd' ? '{"eligible":"yes"}' : JSON.stringify(answer));
			});
		});
		await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
		const { port } = service.address() as AddressInfo;
		const bench = await createBench({
			eligibilityUrl: `http://127.0.0.1:${port}/check`,
			lab: { checkMs: 0 }
		});
		const { booking } = bench.instances[0]!;
		const [slot = 0] = await bench.addSlots([5]);
		expect((await booking.book('yes', input(slot))).outcome).toBe('booked');
		expect(await booking.book('no', input(slot))).toEqual({ outcome: 'notEligible', reason: 'vaccination' });
		for (const holder of ['broken', 'odd'])
			expect((await booking.book(holder, input(slot))).outcome).toBe('busy');
		expect(asked).toContainEqual({ holder: 'yes' });
		expect(booking.takeCheckHistogram().count).toBe(4);
		const figures = booking.figures();
		expect(figures.outcomes).toMatchObject({ booked: 1, notEligible: 1, busy: 2 });
		expect([figures.offered, figures.served]).toEqual([4, 2]);
		await bench.close();
		service.close();
	});
});
