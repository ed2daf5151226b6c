import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBench, input, type BookingBench } from './booking.fixture.ts';

const keyOf = (key: string, body: string) => ({ key, bodySha256: body });

describe('a person who sends the same again', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ instances: 2 });
		for (const { booking } of bench.instances) {
			booking.setPassVerifier((token) => {
				const [ticket = '', state = ''] = token.split(':');
				return { ticket, party: 1, expired: state === 'dead' };
			});
		}
	});
	afterAll(() => bench.close());
	const pick = (index: number) => bench.instances[index % 2]!;
	const reconciled = async () => expect(await pick(0).booking.reconcile()).toEqual([]);

	it('on two instances at once is booked once, and every answer is the first one or "still running"', async () => {
		const [slot = 0] = await bench.addSlots([400]);
		for (let round = 0; round < 15; round++) {
			const holder = `twin-${round}`;
			const wish = input(slot, { token: `t-${round}`, key: keyOf('once', 'a') });
			const results = await Promise.all(
				Array.from({ length: 6 }, (_, turn) => pick(turn).booking.book(holder, wish))
			);
			const permits = new Set(results.flatMap((result) => ('permit' in result ? [result.permit] : [])));
			expect(permits.size).toBe(1);
			expect(results.filter(({ outcome }) => outcome === 'booked')).toHaveLength(1);
			for (const { outcome } of results) expect(['booked', 'repeated', 'keyInFlight']).toContain(outcome);
		}
		await reconciled();
	});

	it('with another body under the key is told so, whichever came first, and books nothing more', async () => {
		const [one = 0, two = 0] = await bench.addSlots([400, 400]);
		for (let round = 0; round < 15; round++) {
			const holder = `other-${round}`;
			const results = await Promise.all(
				[one, two].map((slot, turn) =>
					pick(turn + round).booking.book(
						holder,
						input(slot, { token: `o-${round}`, key: keyOf('key', String(slot)) })
					)
				)
			);
			expect(results.map(({ outcome }) => outcome).sort()).toEqual(['booked', 'keyReused']);
		}
		await reconciled();
	});

	it('under the same key as somebody else is nobody’s twin', async () => {
		const [slot = 0] = await bench.addSlots([10]);
		const results = await Promise.all(
			['left', 'right'].map((holder, turn) =>
				pick(turn).booking.book(holder, input(slot, { token: `k-${holder}`, key: keyOf('shared', holder) }))
			)
		);
		expect(results.every(({ outcome }) => outcome === 'booked')).toBe(true);
	});

	it('hears "full" again under the key of that answer, and may ask anew under another', async () => {
		const [slot = 0] = await bench.addSlots([1]);
		const book = (holder: string, key: string) =>
			pick(1).booking.book(holder, input(slot, { token: `f-${holder}`, key: keyOf(key, 'a') }));
		await book('first', 'x');
		expect(await book('second', 'x')).toMatchObject({ outcome: 'slotFull' });
		const permit = await pick(0).permits.findOf('first');
		await pick(0).permits.cancel('first', permit?.id ?? '');
		expect(await book('second', 'x')).toMatchObject({ outcome: 'slotFull' });
		expect(await book('second', 'y')).toMatchObject({ outcome: 'booked' });
	});

	it('with a dead pass gets the permit, or the first answer under the key; without a booking it is no pass', async () => {
		const [slot = 0, other = 0] = await bench.addSlots([5, 5]);
		const book = (to: number, state: string, body: string | null, turn = 0) =>
			pick(turn).booking.book(
				'late',
				input(to, { token: `l-1${state}`, key: body === null ? null : keyOf('late', body) })
			);
		expect(await book(slot, ':dead', 'a')).toEqual({ outcome: 'noPass' });
		const first = await book(slot, '', 'a');
		expect(first).toMatchObject({ outcome: 'booked' });
		const again = { ...first, outcome: 'repeated' };
		expect(await book(slot, ':dead', null)).toEqual(again);
		expect(await book(slot, ':dead', 'a', 1)).toEqual(again);
		expect(await book(slot, ':dead', 'b', 1)).toEqual({ outcome: 'keyReused' });
		expect(await book(other, ':dead', null)).toMatchObject({ outcome: 'alreadyBooked' });
		const permit = await pick(0).permits.findOf('late');
		await pick(0).permits.cancel('late', permit?.id ?? '');
		expect(await book(slot, ':dead', 'a')).toEqual(again);
		expect(await book(slot, ':dead', null)).toEqual({ outcome: 'noPass' });
		await reconciled();
	});
});
