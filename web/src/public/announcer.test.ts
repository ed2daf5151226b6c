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

it('is not made to speak by a state that comes and goes', () => {
	const announcer = createAnnouncer();
	let spoken = 0;
	for (let second = 0; second < 120; second++) {
		const soon = second % 10 >= 5;
		if (announcer.next(`waiting ${soon}`, `${second} ahead`, second * 1_000) !== null) spoken++;
	}
	expect(spoken).toBeLessThanOrEqual(4);
});
