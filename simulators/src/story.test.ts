import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteFile } from '@marsad/server/contract';
import { demoStory, storyAt, storySeconds } from './story.ts';

const site = JSON.parse(
	readFileSync(new URL('../../server/sites/demo.geojson', import.meta.url), 'utf8')
) as SiteFile;
const zones = site.features.flatMap(({ properties }) => (properties.kind === 'zone' ? [properties.id] : []));
const at = (second: number) => storyAt(demoStory, second);
const overall = (second: number) => {
	const parts = site.features.flatMap(({ properties }) => (properties.kind === 'zone' ? [properties] : []));
	const capacity = parts.reduce((sum, zone) => sum + zone.capacity.holding, 0);
	return (
		parts.reduce((sum, zone) => sum + zone.capacity.holding * at(second).zoneShare(zone.id), 0) / capacity
	);
};

describe('the story of the demo', () => {
	it('lasts a quarter of an hour and names zones of the demo site alone', () => {
		expect(storySeconds(demoStory)).toBe(900);
		const named = [
			...Object.keys(demoStory.restShares),
			...Object.keys(demoStory.waypoints),
			...demoStory.silences.map(({ zone }) => zone)
		];
		expect(named.filter((zone) => !zones.includes(zone))).toEqual([]);
	});

	it('is calm at first, opens at 1:30, loses ground from 4:00 to 7:00, and calms down', () => {
		const names = [0, 89, 90, 129, 240, 419, 420, 899].map((second) => at(second).phase.name);
		expect(names).toEqual([
			'calm',
			'calm',
			'opening',
			'opening',
			'losing ground',
			'losing ground',
			'recovery',
			'calm again'
		]);
		expect(at(300).phase.eligibilityDelayMs).toBeGreaterThan(1_000);
	});

	it('has something abnormal on site within two minutes, and online as well', () => {
		const seconds = Array.from({ length: 121 }, (_, second) => second);
		expect(seconds.some((second) => zones.some((zone) => at(second).silentShare(zone) > 0))).toBe(true);
		expect(seconds.some((second) => at(second).phase.arrivalsPerSecond > 250)).toBe(true);
		// A step in force, and counters silent for longer than a screen takes to say so, stay until somebody has looked.
		expect(at(100).zoneShare('plaza-5')).toBeGreaterThan(0.64);
		expect([45, 120, 145].every((second) => at(second).silentShare('hall-7') > 0)).toBe(true);
	});

	it('fills Plaza 5 from the first minute, past 87 % at minute six, and empties it after the tenth', () => {
		expect(at(30).zoneShare('plaza-5')).toBeLessThan(0.56);
		expect(at(360).zoneShare('plaza-5')).toBeGreaterThanOrEqual(0.88);
		expect(at(700).zoneShare('plaza-5')).toBeLessThan(0.56);
	});

	it('lets all cameras of North court fall silent from 8:00 to 10:30', () => {
		expect([479, 480, 629, 630].map((second) => at(second).silentShare('north-court'))).toEqual([0, 1, 1, 0]);
	});

	it('keeps the site half full, all other zones calm, and nothing jumps, also from one round to the next', () => {
		fc.assert(
			fc.property(
				fc.double({ min: 0, max: 5_000, noNaN: true }),
				fc.constantFrom(...zones),
				(second, zone) => {
					const share = at(second).zoneShare(zone);
					expect(share).toBeGreaterThan(0.3);
					expect(share).toBeLessThan(zone === 'plaza-5' ? 0.97 : 0.7);
					expect(Math.abs(at(second + 1).zoneShare(zone) - share)).toBeLessThan(0.01);
				}
			)
		);
		expect(overall(0)).toBeGreaterThan(0.45);
		expect(overall(0)).toBeLessThan(0.6);
	});

	it('repeats', () => {
		for (const second of [0, 100, 360, 500]) {
			expect(at(second + 1_800).phase).toBe(at(second).phase);
			expect(at(second + 1_800).zoneShare('plaza-5')).toBe(at(second).zoneShare('plaza-5'));
		}
	});
});
