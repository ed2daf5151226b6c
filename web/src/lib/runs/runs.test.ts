import {
	profileFacts,
	runMarks,
	runPhases,
	runProfiles,
	runColumns,
	runRefusals,
	runRules,
	runSeries,
	runStates,
	runVerdicts,
	sizeOf,
	validityChecks,
	type RunReport,
	type RunSummary
} from '@marsad/server/contract';
import { describe, expect, it } from 'vitest';
import english from '../../../messages/en.json' with { type: 'json' };
import { wordOf } from '#lib/words.ts';
import { phasesAt, plannedUntil, shortfallNow } from './progress.ts';
import { differences, ruleUnit, strangeTo, verdictLook } from './verdict.ts';

const parameters = {
	...profileFacts['five-stages'].defaults,
	...{ basePerSecond: 100, peakPerSecond: 600, baselineSeconds: 60, rampSeconds: 30, holdSeconds: 60 }
};

describe('a run while it goes', () => {
	it('plans as many people as its size says, and half a ramp is less than half of its people', () => {
		const { people, seconds } = sizeOf(parameters);
		expect(Math.round(plannedUntil(parameters, seconds))).toBe(people);
		expect(plannedUntil(parameters, 60)).toBe(6_000);
		// From 100 to 350 a second in fifteen seconds.
		expect(plannedUntil(parameters, 75) - 6_000).toBe(3_375);
		expect(plannedUntil(parameters, seconds + 1_000)).toBeCloseTo(people, 0);
	});

	it('says which phase it is, and leaves out one of no length', () => {
		const states = (second: number | null) => phasesAt(parameters, second).map(({ state }) => state);
		expect(states(null)).toEqual(['ahead', 'ahead', 'ahead', 'ahead', 'ahead']);
		expect(states(95)).toEqual(['over', 'over', 'now', 'ahead', 'ahead']);
		expect(phasesAt({ ...parameters, rampSeconds: 0 }, 0).map(({ name }) => name)).not.toContain('ramp');
	});

	it('counts what its generator owes, and knows nothing before anything was due', () => {
		const progress = { offered: 200, started: 190 } as NonNullable<RunSummary['progress']>;
		expect(shortfallNow({ progress })).toBeCloseTo(0.05);
		expect(shortfallNow({ progress: { ...progress, offered: 0, started: 0 } })).toBeNull();
		expect(shortfallNow({ progress: null })).toBeNull();
	});
});

describe('what a run came to', () => {
	it('is good or bad only where it was judged: one that proves nothing is neither', () => {
		const look = (verdict: RunSummary['verdict']) => verdictLook({ verdict, state: 'finished' }).look;
		expect(runVerdicts.map(look)).toEqual(['good', 'bad', 'nothing', 'nothing', 'nothing']);
		expect(verdictLook({ verdict: null, state: 'running' }).look).toBe('open');
		expect(verdictLook({ verdict: null, state: 'withdrawn' }).look).toBe('nothing');
	});

	it('is strange to another build, configuration or schema', () => {
		const now = { build: 'a', config: 'b', schema: 'c' };
		expect(strangeTo(now, now)).toEqual([]);
		expect(strangeTo({ ...now, build: 'z', schema: 'y' }, now)).toEqual(['build', 'schema']);
	});

	it('is compared by what is better, not by what is more; the unknown is neither', () => {
		const reading = (p95: number | null, proven: number, refused: number) => ({
			run: { provenPerSecond: proven },
			report: {
				rules: [{ rule: 'booking-p95', value: p95 }],
				...{ faults: {}, refusals: { busy: refused }, people: { endings: {} }, recoverySeconds: null },
				backlog: { most: null, waitSecondsMost: null, growthPerSecond: null }
			} as unknown as RunReport
		});
		const of = (rows: ReturnType<typeof differences>, name: string) =>
			rows.find(({ figure }) => figure === name);
		const rows = differences(reading(900, 40, 3), reading(1_200, 50, 1));
		expect(of(rows, 'p95')).toMatchObject({ before: 1_200, now: 900, better: true });
		expect(of(rows, 'proven')).toMatchObject({ better: false });
		expect(of(rows, 'refusals')).toMatchObject({ before: 1, now: 3, better: null });
		expect(of(differences(reading(null, 1, 1), reading(5, 1, 1)), 'p95')?.better).toBeNull();
		expect(of(rows, 'faults')?.better).toBeNull();
		for (const { figure } of rows) expect(wordOf('run_figure', figure)).not.toBe(figure);
	});

	it('counts shares as shares: as a ratio of two digits half a per cent would look like one', () => {
		expect(ruleUnit('offered')).toBe('share');
		expect(ruleUnit('kill-line')).toBe('ratio');
		expect(ruleUnit('booking-p95')).toBe('ms');
	});

	it('has a word for every name that the contract knows', () => {
		const names = {
			run_standing: [...runStates, ...runVerdicts],
			run_phase: [...runPhases, 'after'],
			name: ['confirmations'],
			run_rule: runRules,
			run_check: validityChecks,
			run_refusal: runRefusals,
			run_mark: runMarks,
			run_series: [...runColumns, ...runSeries],
			run_means: [...runVerdicts, 'open', 'model'],
			run_of: ['build', 'config', 'schema'],
			run_part: ['work', 'pool', 'check']
		};
		const missing = Object.entries(names).flatMap(([prefix, own]) =>
			own.filter((name) => !(`${prefix}_${name.replaceAll('-', '_')}` in english))
		);
		expect(missing).toEqual([]);
		expect(runProfiles.every((profile) => profileFacts[profile].letter.length === 1)).toBe(true);
	});
});
