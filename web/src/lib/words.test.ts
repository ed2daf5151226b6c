import { describe, expect, it } from 'vitest';
import { m } from '#lib/paraglide/messages.js';
import { failureOf } from './words.ts';

describe('why a call came to nothing', () => {
	it('is no failure when it was answered', () => {
		expect(failureOf({ kind: 'ok', status: 200, body: null }, 'ar')).toBeNull();
	});

	it('is the refusal in the language of the screen, or that nobody answered', () => {
		const problem = { type: 'about:blank', status: 403, code: 'forbidden', error: '', title: '' } as const;
		const refused = { kind: 'refused', problem, retryAfterSeconds: null } as const;
		expect(failureOf(refused, 'en')).toBe('Your role may not do this.');
		expect(failureOf(refused, 'ar')).toBe('دورك لا يسمح بهذا الإجراء.');
		expect(failureOf({ kind: 'no-answer' }, 'en')).toBe(m.state_no_answer());
	});
});
