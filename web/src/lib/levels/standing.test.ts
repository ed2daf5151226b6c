import type { LevelEntry } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { behindOf, standingOf } from './standing.ts';
import { sampleLevels } from '../../../dev/samples.ts';

const level2 = { level: 2, forgottenAfterMinutes: 60 } as LevelEntry;
const current = { level: 2, exercise: false, until: null as number | null, since: 0 };

test('a planned end is ahead or over; without one a switch is forgotten in time', () => {
	expect(standingOf({ ...current, until: 90_000 }, [level2], 30_000)).toEqual({
		kind: 'until',
		secondsLeft: 60
	});
	expect(standingOf({ ...current, until: 90_000 }, [level2], 100_000)).toEqual({
		kind: 'over',
		secondsOver: 10
	});
	expect(standingOf(current, [level2], 3_600_000).kind).toBe('as-meant');
	expect(standingOf(current, [level2], 3_601_000)).toEqual({ kind: 'forgotten', seconds: 3_601 });
	expect(standingOf({ ...current, exercise: true }, [level2], 9_000_000).kind).toBe('normal');
	expect(standingOf({ ...current, level: 0 }, [level2], 9_000_000).kind).toBe('normal');
});

test('an instance that has not seen the switch is behind', () => {
	const state = sampleLevels();
	const instances = [1, 0].map((version) => ({ id: String(version), version, level: 0, at: 0 }));
	expect(behindOf({ ...state, instances }).map(({ id }) => id)).toEqual(['0']);
});
