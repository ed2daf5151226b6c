import { createClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { createPace } from './pacing.ts';
import { createPostgresQueue } from './postgres-queue.ts';

/** A process that holds a queue and lets itself be killed: joins what it is told to, tells what it has promised. */
export type Order = { join: string[] } | { rate: number } | { look: string[] };
export type Promised =
	| { kind: 'ready' }
	| { kind: 'place'; holder: string; number: number; state: string }
	| { kind: 'pass'; number: number; claimedAt: number }
	| {
			kind: 'looked';
			places: { holder: string; number: number; state: string; claimedAt: number }[];
			issued: number;
	  };

const [url = '', room = ''] = process.argv.slice(2);
const clock = createClock();
const log = createLog('silent');
const database = openDatabase({ url, directUrl: url, poolMax: 4, clock, log });
const pace = createPace(clock.now());
let rate = 0;
const tell = (message: Promised) => process.send?.(message);

const queue = createPostgresQueue({
	db: database.db,
	clock,
	log,
	key: { season: 'demo', room },
	first: { ratePerSecond: 1, rateSource: 'configured' },
	rules: {
		claimWindowMs: 120_000,
		passMs: 120_000,
		passMaxMs: 120_000,
		budget(now) {
			pace.advance(now, rate);
			return { passes: pace.passes(), turns: pace.turns(), placesMax: 100_000 };
		},
		rates: () => ({ passesPerSecond: rate, turnsPerSecond: rate, placesMax: 100_000 }),
		nextPassInMs: () => pace.nextPassInMs(),
		onRound: (_report, spent) => pace.spend(spent)
	}
});
await queue.start();

/** Joins, and claims whenever the turn has come, as a person would. */
async function live(holder: string): Promise<void> {
	const { number, state } = await queue.join(holder, 1);
	tell({ kind: 'place', holder, number, state });
	for (;;) {
		const outcome = await queue.claim(number);
		if (outcome.kind === 'pass') {
			tell({ kind: 'pass', number, claimedAt: outcome.ticket.claimedAt });
			return;
		}
		await clock.sleep(400);
	}
}

async function look(holders: readonly string[]): Promise<void> {
	const found = await Promise.all(
		holders.map(async (holder) => {
			const ticket = await queue.find(holder);
			return ticket ? [{ ...ticket, holder }] : [];
		})
	);
	tell({ kind: 'looked', places: found.flat(), issued: queue.figures().issued });
}

process.on('message', (order: Order) => {
	if ('join' in order) for (const holder of order.join) void live(holder).catch(() => undefined);
	if ('rate' in order) rate = order.rate;
	if ('look' in order) void look(order.look);
});
tell({ kind: 'ready' });
