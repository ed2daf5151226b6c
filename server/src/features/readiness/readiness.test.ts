import { describe, expect, it } from 'vitest';
import { readinessChecks, type KnownSpike, type RunOutcome } from '../../../contract/index.ts';
import { dayMs, type Facts } from './judge.ts';
import { judgeSpike, judgeSpikes } from './readiness.ts';

const now = Date.parse('2027-02-01T09:00:00Z');
const startsAt = now + 6 * dayMs;
const endsAt = startsAt + 7_200_000;
const spike = {
	...{
		id: 'opening',
		names: { ar: 'فتح', en: 'Opening' },
		kind: 'night',
		place: 'courtyard',
		startsAt,
		endsAt
	}
} as KnownSpike;
const run = {
	...{ id: 'r1', kind: 'load', profile: 'five-stages', state: 'finished', verdict: 'passed' },
	...{ build: 'b1', config: 'c1', schema: 's1', peakPerSecond: 600, ratePerSecond: 50, level: 0 },
	...{ startedAt: now - 2 * dayMs, finishedAt: now - 2 * dayMs + 900_000, invalidBy: null, broken: [] },
	narrowest: { part: 'pool', id: 'pool', second: 90, mostPerSecond: 80, suggestedPerSecond: 64 },
	...{ provenPerSecond: 60, recoverySeconds: 30, mark: 'none' }
} as RunOutcome;
const drill = (level: number) =>
	({ level, effect: {}, endedAt: now - dayMs }) as unknown as Facts['drills'][number];
const window = { from: startsAt - dayMs, until: endsAt + dayMs };
const line = { id: 'x', version: 1, by: 'Duty', at: now - dayMs, window };
const duty = (seat: string, account: string) =>
	({ ...line, seat, account, name: account }) as unknown as Facts['plan']['roster'][number];
const note = { at: now - dayMs, actor: 'duty@example.org', reason: 'letter 12 of 3 January' };

const ready = (): Facts =>
	({
		...{ now, startedAt: now - 3 * dayMs, ratePerSecond: 50, runs: [run], levels: [1, 2] },
		evidence: { build: 'b1', config: 'c1', schema: 's1' },
		drills: [drill(1), drill(2)],
		keys: {
			readAt: now,
			keyList: { version: 7, issuedAt: now - 60_000, stale: false },
			keys: [{ kid: 'aa', state: 'signing', usable: true, notAfter: endsAt + dayMs, listedAt: now - dayMs }]
		},
		scanners: [
			{
				...{ name: 'North 1', state: 'online', seenAt: now - 60_000, clock: { state: 'good' } },
				report: { keys: { version: 7, ageSeconds: 5 }, revocations: { version: 3, ageSeconds: 60 } }
			}
		],
		devices: [{ device: 'd1', state: 'online', optional: false, heard: 1, counters: ['a'] }],
		reconciliation: { state: 'equal', at: now - 5_000, checked: { slots: 40 } },
		plan: {
			freezes: [{ ...line, covers: ['deploys'] }],
			orders: [{ ...line, state: 'ordered', signedBy: 'Operations', names: { ar: 'خوادم', en: 'Servers' } }],
			roster: [duty('duty-manager', 'a'), duty('second-person', 'b')]
		},
		notes: { 'external-limits': note, backup: note }
	}) as unknown as Facts;
const check = (facts: Facts, name: string, of: KnownSpike = spike) =>
	judgeSpike(facts, of).checks.find((each) => each.check === name)!;
const withRun = (over: Partial<RunOutcome>): Facts => ({ ...ready(), runs: [{ ...run, ...over }] });

describe('readiness from evidence', () => {
	it('shows everything that has evidence; what nobody keeps is unknown, and keeps the spike from being ready', () => {
		const { checks, ready: isReady } = judgeSpike(ready(), spike);
		expect(checks.map(({ check: name }) => name)).toEqual([...readinessChecks]);
		expect(
			checks.filter(({ state }) => state !== 'shown').map(({ check: name, state }) => [name, state])
		).toEqual([['messages', 'unknown']]);
		expect(isReady).toBe(false);
	});

	it('has a run on another build, schema, configuration or rate for stale, and an old one', () => {
		const of = (over: Partial<RunOutcome>) => check(withRun(over), 'run');
		expect(of({})).toMatchObject({ state: 'shown', run: 'r1', value: 600 });
		expect(of({ build: 'b0' })).toMatchObject({ state: 'stale', reason: 'other-build' });
		expect(of({ schema: 's0' })).toMatchObject({ state: 'stale', reason: 'other-schema' });
		expect(of({ config: 'c0' })).toMatchObject({ state: 'stale', reason: 'other-config' });
		expect(of({ ratePerSecond: 40 })).toMatchObject({ state: 'stale', reason: 'other-rate' });
		expect(of({ finishedAt: now - 31 * dayMs })).toMatchObject({ state: 'stale', reason: 'too-old' });
		expect(of({ verdict: 'failed' })).toMatchObject({ state: 'refuted', reason: 'last-failed' });
	});

	it('believes neither a model nor a run that says nothing; a failure after a pass counts', () => {
		expect(check(withRun({ kind: 'model' }), 'run')).toMatchObject({ state: 'missing', reason: 'never' });
		expect(check(withRun({ verdict: 'invalid' }), 'run').state).toBe('missing');
		const runs = (...verdicts: RunOutcome['verdict'][]) => ({
			...{ ...ready(), runs: verdicts.map((verdict) => ({ ...run, verdict })) }
		});
		expect(check(runs('invalid', 'passed'), 'run').state).toBe('shown');
		expect(check(runs('failed', 'passed'), 'run').state).toBe('refuted');
		expect(check({ ...ready(), ratePerSecond: null }, 'run')).toMatchObject({ reason: 'no-figures' });
	});

	it('holds the admission rate against the narrowest part', () => {
		expect(check(ready(), 'narrowest')).toMatchObject({ state: 'shown', value: 50, limit: 64 });
		const faster = { ...ready(), ratePerSecond: 65 };
		expect(check(faster, 'narrowest')).toMatchObject({ state: 'refuted', reason: 'rate-above' });
		expect(check(withRun({ narrowest: null, provenPerSecond: null }), 'narrowest').reason).toBe(
			'not-measured'
		);
	});

	it('names the levels, scanners, counters and seats that are missing', () => {
		expect(check({ ...ready(), drills: [drill(1)] }, 'levels-drilled')).toMatchObject({ names: ['2'] });
		const [scanner] = ready().scanners;
		const old = {
			...scanner!,
			name: 'South',
			report: { ...scanner!.report, keys: { version: 6, ageSeconds: 1 } }
		};
		expect(check({ ...ready(), scanners: [scanner!, old] }, 'scanners')).toMatchObject({
			...{ state: 'refuted', reason: 'old-lists', names: ['South'] }
		});
		const never = { ...scanner!, seenAt: null };
		expect(check({ ...ready(), scanners: [never] }, 'scanners')).toMatchObject({
			state: 'stale',
			reason: 'silent'
		});
		const [device] = ready().devices!;
		expect(check({ ...ready(), devices: [{ ...device!, state: 'stale' }] }, 'counters').names).toEqual([
			'd1'
		]);
		expect(check({ ...ready(), devices: [{ ...device!, heard: 0 }] }, 'counters').state).toBe('refuted');
		expect(check({ ...ready(), devices: null }, 'counters').state).toBe('unknown');
		const { plan } = ready();
		const roster = [duty('duty-manager', 'a')];
		expect(check({ ...ready(), plan: { ...plan, roster } }, 'roster').names).toEqual(['second-person']);
		const one = [...roster, duty('second-person', 'a')];
		expect(check({ ...ready(), plan: { ...plan, roster: one } }, 'roster').reason).toBe('one-person');
	});

	it('asks for no gates where nobody comes to a place, and for nothing of no day', () => {
		const online = { ...spike, place: null, kind: 'opening' } as KnownSpike;
		expect(check({ ...ready(), scanners: [] }, 'scanners', online).state).toBe('not-needed');
		const nowhere = judgeSpike(ready(), { ...spike, startsAt: null, endsAt: null });
		expect(nowhere.ready).toBe(false);
		expect(new Set(nowhere.checks.map(({ reason }) => reason))).toEqual(new Set(['no-day']));
	});

	it('wants the key to outlive the spike, and lists that are not old', () => {
		const { keys } = ready();
		const [key] = keys.keys;
		const ends = { ...keys, keys: [{ ...key!, notAfter: endsAt - 1 }] };
		expect(check({ ...ready(), keys: ends }, 'keys')).toMatchObject({ state: 'refuted', reason: 'key-ends' });
		const next = { ...key!, kid: 'bb', state: 'next' as const };
		expect(check({ ...ready(), keys: { ...ends, keys: [...ends.keys, next] } }, 'keys').state).toBe('shown');
		const unlisted = { ...next, listedAt: null };
		expect(check({ ...ready(), keys: { ...ends, keys: [...ends.keys, unlisted] } }, 'keys').state).toBe(
			'refuted'
		);
		const stale = { ...keys, keyList: { ...keys.keyList!, stale: true } };
		expect(check({ ...ready(), keys: stale }, 'keys')).toMatchObject({
			state: 'stale',
			reason: 'list-stale'
		});
	});

	it('wants orders in place once their time has come, and a freeze of deploys all the way', () => {
		const { plan } = ready();
		const [order] = plan.orders;
		const begun = { ...order!, window: { from: now - 1, until: endsAt + 1 } };
		expect(check({ ...ready(), plan: { ...plan, orders: [begun] } }, 'orders').reason).toBe('not-in-place');
		const there = { ...begun, state: 'in-place' as const };
		expect(check({ ...ready(), plan: { ...plan, orders: [there] } }, 'orders').state).toBe('shown');
		expect(check({ ...ready(), plan: { ...plan, orders: [] } }, 'orders').state).toBe('missing');
		const [freeze] = plan.freezes;
		const short = { ...freeze!, window: { from: startsAt, until: endsAt - 1 } };
		expect(check({ ...ready(), plan: { ...plan, freezes: [short] } }, 'freeze').reason).toBe('not-covered');
	});

	it('forgets what was written down long ago, and a warm server that was restarted', () => {
		const long = { ...note, at: now - 91 * dayMs };
		const facts = { ...ready(), notes: { 'external-limits': long, backup: long } } as unknown as Facts;
		expect(check(facts, 'backup')).toMatchObject({ state: 'stale', reason: 'too-old' });
		expect(check(facts, 'external-limits').state).toBe('shown');
		expect(check({ ...ready(), startedAt: now }, 'warm').state).toBe('stale');
	});

	it('lists what is not over, the nearest first', () => {
		const over = { ...spike, id: 'over', endsAt: now };
		const later = { ...spike, id: 'later', startsAt: startsAt + dayMs, endsAt: endsAt + dayMs };
		expect(judgeSpikes(ready(), [later, over, spike]).map(({ id }) => id)).toEqual(['opening', 'later']);
	});
});
