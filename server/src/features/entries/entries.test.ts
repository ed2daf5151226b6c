// Answers are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permitId, startEntries } from './entries.fixture.ts';

const patience = { timeout: 60_000, interval: 200 };
const hours = 3_600_000;
let on: Awaited<ReturnType<typeof startEntries>>;
let nextPermit = 1;
const newPermit = () => permitId(nextPermit++);
beforeAll(async () => void (on = await startEntries()), 120_000);
afterAll(() => on?.close());

describe('a batch of entries', () => {
	it('500 people offline, sent three times: each is there once, in order of their own clock', async () => {
		const scanner = await on.scannerAt('gate-1');
		const before = (await on.totals('gate-1'))?.people_in ?? 0;
		const entries = Array.from({ length: 500 }, () => {
			scanner.uptimeMs += 1_000;
			return scanner.scan(newPermit(), { offline: true });
		});
		scanner.uptimeMs += 2 * hours;
		const answers = [];
		for (let time = 0; time < 3; time++) answers.push(await scanner.send(entries));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(answers.map(({ body }) => [body.stored, body.repeated])).toEqual([
			[500, 0],
			[0, 500],
			[0, 500]
		]);
		expect(answers.map(({ body }) => body.acknowledged)).toEqual(Array(3).fill([[1, 500]]));
		const rows = await on.stored(scanner);
		expect(rows).toHaveLength(500);
		for (let at = 1; at < rows.length; at++)
			expect(rows[at]!.at.getTime()).toBeGreaterThan(rows[at - 1]!.at.getTime());
		const agoMs = Date.now() - rows[499]!.at.getTime();
		expect(agoMs).toBeGreaterThan(2 * hours - 5_000);
		expect((await on.totals('gate-1'))!.people_in - before).toBe(500);
		expect(answers[2]!.body.nextSeq).toBe(501);
	});

	it('by a clock three hours wrong: noticed, corrected, both kept, nobody refused', async () => {
		const scanner = await on.scannerAt('gate-1');
		scanner.offByMs = -3 * hours;
		const startedAt = Date.now();
		const { status, body } = await scanner.send([scanner.scan(newPermit()), scanner.scan(newPermit())]);
		expect([status, body.stored, body.clock.state]).toEqual([200, 2, 'skewed']);
		expect(Math.abs(body.clock.offsetMs + 3 * hours)).toBeLessThan(60_000);
		for (const row of await on.stored(scanner)) {
			expect(Math.abs(row.at.getTime() - startedAt)).toBeLessThan(60_000);
			expect(row.device_at.getTime()).toBeLessThan(startedAt - 2 * hours);
			expect(row.received_at.getTime()).toBeGreaterThanOrEqual(row.at.getTime());
		}
		const { scanners } = (await on.get('scanners')).body;
		expect(scanners.find(({ id }: any) => id === scanner.id)).toMatchObject({
			...{ state: 'online', entries: 2, clock: { state: 'skewed' } }
		});
		await expect
			.poll(async () => {
				const { alarms } = (await on.get('alarms')).body;
				return alarms.some((one: any) => one.definition === 'scanner-clock' && one.subject.id === scanner.id);
			}, patience)
			.toBe(true);
	});

	it('sets a poison one aside, keeps it, and blocks nothing', async () => {
		const scanner = await on.scannerAt('gate-1');
		const good = [scanner.scan(newPermit()), scanner.scan(newPermit())];
		const bad = [
			scanner.scan(newPermit(), { people: 999 }),
			'no entry at all',
			scanner.scan(newPermit(), { gate: 'gate-2' }),
			scanner.scan(newPermit(), { boot: 'nul\u0000' })
		];
		const batch = [bad[0], good[0], bad[1], bad[2], good[1], bad[3]];
		for (const [storedNow, repeated] of [
			[2, 0],
			[0, 2]
		]) {
			const { status, body } = await scanner.send(batch);
			expect([status, body.stored, body.repeated]).toEqual([200, storedNow, repeated]);
			expect(body.setAside.map(({ index, seq, code }) => [index, seq, code])).toEqual([
				[0, 3, 'bad_shape'],
				[2, null, 'bad_shape'],
				[3, 4, 'other_gate'],
				[5, 5, 'bad_shape']
			]);
			expect(body.acknowledged).toEqual([[1, 2]]);
		}
		const kept = await on.db
			.selectFrom('entries_set_aside')
			.selectAll()
			.where('scanner', '=', scanner.id)
			.execute();
		expect(kept).toHaveLength(4);
	});

	it('tells another entry under a used number from a repeat', async () => {
		const scanner = await on.scannerAt('gate-1');
		const first = scanner.scan(newPermit());
		await scanner.send([first]);
		scanner.seq = 0;
		const second = scanner.scan(newPermit());
		const { body } = await scanner.send([second, first]);
		expect(body.setAside).toMatchObject([{ seq: 1, code: 'seq_reused' }]);
		expect([body.stored, body.repeated, body.nextSeq]).toEqual([0, 1, 2]);
	});

	it('any order and any repetition of batches, on either instance, leads to the same store and counts', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(fc.nat(11), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
				fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
				async (batches, onOther) => {
					const scanner = await on.scannerAt('gate-2');
					const before = (await on.totals('gate-2'))?.people_in ?? 0;
					const entries = Array.from({ length: 12 }, (_, n) => {
						scanner.uptimeMs += 1_000;
						return scanner.scan(newPermit(), { people: 1 + (n % 3), party: { entered: 1, of: 6 } });
					});
					const all = [...batches, entries.map((_, n) => n)];
					await Promise.all(
						all.map(async (batch, at) => {
							const { status } = await (onOther[at] ? on.other : on.app).call('POST', '/api/v1/entries', {
								headers: { authorization: `Bearer ${scanner.token}` },
								body: scanner.batch(batch.map((n) => entries[n]))
							});
							expect(status).toBe(200);
						})
					);
					expect((await on.stored(scanner)).map(({ seq, people }) => [seq, people])).toEqual(
						entries.map((entry) => [entry.seq, entry.people])
					);
					expect((await on.totals('gate-2'))!.people_in - before).toBe(24);
					const [row] = await on.db
						.selectFrom('scanners')
						.select('entries')
						.where('id', '=', scanner.id)
						.execute();
					expect(row!.entries).toBe(12);
				}
			),
			{ numRuns: 8 }
		);
	}, 120_000);
});

describe('one permit at two gates', () => {
	it('is raised when both scanners come back, also at the same moment on two instances', async () => {
		const [one, two] = [await on.scannerAt('gate-1'), await on.scannerAt('gate-2', on.other)];
		const permits = Array.from({ length: 20 }, newPermit);
		const offline = { offline: true };
		const batches = [one, two].map((scanner) => {
			const entries = permits.map((permit) => scanner.scan(permit, offline));
			scanner.uptimeMs += hours;
			return entries;
		});
		// In opposite orders, so that a wrong order of locks would show.
		const answers = await Promise.all([one.send(batches[0]!), two.send(batches[1]!.toReversed())]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		const { conflicts } = (await on.get('entries/conflicts')).body;
		const found = conflicts.filter(({ permit }: any) => permits.includes(permit));
		expect(found).toHaveLength(20);
		expect(found[0]).toMatchObject({
			...{ kind: 'two-gates', gates: ['gate-1', 'gate-2'], people: 2, party: 1, offline: true, seen: null }
		});
		const lines = (await on.get('record?since=0', 'admin')).body.entries;
		expect(lines.some((line: any) => line.action === 'entry.conflict' && line.subject === found[0].id)).toBe(
			true
		);
		expect(JSON.stringify(lines.filter((line: any) => line.action === 'entry.conflict'))).not.toContain(
			permits[0]!
		);
		await expect
			.poll(async () => {
				const { alarms } = (await on.get('alarms')).body;
				return alarms.filter((alarm: any) => alarm.definition === 'entry-conflict').length;
			}, patience)
			.toBe(2);
		// Nothing of history was rewritten, and sending again raises nothing new.
		await Promise.all([one.send(batches[0]!), two.send(batches[1]!)]);
		expect((await on.get('entries/conflicts')).body.conflicts).toEqual(conflicts);
		const seen = await on.app.call('POST', `/api/v1/entries/conflicts/${found[0].id}/seen`, {
			cookie: on.cookies.crowd!,
			body: { reason: 'spoke with the supervisor' }
		});
		expect([seen.status, seen.body.seen.reason]).toEqual([200, 'spoke with the supervisor']);
	}, 90_000);

	it('is none where the place lets people in and out', async () => {
		const put = (policy: string) =>
			on.app.call('PUT', '/api/v1/entries/places/whole', {
				cookie: on.cookies.duty!,
				body: {
					policy,
					lateSeconds: 3_600,
					slots: [{ slot: 4, earlySeconds: 0, lateSeconds: 60 }],
					reason: 'a test'
				}
			});
		expect((await put('in-and-out')).body).toMatchObject({ policy: 'in-and-out', version: 1 });
		const [one, two] = [await on.scannerAt('gate-1'), await on.scannerAt('gate-2')];
		const permit = newPermit();
		await one.send([one.scan(permit)]);
		one.uptimeMs += 60_000;
		two.uptimeMs += 60_000;
		await one.send([one.scan(permit, { direction: 'out' })]);
		await two.send([two.scan(permit)]);
		const { conflicts } = (await on.get('entries/conflicts')).body;
		expect(conflicts.filter((conflict: any) => conflict.permit === permit)).toEqual([]);
		const settings = await on.app.call('GET', '/api/v1/entries/settings', {
			headers: { authorization: `Bearer ${two.token}` }
		});
		expect(settings.body).toMatchObject({
			...{ device: two.id, mode: 'check', nextSeq: 2, gate: { id: 'gate-2', state: 'open' } },
			place: { policy: 'in-and-out', slots: [{ slot: 4, lateSeconds: 60 }] }
		});
		await put('single');
	});
});

describe('a permit that was cancelled', () => {
	it('and let in afterwards is flagged; before, and not known at the gate, it is not', async () => {
		const [early, late, lost] = [newPermit(), newPermit(), newPermit()];
		const at = (ms: number) => new Date(Date.now() + ms);
		for (const [id, cancelledMs] of [
			[early, 60_000],
			[late, -hours]
		] as const)
			await sql`insert into permits (season, id, holder, room, slot, place, starts_at, ends_at, party, state, issued_at,
				cancelled_at) values ('demo', ${id}, ${id}, 'main', 1, 'whole', ${at(-hours)}, ${at(hours)}, 1, 'cancelled',
				${at(-2 * hours)}, ${at(cancelledMs)})`.execute(on.db);
		const scanner = await on.scannerAt('gate-1');
		await scanner.send([early, late, lost].map((permit) => scanner.scan(permit)));
		expect((await on.stored(scanner)).map(({ findings }) => findings)).toEqual([
			[],
			['revoked-at-scan'],
			['unknown-permit']
		]);
	});

	it('and that nobody proved is no use of the permit whose number it bears, and is raised by its own name', async () => {
		const scanner = await on.scannerAt('gate-2');
		const honest = newPermit();
		const unknown = { verdict: 'amber', flags: ['unknown-key'] };
		const forged = await scanner.send([scanner.scan(honest, { ...unknown, text: 'P1:FORGED', people: 2 })]);
		const blind = await scanner.send([scanner.scan(honest, unknown)]);
		const genuine = await scanner.send([scanner.scan(honest)]);
		expect([forged, blind, genuine].map(({ body }) => body.stored)).toEqual([1, 1, 1]);
		expect((await on.stored(scanner)).map(({ permit, findings }) => [permit, findings])).toEqual([
			[null, ['not-genuine']],
			[null, ['unproven']],
			[honest, ['unknown-permit']]
		]);
		const again = await scanner.send([]);
		expect(again.status).toBe(200);
		const { rows } = await sql<{ unproven: string }>`select sum(unproven_in) as unproven from entry_minutes
			where gate = 'gate-2'`.execute(on.db);
		expect(Number(rows[0]!.unproven)).toBe(1);
		const { conflicts } = (await on.get('entries/conflicts')).body;
		expect(
			conflicts.filter(({ gates }: any) => gates.includes('gate-2') && gates.length === 1)
		).toMatchObject([{ kind: 'not-genuine', permit: null, gates: ['gate-2'], people: 2, party: 0 }]);
		expect(conflicts.some(({ permit }: any) => permit === honest)).toBe(false);
	});

	it('and one whose text is not ours is flagged, and was counted all the same', async () => {
		const scanner = await on.scannerAt('gate-1');
		const { status, body } = await scanner.send([
			scanner.scan(newPermit(), { text: 'P1:FORGED', verdict: 'amber', flags: ['unknown-key'] })
		]);
		expect([status, body.stored]).toEqual([200, 1]);
		expect((await on.stored(scanner)).map(({ findings }) => findings)).toEqual([['not-genuine']]);
	});
});
