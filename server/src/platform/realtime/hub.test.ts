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

	it('gives a screen that applies snapshot and patches the same state as the hub, whatever happened', () => {
		const step = fc.oneof(
			fc.record({
				kind: fc.constant('set' as const),
				key: fc.constantFrom('a', 'b', 'c'),
				value: fc.integer({ min: 0, max: 3 })
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
				hub.onPatch((patch) => {
					if (!screen) return;
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
					}
					if (entry.kind === 'set') handle.set(entry.key, entry.value);
					else if (entry.kind === 'remove') handle.remove(entry.key);
					else clock.advance(entry.ms);
				});
				clock.advance(1_000);
				if (screen) {
					const { state } = screen as { state: Map<string, unknown> };
					expect(Object.fromEntries(state)).toEqual(hub.snapshot('crowd').state);
				}
			})
		);
	});
});
