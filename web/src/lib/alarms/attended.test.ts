import { expect, test } from 'vitest';
import { isAttended, unattendedAfterMs } from './attended.ts';

test('a screen speaks for a person while it is seen, and was touched not long ago', () => {
	expect(isAttended({ visibilityState: 'visible' }, 0, unattendedAfterMs - 1)).toBe(true);
	expect(isAttended({ visibilityState: 'visible' }, 0, unattendedAfterMs)).toBe(false);
	expect(isAttended({ visibilityState: 'hidden' }, 0, 1)).toBe(false);
});
