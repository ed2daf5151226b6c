import type { Client } from 'aedes';
import { expect, it } from 'vitest';
import { createTakeovers } from './takeovers.ts';

const client = (id: string) => ({ id }) as Client;

it('three clients that throw out the one before them within a minute are one too many, once', () => {
	let now = 0;
	const takeovers = createTakeovers(() => now);
	const said = Array.from({ length: 8 }, () => {
		now += 1_000;
		return takeovers.note(client('gate-1'));
	});
	expect(said).toEqual([false, false, false, true, false, false, true, false]);
});

it('a device that comes back now and then, or under another name, is no trouble', () => {
	let now = 0;
	const takeovers = createTakeovers(() => now);
	for (let turn = 0; turn < 10; turn++) {
		now += 40_000;
		expect(takeovers.note(client('gate-1'))).toBe(false);
		const other = client(`gate-${turn + 2}`);
		expect(takeovers.note(other)).toBe(false);
		takeovers.forget(other);
		expect(takeovers.note(other)).toBe(false);
	}
});
