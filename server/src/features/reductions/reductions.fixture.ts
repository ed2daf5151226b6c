import { createClock } from '../../../test/kit/index.ts';
import type { Account, Reduction, ReductionRequest } from '../../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { TermOver } from '../../platform/leader/leader.ts';
import { createBench, from, identity, input, keys, type BookingBench } from '../booking/booking.fixture.ts';
import { createRecord } from '../record/index.ts';
import { answerOffer, findOffer } from './offers.ts';
import { previewReduction } from './preview.ts';
import { createReductionCommands } from './reduction-commands.ts';
import { createReductionWorker } from './reduction-worker.ts';
import { listReductions } from './reductions-store.ts';
import { showReductions } from './show.ts';

export const graceMs = 600_000;
const hourMs = 3_600_000;

/** Two instances on one database with a clock that is set by hand, and what the feature puts together. */
export async function startReductions() {
	let now = Date.now();
	const clock: Clock = { ...createClock(), now: () => now };
	const bench: BookingBench = await createBench({ instances: 2, lab: { checkMs: 0 }, clock });
	/** Thrown after so many steps of the worker: a process that is killed there. */
	const kill = { after: Infinity };
	const site = {
		timeZone: 'Asia/Riyadh',
		places: [{ id: 'north', name: { ar: 'الشمال', en: 'North' }, lanes: 2 }]
	};
	const made = bench.instances.map((instance, index) => {
		const { db } = instance.database;
		const record = createRecord({ db, clock });
		const common = {
			...{ db, scope: keys, season: keys.season, site, zonesOf: new Map([['north', ['hall']]]) },
			...{ permits: instance.permits, moves: instance.booking.moves, record, now: () => now },
			graceMs: async () => graceMs
		};
		let leads = index === 0;
		const worker = createReductionWorker({
			...common,
			async check() {
				if (!leads) throw new TermOver('reductions');
				if (kill.after-- <= 0) throw new Error('killed');
			},
			onSettled: () => undefined,
			onOffered: () => undefined,
			onMoved: () => undefined
		});
		return {
			...{ ...instance, db, common, worker },
			lead: (does: boolean) => (leads = does),
			commands: createReductionCommands({ ...common, onChanged: () => undefined })
		};
	});
	const [first] = made as [(typeof made)[0], (typeof made)[0]];
	const duty: Account = { id: 'duty', email: 'duty@example.org', name: 'Duty', role: 'duty-manager' };
	const within = <T>(run: (tx: Tx) => Promise<T>) => first.db.transaction().execute(run);
	const book = (user: string, slot: number, party = 1, country: string | null = null) =>
		first.booking.book(identity.holderOf(user), input(slot, { party }), from(country));
	return {
		...{ bench, made, first, duty, within, book, kill, hourMs },
		second: { ...duty, id: 'second', email: 'second@example.org', name: 'Second' } as Account,
		now: () => now,
		wait: (ms: number) => (now += ms),
		permitOf: (user: string) => first.permits.findOf(identity.holderOf(user)),
		preview: (request: ReductionRequest) => {
			const { reason: _, expectedPeople: __, ...wish } = request;
			return previewReduction(first.common, first.db, wish);
		},
		/** Creates it, and a second person confirms where one is needed. */
		async reduce(request: ReductionRequest): Promise<Reduction> {
			const created = await within((tx) => first.commands.create(tx, duty, request));
			const { id } = created.body as Reduction;
			if (created.status === 202)
				await within((tx) => first.commands.confirm(tx, { ...duty, id: 'second', name: 'Second' }, id));
			return first.commands.show(first.db, id);
		},
		show: (id: string) => first.commands.show(first.db, id),
		async list() {
			return showReductions(first.db, keys.season, site, await listReductions(first.db, keys, 0, 100));
		},
		answer: (user: string, permit: string, said: 'accept' | 'decline', instance = 0) =>
			answerOffer(made[instance]!.common, identity.holderOf(user), permit, said),
		async offerOf(user: string) {
			const permit = await first.permits.findOf(identity.holderOf(user));
			return permit ? findOffer(first.common, permit) : null;
		},
		/** Somebody came in with this permit, as a scanner says. */
		async enter(permit: string, people = 1) {
			await first.db
				.insertInto('scanners')
				.values({
					...{ id: 's-1', site: 'test', season: keys.season, name: 's', gate: 'g', created_by: 'x' },
					...{ secret_sha256: Buffer.alloc(32), created_at: new Date(now) }
				})
				.onConflict((conflict) => conflict.doNothing())
				.execute();
			const { count } = await first.db
				.selectFrom('entries')
				.select(({ fn }) => fn.countAll<number>().as('count'))
				.executeTakeFirstOrThrow();
			await first.db
				.insertInto('entries')
				.values({
					...{
						scanner: 's-1',
						seq: count + 1,
						season: keys.season,
						gate: 'g',
						kind: 'permit',
						permit,
						people
					},
					...{ direction: 'in', verdict: 'green', flags: [], findings: [], boot: 'b', uptime_ms: 1 },
					...{ device_at: new Date(now), received_at: new Date(now), at: new Date(now) },
					...{ offline: false, uncertainty_ms: 1 }
				})
				.execute();
		},
		fills: () =>
			first.db.selectFrom('slot_fills').selectAll().where('season', '=', keys.season).orderBy('id').execute(),
		close: () => bench.close()
	};
}
export type ReductionBench = Awaited<ReturnType<typeof startReductions>>;
