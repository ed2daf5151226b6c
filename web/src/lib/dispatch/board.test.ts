import type { Dispatch, Team } from '@marsad/server/contract';
import { overwriteGetLocale } from '#lib/paraglide/runtime.js';
import { describe, expect, test } from 'vitest';
import { createFormat } from '#lib/format.ts';
import { runningTime } from '#lib/words.ts';
import { isOpen, myOrders, nextStep, orderBoard, stepAt } from './board.ts';

const text = (en: string) => ({ ar: en, en });
function order(change: Partial<Dispatch> = {}): Dispatch {
	return {
		...{ id: '1', team: 't1', teamNames: text('Team 1'), channel: 'TG 1', phone: '1' },
		...{ source: { kind: 'hand' }, task: 'look', priority: 'medium', state: 'sent' },
		place: { zone: 'a', names: text('A'), gate: null, spot: null },
		steps: [{ state: 'sent', at: 1_000, by: 'desk', byTeam: false }],
		...{ startsAt: null, unanswered: false, walkMinutes: null, support: null, reason: null },
		...{ forced: null, replacedBy: null, welfare: null, mark: 'none' },
		...change
	};
}
const team = (id: string, leader: string) => ({ id, leaders: [{ id: leader, name: leader }] }) as Team;

describe('the board', () => {
	overwriteGetLocale(() => 'en');
	test('what needs the desk stands first, what is closed last', () => {
		const sorted = orderBoard([
			order({ id: 'done', state: 'done' }),
			order({ id: 'low', priority: 'low' }),
			order({ id: 'critical', priority: 'critical' }),
			order({ id: 'unanswered', unanswered: true }),
			order({ id: 'support', support: { at: 1, by: 'x', note: null } })
		]);
		expect(sorted.map(({ id }) => id)).toEqual(['support', 'unanswered', 'critical', 'low', 'done']);
	});

	test('an order that came back is open until it is replaced', () => {
		expect(isOpen(order({ state: 'cannot' }))).toBe(true);
		expect(isOpen(order({ state: 'cannot', replacedBy: '2' }))).toBe(false);
	});

	test('a leader sees the orders of his teams alone, the one at work first', () => {
		const mine = myOrders(
			[order({ id: 'other', team: 't2' }), order({ id: 'later', state: 'reserved' }), order({ id: 'now' })],
			[team('t1', 'me'), team('t2', 'you')],
			'me'
		);
		expect(mine.map(({ id }) => id)).toEqual(['now', 'later']);
	});

	test('steps lead forward, and a skipped one has no time', () => {
		expect(nextStep('sent')).toBe('acknowledged');
		expect(nextStep('on-the-spot')).toBe('done');
		expect(nextStep('cannot')).toBeNull();
		expect(stepAt(order(), 'on-the-way')).toBeNull();
	});

	test('clocks run in minutes and seconds, never below nothing', () => {
		const format = createFormat('en', 'Asia/Riyadh');
		expect(runningTime(65_000, format)).toBe('1:05');
		expect(runningTime(599_000, format)).toBe('9:59');
		expect(runningTime(-5, format)).toBe('0:00');
	});
	test('a long time never looks like a time of day', () => {
		const format = createFormat('en', 'Asia/Riyadh');
		expect(runningTime(839_000, format)).toBe('13 min');
		expect(runningTime(3_729_000, format)).toBe('1 h 2 min');
	});
});
