import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPeopleClient, type Answer } from './kit/people-client.ts';
import { createTestApp, onServer, type TestApp } from './kit/index.ts';

const people = 2_000;

describe('the laboratory: 2,000 people in the same second through the room at 250 a second', () => {
	let test: TestApp;
	let client: ReturnType<typeof createPeopleClient>;
	beforeAll(async () => {
		test = await createTestApp({ env: { LAB: '1', ADMIT_PER_SECOND: '250' } });
		client = createPeopleClient(test.url);
	});
	afterAll(async () => {
		client.close();
		await test.close();
	});

	/** One person: join, ask until the turn comes, book the slot of one's choice. */
	async function live(index: number, seen: Answer[]): Promise<Answer> {
		const user = `person-${index}`;
		const note = (answer: Answer) => {
			seen.push(answer);
			return answer;
		};
		const joined = note(await client.post('/queue/join', { user }));
		expect(joined.status).toBe(200);
		let token: string | undefined = joined.body.token;
		while (token === undefined) {
			await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 200));
			const status = note(await client.get(`/queue/status?ticket=${joined.body.ticket}&user=${user}`));
			expect(status.status).toBe(200);
			if (status.body.admitted) token = status.body.token;
		}
		return note(await client.post('/book?gated=1', { slot: (index % 50) + 1, user }, { 'x-token': token }));
	}

	it('books all of them, none twice, without a fault', async () => {
		const seen: Answer[] = [];
		const slots = await client.get('/slots');
		const ids = (slots.body.slots as { id: number; capacity: number }[]).map((slot) => slot.id);
		expect(ids).toHaveLength(50);
		const booked = await Promise.all(Array.from({ length: people }, (_, index) => live(index, seen)));
		expect(booked.filter((answer) => answer.status === 200 && answer.body.ok === true)).toHaveLength(people);
		expect(new Set(booked.map((answer) => answer.body.permit)).size).toBe(people);
		expect(seen.filter((answer) => answer.status >= 500)).toEqual([]);
		const [row] = await onServer<{ permits: number; holders: number }>(
			test.database.url,
			"select count(*)::int as permits, count(distinct holder)::int as holders from permits where state = 'valid'"
		);
		expect(row).toEqual({ permits: people, holders: people });
		const stats = await client.get('/stats');
		expect(stats.body).toMatchObject({ bookings: people, booked: people, issued: people });
	}, 240_000);

	it('gives a retry the first answer and another slot the existing permit', async () => {
		const first = await client.post('/book', { slot: 1, user: 'person-0' });
		const again = await client.post('/book', { slot: 1, user: 'person-0' });
		expect(again.body).toEqual(first.body);
		const other = await client.post('/book', { slot: 7, user: 'person-0' });
		expect(other.status).toBe(409);
		expect(other.body).toMatchObject({ error: 'already booked', permit: first.body.permit });
	});

	it('never gives a pass for a foreign, guessed, zero, negative, repeated or missing ticket', async () => {
		const mine = await client.post('/queue/join', { user: 'owner' });
		const ticket: string = mine.body.ticket;
		const tries = [
			`ticket=${ticket}&user=somebody-else`,
			`ticket=${mine.body.number}&user=owner`,
			'ticket=1&user=anyone',
			'ticket=0&user=owner',
			'ticket=-1&user=owner',
			`ticket=${ticket}&ticket=${ticket}&user=owner`,
			`ticket=${ticket.slice(0, -2)}AA&user=owner`,
			'ticket=&user=owner',
			'user=owner'
		];
		const answers = await Promise.all(tries.map((query) => client.get(`/queue/status?${query}`)));
		const shapes = new Set(
			answers.map(({ status, body }) => JSON.stringify([status, body.code, body.error, body.title]))
		);
		expect([...shapes]).toHaveLength(1);
		for (const { status, body } of answers) {
			expect([status, body.code]).toEqual([403, 'not_yours']);
			expect(JSON.stringify(body)).not.toContain('token');
		}
		expect((await client.post('/queue/claim', { ticket, user: 'somebody-else' })).status).toBe(403);
	});

	it('refuses laboratory calls that come from another site', async () => {
		const answer = await client.post('/reset', {}, { origin: 'http://evil.example' });
		expect(answer.status).toBe(403);
		expect((await client.get('/stats')).body.bookings).toBe(people);
	});

	it('starts afresh on reset', async () => {
		expect((await client.post('/reset')).status).toBeLessThan(300);
		expect((await client.get('/stats')).body).toMatchObject({ bookings: 0, booked: 0 });
	});
});
