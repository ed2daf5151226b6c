import { describe, expect, it } from 'vitest';
import { progressOf, requestOf, spanMoments, type ReductionDraft } from './reductions.ts';

const draft: ReductionDraft = {
	...{ kind: 'slot', slot: 7, capacity: 20, place: '', zone: '', from: null, to: null, keepPercent: 0 },
	...{ answerMinutes: 120, withinHours: 24, otherPlaces: false, unanswered: 'move', withoutRoom: 'default' }
};
const terms = { answerMinutes: 120, withinHours: 24, otherPlaces: false, unanswered: 'move' };

describe('a draft of a reduction', () => {
	it('is a request once everything is there', () => {
		expect(requestOf(draft)).toEqual({ target: { kind: 'slot', slot: 7, capacity: 20 }, ...terms });
		expect(requestOf({ ...draft, slot: null })).toBeNull();
		expect(requestOf({ ...draft, capacity: -1 })).toBeNull();
		expect(requestOf({ ...draft, answerMinutes: 0 })).toBeNull();
		const place = { ...draft, kind: 'place' as const, place: 'north', from: 1, to: 2 };
		expect(requestOf({ ...place, withoutRoom: 'keep' })).toEqual({
			...{ target: { kind: 'place', place: 'north', from: 1, to: 2, keepPercent: 0 }, ...terms },
			withoutRoom: 'keep'
		});
		expect(requestOf({ ...place, to: 1 })).toBeNull();
		expect(requestOf({ ...place, keepPercent: 100 })).toBeNull();
		expect(requestOf({ ...place, kind: 'zone' })).toBeNull();
	});

	it('chooses its span among the planned slots', () => {
		const slot = (startsAt: number, endsAt: number) => ({ startsAt, endsAt }) as never;
		expect(spanMoments([slot(3, 4), slot(1, 2), slot(1, 2)])).toEqual({ begins: [1, 3], ends: [2, 4] });
	});
});

it('tells what is open first, and leaves out what nobody is in', () => {
	const group = (permits: number) => ({ permits, people: permits * 2 });
	const progress = { moved: group(1), offered: group(2), revoked: group(0) };
	expect(progressOf({ progress }).map(({ state }) => state)).toEqual(['offered', 'moved']);
});
