import { expect, test } from 'vitest';
import { sampleZone } from '../../../dev/samples.ts';
import { namesOfScope, scopeOf } from './evacuation.ts';
import { parseMapping, samplePayloads } from './payload.ts';
import { limitsOf } from './zone-limits.ts';

const steps = [60, 75, 85, 95, 100].map((percent) => ({ percent, action: { ar: 'أ', en: 'a' } }));

test('an empty form evacuates nothing, never the site', () => {
	expect(scopeOf({ wholeSite: false, zones: [], places: [] })).toBeNull();
	expect(scopeOf({ wholeSite: false, zones: ['a'], places: [] })).toEqual({ zones: ['a'] });
	expect(scopeOf({ wholeSite: true, zones: ['a'], places: [] })).toBe('site');
});

test('a scope is named by the site, and an unknown part by its id rather than left out', () => {
	expect(namesOfScope('site', null)).toBeNull();
	expect(namesOfScope({ zones: ['z'], places: ['p'] }, null)).toEqual(['p', 'z']);
});

test('a chart names capacity, hold point and the steps around, and no two on one line', () => {
	const zone = sampleZone({
		capacity: 1_000,
		holdPoint: { people: 870, committed: 0, reached: false },
		step: { ...steps[1]!, why: 'occupancy' }
	});
	expect(limitsOf(zone, steps).map(({ kind, value }) => [kind, value])).toEqual([
		['capacity', 1_000],
		['hold', 870],
		['step', 750]
	]);
	expect(limitsOf(sampleZone({ capacity: 1_000, holdPoint: null }), steps).map(({ value }) => value)).toEqual(
		[1_000, 600]
	);
});

test('a mapping is read, or it is said where it is wrong', () => {
	expect(parseMapping('  ')).toEqual({ kind: 'none' });
	expect(parseMapping('{')).toEqual({ kind: 'bad', why: 'json' });
	expect(parseMapping('{"kind":"present","value":"/count"}')).toMatchObject({ kind: 'ok' });
	expect(parseMapping('{"kind":"present","value":"count"}')).toMatchObject({ kind: 'bad', where: '/value' });
	for (const sample of Object.values(samplePayloads))
		expect(() => JSON.parse(sample) as unknown).not.toThrow();
});
