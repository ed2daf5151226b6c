import type { BallotRules } from '../../../../contract/index.ts';
import { limits } from '../../../limits.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { BallotPort, DrawnWish } from '../../booking/index.ts';
import { listOrder, saveGiven, saveSlots, type OrderedEntry } from './ballot-store.ts';
import { walkBallot } from './walk.ts';
import { readWishes } from './wishes.ts';

const pageSize = 10_000;

/**
 * Walks the order and books what it gives. May be cut off and repeated at any point: the walk comes out the same, and
 * what is booked already is not booked twice. Where a place has gone meanwhile by other ways, the party's next choices are
 * tried, in the order drawn.
 */
export async function giveBallot(deps: {
	db: Db;
	booking: BallotPort;
	draw: number;
	rules: BallotRules;
	alive: () => Promise<unknown>;
}): Promise<void> {
	const { db, draw } = deps;
	const order: OrderedEntry[] = [];
	for (let page = await listOrder(db, draw, 0, pageSize); page.length > 0;) {
		order.push(...page);
		page = await listOrder(db, draw, page.at(-1)!.place, pageSize);
	}
	const parties = order.map(({ entry, party, wishes }) => ({
		...{ id: entry.toString('hex'), party },
		...readWishes(wishes)
	}));
	const given = walkBallot(deps.rules, parties);
	const won = order.flatMap((own, i) => {
		const slot = given[i]!.slot;
		return slot === null ? [] : [{ own, slot, rest: parties[i]!.choices.slice(given[i]!.choice!) }];
	});
	let placed = 0;
	const missed: typeof won = [];
	for (let from = 0; from < won.length; from += limits.ballot.bookBatchMax) {
		const batch = won.slice(from, from + limits.ballot.bookBatchMax);
		const slots = await deps.booking.bookDrawn(batch.map(({ own, slot }) => wishOf(draw, own, slot)));
		await saveSlots(
			db,
			draw,
			batch.flatMap(({ own }, i) => (slots[i] == null ? [] : [{ entry: own.entry, slot: slots[i] }]))
		);
		placed += slots.filter((slot) => slot !== null).length;
		missed.push(...batch.filter((_, i) => slots[i] === null));
		await deps.alive();
	}
	for (const { own, rest } of missed) {
		for (const slot of rest) {
			const [booked = null] = await deps.booking.bookDrawn([wishOf(draw, own, slot)]);
			if (booked === null) continue;
			await saveSlots(db, draw, [{ entry: own.entry, slot: booked }]);
			placed += 1;
			break;
		}
	}
	await saveGiven(db, draw, { placed, unplaced: order.length - placed });
}

function wishOf(draw: number, { holder, party, wishes, entry }: OrderedEntry, slot: number): DrawnWish {
	const ticket = `ballot:${draw}:${entry.toString('hex')}`;
	return { holder, slot, party, attributes: readWishes(wishes).attributes, ticket };
}
