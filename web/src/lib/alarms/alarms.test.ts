import { overwriteGetLocale } from '#lib/paraglide/runtime.js';
import { describe, expect, test } from 'vitest';
import type { Abnormal } from '../wall/abnormal.ts';
import { createFormat } from '#lib/format.ts';
import { alarmTitle, evidenceWords, standingWords } from './alarm-words.ts';
import { createListKeys, listAlarms, neighbour } from './alarm-list.ts';
import { beyondAlarms, firstAlarms } from './first-alarms.ts';
import { dueSound, earcons } from './sounds.ts';
import { testAlarm, testSummary } from './test-alarm.ts';

describe('the list of alarms', () => {
	test('worst first, unseen before seen, then the oldest; returned ones stay, over and put aside ones go', () => {
		const alarms = [
			testAlarm({ id: 'low', priority: 'low' }),
			testAlarm({ id: 'seen', state: 'acknowledged', raisedAt: 1 }),
			testAlarm({ id: 'young', raisedAt: 9 }),
			testAlarm({ id: 'old', raisedAt: 2 }),
			testAlarm({ id: 'back', state: 'returned-unacknowledged' }),
			testAlarm({ id: 'over', state: 'normal' }),
			testAlarm({ id: 'shelved', shelved: { by: 'a', byId: 'a', at: 1, until: 2, reason: 'works' } }),
			testAlarm({ id: 'worst', priority: 'critical', state: 'acknowledged' })
		];
		const { rows } = listAlarms(alarms, false);
		expect(rows.map(({ id }) => id)).toEqual(['worst', 'old', 'young', 'seen', 'back', 'low']);
	});

	test('a flood folds what is hidden into its zones and loses none of it', () => {
		const alarms = Array.from({ length: 30 }, (_, i) =>
			testAlarm({
				id: String(i),
				zone: i % 2 ? 'a' : 'b',
				priority: i === 3 ? 'medium' : 'low',
				inFlood: i > 1
			})
		);
		const folded = listAlarms(alarms, false);
		expect(folded.rows).toHaveLength(2);
		expect(folded.groups.reduce((sum, { count }) => sum + count, 0)).toBe(28);
		expect(folded.groups.find(({ zone }) => zone === 'a')?.worst).toBe('medium');
		expect(listAlarms(alarms, true).rows).toHaveLength(30);
	});

	test('keys go by their place, not while somebody types, and not after g', () => {
		const read = createListKeys();
		const press = (code: string, at: number, more = {}) =>
			read({ code, at, hasModifier: false, isTyping: false, ...more });
		expect(press('KeyA', 0)).toBe('acknowledge');
		expect(press('KeyA', 10, { isTyping: true })).toBeNull();
		expect(press('KeyC', 20, { hasModifier: true })).toBeNull();
		expect(press('KeyG', 30)).toBeNull();
		expect(press('KeyC', 40)).toBeNull();
		expect(press('KeyC', 50)).toBe('confirm');
	});

	test('moving stops at either end', () => {
		expect(neighbour(['a', 'b'], null, 1)).toBe('a');
		expect(neighbour(['a', 'b'], 'b', 1)).toBe('b');
		expect(neighbour(['a', 'b'], 'b', -1)).toBe('a');
		expect(neighbour([], 'b', 1)).toBeNull();
	});
});

describe('sounds', () => {
	const sound = { seq: 7, at: 1, why: 'raised', priority: 'high', alarm: '1' } as const;

	test('a new browser hears nothing of what stands already', () => {
		expect(dueSound(null, testSummary({ sound }), [testAlarm({ soundSeq: 7 })])).toEqual({
			heard: 7,
			due: null
		});
	});

	test('what came meanwhile sounds once, as its worst, and not again', () => {
		const alarms = [
			testAlarm({ id: 'a', soundSeq: 8, priority: 'critical' }),
			testAlarm({ id: 'b', soundSeq: 9, priority: 'medium' })
		];
		const summary = testSummary({ sound: { ...sound, seq: 9 } });
		const first = dueSound(7, summary, alarms);
		expect(first).toEqual({ heard: 9, due: { seq: 8, priority: 'critical', alarm: 'a' } });
		expect(dueSound(first.heard, summary, alarms).due).toBeNull();
	});

	test('what somebody acknowledged meanwhile is silent; the flood sounds by itself', () => {
		const acknowledged = [testAlarm({ soundSeq: 9, state: 'acknowledged' })];
		expect(dueSound(7, testSummary({ sound: { ...sound, seq: 9 } }), acknowledged).due).toBeNull();
		const flood = { ...sound, seq: 10, why: 'flood', alarm: null } as const;
		expect(dueSound(9, testSummary({ sound: flood }), acknowledged).due?.alarm).toBeNull();
	});

	test('every tone lies between 500 and 3,000 Hz', () => {
		for (const { hertz } of Object.values(earcons).flat()) {
			expect(hertz).toBeGreaterThanOrEqual(500);
			expect(hertz).toBeLessThanOrEqual(3_000);
		}
	});
});

describe('the wall', () => {
	test('shows the first ones in the order of the server', () => {
		const byId = new Map([testAlarm({ id: 'a' }), testAlarm({ id: 'b' })].map((alarm) => [alarm.id, alarm]));
		expect(firstAlarms(testSummary({ first: ['b', 'gone', 'a'] }), byId).map(({ id }) => id)).toEqual([
			'b',
			'a'
		]);
		expect(firstAlarms(null, byId)).toEqual([]);
	});

	test('keeps what no alarm says, and a zone whose alarms are less urgent than it is', () => {
		const link: Abnormal = { key: 'link', kind: 'link', priority: 'high', since: 1 };
		const zone = {
			key: 'zone:plaza-5',
			kind: 'zone',
			priority: 'critical',
			zone: { id: 'plaza-5' }
		} as Abnormal;
		expect(beyondAlarms([link, zone], [testAlarm({ priority: 'medium' })])).toEqual([link, zone]);
		expect(beyondAlarms([link, zone], [testAlarm({ priority: 'critical' })])).toEqual([link]);
	});
});

describe('the words of an alarm', () => {
	overwriteGetLocale(() => 'en');
	const format = createFormat('en', 'Asia/Riyadh');
	const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '');
	const said = (definition: string, value: number | null, unit = 'seconds') =>
		plain(evidenceWords(testAlarm({ definition, evidence: { value, limit: 420, unit, at: 1 } }), format));

	test('a step of a zone is called by what it asks for, anything else by its title', () => {
		const alarm = testAlarm({ action: { ar: 'و', en: 'Hold the feed' } });
		expect(plain(alarmTitle(alarm, 'en'))).toBe('Plaza 5 · Hold the feed');
		expect(plain(alarmTitle({ ...alarm, definition: 'zone-heat' }, 'en'))).toBe('Plaza 5 · fills');
	});

	test('a time says what it measures', () => {
		expect(said('zone-step', 310)).toBe('full in 5:10 (limit 7:00)');
		expect(said('gate-hold-over', 0)).toBe('hold ends in 0 s (limit 7:00)');
		expect(said('gate-difference', 233)).toBe('for 3:53 (limit 7:00)');
		expect(said('zone-step', 87, 'percent')).toBe('87% (limit 420%)');
	});

	test('how long nobody has seen it is never taken for a time of day', () => {
		expect(plain(standingWords(testAlarm({ raisedAt: 0 }), format, 878_000))).toBe('not acknowledged 14 min');
	});
});
