// Payloads and patches are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { describe, expect, it } from 'vitest';
import type { CrowdTotal, Zone } from '../../../contract/index.ts';
import { createZoneLive } from './zone-live.ts';
import { watchZone } from './zones.fixture.ts';

const at = (second: number) => Date.UTC(2026, 2, 1) + second * 1_000;

function setUp(connected = true) {
	const shown: [string, any][] = [];
	const told: [string, any][] = [];
	const live = createZoneLive({
		site: 'test',
		topic: { set: (key, value) => void shown.push([key, value]), remove: () => undefined },
		broker: {
			state: () => ({ connected, since: 0 }),
			publish: async (topic, payload, options) =>
				void told.push([topic, { ...JSON.parse(payload.toString()), retain: options?.retain }])
		},
		onError: (error) => {
			throw error;
		}
	});
	const base = watchZone('hall').lookUntil(0);
	const zone = (second: number, present: number | null): Zone => ({ ...base, present, at: at(second) });
	const total = (second: number): CrowdTotal => ({
		present: 1,
		capacity: 2,
		missing: [],
		drift: [],
		sources: { heard: 1, expected: 1 },
		at: at(second),
		quality: 'live',
		mark: 'simulated'
	});
	const show = (second: number, present: number | null) =>
		live.show([zone(second, present)], total(second), at(second), true);
	const showZone = (second: number, said: Partial<Zone>) =>
		live.show([{ ...zone(second, 10), ...said }], total(second), at(second), true);
	const moments = () =>
		shown.filter(([key]) => key === 'zone:hall').map(([, value]) => (value.at - at(0)) / 1_000);
	return { show, showZone, moments, told, shown };
}

describe('zones on the glass', () => {
	it('change because something changed, not because a second passed', () => {
		const { show, moments } = setUp();
		for (let second = 0; second <= 7; second++) show(second, second < 3 ? 10 : 11);
		expect(moments()).toEqual([0, 0, 0, 3, 3, 3, 3, 3]);
	});

	it('move their moment while nothing changes, so that a quiet zone is seen to live', () => {
		const { show, moments } = setUp();
		for (let second = 0; second <= 6; second++) show(second, 10);
		expect(moments()).toEqual([0, 0, 0, 0, 0, 5, 5]);
	});

	it('move flow and hold point every few seconds, and at once when they say another thing', () => {
		const { shown, showZone } = setUp();
		const people = () =>
			shown.filter(([key]) => key === 'zone:hall').map(([, value]) => value.holdPoint.people);
		const look = (second: number, reached = false) =>
			showZone(second, {
				flowPerMinute: { in: second, out: 0 },
				holdPoint: { people: 400 - second, committed: 0, reached }
			});
		for (let second = 0; second <= 6; second++) look(second);
		expect(people()).toEqual([400, 400, 400, 400, 400, 395, 395]);
		expect(shown.at(-1)![1]).toMatchObject({ flowPerMinute: { in: 5, out: 0 } });
		look(7, true);
		look(8, true);
		expect(people().slice(-2)).toEqual([393, 393]);
	});

	it('tell signs what changed, retained, every few seconds at most', () => {
		const { show, told } = setUp();
		for (let second = 0; second <= 12; second++) show(second, second);
		expect(told.map(([, { present }]) => present)).toEqual([0, 5, 10]);
		expect(told[0]).toEqual([
			'marsad/test/zone/hall/occupancy',
			expect.objectContaining({
				present: 0,
				capacity: 500,
				quality: 'unknown',
				mark: 'simulated',
				at: at(0),
				retain: true
			})
		]);
	});

	it('tell signs that a zone is unknown: a sign must not go on showing its last number', () => {
		const { show, told } = setUp();
		show(0, 10);
		show(6, null);
		expect(told.at(-1)?.[1]).toMatchObject({ present: null });
	});

	it('wait with signs while the broker is away', () => {
		const { show, told } = setUp(false);
		show(0, 10);
		expect(told).toEqual([]);
	});
});
