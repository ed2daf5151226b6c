import { expect, it } from 'vitest';
import { createAnnouncer } from './announcer.ts';

it('speaks at most once a minute, and at once when the turn comes', () => {
	const announcer = createAnnouncer();
	expect(announcer.next('waiting', '400 ahead', 0)).toBe('400 ahead');
	expect(announcer.next('waiting', '390 ahead', 30_000)).toBeNull();
	expect(announcer.next('waiting', '380 ahead', 60_000)).toBe('380 ahead');
	expect(announcer.next('called', 'your turn', 61_000)).toBe('your turn');
	expect(announcer.next('called', 'your turn', 200_000)).toBeNull();
});
