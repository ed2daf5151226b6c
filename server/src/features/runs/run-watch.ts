import type { RunSummary } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Booking } from '../booking/index.ts';
import type { Record } from '../record/index.ts';
import type { Spike } from '../spike/index.ts';
import { buildReport } from './report.ts';
import type { Evidence } from './run-commands.ts';
import { joinSeconds, type SecondNote } from './run-seconds.ts';
import {
	findOpenRun,
	finishRun,
	moveRun,
	readDatabaseFacts,
	readSeconds,
	type Scope,
	type StoredRun
} from './runs-store.ts';
import { createSimulatedParts, type SimulatedParts } from './simulated-parts.ts';

export interface RunWatchDeps {
	db: Db;
	clock: Clock;
	log: Log;
	scope: Scope;
	record: Pick<Record, 'append'>;
	spike: Pick<Spike, 'now' | 'samples'>;
	booking: Pick<Booking, 'figures' | 'oversold' | 'simulatedCheck'>;
	evidence(): Promise<Evidence>;
	/** Times of the limits are real ones; the clock may run faster. */
	timeScale: number;
	/** Several instances: another one may have seen the beginning. */
	shared: boolean;
	stopGenerator(): void;
}

/** Figures that the seconds of the spike do not hold by themselves. */
const ownQueues = ['waiting-room', 'booking'];
const noteSecondsMax = 8_000;

/** Once a second: notes what only the newest figures say, ends what is over, and writes the report. */
export function createRunWatch(deps: RunWatchDeps) {
	const { db, clock, scope, timeScale } = deps;
	const startedAt = clock.now();
	let following: { id: string; notes: SecondNote[]; parts: SimulatedParts } | null = null;
	let stopSentFor: string | null = null;
	let looking = false;

	const note = (run: StoredRun, at: number) => {
		const now = deps.spike.now();
		if (!following || !now || run.startedAt === null) return;
		const booked = deps.booking.figures().outcomes.booked;
		following.parts.tick((at - run.startedAt) / 1_000, booked);
		const queues = now.queues.filter(({ name }) => !ownQueues.includes(name));
		following.notes.push({
			...{ at, oldestSeconds: now.room.oldestSeconds },
			instances: now.instances?.filter(({ quality }) => quality === 'live').length ?? 1,
			queues: [...queues, ...following.parts.queues()]
		});
		if (following.notes.length > noteSecondsMax) following.notes.shift();
	};
	const follow = (run: StoredRun | null) => {
		if (following?.id === run?.id) return;
		following?.parts.end();
		const parts = run && createSimulatedParts(run.parameters, deps.booking.simulatedCheck);
		following = run && parts ? { id: run.id, notes: [], parts } : null;
	};

	const settle = async (run: StoredRun, at: number, interrupted: boolean) => {
		const { startedAt: began, parameters, kind, profile } = run;
		const endedAt = run.finishedAt ?? run.beatAt ?? at;
		if (began === null) return;
		const told = await readSeconds(db, run.id);
		const seconds = joinSeconds({
			...{ startedAt: began, seconds: (endedAt - began) / 1_000, generator: told },
			samples: await deps.spike.samples(began - 1_000, endedAt + 1_000),
			notes: following?.id === run.id ? following.notes : []
		});
		const evidence = await deps.evidence();
		const sameBuild = (['build', 'config', 'schema'] as const).every((name) => evidence[name] === run[name]);
		const { connectionsMax } = await readDatabaseFacts(db);
		const end = run.told && {
			...run.told,
			generator: { ...run.told.generator, clockOffMs: run.clockOffMs }
		};
		const built = buildReport({
			...{ kind, profile, parameters, seconds, end, sameBuild, interrupted },
			stopped: run.stoppedBy !== null || (run.told?.stopped ?? false),
			...{ oversold: await deps.booking.oversold(), databaseMax: connectionsMax }
		});
		await db.transaction().execute(async (tx) => {
			if (!(await finishRun(tx, run.id, run.state, built, endedAt))) return;
			const { verdict, broken, invalidBy } = built;
			await deps.record.append(tx, {
				...{ actor: 'Marsad', action: `run.${verdict}`, subject: `run:${run.id}` },
				after: { profile, broken, invalidBy, seed: run.seed }
			});
		});
	};

	const act = async (run: StoredRun, at: number) => {
		const since = (moment: number | null) => (at - (moment ?? at)) / timeScale;
		if (run.state === 'proposed' || run.state === 'ready') {
			if ((run.expiresAt ?? Infinity) <= at) await moveRun(db, run.id, [run.state], { state: 'expired' });
		} else if (run.state === 'running') {
			const isSilent = since(run.beatAt ?? run.startedAt) > limits.runs.silentMs;
			if (run.stoppedBy !== null && stopSentFor !== run.id) {
				stopSentFor = run.id;
				deps.stopGenerator();
			}
			if (isSilent) await settle(run, at, run.stoppedBy === null);
		} else if (since(run.finishedAt) > limits.runs.settleMs) {
			await settle(run, at, !deps.shared && (run.startedAt ?? 0) < startedAt);
		}
	};

	const look = async () => {
		if (looking) return;
		looking = true;
		try {
			const at = clock.now();
			const run = await findOpenRun(db, scope);
			const isOn = run !== null && (run.state === 'running' || run.state === 'settling');
			follow(isOn ? run : null);
			if (!run) return;
			if (run.state === 'running') note(run, at);
			await act(run, at);
		} finally {
			looking = false;
		}
	};
	return {
		look,
		stop: () => following?.parts.end()
	};
}

/** Whether a run still is on its way. */
export function isOpen({ state }: Pick<RunSummary, 'state'>): boolean {
	return state === 'proposed' || state === 'ready' || state === 'running' || state === 'settling';
}
