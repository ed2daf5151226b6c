import { expect, test } from 'vitest';
import { levelKey } from './keys.ts';

test('digits choose a written level, by the place of the key', () => {
	const levels = [0, 1, 2, 3, 4];
	expect(levelKey('Digit3', levels)).toEqual({ kind: 'look', level: 3 });
	expect(levelKey('Numpad0', levels)).toEqual({ kind: 'look', level: 0 });
	expect(levelKey('Digit7', levels)).toBeNull();
	expect(levelKey('Escape', levels)).toEqual({ kind: 'not-now' });
	expect(levelKey('KeyR', levels)).toEqual({ kind: 'reason' });
	expect(levelKey('KeyG', levels)).toBeNull();
});
