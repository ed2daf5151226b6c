import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Patch } from '../../../contract/index.ts';
import { createTestClock } from '../clock.ts';
import { createHub } from './hub.ts';

describe('hub', () => {
	it('sends the leading edge at once and then at most four times a second', () => {
		const clock = createTestClock();
		const hub = createHub(clock);
		const patches: Patch[] = [];
		hub.onPatch((patch) => patches.push(patch));
		const crowd = hub.topic('crowd');
		for (let i = 0; i < 1_000; i++) {
			crowd.set('total', i);
			clock.advance(10);
		}
		expect(patches.length).toBeGreaterThanOrEqual(39);
		expect(patches.length).toBeLessThanOrEqual(42);
		expect(patches[0]!.changes).toEqual({ total: 0 });
	});

	it('sends nothing when a value is what screens already show', () => {
		const clock = createTestClock();
		const hub = createHub(clock);
		let sent = 0;
		hub.onPatch(() => sent++);
		hub.topic('levels').set('state', { level: 1 });
		clock.advance(1_000);
		hub.topic('levels').set('state', { level: 1 });
		clock.advance(1_000);
		hub.topic('levels').set('state', { level: 2 });
		hub.topic('levels').set('state', { level: 1 });
		clock.advance(1_000);
		expect(sent).toBe(1);
	});

	it('says of an object that screens have only the fields that changed, to who takes parts', () => {
		const clock = createTestClock();
		const hub = createHub(clock);
		const said: unknown[] = [];
		hub.onPatch((patch, slim) => said.push([patch.changes, slim().changes, slim().parts]));
		const zone = { names: { en: 'Hall' }, present: 1, step: null, hints: [] as string[] };
		const set = (value: unknown) => {
			hub.topic('crowd').set('zone:hall', value);
			clock.advance(1_000);
		};
		set(zone);
		set({ ...zone, present: 2, hints: ['slow'] });
		const more = { ...zone, present: 2, step: { percent: 75 }, later: true };
		set(more);
		// A field that is gone cannot be said in parts.
		set(zone);
		const key = 'zone:hall';
		expect(said).toEqual([
			[{ [key]: zone }, { [key]: zone }, undefined],
			[{ [key]: { ...zone, present: 2, hints: ['slow'] } }, {}, { [key]: { present: 2, hints: ['slow'] } }],
			[{ [key]: more }, {}, { [key]: { step: { percent: 75 }, hints: [], later: true } }],
			[{ [key]: zone }, { [key]: zone }, undefined]
		]);
	});

	it('gives a screen that applies snapshot and patches the same state as the hub, whatever happened', () => {
		const step = fc.oneof(
			fc.record({
				kind: fc.constant('set' as const),
				key: fc.constantFrom('a', 'b', 'c'),
				value: fc.oneof(
					fc.integer({ min: 0, max: 3 }),
					fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom(null, 1, [1], { c: 1 }))
				)
			}),
			fc.record({ kind: fc.constant('remove' as const), key: fc.constantFrom('a', 'b', 'c') }),
			fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 400 }) })
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 80 }), fc.nat(80), (steps, joinAt) => {
				const clock = createTestClock();
				const hub = createHub(clock);
				const handle = hub.topic('crowd');
				let screen: { seq: number; state: Map<string, unknown> } | null = null;
				const inParts = new Map<string, unknown>();
				hub.onPatch((patch, slim) => {
					if (!screen) return;
					const { changes, parts = {}, ...rest } = slim();
					expect({ ...rest, changes: {} }).toEqual({ ...patch, changes: {} });
					expect([...Object.keys(changes), ...Object.keys(parts)].sort()).toEqual(
						Object.keys(patch.changes).sort()
					);
					for (const [key, value] of Object.entries(changes)) {
						if (value === null) inParts.delete(key);
						else inParts.set(key, value);
					}
					for (const [key, fields] of Object.entries(parts))
						inParts.set(key, { ...(inParts.get(key) as object), ...fields });
					expect(patch.seq).toBe(screen.seq + 1);
					screen.seq = patch.seq;
					for (const [key, value] of Object.entries(patch.changes)) {
						if (value === null) screen.state.delete(key);
						else screen.state.set(key, value);
					}
				});
				steps.forEach((entry, index) => {
					if (index === Math.min(joinAt, steps.length - 1)) {
						const snapshot = hub.snapshot('crowd');
						screen = { seq: snapshot.seq, state: new Map(Object.entries(snapshot.state)) };
						inParts.clear();
						for (const [key, value] of Object.entries(snapshot.state)) inParts.set(key, value);
					}
					if (entry.kind === 'set') handle.set(entry.key, entry.value);
					else if (entry.kind === 'remove') handle.remove(entry.key);
					else clock.advance(entry.ms);
				});
				clock.advance(1_000);
				if (screen) {
					const { state } = screen as { state: Map<string, unknown> };
					expect(Object.fromEntries(state)).toEqual(hub.snapshot('crowd').state);
					expect(Object.fromEntries(inParts)).toEqual(hub.snapshot('crowd').state);
				}
			})
		);
	});
});
