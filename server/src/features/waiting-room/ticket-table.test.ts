import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLiving } from './round.ts';
import { createTicketTable, ticketStates, type NewTicket } from './ticket-table.ts';

const ticket = (number: number, holder: string, rest: Partial<NewTicket> = {}): NewTicket => ({
	number,
	holder,
	party: 1,
	state: 'waiting',
	late: false,
	joinedAt: number,
	claimedAt: 0,
	dueAt: 0,
	extendedMs: 0,
	...rest
});

describe('ticket table', () => {
	it('behaves as a plain list of objects, whatever happens, also while it grows', () => {
		const step = fc.oneof(
			fc.record({
				kind: fc.constant('add' as const),
				holder: fc.integer({ min: 0, max: 20 }),
				late: fc.boolean()
			}),
			fc.record({
				kind: fc.constant('change' as const),
				number: fc.integer({ min: 1, max: 60 }),
				state: fc.constantFrom(...ticketStates)
			}),
			fc.record({
				kind: fc.constant('give' as const),
				number: fc.integer({ min: 1, max: 60 }),
				holder: fc.integer({ min: 0, max: 20 })
			})
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
				const table = createTicketTable(2);
				const plain: NewTicket[] = [];
				for (const entry of steps) {
					const livesFor = (holder: string) => plain.some((t) => t.holder === holder && isLiving(t.state));
					if (entry.kind === 'add') {
						// A holder has at most one living ticket.
						if (livesFor(`holder ${entry.holder}`)) continue;
						const added = ticket(plain.length + 1, `holder ${entry.holder}`, { late: entry.late });
						plain.push(added);
						table.add({ ...added });
					} else if (entry.kind === 'give') {
						const found = plain[entry.number - 1];
						if (!found || !isLiving(found.state) || livesFor(`holder ${entry.holder}`)) continue;
						found.holder = `holder ${entry.holder}`;
						table.change(found.number, { holder: found.holder });
					} else {
						const found = plain[entry.number - 1];
						// A ticket that was called never waits again.
						if (!found || (isLiving(entry.state) && !isLiving(found.state))) continue;
						if (entry.state === 'waiting' && found.state !== 'waiting') continue;
						found.state = entry.state;
						table.change(found.number, { state: entry.state });
					}
				}
				for (const state of ticketStates)
					expect(table.counts[state]).toBe(plain.filter((t) => t.state === state).length);
				const waiting = plain.filter((t) => t.state === 'waiting');
				const order = [...waiting.filter((t) => t.late), ...waiting.filter((t) => !t.late)].map(
					(t) => t.number
				);
				expect(table.next(1_000, () => false)).toEqual(order);
				const front = waiting.find((t) => !t.late)?.number ?? plain.length + 1;
				expect(table.released).toBe(front - 1);
				for (const holder of new Set(plain.map((t) => t.holder))) {
					const own = plain.filter((t) => t.holder === holder);
					const living = own.find((t) => isLiving(t.state));
					if (living) expect(table.find(holder)?.number).toBe(living.number);
					else expect(own.map((t) => t.number)).toContain(table.find(holder)?.number);
					for (const t of own) expect(table.isHeldBy(t.number, holder)).toBe(true);
				}
				for (const t of plain) {
					const position = table.position(t.number);
					if (t.state !== 'waiting') expect(position).toBe(0);
					else expect(position).toBe(t.late ? order.indexOf(t.number) + 1 : t.number - table.released);
				}
				expect([...table.called].sort((a, b) => a - b)).toEqual(
					plain.filter((t) => t.state === 'called').map((t) => t.number)
				);
				expect([...table.admitted].sort((a, b) => a - b)).toEqual(
					plain.filter((t) => t.state === 'admitted').map((t) => t.number)
				);
			})
		);
	});

	it('knows no ticket before it was given', () => {
		const table = createTicketTable();
		table.add(ticket(1, 'amal'));
		for (const number of [0, -1, 2, 1.5, NaN, Infinity]) expect(table.get(number)).toBeNull();
		expect(table.find('bilal')).toBeNull();
		expect(() => table.add(ticket(3, 'bilal'))).toThrow('gap');
		expect(ticketStates.filter(isLiving)).toEqual(['waiting', 'called', 'admitted']);
	});
});
