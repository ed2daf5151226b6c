import { describe, expect, it } from 'vitest';
import { flagNames, switchableFlags, type Flag } from '../../../contract/index.ts';
import { createFlags, type FlagSource } from './flags.ts';

function fakeSource(values: Partial<Record<Flag, boolean>>) {
	const listeners = new Set<() => void>();
	const source: FlagSource = {
		isEnabled: (flag) => values[flag],
		state: () => ({ state: 'in-step', at: 1 }),
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		}
	};
	return { source, change: () => listeners.forEach((listener) => listener()) };
}

describe('the flag port', () => {
	it('answers the written default of every flag when nothing else speaks', () => {
		const flags = createFlags(null);
		expect(flags.all()).toEqual(switchableFlags);
		expect(flags.source()).toEqual({ state: 'not-configured', at: null });
	});

	it('every flag has both states: the level override beats the source, the source beats the default', () => {
		for (const flag of flagNames) {
			const { source } = fakeSource({ [flag]: false });
			expect(createFlags(source).isOn(flag)).toBe(false);
			const flags = createFlags(fakeSource({ [flag]: true }).source);
			expect(flags.isOn(flag)).toBe(true);
			flags.setOverride(new Set([flag]));
			expect(flags.isOn(flag)).toBe(false);
			flags.setOverride(new Set());
			expect(flags.isOn(flag)).toBe(true);
		}
	});

	it('a level never switches a feature on that the source switched off', () => {
		const flags = createFlags(fakeSource({ images: false }).source);
		flags.setOverride(new Set(['booking']));
		expect(flags.isOn('images')).toBe(false);
		flags.setOverride(new Set());
		expect(flags.isOn('images')).toBe(false);
	});

	it('shows how every flag would be under another override without changing anything', () => {
		const flags = createFlags(fakeSource({ images: false }).source);
		expect(flags.all(new Set(['joins']))).toEqual({ ...switchableFlags, images: false, joins: false });
		expect(flags.isOn('joins')).toBe(true);
	});

	it('tells of both kinds of change, and is not changed by the set it was given', () => {
		const { source, change } = fakeSource({});
		const flags = createFlags(source);
		let told = 0;
		const stop = flags.onChange(() => (told += 1));
		const off = new Set(['joins']);
		flags.setOverride(off);
		off.add('booking');
		change();
		expect(told).toBe(2);
		expect(flags.isOn('booking')).toBe(true);
		stop();
		change();
		expect(told).toBe(2);
	});
});
