import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConductorDecision } from '../../../contract/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createTestClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { createDecisions, rowOf, type Decided } from './decisions.ts';
import { forgetDecisions } from './decisions-store.ts';
import { createStand, settle } from './spike.fixture.ts';

const start = 1_772_000_000_000;
const decided = (change: Partial<Decided> = {}): Decided => ({
	at: start,
	perSecond: 250,
	limitedBy: 'manager',
	worstSignal: null,
	worstValue: null,
	health: 1,
	blindSince: null,
	missing: [],
	mode: 'open',
	level: 0,
	managerPerSecond: 250,
	levelCapPerSecond: null,
	narrowestPerSecond: null,
	allowedPerSecond: 250,
	provenPerSecond: 250,
	waiting: 0,
	called: 0,
	active: 0,
	noShow: 0,
	...change
});

describe('what is worth a row', () => {
	const last = rowOf(decided(), null)!;
	const next = (change: Partial<Decided>) => rowOf(decided({ at: start + 1_000, ...change }), last);
	it('a change of the rate, its reason, the mode or the manager’s hand; a second like the last is not', () => {
		expect(last).toMatchObject({ kind: 'change', before: null, perSecond: 250 });
		expect(next({})).toBeNull();
		expect(next({ perSecond: 249.5 })).toBeNull();
		expect(
			next({ perSecond: 180, limitedBy: 'health', worstSignal: 'booking p95', worstValue: 2_100 })
		).toMatchObject({ kind: 'change', before: 250, perSecond: 180, worstValue: 2_100 });
		for (const change of [
			{ mode: 'queue-all' },
			{ managerPerSecond: 300 },
			{ levelCapPerSecond: 20 },
			{ blindSince: start },
			{ limitedBy: 'leases' as const },
			{ perSecond: 0 }
		])
			expect(next(change)).toMatchObject({ kind: 'change' });
		expect(next({ at: start + 60_000 })).toMatchObject({ kind: 'minute' });
	});

	it('leaves no minute without a row, and no step of more than a twentieth between two rows', () => {
		const seconds = fc.array(
			fc.record({
				perSecond: fc.integer({ min: 0, max: 600 }),
				limitedBy: fc.constantFrom('manager' as const, 'health' as const)
			}),
			{ maxLength: 300 }
		);
		fc.assert(
			fc.property(seconds, (all) => {
				let row: ConductorDecision | null = null;
				all.forEach((second, index) => {
					const now = decided({ at: start + index * 1_000, ...second });
					row = rowOf(now, row) ?? row;
					expect(now.at - row!.at).toBeLessThan(60_000);
					expect(Math.abs(now.perSecond - row!.perSecond)).toBeLessThan(
						Math.max(1, row!.perSecond * 0.05) + 1e-9
					);
					expect(row!.limitedBy).toBe(now.limitedBy);
				});
			})
		);
	});
});

describe('what the conductor decided, on record', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	it('is read newest first, page by page, with quiet minutes or without, and survives a restart', async () => {
		const { parts, seconds, spike, hub, clock, room } = createStand(test, 'on record');
		await spike.start!();
		await seconds(65, () => parts.book(50, 100));
		await seconds(20, () => parts.book(50, 2_500));
		await settle();
		const shown = hub.snapshot('spike').state['decisions'] as ConductorDecision[];
		expect(shown[0]).toMatchObject({ kind: 'change', limitedBy: 'health', worstSignal: 'booking p95' });
		expect(shown[0]!.worstValue).toBeGreaterThan(2_400);
		expect(shown[0]!.before).toBeGreaterThan(shown[0]!.perSecond);
		await spike.stop!();

		const key = { season: 'demo', room };
		const again: ConductorDecision[][] = [];
		const reader = createDecisions({
			...{ db: test.database.db, clock, log: createLog('silent'), key },
			show: (changes) => void again.push([...changes])
		});
		clock.advance(1_000);
		await reader.start();
		expect(again.at(-1)).toEqual(shown);
		const all = await reader.page({ before: clock.now(), limit: 200, changesOnly: false }, 'none');
		expect(all.decisions.some(({ kind }) => kind === 'minute')).toBe(true);
		expect(all.next).toBeNull();
		const first = await reader.page({ before: clock.now(), limit: 1, changesOnly: true }, 'none');
		const second = await reader.page({ before: first.next!, limit: 1, changesOnly: true }, 'none');
		expect([...first.decisions, ...second.decisions]).toEqual(shown.slice(0, 2));
		await reader.stop();
		expect(await forgetDecisions(test.database.db, clock.now() + 1, 2)).toBe(2);
	});

	it('is where the conductor goes on after a restart: what health took away is not given back by one', async () => {
		const first = createStand(test, 'restarted');
		await first.spike.start!();
		await first.seconds(30, () => first.parts.book(50, 100));
		await first.seconds(20, () => first.parts.book(50, 2_500));
		const before = first.conductor.decision().ratePerSecond;
		expect(before).toBeLessThan(60);
		await first.spike.stop!();
		first.clock.advance(20_000);
		const second = createStand(test, 'restarted', first.clock);
		await second.spike.start!();
		await second.seconds(1, () => second.parts.book(50, 100));
		expect(second.conductor.decision().ratePerSecond).toBeGreaterThanOrEqual(before);
		expect(second.conductor.decision().ratePerSecond).toBeLessThanOrEqual(before + Math.max(before / 10, 5));
		await second.spike.stop!();
		// A day later is another day.
		first.clock.advance(3_600_000);
		const third = createStand(test, 'restarted', first.clock);
		await third.spike.start!();
		await third.seconds(1);
		expect(third.conductor.decision().ratePerSecond).toBe(100);
		await third.spike.stop!();
	});

	it('is written by the one who decides', async () => {
		let decides = false;
		const clock = createTestClock();
		const { seconds, spike, hub } = createStand(test, 'follower', clock, { leads: () => decides });
		await spike.start!();
		await seconds(3);
		await settle();
		expect(hub.snapshot('spike').state['decisions']).toEqual([]);
		decides = true;
		await seconds(2);
		await settle();
		expect(hub.snapshot('spike').state['decisions']).toHaveLength(1);
		await spike.stop!();
	});

	it('says since when it is blind, and which signals are missing (W-35)', async () => {
		const { parts, seconds, spike, hub, clock } = createStand(test, 'blind');
		await spike.start!();
		await seconds(5, () => parts.book(10, 20));
		const lastHeard = clock.now();
		parts.bookingFails = true;
		await seconds(35);
		expect(spike.now()!.rate).toMatchObject({ blind: true, blindSince: lastHeard, perSecond: 100 });
		expect(spike.now()!.rate.missing).toContain('booking p95');
		await seconds(35);
		expect(spike.now()!.rate).toMatchObject({ blind: true, perSecond: 50, limitedBy: 'blind' });
		await settle();
		const shown = hub.snapshot('spike').state['decisions'] as ConductorDecision[];
		expect(shown[0]).toMatchObject({ limitedBy: 'blind', perSecond: 50, blindSince: lastHeard });
		await spike.stop!();
	});

	it('shows whose hand set rate and mode', async () => {
		const { parts, seconds, spike, hub } = createStand(test, 'hand');
		await spike.start!();
		parts.commands = [
			{
				...{
					id: 2,
					at: start,
					actor: 'duty@example.org',
					action: 'queue.mode',
					subject: 'hand',
					reason: 'stop'
				},
				...{ before: { mode: 'open' }, after: { mode: 'queue-all' } }
			},
			{
				...{
					id: 1,
					at: start,
					actor: 'duty@example.org',
					action: 'queue.rate',
					subject: 'hand',
					reason: 'slow'
				},
				...{ before: { perSecond: 250 }, after: { perSecond: 100 } }
			}
		];
		await seconds(2);
		await settle();
		await seconds(1);
		expect(hub.snapshot('spike').state['hand']).toMatchObject({
			perSecond: 100,
			mode: 'open',
			last: [
				{ by: 'duty@example.org', kind: 'mode', from: 'open', to: 'queue-all', reason: 'stop' },
				{ kind: 'rate', from: 250, to: 100 }
			]
		});
		await spike.stop!();
	});
});
