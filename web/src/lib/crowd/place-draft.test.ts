import { PlaceEntryRequest, type PlaceEntrySettings } from '@marsad/server/contract';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { draftOf, requestOf } from './place-draft.ts';

const place: PlaceEntrySettings = {
	...{ place: 'hall', placeNames: { ar: 'القاعة', en: 'Hall' }, policy: 'single', version: 4 },
	...{ earlySeconds: 900, lateSeconds: 1_830, movedGraceSeconds: 1_800, trailHours: 48 },
	slots: [{ slot: 7, earlySeconds: 60, lateSeconds: 120 }]
};
const shape = Compile(PlaceEntryRequest);
const why = { reason: ' the bridge is closed ' };

test('only what was changed is sent, in seconds, with the version it was read at', () => {
	const draft = draftOf(place);
	expect(draft.lateMinutes).toBe(30.5);
	expect(requestOf({ ...draft, ...why }, place)).toEqual({
		...{ reason: 'the bridge is closed', expectedVersion: 4 }
	});
	const slots = [...draft.slots, { slot: 9, earlyMinutes: 0, lateMinutes: 45 }];
	const sent = requestOf(
		{
			...draft,
			...why,
			policy: 're-entry',
			lateMinutes: 20,
			movedGraceMinutes: 45,
			slots,
			trailViewers: ['administrator' as const]
		},
		place
	);
	expect(sent).toEqual({
		...{
			policy: 're-entry',
			lateSeconds: 1_200,
			movedGraceSeconds: 2_700,
			trailViewers: ['administrator'],
			reason: 'the bridge is closed',
			expectedVersion: 4
		},
		slots: [...place.slots, { slot: 9, earlySeconds: 0, lateSeconds: 2_700 }]
	});
	expect(shape.Check(sent)).toBe(true);
	expect(requestOf({ ...draft, ...why, slots: [] }, place)).toMatchObject({ slots: [] });
});

test('what is missing or out of its bounds is not sent', () => {
	const draft = { ...draftOf(place), ...why };
	for (const wrong of [
		{ reason: 'no' },
		{ earlyMinutes: null },
		{ lateMinutes: 1_441 },
		{ earlyMinutes: -1 },
		{ movedGraceMinutes: null },
		{ trailViewers: [] },
		{ trailHours: 0.5 },
		{ trailHours: null },
		{ slots: [{ slot: 7, earlyMinutes: null, lateMinutes: 1 }] }
	])
		expect(requestOf({ ...draft, ...wrong }, place), JSON.stringify(wrong)).toBeNull();
});
