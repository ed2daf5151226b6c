import { describe, expect, it } from 'vitest';
import { limits } from '../../limits.ts';
import { createTestClock } from '../../platform/clock.ts';
import { createSignInLimit } from './sign-in-limit.ts';

const perAddress = limits.http.signInsPerFiveMinutes;
const perAccount = limits.people.failuresPerAccount;

describe('the limit on sign-ins', () => {
	it('stops an address that tries many accounts, says for how long, and lets it try again then', () => {
		const clock = createTestClock();
		const limit = createSignInLimit(clock);
		for (let i = 0; i < perAddress; i += 1) expect(limit.take('a', `${i}@example.org`)).toBe(0);
		expect(limit.take('a', 'other@example.org')).toBe(300);
		expect(limit.take('b', 'other@example.org')).toBe(0);
		clock.advance(300_000);
		expect(limit.take('a', 'other@example.org')).toBe(0);
	});

	it('stops guessing at one account from many addresses, but not the address that knows the password', () => {
		const limit = createSignInLimit(createTestClock());
		expect(limit.take('desk', 'duty@example.org')).toBe(0);
		limit.succeeded('desk', 'duty@example.org');
		for (let i = 0; i < perAccount; i += 1) expect(limit.take(`bot ${i}`, 'duty@example.org')).toBe(0);
		expect(limit.take('another bot', 'duty@example.org')).toBeGreaterThan(0);
		expect(limit.take('desk', 'duty@example.org')).toBe(0);
	});

	it('counts failures only: a control room behind one address signs in as often as it likes', () => {
		const limit = createSignInLimit(createTestClock());
		for (let i = 0; i < perAddress * 3; i += 1) {
			expect(limit.take('desk', 'duty@example.org')).toBe(0);
			limit.succeeded('desk', 'duty@example.org');
		}
	});

	it('what failed for no fault of its own is not counted', () => {
		const limit = createSignInLimit(createTestClock());
		for (let i = 0; i < perAddress * 3; i += 1) {
			expect(limit.take('desk', 'duty@example.org')).toBe(0);
			limit.giveBack('desk', 'duty@example.org');
		}
	});

	it('remembers a bounded number of accounts', () => {
		const limit = createSignInLimit(createTestClock());
		for (let i = 0; i < limits.people.failureCountersMax + 10; i += 1)
			limit.take(`address ${i}`, `${i}@example.org`);
		expect(limit.take('address 0', '0@example.org')).toBe(0);
	});
});
