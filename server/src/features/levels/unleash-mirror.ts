import { flagNames, type FlagDrift, type LevelsFile, type UnleashState } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import { UnleashWriteError, type UnleashAdmin } from '../../platform/flags/unleash-admin.ts';
import type { Log } from '../../platform/log.ts';
import { findDrift, guardedFlags, pendingFlags, unheededFlags, type MirrorView } from './drift.ts';
import { effectOf } from './levels-plan.ts';
import type { CurrentLevel } from '../../../contract/index.ts';
import type { Scope } from './levels-store.ts';
import { forgetWritten, readWritten, saveWritten, type WrittenFlag } from './mirror-store.ts';

export interface MirrorDeps {
	db: Db;
	clock: Clock;
	log: Log;
	flags: Flags;
	/** Null: nobody may write there; drift is shown, and mended by hand. */
	admin: UnleashAdmin | null;
	file: LevelsFile;
	scope: Scope;
	/** Whether this instance writes: one of several does. */
	leads(): boolean;
	level(): Pick<CurrentLevel, 'level' | 'since'>;
	/** The level was read just now: an instance that was frozen writes nothing old when it wakes. */
	isFresh(): boolean;
	/** What is shown has changed. */
	onChange(): void;
	settleMs?: number;
}

/** Unleash as the mirror of the levels: other services follow it, nobody here waits for it. */
export interface UnleashMirror {
	/** What screens see of it. */
	shown(): UnleashState;
	/**
	 * Everything that has drifted is written again; its line in the record is the caller's.
	 * @throws AppError `not_ready` while Unleash cannot be written to
	 */
	restore(tx: Tx): Promise<FlagDrift[]>;
	/** Looks at once: another level, or a restore that was just committed. */
	look(): void;
	start(): void;
	stop(): Promise<void>;
}

export function createUnleashMirror(deps: MirrorDeps): UnleashMirror {
	const { db, clock, log, flags, admin, file, scope } = deps;
	const guarded = guardedFlags(file);
	const first = new Map<string, number>();
	let written: ReadonlyMap<string, WrittenFlag> = new Map();
	let writing: NonNullable<UnleashState['writing']> = admin ? 'ok' : 'off';
	let failures = 0;
	let writeAgainMs = -Infinity;
	let looking: Promise<void> | null = null;
	let again = false;
	let stopped = true;
	let told = '';
	const stops: StopTimer[] = [];

	const view = (): MirrorView => ({
		source: flags.source(),
		there: (flag) => flags.fromSource(flag),
		written,
		off: effectOf(file, deps.level().level).off,
		since: deps.level().since,
		guarded,
		settleMs: deps.settleMs ?? limits.unleash.settleMs,
		writes: admin !== null
	});
	const shown = (): UnleashState => {
		const { state, at } = flags.source();
		if (state === 'not-configured') return { state, at };
		return {
			state,
			// While it answers, its time is told to the minute: each answer would be a message to every screen otherwise.
			at: at !== null && state === 'in-step' ? Math.floor(at / 60_000) * 60_000 : at,
			drift: findDrift(view(), first, clock.now()),
			pending: pendingFlags(view()).length,
			writing
		};
	};
	const tell = () => {
		flags.setUnheeded(unheededFlags(view()));
		const now = JSON.stringify(shown());
		if (now === told) return;
		told = now;
		deps.onChange();
	};

	/** Kept here at once, too: while others are still being written, what Unleash repeats of it must not count. */
	const note = async (row: WrittenFlag) => {
		await saveWritten(db, scope, row);
		written = new Map(written).set(row.flag, row);
		flags.setUnheeded(unheededFlags(view()));
	};
	/** Remembers what stands there already, as if it had been written: what differs shows as drift. */
	const adoptKnown = async () => {
		if (flags.source().state !== 'in-step') return;
		const { off } = view();
		for (const flag of flagNames) {
			if (written.has(flag) || flags.fromSource(flag) === undefined) continue;
			await note({ flag, enabled: !off.has(flag), writtenAt: clock.now() });
		}
	};
	const write = async ({ write: send }: UnleashAdmin) => {
		try {
			for (const flag of pendingFlags(view())) {
				if (stopped) return;
				const enabled = !view().off.has(flag);
				// Noted first: what is left half made is still to be written.
				await note({ flag, enabled, writtenAt: null });
				await send(flag, enabled);
				await note({ flag, enabled, writtenAt: clock.now() });
			}
			if (failures > 0) log.info({}, 'Unleash is written to again');
			failures = 0;
			writing = 'ok';
		} catch (error) {
			if (!(error instanceof UnleashWriteError)) throw error;
			if (error.kind !== writing)
				log.warn({ reason: error.message }, 'Unleash cannot be written to: other services see an old level');
			writing = error.kind;
			failures += 1;
			const { writeAgainMs: firstMs, writeAgainMsMax } = limits.unleash;
			writeAgainMs = clock.elapsedMs() + Math.min(writeAgainMsMax, firstMs * 2 ** Math.min(failures, 10));
		}
	};
	const lookOnce = async () => {
		if (flags.source().state === 'not-configured') return;
		const read = async () => {
			written = new Map((await readWritten(db, scope)).map((row) => [row.flag, row]));
		};
		await read();
		if (admin && deps.leads() && deps.isFresh() && clock.elapsedMs() >= writeAgainMs) {
			await adoptKnown();
			if (pendingFlags(view()).length > 0) {
				await write(admin);
				await read();
			}
		}
		tell();
	};
	const look = () => {
		if (stopped) return;
		again = looking !== null;
		looking ??= lookOnce()
			// The database is away: the follower says so.
			.catch((error: unknown) => log.debug({ err: error }, 'the mirror could not be looked at'))
			.finally(() => {
				looking = null;
				if (again) look();
			});
	};

	return {
		shown,
		look,
		async restore(tx) {
			const ready = admin !== null && writing === 'ok' && flags.source().state === 'in-step';
			if (!ready) throw new AppError('not_ready', { part: 'unleash' });
			const drift = findDrift(view(), first, clock.now());
			if (drift.length > 0)
				await forgetWritten(
					tx,
					scope,
					drift.map(({ flag }) => flag)
				);
			return drift;
		},
		start() {
			if (flags.source().state === 'not-configured') return;
			stopped = false;
			// Before anything was read: what may not act here does not.
			flags.setUnheeded(guarded);
			stops.push(
				flags.onChange(tell),
				clock.setInterval(() => {
					if (looking === null) look();
				}, limits.levels.pollMs)
			);
			look();
		},
		async stop() {
			stopped = true;
			for (const stop of stops.splice(0)) stop();
			await looking;
		}
	};
}
