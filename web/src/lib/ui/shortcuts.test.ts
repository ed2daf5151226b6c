import { expect, test } from 'vitest';
import { createShortcuts, type KeyPress } from './shortcuts.ts';

const key = (code: string, at: number, more: Partial<KeyPress> = {}): KeyPress => ({
	code,
	at,
	hasModifier: false,
	isTyping: false,
	...more
});

test('g then a letter goes, by the place of the key and only in time', () => {
	const read = createShortcuts();
	expect(read(key('KeyG', 0))).toBeNull();
	expect(read(key('KeyL', 800))).toEqual({ kind: 'go', href: '/control/levels' });
	expect(read(key('KeyL', 900))).toBeNull();
	read(key('KeyG', 2_000));
	expect(read(key('KeyC', 3_600))).toBeNull();
});

test('nothing happens while somebody types or holds a modifier', () => {
	const read = createShortcuts();
	read(key('KeyG', 0, { isTyping: true }));
	expect(read(key('KeyL', 100))).toBeNull();
	read(key('KeyG', 200));
	expect(read(key('KeyL', 300, { hasModifier: true }))).toBeNull();
	expect(read(key('KeyF', 400, { isTyping: true }))).toBeNull();
	expect(read(key('KeyF', 500))).toEqual({ kind: 'freeze' });
});
