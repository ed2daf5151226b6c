import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from './tokens.ts';

const options = { secret: 'a secret of the laboratory, thirty-two long', season: 'demo', room: 'main' };
const codec = createTokenCodec(options);
const pass = { epoch: 3, number: 7, party: 4, issuedAt: 1_772_000_000_000, expiresAt: 1_772_000_900_000 };

describe('tickets and passes', () => {
	it('come back as they were signed, for their holder alone', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 2 ** 31 }),
				fc.integer({ min: 1, max: 2 ** 31 }),
				fc.integer({ min: 1, max: 20 }),
				fc.boolean(),
				fc.string(),
				fc.string(),
				(epoch, number, party, late, holder, other) => {
					const claims = { epoch, number, party, late, joinedAt: 1_772_000_000_000 + number };
					const ticket = codec.signTicket(claims, holder);
					expect(codec.readTicket(ticket, holder)).toEqual(claims);
					if (other !== holder) expect(codec.readTicket(ticket, other)).toBeNull();
				}
			)
		);
		expect(codec.readPass(codec.signPass(pass, 'amal'), 'amal')).toEqual(pass);
		expect(codec.readPass(codec.signPass(pass, 'amal'), 'bilal')).toBeNull();
	});

	it('are worth nothing when one character is another, or anything is added', () => {
		const token = codec.signPass(pass, 'amal');
		for (let i = 0; i < token.length; i++) {
			for (const letter of ['A', 'B', '-', '.', '=']) {
				if (token[i] === letter) continue;
				expect(codec.readPass(token.slice(0, i) + letter + token.slice(i + 1), 'amal')).toBeNull();
			}
		}
		for (const text of [`${token}A`, `${token} `, token.slice(0, -1), ` ${token}`])
			expect(codec.readPass(text, 'amal')).toBeNull();
	});

	it('are not taken for each other, nor for those of another room, season or secret', () => {
		const ticket = codec.signTicket({ ...pass, late: true, joinedAt: pass.issuedAt }, 'amal');
		expect(codec.readPass(ticket, 'amal')).toBeNull();
		expect(codec.readPass(ticket.replace('T1', 'P1'), 'amal')).toBeNull();
		expect(codec.readTicket(codec.signPass(pass, 'amal'), 'amal')).toBeNull();
		for (const change of [{ room: 'other' }, { season: 'other' }, { secret: `${options.secret}!` }]) {
			expect(createTokenCodec({ ...options, ...change }).readTicket(ticket, 'amal')).toBeNull();
		}
	});

	it('reads no guess: numbers, nothing, lists, objects, very long texts', () => {
		for (const guess of [
			1,
			0,
			-1,
			'1',
			'0',
			'-1',
			'',
			undefined,
			null,
			['a', 'b'],
			{},
			'x'.repeat(100_000),
			'٧',
			'T1...'
		]) {
			expect(codec.readTicket(guess, 'amal')).toBeNull();
			expect(codec.readPass(guess, 'amal')).toBeNull();
		}
	});
});
