import type { Problem } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { changedSince, fasterOf } from './faster.ts';
import { byHand, sampleLevels } from '../../../dev/samples.ts';

const current = { level: 2, version: 8, since: 5, by: 'Second', reason: 'pool full', ...byHand };

test('a refusal says who was faster; one of another shape says nothing', () => {
	const problem = { code: 'somebody_faster', current, proposal: { id: 'half' } } as unknown as Problem;
	expect(fasterOf(problem)).toEqual({ current, proposal: null });
	expect(fasterOf({ code: 'somebody_faster' } as Problem)).toBeNull();
});

test('a switch seen under way is told before anybody presses', () => {
	const levels = sampleLevels({ current });
	expect(changedSince(8, levels)).toBeNull();
	expect(changedSince(null, levels)).toBeNull();
	expect(changedSince(7, levels)?.current.by).toBe('Second');
});
