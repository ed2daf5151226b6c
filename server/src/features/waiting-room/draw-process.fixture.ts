import { createClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { createPostgresQueue } from './postgres-queue.ts';
import { createRoomLife } from './room-life.ts';

/** A process that holds a room with a schedule and lets itself be killed: registers whom it is told to, says what it promised. */
export type DrawOrder = { register: string[] };
export type DrawSaid =
	{ kind: 'ready' } | { kind: 'registered'; holder: string; how: string } | { kind: 'draw'; state: string };

const [url = '', room = ''] = process.argv.slice(2);
const clock = createClock();
const log = createLog('silent');
const database = openDatabase({ url, directUrl: url, poolMax: 4, clock, log });
const key = { season: 'demo', room };
const tell = (message: DrawSaid) => process.send?.(message);

const queue = createPostgresQueue({
	...{ db: database.db, clock, log, key },
	first: { ratePerSecond: 1, rateSource: 'configured' },
	rules: {
		...{ claimWindowMs: 120_000, passMs: 120_000, passMaxMs: 240_000 },
		budget: () => ({ passes: 0, turns: 0, placesMax: 100 }),
		rates: () => ({ passesPerSecond: 0, turnsPerSecond: 0, placesMax: 100 }),
		nextPassInMs: () => null,
		onRound: () => undefined
	}
});
await queue.start();
const life = createRoomLife({
	...{ db: database.db, clock, log, key, queue, secret: 'a master secret of the tests' },
	...{ worker: 'the one instance', beacon: null, simulated: true, pageSize: 50 },
	onRefusal: () => undefined,
	onChange() {
		const draw = life.draw();
		if (draw) tell({ kind: 'draw', state: draw.state });
	}
});
await life.start();
tell({ kind: 'ready' });

process.on('message', (order: DrawOrder) => {
	for (const holder of order.register) {
		void life
			.register(holder, 1)
			.then(({ kind }) => tell({ kind: 'registered', holder, how: kind }))
			.catch(() => undefined);
	}
});
